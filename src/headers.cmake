# Header-only libraries of the system, each reachable alone: a folder of links keeps the rest of
# /usr/include out of the search path, so that a cross compiler never sees the host's C library.
set(rmsnorm_header_folder ${CMAKE_BINARY_DIR}/system-headers)
file(MAKE_DIRECTORY ${rmsnorm_header_folder})

function(rmsnorm_system_header target folder header package)
  find_path(${target}_location ${folder}/${header} PATHS /usr/include /usr/local/include
            NO_CMAKE_FIND_ROOT_PATH)
  if(NOT ${target}_location)
    message(FATAL_ERROR "${folder}/${header} was not found: install the Debian package ${package}")
  endif()
  file(CREATE_LINK ${${target}_location}/${folder} ${rmsnorm_header_folder}/${target}/${folder}
       SYMBOLIC)
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE ${rmsnorm_header_folder}/${target})
endfunction()

foreach(target IN ITEMS nlohmann_json doctest)
  file(MAKE_DIRECTORY ${rmsnorm_header_folder}/${target})
endforeach()
rmsnorm_system_header(nlohmann_json nlohmann json.hpp nlohmann-json3-dev)
if(BUILD_TESTING)
  rmsnorm_system_header(doctest doctest doctest.h doctest-dev)
endif()
