# In a Debian package: the folder in which Debian's zsh looks for completions of packages.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share/zsh)
  file(RENAME ${share}/site-functions ${share}/vendor-completions)
endif()
