#pragma once
// Declares SHA-256 checksums (FIPS 180-4).
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace scanloupe {

using Sha256Digest = std::array<std::uint8_t, 32>;

/// Computes the checksum of data that is added piece by piece.
class Sha256 {
public:
    Sha256();
    ~Sha256();
    void add(std::span<const std::byte> data);
    /// Adds the bytes of some numbers in their memory order.
    template <class T>
    void add(std::span<const T> numbers) {
        add(std::as_bytes(numbers));
    }
    /// Returns the digest of all added bytes. Call it only once.
    Sha256Digest digest();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace scanloupe
