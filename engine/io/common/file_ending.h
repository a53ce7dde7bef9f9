#pragma once
// Declares functions for file extensions, which identify formats.
#include <filesystem>
#include <string>
#include <vector>

namespace scanloupe {

/// Converts ASCII letters to lower case. File names that are equal after this conversion are the same file on
/// file systems that ignore case.
std::string lowerCase(std::string text);

/// Returns the file extension in lower case, with its dot.
std::string lowerEnding(const std::filesystem::path& path);

/// Rejects the name of a COPC file to write, since its octree can't be written.
/// @throws EngineError for x.copc.laz
void refuseCopcName(const std::filesystem::path& target);

/// Returns the target's extension in lower case. @param what describes the content for the message, e.g. "a
/// mesh"
/// @throws EngineError if the extension is not one of `known`, and as refuseCopcName()
std::string requireEnding(const std::filesystem::path& target, const std::vector<std::string>& known,
                          const std::string& what);

} // namespace scanloupe
