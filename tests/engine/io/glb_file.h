#pragma once
// GLB files built by tests, after "glTF 2.0 Specification", 4: "GLB file format specification".
#include "tests/engine/io/test_io_support.h"

#include <algorithm>

namespace scanloupe::test {

/// A GLB file with the given JSON, in which ' stands for a double quote, and binary data.
inline std::string glb(std::string json, const std::string& data, std::uint32_t version = 2) {
    std::replace(json.begin(), json.end(), '\'', '"');
    json.resize((json.size() + 3) / 4 * 4, ' ');
    std::string bytes;
    for (const std::uint32_t word :
         {std::uint32_t(0x46546C67), version, std::uint32_t(28 + json.size() + data.size()),
          std::uint32_t(json.size()), std::uint32_t(0x4E4F534A)})
        put(bytes, word);
    bytes += json;
    put(bytes, std::uint32_t(data.size()));
    put(bytes, std::uint32_t(0x004E4942));
    return bytes + data;
}

} // namespace scanloupe::test
