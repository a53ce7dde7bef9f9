#pragma once
// Declares names of files and attributes in JSON, which allows no bytes that are invalid UTF-8.
#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>

namespace scanloupe {

/// The name as a string; one that is invalid UTF-8 as {"latin1": "..."}, with a Latin-1 character for each of
/// its bytes.
nlohmann::ordered_json toJsonName(const std::string& name);
bool isByteName(const nlohmann::ordered_json& value);
constexpr std::size_t kMaxNameBytes = 4096; ///< as for paths; drawing longer ones takes the window minutes

/// The name that toJsonName() has written. @throws EngineError when it is invalid or longer than `most`
/// bytes; `what` names the file in the message: "The recipe"
std::string fromJsonName(const nlohmann::ordered_json& value, const std::string& what,
                         std::size_t most = kMaxNameBytes);

} // namespace scanloupe
