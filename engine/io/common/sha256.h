#pragma once
// Declares checksums: SHA-256 (FIPS 180-4) of files and of data.
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace scanloupe {

using Sha256Digest = std::array<std::uint8_t, 32>;

/// The checksum of data that comes piece by piece.
class Sha256 {
public:
    Sha256();
    ~Sha256();
    void add(std::span<const std::byte> data);
    /// The bytes of some numbers, as they lie in memory.
    template <class T>
    void add(std::span<const T> numbers) {
        add(std::as_bytes(numbers));
    }
    /// Of all that was added; to be called once.
    Sha256Digest digest();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// 64 hexadecimal digits.
std::string hexOf(const Sha256Digest& digest);

/// SHA-256 of a file's content, 64 hexadecimal digits. Empty when it can't be read, as of a scan that is no
/// file.
std::string sha256Of(const std::filesystem::path& path);

} // namespace scanloupe
