#pragma once
// Packs bytes as LZF. It follows liblzf's own description of the instructions (the head of lzf_d.c), so that
// the reader is not tested against itself.
#include <algorithm>
#include <array>
#include <cstddef>
#include <random>
#include <span>
#include <string>
#include <string_view>

namespace scanloupe::test {

struct LzfStream {
    std::string bytes;
    /// Counts of matches that overlap their own output, that have the maximum length, and that have the
    /// maximum distance.
    std::size_t overlapping = 0, longest = 0, farthest = 0;
};

inline constexpr std::size_t kLzfMaxDistance = 1 << 13, kLzfMaxMatch = 264, kLzfMaxRun = 32; // bytes

/// Encodes, at each byte, the longest match at one of `distances` (the first of equally long matches), or a
/// literal.
inline LzfStream packLzf(std::string_view plain, std::span<const std::size_t> distances) {
    LzfStream stream;
    std::string run;
    const auto flushRun = [&] {
        if (!run.empty())
            stream.bytes += static_cast<char>(run.size() - 1) + run;
        run.clear();
    };
    for (std::size_t at = 0; at < plain.size();) {
        std::size_t length = 0, distance = 0;
        for (const std::size_t candidate : distances) {
            std::size_t same = 0;
            while (candidate <= at && same < kLzfMaxMatch && at + same < plain.size() &&
                   plain[at + same] == plain[at + same - candidate])
                ++same;
            if (same > length) {
                length = same;
                distance = candidate;
            }
        }
        if (length < 3) {
            run += plain[at++];
            if (run.size() == kLzfMaxRun)
                flushRun();
            continue;
        }
        flushRun();
        const std::size_t back = distance - 1; // 13 bits, high bits first
        // LLLooooo oooooooo for 3 to 8 bytes, 111ooooo LLLLLLLL oooooooo for 9 to 264
        stream.bytes += static_cast<char>(std::min<std::size_t>(length - 2, 7) << 5 | back >> 8);
        if (length >= 9)
            stream.bytes += static_cast<char>(length - 9);
        stream.bytes += static_cast<char>(back & 0xff);
        stream.overlapping += distance < length;
        stream.longest += length == kLzfMaxMatch;
        stream.farthest += distance == kLzfMaxDistance;
        at += length;
    }
    flushRun();
    return stream;
}

/// Random bytes, most of which repeat earlier bytes at one of `distances`.
inline std::string repetitiveBytes(std::size_t size, std::span<const std::size_t> distances,
                                   std::mt19937_64& random) {
    std::string bytes;
    while (bytes.size() < size) {
        const std::size_t distance = distances[random() % distances.size()];
        const bool fresh = distance > bytes.size() || random() % 4 == 0;
        for (std::size_t left = fresh ? 1 + random() % 40 : 3 + random() % 300; left > 0; --left)
            bytes += fresh ? static_cast<char>(random()) : bytes[bytes.size() - distance];
    }
    bytes.resize(size);
    return bytes;
}

} // namespace scanloupe::test
