#pragma once
// Programs that measure themselves and print a line of JSON, and what they measure.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace scanloupe::bench {

using Json = nlohmann::ordered_json;

/// Calls a program and takes the JSON of its last line; null when it is not there or fails.
Json askProgram(const std::string& command);

/// A line of /proc/self/status, in bytes.
std::uint64_t statusBytes(const std::string& name);

} // namespace scanloupe::bench
