#pragma once
// JSON of files that anybody may have written: parsed with a limit of nesting, since what walks the result
// calls itself for each level.
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace scanloupe {

/// Parses `text`; `what` names it in sentences: "The recipe 'car.json'".
/// @throws EngineError when it is no JSON, brackets are nested more than 64 deep, or an object has more than
/// 16384 members, which are compared with each other.
nlohmann::ordered_json parseBoundedJson(std::string_view text, const std::string& what);

} // namespace scanloupe
