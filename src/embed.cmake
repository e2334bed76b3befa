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

  # The files of a folder, of the named endings if there are any, as one table, rmsnorm::pages::FUNCTION() of
  # pages/embedded.hpp, in the order of their names; made anew when one of them changes or comes.
  function(rmsnorm_embed_folder target function folder)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*)
    if(ARGN)
      list(JOIN ARGN "|" endings)
      list(FILTER files INCLUDE REGEX "\\.(${endings})$")
    endif()
    list(SORT files)
    list(TRANSFORM files PREPEND ${folder}/ OUTPUT_VARIABLE paths)
    set(source ${CMAKE_BINARY_DIR}/embedded/${function}.cpp)
    add_custom_command(
      OUTPUT ${source} DEPENDS ${paths} ${rmsnorm_embed_script} VERBATIM
      COMMAND ${CMAKE_COMMAND} -D folder=${folder} "-D files=${files}" -D function=${function}
              -D source=${source} -P ${rmsnorm_embed_script})
    target_sources(${target} PRIVATE ${source})
  endfunction()
  return()
endif()

# One array element a byte: a string literal has a length limit, and its escapes depend on what
# follows them.
function(read_bytes file elements size)
  file(READ ${file} bytes HEX)
  string(LENGTH "${bytes}" digits)
  math(EXPR count "${digits} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  string(REGEX REPLACE "(('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',))"
         "\\1\n    " bytes "${bytes}")
  set(${elements} "${bytes}" PARENT_SCOPE)
  set(${size} ${count} PARENT_SCOPE)
endfunction()

if(files)
  set(arrays "")
  set(table "")
  set(number 0)
  foreach(file IN LISTS files)
    read_bytes(${folder}/${file} elements size)
    string(APPEND arrays "constexpr char bytes${number}[] = {\n    ${elements}};\n\n")
    string(APPEND table "    {\"${file}\", {bytes${number}, ${size}}},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  file(WRITE ${source} "#include \"pages/embedded.hpp\"

namespace rmsnorm::pages {
namespace {

${arrays}constexpr EmbeddedFile all[] = {
${table}};

}  // namespace

std::span<const EmbeddedFile> ${function}() { return all; }

}  // namespace rmsnorm::pages
")
  return()
endif()

read_bytes(${file} bytes size)
string(REGEX REPLACE "/.*" "" floor ${header})
file(WRITE ${source} "#include \"${header}\"

namespace rmsnorm::${floor} {
namespace {

constexpr char bytes[] = {
    ${bytes}};

}  // namespace

std::string_view ${function}() { return {bytes, ${size}}; }

}  // namespace rmsnorm::${floor}
")
