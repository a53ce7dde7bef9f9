// Computes checksums with Nettle, which uses the processor's instructions for it.
#include "engine/io/common/sha256.h"

#include <fmt/format.h>
#include <fstream>
#include <nettle/sha2.h>
#include <system_error>
#include <vector>

namespace scanloupe {

struct Sha256::State {
    sha256_ctx context{};
};

Sha256::Sha256() : m_state(std::make_unique<State>()) {
    sha256_init(&m_state->context);
}
Sha256::~Sha256() = default;

void Sha256::add(std::span<const std::byte> data) {
    sha256_update(&m_state->context, data.size(), reinterpret_cast<const std::uint8_t*>(data.data()));
}

Sha256Digest Sha256::digest() {
    Sha256Digest digest{};
    sha256_digest(&m_state->context, digest.size(), digest.data());
    return digest;
}

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
