#pragma once
// Declares functions for file extensions, which identify formats.
#include <filesystem>
#include <string>
#include <vector>

namespace scanloupe {

/// `text` with ASCII letters in lower case. File names that are equal then are one file on file systems that
/// ignore case.
std::string lowerCase(std::string text);

/// The file extension in lower case, with its dot.
std::string lowerEnding(const std::filesystem::path& path);

/// The target's extension in lower case. `what` is to be written, for the message: "a mesh".
/// @throws EngineError when it is none of `known`
std::string requireEnding(const std::filesystem::path& target, const std::vector<std::string>& known,
                          const std::string& what);

} // namespace scanloupe
