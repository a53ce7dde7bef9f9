#pragma once
// Declares conversions from and to JSON of values that both regions and actions of edits use. All throw
// EngineError for invalid values and nlohmann::json::exception for wrong types.
#include "kernels/core/vec3.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace scanloupe::edits_json {

using Json = nlohmann::ordered_json;
inline constexpr const char* kWhat = "The edits";

/// Throws an EngineError with the text "The edits can't be read: WHAT."
[[noreturn]] void refuse(const std::string& what);
/// Throws as refuse() unless `isRight`.
void require(bool isRight, const char* what);

Json arrayOf(Vec3d v);
Vec3d vectorOf(const Json& value);
/// Reads a finite number above 0.
double lengthOf(const Json& value, const char* key);
int wholeOf(const Json& value);
/// Reads a vector that must not be zero.
Vec3d directionOf(const Json& value);

} // namespace scanloupe::edits_json
