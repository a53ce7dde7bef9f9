#pragma once
// Declares how names of files in documents, such as the URIs of glTF and 3D Tiles, become paths: only files
// within a folder are read.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace scanloupe {

/// `text` with %20 and the like decoded (RFC 3986, 2.1); nullopt where a % is not followed by two hexadecimal
/// digits.
std::optional<std::string> percentDecoded(std::string_view text);

/// The scheme of a URI, such as "data" or "https"; empty for a relative path.
std::string_view schemeOf(std::string_view uri);

/// Why the name of a file in a document is rejected.
enum class NameFault : std::uint8_t {
    none,
    noFileName, ///< empty, or no valid percent encoding
    hasScheme,  ///< such as https:
    isOutside,  ///< an absolute path, or one that leaves the folder by "..", even if it returns
};

/// A file that a document names.
struct NamedFile {
    std::filesystem::path path; ///< normalized; empty where it is rejected; the file may be missing
    NameFault fault = NameFault::none;
};

/// Resolves `uri`, which a document in `folder` names. A document from elsewhere must not make the program
/// read arbitrary files: only paths within `root` after percent decoding and normalization are accepted. Does
/// not access the file system: before a file is opened, liesWithin() must hold, too.
/// @param folder within `root`
NamedFile namedFile(std::string_view uri, const std::filesystem::path& folder,
                    const std::filesystem::path& root);

/// The absolute path without links and dots, by which files compare; the file, and folders on its way, may be
/// missing.
std::filesystem::path resolvedPath(const std::filesystem::path& file);

/// Whether a file is inside a folder once all links are followed; the file may be missing.
bool liesWithin(const std::filesystem::path& file, const std::filesystem::path& folder);

} // namespace scanloupe
