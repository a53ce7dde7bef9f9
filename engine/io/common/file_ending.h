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

/// Rejects the name of a file to write that promises an octree, which is never written.
/// @throws EngineError for x.copc.laz
void refuseCopcName(const std::filesystem::path& target);

/// The target's extension in lower case. `what` is to be written, for the message: "a mesh".
/// @throws EngineError when it is none of `known`, or by refuseCopcName()
std::string requireEnding(const std::filesystem::path& target, const std::vector<std::string>& known,
                          const std::string& what);

} // namespace scanloupe
