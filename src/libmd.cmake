# libmd, which computes SHA-256: Debian's static archive, or its source tree for a target that has
# no archive.
set(RMSNORM_LIBMD_SOURCE "" CACHE PATH
    "libmd's source tree, as `apt-get source libmd` unpacks it; empty for the system's archive")

if(RMSNORM_LIBMD_SOURCE)
  if(NOT EXISTS ${RMSNORM_LIBMD_SOURCE}/src/sha2.c)
    message(FATAL_ERROR "RMSNORM_LIBMD_SOURCE: ${RMSNORM_LIBMD_SOURCE}/src/sha2.c was not found; "
                        "accepted: the folder that `apt-get source libmd` unpacks, and .ci/libmd-source "
                        "unpacks to build/libmd")
  endif()
  enable_language(C)
  # The source includes a config.h that ./configure would write; SHA-256 needs nothing of it.
  file(WRITE ${CMAKE_BINARY_DIR}/libmd/config.h "")
  add_library(libmd STATIC ${RMSNORM_LIBMD_SOURCE}/src/sha2.c)
  target_include_directories(libmd SYSTEM PUBLIC ${RMSNORM_LIBMD_SOURCE}/include
                             PRIVATE ${CMAKE_BINARY_DIR}/libmd)
else()
  find_path(RMSNORM_LIBMD_INCLUDE sha2.h)
  find_library(RMSNORM_LIBMD_ARCHIVE libmd.a)
  if(NOT RMSNORM_LIBMD_INCLUDE OR NOT RMSNORM_LIBMD_ARCHIVE)
    message(FATAL_ERROR "sha2.h and libmd.a were not found: install the Debian package libmd-dev, "
                        "or set RMSNORM_LIBMD_SOURCE to libmd's source tree")
  endif()
  add_library(libmd STATIC IMPORTED)
  set_target_properties(libmd PROPERTIES IMPORTED_LOCATION ${RMSNORM_LIBMD_ARCHIVE})
  if(NOT RMSNORM_LIBMD_INCLUDE STREQUAL "/usr/include")
    set_target_properties(libmd PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${RMSNORM_LIBMD_INCLUDE})
  endif()
endif()
