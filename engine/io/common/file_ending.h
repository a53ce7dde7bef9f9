#pragma once
// Declares the extensions of file names, by which formats are told.
#include <filesystem>
#include <string>
#include <vector>

namespace scanloupe {

/// `text` with ASCII letters in lower case. File systems that ignore case take names that agree then for one.
std::string lowerCase(std::string text);

/// The file extension in lower case, with its dot.
std::string lowerEnding(const std::filesystem::path& path);

/// The target's extension in lower case. @throws EngineError when it is none of `known`
std::string requireEnding(const std::filesystem::path& target, const std::vector<std::string>& known,
                          const std::string& what);

} // namespace scanloupe
