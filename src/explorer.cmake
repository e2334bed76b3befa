# core.wasm.lzma: the experiments that the explorer runs in the browser (docs/explorer.md). Built by
# Emscripten and kept beside its sources, so that a build of the program needs no Emscripten. The
# target explorer-keep takes what was built here.
find_program(RMSNORM_EMSCRIPTEN NAMES em++ REQUIRED)
find_program(RMSNORM_WASM_OPT NAMES wasm-opt REQUIRED)
find_program(RMSNORM_XZ NAMES xz REQUIRED)
set(explorer_source ${CMAKE_CURRENT_LIST_DIR})
set(explorer_core ${CMAKE_BINARY_DIR}/core.wasm.lzma)
set(explorer_kept ${explorer_source}/pages/explore/core.wasm.lzma)

foreach(folder IN ITEMS numeric tensor autodiff nn evidence experiments/rmsnorm experiments/predict)
  file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${explorer_source} ${explorer_source}/${folder}/*.cpp)
  list(APPEND explorer_sources ${sources})
endforeach()
# It takes the floor of recipes, and the explorer prints no derivations.
list(REMOVE_ITEM explorer_sources experiments/rmsnorm/recipe.cpp experiments/rmsnorm/explanation.cpp
     evidence/derivation.cpp)
list(APPEND explorer_sources experiments/exhibit/comparison.cpp experiments/normalization/depth.cpp
     experiments/normalization/vectors.cpp report/json.cpp report/json_text.cpp report/version.cpp
     pages/explore/core.cpp pages/explore/inputs.cpp pages/explore/memory.cpp)

# Exceptions are WebAssembly's own, so that no JavaScript of Emscripten's is needed. Only a source
# that catches them, or includes the header that does, is compiled for it: in the others an exception
# passes without cleanups. The page starts the core anew after one. Without -finline-functions
# Emscripten's -Oz forbids inlining, which makes the packed code larger. The sources are optimized
# together (-flto), so that destructors vanish with what memory.cpp does not free.
set(explorer_flags -std=c++20 -Oz -finline-functions -flto -fno-rtti -ffp-contract=off
    -fno-fast-math -ffunction-sections -fdata-sections -D NDEBUG
    "-DRMSNORM_VERSION=\"${PROJECT_VERSION}\"" -I ${explorer_source}
    -isystem ${CMAKE_BINARY_DIR}/system-headers/nlohmann_json)
set(explorer_objects "")
foreach(source IN LISTS explorer_sources)
  file(STRINGS ${explorer_source}/${source} catches REGEX "catch \\(|factor_error\\.hpp")
  set(exceptions "")
  if(catches)
    set(exceptions -fwasm-exceptions)
  endif()
  string(REPLACE "/" "_" object ${source}.o)
  add_custom_command(
    OUTPUT explorer/${object} DEPENDS ${explorer_source}/${source} VERBATIM
    DEPFILE explorer/${object}.d WORKING_DIRECTORY ${CMAKE_BINARY_DIR}
    COMMAND ${RMSNORM_EMSCRIPTEN} ${explorer_flags} ${exceptions} -MD -MF explorer/${object}.d
            -c ${explorer_source}/${source} -o explorer/${object})
  list(APPEND explorer_objects explorer/${object})
endforeach()
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/explorer)

# Inlined is what makes the packed code smallest, by trial: less than Emscripten's -Oz does, and more
# than nothing. Packed with the parameters that 0-unpack.js reads.
add_custom_command(
  OUTPUT ${explorer_core} DEPENDS ${explorer_objects} VERBATIM WORKING_DIRECTORY ${CMAKE_BINARY_DIR}
  COMMAND ${RMSNORM_EMSCRIPTEN} -Oz -fwasm-exceptions ${explorer_objects} --no-entry
          -s STANDALONE_WASM=1 -s ALLOW_MEMORY_GROWTH=1 -s INITIAL_MEMORY=1MB -s TOTAL_STACK=256KB
          -Wl,-mllvm,-inline-threshold=-15 -s MALLOC=none -s SUPPORT_LONGJMP=0 -s FILESYSTEM=0
          -s EXPORTED_FUNCTIONS=_explorer_request,_explorer_run,_explorer_answer,_explorer_answer_size
          -o linked.wasm
  COMMAND ${RMSNORM_WASM_OPT} -Oz --enable-exception-handling linked.wasm -o core.wasm
  COMMAND ${RMSNORM_XZ} --format=lzma --lzma1=preset=9e,lc=3,lp=0,pb=0 -kf core.wasm
  COMMAND chmod 644 core.wasm.lzma)
add_custom_target(explorer-core DEPENDS ${explorer_core})
add_custom_target(explorer-keep DEPENDS ${explorer_core} VERBATIM
  COMMAND ${CMAKE_COMMAND} -E copy ${explorer_core} ${explorer_kept})
add_test(NAME explorer/core
         COMMAND ${CMAKE_COMMAND} -E compare_files ${explorer_core} ${explorer_kept})
