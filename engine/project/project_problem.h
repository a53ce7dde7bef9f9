#pragma once
// Declares the problems of projects as errors.
#include <cstddef>
#include <functional>
#include <string>

namespace scanloupe {

/// Rejects a project. @param what the problem, as the end of a sentence @throws EngineError
[[noreturn]] void refuseProject(const std::string& what);

/// Refuses to write what readers would reject. @throws EngineError
void requireAtMost(std::size_t count, std::size_t most, const char* what);

/// Calls `read`, and names the part in which it finds a value of another type than it expects.
/// @throws EngineError
void readPart(const std::string& part, const std::function<void()>& read);

} // namespace scanloupe
