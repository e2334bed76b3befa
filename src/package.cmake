# `cmake --workflow --preset package`: the program as a Debian package and as an archive.
# The files depend on the sources and the compiler alone: no time, path or user of the build.
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME rmsnorm-fixture)
set(CPACK_PACKAGE_CONTACT "rmsnorm-fixture maintainers <maintainers@rmsnorm-fixture.invalid>"
    CACHE STRING "Who answers for the packages: name <address>")
set(CPACK_PACKAGE_DESCRIPTION
    "Computes numerical experiments on RMSNorm, LayerNorm and BatchNorm,
checks its own results by checks that can fail, and prints the evidence
as text, JSON or pages: the same bytes on every machine.")
set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};rmsnorm-fixture;program;/")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_RMSNORM_VERSION_TIME ${RMSNORM_VERSION_TIME})
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_SOURCE_DIR}/package/time.cmake)

string(REGEX REPLACE "^i[3-6]86$" "i386" rmsnorm_processor ${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_FILE_NAME rmsnorm-fixture-${PROJECT_VERSION}-${rmsnorm_processor})
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/package/debian.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)

# What Debian expects of a package beside the program.
set(rmsnorm_package_files ${CMAKE_BINARY_DIR}/package)
file(MAKE_DIRECTORY ${rmsnorm_package_files})
rmsnorm_version_date(version_date "%a, %d %b %Y %H:%M:%S +0000")
configure_file(package/changelog ${rmsnorm_package_files}/changelog @ONLY)
execute_process(COMMAND gzip -9 -n -f -k changelog WORKING_DIRECTORY ${rmsnorm_package_files}
                COMMAND_ERROR_IS_FATAL ANY)
install(FILES ${rmsnorm_package_files}/changelog.gz package/copyright
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/rmsnorm-fixture COMPONENT program)
install(FILES package/lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
        RENAME rmsnorm-fixture COMPONENT program)
include(CPack)
