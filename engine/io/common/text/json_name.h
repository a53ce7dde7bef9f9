#pragma once
// Declares names of files and attributes in JSON, including names that are invalid UTF-8.
#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>

namespace scanloupe {

/// Returns the name as a string. A name that is invalid UTF-8 is returned as {"latin1": "..."}, with a
/// Latin-1 character for each byte.
nlohmann::ordered_json toJsonName(const std::string& name);
bool isByteName(const nlohmann::ordered_json& value);
constexpr std::size_t kMaxNameBytes = 4096; ///< same limit as for paths; drawing longer names is too slow

/// Returns the name written by toJsonName(). @param what names the file in the message, e.g. "The recipe"
/// @throws EngineError if the name is invalid or longer than `most` bytes
std::string fromJsonName(const nlohmann::ordered_json& value, const std::string& what,
                         std::size_t most = kMaxNameBytes);

} // namespace scanloupe
