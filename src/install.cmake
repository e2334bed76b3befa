# What `cmake --install` puts where: the program with its documents (component program), and the
# lower floors as a library for find_package(rmsnorm) (component library, docs/library.md).
include(CMakePackageConfigHelpers)
set(rmsnorm_share ${CMAKE_INSTALL_DATADIR}/rmsnorm-fixture)

install(TARGETS rmsnorm-fixture COMPONENT program)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/fixtures DESTINATION ${rmsnorm_share} COMPONENT program)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program
        FILES_MATCHING REGEX "\\.(md|png)$|/library-example/")
install(FILES ${CMAKE_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}
        COMPONENT program)

# Files that the program itself prints: rmsnorm_install_output(NAME FOLDER ARGUMENT …).
function(rmsnorm_install_output name folder)
  if(CMAKE_CROSSCOMPILING)
    return()
  endif()
  set(file ${CMAKE_BINARY_DIR}/printed/${name})
  install(CODE "execute_process(COMMAND $<TARGET_FILE:rmsnorm-fixture> ${ARGN}
                OUTPUT_FILE ${file} COMMAND_ERROR_IS_FATAL ANY)" COMPONENT program)
  install(FILES ${file} DESTINATION ${folder} COMPONENT program)
endfunction()
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/printed)
rmsnorm_install_output(evidence.schema.json ${rmsnorm_share}/schemas schema evidence)
rmsnorm_install_output(exhibit.schema.json ${rmsnorm_share}/schemas schema exhibit)

foreach(floor IN ITEMS numeric tensor autodiff nn)
  set_target_properties(rmsnorm_${floor} PROPERTIES EXPORT_NAME ${floor})
  install(TARGETS rmsnorm_${floor} EXPORT rmsnorm ARCHIVE COMPONENT library)
  install(DIRECTORY ${floor} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rmsnorm COMPONENT library
          FILES_MATCHING PATTERN *.hpp PATTERN tables EXCLUDE)
endforeach()
set(rmsnorm_config ${CMAKE_INSTALL_LIBDIR}/cmake/rmsnorm)
install(EXPORT rmsnorm NAMESPACE rmsnorm:: FILE rmsnormConfig.cmake DESTINATION ${rmsnorm_config}
        COMPONENT library)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/rmsnormConfigVersion.cmake
                                 COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_BINARY_DIR}/rmsnormConfigVersion.cmake DESTINATION ${rmsnorm_config}
        COMPONENT library)
