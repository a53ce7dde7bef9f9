#pragma once
// Declares checksums of files.
#include <filesystem>
#include <string>

namespace scanloupe {

/// SHA-256 of a file's content, 64 hexadecimal digits. Empty when it can't be read, as of a scan that is no
/// file.
std::string sha256Of(const std::filesystem::path& path);

} // namespace scanloupe
