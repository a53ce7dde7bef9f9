// Computes checksums of files.
#include "engine/io/common/file_checksum.h"

#include <fmt/format.h>
#include <fstream>
#include <system_error>
#include <vector>

namespace scanloupe {

std::string hexOf(const Sha256Digest& digest) {
    std::string text;
    for (const std::uint8_t byte : digest)
        text += fmt::format("{:02x}", byte);
    return text;
}

std::string sha256Of(const std::filesystem::path& path) {
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(path, unknown))
        return {};
    std::ifstream file(path, std::ios::binary);
    std::vector<char> block(std::size_t{1} << 20);
    Sha256 sum;
    while (file.read(block.data(), std::streamsize(block.size())) || file.gcount() > 0)
        sum.add(std::span<const char>(block).first(std::size_t(file.gcount())));
    return file.eof() ? hexOf(sum.digest()) : std::string();
}

} // namespace scanloupe
