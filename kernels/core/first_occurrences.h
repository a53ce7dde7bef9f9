#pragma once
// Finds items that are equal to a previous item.
#include "kernels/core/error.h"
#include "kernels/core/mix_bits.h"
#include "kernels/core/vec3.h"

#include <array>
#include <bit>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// Returns the bits of a position as a key; coinciding positions have equal keys.
inline std::array<std::uint32_t, 3> positionKey(Vec3f position) {
    const Vec3f p = position + Vec3f{}; // turns -0 into 0
    return {std::bit_cast<std::uint32_t>(p.x), std::bit_cast<std::uint32_t>(p.y),
            std::bit_cast<std::uint32_t>(p.z)};
}

/// Returns, for each item, the index of the first item with the same key: [count]. `keyOf(i)` returns a key
/// of three words, std::array<std::uint32_t, 3>. Uses a hash table with linear probing. @param count below
/// 2^32 - 1 @throws Cancelled
template <class KeyOf>
std::vector<std::uint32_t> firstOccurrences(std::size_t count, KeyOf&& keyOf, const std::stop_token& stop) {
    constexpr std::size_t between = std::size_t{1} << 14; // items between two checks of `stop`: about a
                                                          // millisecond
    constexpr std::uint32_t free = 0xffffffffu;
    std::vector<std::uint32_t> slots(std::bit_ceil(2 * count + 1), free), first(count);
    for (std::size_t i = 0; i < count; ++i) {
        if (i % between == 0 && stop.stop_requested())
            throw Cancelled();
        const std::array<std::uint32_t, 3> key = keyOf(i);
        std::size_t slot =
            mixBits(mixBits(std::uint64_t{key[0]} << 32 | key[1]) + key[2]) & (slots.size() - 1);
        while (slots[slot] != free && keyOf(slots[slot]) != key)
            slot = (slot + 1) & (slots.size() - 1);
        if (slots[slot] == free)
            slots[slot] = std::uint32_t(i);
        first[i] = slots[slot];
    }
    return first;
}

} // namespace scanloupe
