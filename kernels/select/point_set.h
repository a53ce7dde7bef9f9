#pragma once
// Declares sets of points or voxels, stored as bits.
#include "kernels/core/buffer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace scanloupe {

/// How to combine a set with another set.
enum class SetOperation : std::uint8_t {
    replace,   ///< the result is the other set
    add,       ///< union
    intersect, ///< intersection
    subtract,  ///< difference
};

/// A subset of N items, stored as one bit per item.
struct PointSet {
    std::size_t size = 0;        ///< number N of items
    Buffer<std::uint32_t> words; ///< [wordsOf(N)]; item i is bit i % 32 of word i / 32; bits beyond N are 0

    static constexpr std::size_t wordsOf(std::size_t size) { return (size + 31) / 32; }
    /// A set without items; on the host.
    static PointSet none(std::size_t size) {
        PointSet set{size, Buffer<std::uint32_t>::host(wordsOf(size))};
        std::ranges::fill(set.words.span(), 0u);
        return set;
    }
    /// Whether item i is in the set; for sets on the host.
    bool has(std::size_t i) const { return words[i / 32] >> (i % 32) & 1u; }
    PointSet copyTo(MemorySpace space, StreamView stream) const {
        return {size, words.copyTo(space, stream)};
    }
};

} // namespace scanloupe
