#pragma once
// Declares checksums: SHA-256 (FIPS 180-4).
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace scanloupe {

using Sha256Digest = std::array<std::uint8_t, 32>;

/// The checksum of data that arrives in pieces.
class Sha256 {
public:
    Sha256();
    ~Sha256();
    void add(std::span<const std::byte> data);
    /// Adds the bytes of some numbers, as they lie in memory.
    template <class T>
    void add(std::span<const T> numbers) {
        add(std::as_bytes(numbers));
    }
    /// The digest of everything added so far. Call it once.
    Sha256Digest digest();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace scanloupe
