// Resolves names of files in documents, and rejects those outside a folder.
#include "engine/io/common/named_file.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <system_error>

namespace scanloupe {

namespace fs = std::filesystem;

namespace {

fs::path orHere(const fs::path& path) {
    return path.empty() ? fs::path(".") : path;
}

} // namespace

std::optional<std::string> percentDecoded(std::string_view text) {
    constexpr int hexadecimal = 16;
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            decoded += text[i];
            continue;
        }
        unsigned char byte = 0;
        const std::string_view digits = text.substr(i + 1, 2);
        const char* const end = digits.data() + digits.size();
        if (digits.size() != 2 || std::from_chars(digits.data(), end, byte, hexadecimal).ptr != end)
            return std::nullopt;
        decoded += static_cast<char>(byte);
        i += 2;
    }
    return decoded;
}

std::string_view schemeOf(std::string_view uri) {
    const std::size_t end = uri.find(':');
    if (end == std::string_view::npos || end == 0 || !std::isalpha(static_cast<unsigned char>(uri[0])))
        return {};
    const std::string_view scheme = uri.substr(0, end);
    const bool isScheme = std::ranges::all_of(
        scheme, [](unsigned char c) { return std::isalnum(c) || c == '+' || c == '-' || c == '.'; });
    return isScheme ? scheme : std::string_view{};
}

NamedFile namedFile(std::string_view uri, const fs::path& folder, const fs::path& root) {
    if (!schemeOf(uri).empty())
        return {{}, NameFault::hasScheme};
    const auto decoded = percentDecoded(uri.substr(0, uri.find_first_of("?#"))); // path without query and
                                                                                 // fragment
    if (!decoded || decoded->empty() || decoded->find('\0') != std::string::npos)
        return {{}, NameFault::noFileName};
    const fs::path name(*decoded);
    // The path starts at the root: a name that leaves the root and enters it again would depend on the root's
    // name.
    const fs::path within =
        orHere(folder).lexically_normal().lexically_relative(orHere(root).lexically_normal());
    const fs::path below = (within / name).lexically_normal();
    if (name.is_absolute() || within.empty() || *below.begin() == "..")
        return {{}, NameFault::isOutside};
    return {(folder / name).lexically_normal(), NameFault::none};
}

fs::path resolvedPath(const fs::path& file) {
    std::error_code unknown;
    // weakly_canonical() returns a relative path if the first folder or file of the path is missing.
    const fs::path absolute = fs::absolute(orHere(file), unknown);
    const fs::path path = fs::weakly_canonical(absolute, unknown);
    return unknown ? absolute.lexically_normal() : path;
}

bool liesWithin(const fs::path& file, const fs::path& folder) {
    std::error_code unknown;
    const fs::path within = fs::canonical(orHere(folder), unknown), path = resolvedPath(file);
    return !unknown &&
           std::mismatch(within.begin(), within.end(), path.begin(), path.end()).first == within.end();
}

} // namespace scanloupe
