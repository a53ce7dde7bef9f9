#pragma once
// Parses JSON of untrusted files with a limit of nesting depth, since code that walks the result recurses
// once for each level.
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace scanloupe {

/// Parses `text`; `what` names it in messages: "The recipe 'car.json'". @throws EngineError when it is not
/// JSON, brackets are nested more than 64 deep, or an object has more than 16384 members, which the parser
/// compares with each other
nlohmann::ordered_json parseBoundedJson(std::string_view text, const std::string& what);

} // namespace scanloupe
