// Computes checksums with libmd.
#include "engine/io/common/sha256.h"

#include <fmt/format.h>
#include <sha2.h>
#include <sys/types.h> // for the header that follows
#include <system_error>

namespace scanloupe {

struct Sha256::State {
    SHA2_CTX context{};
};

Sha256::Sha256() : m_state(std::make_unique<State>()) {
    SHA256Init(&m_state->context);
}
Sha256::~Sha256() = default;

void Sha256::add(std::span<const std::byte> data) {
    SHA256Update(&m_state->context, reinterpret_cast<const std::uint8_t*>(data.data()), data.size());
}

Sha256Digest Sha256::digest() {
    Sha256Digest digest{};
    SHA256Final(digest.data(), &m_state->context);
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
    std::array<char, SHA256_DIGEST_STRING_LENGTH> digits{};
    return SHA256File(path.c_str(), digits.data()) ? std::string(digits.data()) : std::string();
}

} // namespace scanloupe
