#pragma once
// Parses JSON of untrusted files with a limit of nesting depth, since code that walks the result recurses
// once for each level.
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace scanloupe {

/// Parses `text` in linear time; `what` names it in messages: "The recipe 'car.json'". Of equal keys, the
/// last value counts. @throws EngineError when it is not JSON, or brackets are nested more than 64 deep
nlohmann::ordered_json parseBoundedJson(std::string_view text, const std::string& what);

} // namespace scanloupe
