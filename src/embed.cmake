# Files carried inside the program: rmsnorm_embed(TARGET HEADER FUNCTION FILE …) gives the target a
# source that defines `std::string_view FUNCTION()` of HEADER for each FILE, made anew when the file
# changes. Run as a script, it writes such a source.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(rmsnorm_embed_script ${CMAKE_CURRENT_LIST_FILE})

  function(rmsnorm_embed target header)
    while(ARGN)
      list(POP_FRONT ARGN function file)
      set(source ${CMAKE_BINARY_DIR}/embedded/${function}.cpp)
      add_custom_command(
        OUTPUT ${source} DEPENDS ${file} ${rmsnorm_embed_script} VERBATIM
        COMMAND ${CMAKE_COMMAND} -D file=${file} -D function=${function} -D header=${header}
                -D source=${source} -P ${rmsnorm_embed_script})
      target_sources(${target} PRIVATE ${source})
    endwhile()
  endfunction()
  return()
endif()

# One array element a byte: a string literal has a length limit, and its escapes depend on what
# follows them.
file(READ ${file} bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
string(REGEX REPLACE "(('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',))"
       "\\1\n    " bytes "${bytes}")
file(WRITE ${source} "#include \"${header}\"

namespace rmsnorm::evidence {
namespace {

constexpr char bytes[] = {
    ${bytes}};

}  // namespace

std::string_view ${function}() { return {bytes, ${size}}; }

}  // namespace rmsnorm::evidence
")
