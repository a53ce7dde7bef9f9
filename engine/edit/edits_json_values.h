#pragma once
// Declares conversions of values that regions and actions of edits share from and to JSON. All throw
// EngineError for invalid values, nlohmann::json::exception for other types.
#include "kernels/core/vec3.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace scanloupe::edits_json {

using Json = nlohmann::ordered_json;
inline constexpr const char* kWhat = "The edits";

/// @throws EngineError "The edits can't be read: WHAT."
[[noreturn]] void refuse(const std::string& what);
/// Refuses unless `isRight`.
void require(bool isRight, const char* what);

Json arrayOf(Vec3d v);
Vec3d vectorOf(const Json& value);
/// A number above 0.
double lengthOf(const Json& value, const char* key);
int wholeOf(const Json& value);
/// A vector with a length.
Vec3d directionOf(const Json& value);

} // namespace scanloupe::edits_json
