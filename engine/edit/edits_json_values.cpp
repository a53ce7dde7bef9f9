// Converts and validates JSON values that both regions and actions of edits use.
#include "engine/edit/edits_json_values.h"

#include "engine/cloud/error.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace scanloupe::edits_json {

void refuse(const std::string& what) {
    throw EngineError(fmt::format("The edits can't be read: {}.", what),
                      "Correct the file, or repeat the edits and save them again.");
}
void require(bool isRight, const char* what) {
    if (!isRight)
        refuse(what);
}

Json arrayOf(Vec3d v) {
    return Json::array({v.x, v.y, v.z});
}
Vec3d vectorOf(const Json& value) {
    const Vec3d v{value.at(0), value.at(1), value.at(2)};
    require(isFinite(v), "a coordinate is not finite");
    return v;
}
double lengthOf(const Json& value, const char* key) {
    const double length = value.at(key);
    require(std::isfinite(length) && length > 0, "a length is not finite and above 0");
    return length;
}
// Reads a double and checks it. Reading an integer directly would silently convert invalid numbers to valid
// ones.
int wholeOf(const Json& value) {
    const double number = value;
    require(std::abs(number) <= std::numeric_limits<int>::max() && number == std::floor(number),
            "a number is not a whole number, or is too large");
    return int(number);
}
Vec3d directionOf(const Json& value) {
    const Vec3d direction = vectorOf(value);
    require(squaredNorm(direction) > 0 && std::isfinite(squaredNorm(direction)),
            "the length of a direction is 0 or too large");
    return direction;
}

} // namespace scanloupe::edits_json
