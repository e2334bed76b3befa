# The time that packages give to their files, unless the environment names another: the version's.
if("$ENV{SOURCE_DATE_EPOCH}" STREQUAL "")
  set(ENV{SOURCE_DATE_EPOCH} ${CPACK_RMSNORM_VERSION_TIME})
endif()
