// Computes SHA-256 checksums with the Nettle library, which uses the CPU's SHA instructions.
#include "kernels/core/sha256.h"

#include <nettle/sha2.h>

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

} // namespace scanloupe
