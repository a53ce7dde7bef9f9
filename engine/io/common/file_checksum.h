#pragma once
// Declares checksums of files, and their digits.
#include "kernels/core/sha256.h"

#include <filesystem>
#include <string>

namespace scanloupe {

/// 64 hexadecimal digits.
std::string hexOf(const Sha256Digest& digest);

/// SHA-256 of a file's content, 64 hexadecimal digits. Empty when it can't be read, as of a scan that is no
/// file.
std::string sha256Of(const std::filesystem::path& path);

} // namespace scanloupe
