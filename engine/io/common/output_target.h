#pragma once
// Declares the parsing of outputs as users name them: a file, a pipe or standard output, with a format prefix
// if the extension does not determine the format.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

/// A text such as "npz:-" or "mesh.ply", divided into format and file.
struct NamedFormat {
    std::string ending; ///< extension of the format prefix, e.g. ".npz"; empty without a prefix
    std::string file;   ///< e.g. "-"
};
/// Splits off a format prefix if it is one of `endings`. If the whole text is the name of an existing file,
/// it has no prefix.
NamedFormat splitFormat(const std::string& text, const std::vector<std::string>& endings);

/// Converts "-" to "/dev/stdout"; other names are unchanged.
std::filesystem::path outputPath(const std::string& file);
/// Whether a path refers to an open descriptor of this process: /dev/stdin, /dev/stdout, /dev/fd/63, ...
bool isDescriptor(const std::filesystem::path& path);
/// Returns the number of the descriptor that a path refers to; -1 for other paths.
int descriptorOf(const std::filesystem::path& path);

/// A file to write, and its format.
struct OutputTarget {
    std::filesystem::path path;
    std::string ending; ///< extension of the format, with its dot

    bool isStandardOutput() const { return descriptorOf(path) == 1; }
};
/// Parses an output. @param endings extensions of the writable formats
/// @param usual default format if the text has none; may be empty
/// @throws EngineError if the format is missing or not writable
OutputTarget outputTarget(const std::string& text, const std::vector<std::string>& endings,
                          std::string_view usual);

} // namespace scanloupe
