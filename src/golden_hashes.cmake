# Writes a header with the name and the SHA-256 of every golden in fixtures/, so that the program
# can tell on a machine without a checkout whether it still computes them.
function(rmsnorm_golden_hashes target header)
  file(GLOB goldens CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/fixtures
       ${CMAKE_SOURCE_DIR}/fixtures/*/report.* ${CMAKE_SOURCE_DIR}/fixtures/*/trace.*
       ${CMAKE_SOURCE_DIR}/fixtures/*/exhibit.*)
  set(rows "")
  foreach(golden IN LISTS goldens)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
                 ${CMAKE_SOURCE_DIR}/fixtures/${golden})
    file(SHA256 ${CMAKE_SOURCE_DIR}/fixtures/${golden} hash)
    string(APPEND rows "    {\"${golden}\", \"${hash}\"},\n")
  endforeach()
  set(folder ${CMAKE_BINARY_DIR}/generated/golden_hashes)
  file(CONFIGURE OUTPUT ${folder}/${header} @ONLY CONTENT
"// The goldens of this version.
#pragma once

#include <string_view>

namespace rmsnorm::cli {

struct GoldenHash {
    std::string_view name;    // \"25-rmsnorm/report.txt\"
    std::string_view sha256;  // hexadecimal
};

inline constexpr GoldenHash golden_hashes[] = {
@rows@};

}  // namespace rmsnorm::cli
")
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
