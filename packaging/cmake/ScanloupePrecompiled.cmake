# Precompiled headers, since parsing the headers of the standard library and Qt takes most of the time of compiling.
# Sources must still include the headers that they use: the preset tsan builds without precompiled headers.
set(scanloupe_precompiled_std
    <algorithm> <any> <array> <atomic> <bit> <chrono> <cmath> <condition_variable> <cstdint> <cstring> <filesystem> <fstream>
    <functional> <limits> <map> <memory> <mutex> <numbers> <numeric> <optional> <set> <span> <sstream> <stdexcept> <stop_token>
    <string> <string_view> <utility> <variant> <vector> <fmt/format.h> <fmt/ranges.h>)

# scanloupe_precompile(TARGET [HEADER...]): precompiles the standard headers and the further ones for TARGET.
function(scanloupe_precompile target)
    set(headers ${scanloupe_precompiled_std} ${ARGN})
    list(TRANSFORM headers REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:\\1>")
    target_precompile_headers(${target} PRIVATE ${headers})
endfunction()

# scanloupe_precompile_like(TARGET OTHER): TARGET, compiled with the same options, takes OTHER's precompiled headers.
function(scanloupe_precompile_like target other)
    if(NOT target STREQUAL other)
        target_precompile_headers(${target} REUSE_FROM ${other})
    endif()
endfunction()
