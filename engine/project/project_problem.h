#pragma once
// Declares the errors of invalid projects.
#include <cstddef>
#include <functional>
#include <string>

namespace scanloupe {

/// Rejects a project. @param what the problem, as the end of a sentence @throws EngineError
[[noreturn]] void refuseProject(const std::string& what);

/// Refuses to write a project that readers would reject. @param most maximum of `count`
/// @throws EngineError if `count` is above it
void requireAtMost(std::size_t count, std::size_t most, const char* what);

/// Calls `read`. If a JSON value has an unexpected type, the error names `part`. @throws EngineError
void readPart(const std::string& part, const std::function<void()>& read);

} // namespace scanloupe
