#pragma once
// Declares checksums of files, and their text form.
#include "kernels/core/sha256.h"

#include <filesystem>
#include <string>

namespace scanloupe {

/// Returns a digest as 64 hexadecimal digits.
std::string hexOf(const Sha256Digest& digest);

/// Returns the SHA-256 of a file's content as 64 hexadecimal digits; empty if the file can't be read, or a
/// scan is not from a file.
std::string sha256Of(const std::filesystem::path& path);

} // namespace scanloupe
