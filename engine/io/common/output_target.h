#pragma once
// Declares outputs as users name them: a file, a pipe or standard output, prefixed with a format where the
// ending doesn't determine it.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

/// A text such as "npz:-" or "mesh.ply", split.
struct NamedFormat {
    std::string ending; ///< ".npz": of the format in front; empty where there is none
    std::string file;   ///< "-"
};
/// Splits a format prefix off if it is one of `endings`. A text that names an existing file as a whole has
/// none.
NamedFormat splitFormat(const std::string& text, const std::vector<std::string>& endings);

/// Maps "-" to "/dev/stdout"; other names stay.
std::filesystem::path outputPath(const std::string& file);
/// Whether a path names an open descriptor of this process: /dev/stdin, /dev/stdout, /dev/fd/63, ...
bool isDescriptor(const std::filesystem::path& path);
/// The number of that descriptor; -1 for another path.
int descriptorOf(const std::filesystem::path& path);

/// A file to write, and its format.
struct OutputTarget {
    std::filesystem::path path;
    std::string ending; ///< with its dot

    bool isStandardOutput() const { return descriptorOf(path) == 1; }
};
/// @param endings those of the writable formats
/// @param usual the format where the text names none; may be empty
/// @throws EngineError when the format is missing or not writable
OutputTarget outputTarget(const std::string& text, const std::vector<std::string>& endings,
                          std::string_view usual);

} // namespace scanloupe
