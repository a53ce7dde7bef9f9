#pragma once
// Runs programs that measure themselves and print a line of JSON, and returns their figures.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace scanloupe::bench {

using Json = nlohmann::ordered_json;

/// Runs a program and parses the JSON of its last line; null when it is missing or fails.
Json askProgram(const std::string& command);

/// A line of /proc/self/status, in bytes.
std::uint64_t statusBytes(const std::string& name);

} // namespace scanloupe::bench
