#pragma once
// Declares how names of files in documents, such as the URIs of glTF and 3D Tiles, are converted to paths.
// Only files within a folder are accepted.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace scanloupe {

/// Decodes %20 and the like (RFC 3986, 2.1); nullopt if a % is not followed by two hexadecimal digits.
std::optional<std::string> percentDecoded(std::string_view text);

/// Returns the scheme of a URI, such as "data" or "https"; empty for a relative path.
std::string_view schemeOf(std::string_view uri);

/// Reason why the name of a file in a document is rejected.
enum class NameFault : std::uint8_t {
    none,
    noFileName, ///< empty, or invalid percent encoding
    hasScheme,  ///< has a scheme such as https:
    isOutside,  ///< an absolute path, or one that leaves the folder by "..", even if it returns into it
};

/// A file that a document refers to.
struct NamedFile {
    std::filesystem::path path; ///< normalized; empty if rejected; the file may be missing
    NameFault fault = NameFault::none;
};

/// Resolves a URI from a document in `folder`. An untrusted document must not make the program read arbitrary
/// files, so only paths within `root` after percent decoding and normalization are accepted. Does not access
/// the file system; before opening the file, check liesWithin() as well.
/// @param folder within `root`
NamedFile namedFile(std::string_view uri, const std::filesystem::path& folder,
                    const std::filesystem::path& root);

/// Returns the absolute path without links and dots, for comparing files. The file and its parent folders may
/// be missing.
std::filesystem::path resolvedPath(const std::filesystem::path& file);

/// Whether a file is inside a folder after following all links. The file may be missing.
bool liesWithin(const std::filesystem::path& file, const std::filesystem::path& folder);

} // namespace scanloupe
