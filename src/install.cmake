# What `cmake --install` puts where: the program with its documents (component program), and the
# lower floors as a library for find_package(rmsnorm) (component library, docs/library.md).
include(CMakePackageConfigHelpers)
set(rmsnorm_share ${CMAKE_INSTALL_DATADIR}/rmsnorm-fixture)

install(TARGETS rmsnorm-fixture COMPONENT program)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/fixtures DESTINATION ${rmsnorm_share} COMPONENT program
        PATTERN .gitattributes EXCLUDE)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program
        FILES_MATCHING REGEX "\\.(md|png)$|/library-example/")
install(FILES ${CMAKE_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}
        COMPONENT program)

# Files that the program itself prints: rmsnorm_install_output(FILE FOLDER ARGUMENT …). A build for
# another machine prints them under its emulator, or by RMSNORM_PRINTED_BY: the same version for this
# machine, whose bytes are the same.
set(RMSNORM_PRINTED_BY "" CACHE FILEPATH "The program that prints man page, completions and schemas")
set(rmsnorm_printer ${RMSNORM_PRINTED_BY})
if(NOT rmsnorm_printer AND (CMAKE_CROSSCOMPILING_EMULATOR OR NOT CMAKE_CROSSCOMPILING))
  set(rmsnorm_printer ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:rmsnorm-fixture>)
endif()
if(NOT rmsnorm_printer)
  install(CODE "message(WARNING \"No man page, completions and schemas are installed: \"
                \"RMSNORM_PRINTED_BY names no program that prints them\")" COMPONENT program)
endif()

function(rmsnorm_install_output name folder)
  if(NOT rmsnorm_printer)
    return()
  endif()
  cmake_path(GET name EXTENSION LAST_ONLY extension)
  set(file ${CMAKE_BINARY_DIR}/printed/${name})
  set(commands "COMMAND ${rmsnorm_printer} ${ARGN}")
  if(extension STREQUAL ".gz")
    string(APPEND commands " COMMAND gzip -9 -n")
  endif()
  string(REPLACE ";" " " commands "${commands}")
  install(CODE "execute_process(${commands} OUTPUT_FILE ${file} COMMAND_ERROR_IS_FATAL ANY)"
          COMPONENT program)
  install(FILES ${file} DESTINATION ${folder} COMPONENT program)
endfunction()
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/printed)
rmsnorm_install_output(evidence.schema.json ${rmsnorm_share}/schemas schema evidence)
rmsnorm_install_output(exhibit.schema.json ${rmsnorm_share}/schemas schema exhibit)
rmsnorm_install_output(rmsnorm-fixture.1.gz ${CMAKE_INSTALL_MANDIR}/man1 --man)
rmsnorm_install_output(rmsnorm-fixture ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
                       completions bash)
rmsnorm_install_output(_rmsnorm-fixture ${CMAKE_INSTALL_DATADIR}/zsh/site-functions completions zsh)
rmsnorm_install_output(rmsnorm-fixture.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
                       completions fish)

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
