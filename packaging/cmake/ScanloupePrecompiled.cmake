# Precompiled headers: of most sources, parsing the standard library's and Qt's headers is what compiling takes. Files
# include what they use all the same: the preset tsan builds without them.
set(scanloupe_precompiled_std
    <algorithm> <array> <atomic> <bit> <cmath> <cstdint> <cstring> <filesystem> <fstream> <functional> <limits> <map>
    <memory> <mutex> <numbers> <numeric> <optional> <set> <span> <sstream> <stop_token> <string> <string_view> <utility>
    <variant> <vector> <fmt/format.h> <fmt/ranges.h>)

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
