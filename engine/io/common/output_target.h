#pragma once
// Declares outputs as users name them: a file, a pipe or standard output, with a format in front where no
// ending tells it.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

/// A text such as "npz:-" or "mesh.ply", taken apart.
struct NamedFormat {
    std::string ending; ///< ".npz": of the format in front; empty where there is none
    std::string file;   ///< "-"
};
/// Takes a format off the front if it is one of `endings`. What names an existing file as a whole has none.
NamedFormat splitFormat(const std::string& text, const std::vector<std::string>& endings);

/// The file that "-" stands for, "/dev/stdout"; others stay.
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
/// @param endings of the formats that can be written; @param usual taken where nothing tells one; may be
/// empty
/// @throws EngineError for another format, or none
OutputTarget outputTarget(const std::string& text, const std::vector<std::string>& endings,
                          std::string_view usual);

} // namespace scanloupe
