#pragma once
// Runs programs that measure themselves and print their figures as a line of JSON.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace scanloupe::bench {

using Json = nlohmann::ordered_json;

/// Runs a program and parses its last line of output as JSON; null if the line is missing or the program
/// fails.
Json askProgram(const std::string& command);

/// The value of the line `name` of /proc/self/status, in bytes.
std::uint64_t statusBytes(const std::string& name);

} // namespace scanloupe::bench
