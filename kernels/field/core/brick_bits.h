#pragma once
// Shifts and masks the bits of a brick's 512 nodes or cells, for both backends. Word z holds slice z; bit x +
// 8 y of the word holds node (x, y) of the slice.
#include "kernels/core/hd.h"
#include "kernels/field/core/scalar_field.h"

#include <cstdint>

namespace scanloupe::bits {

inline constexpr std::uint64_t kFirstColumn = 0x0101010101010101u; ///< x = 0
inline constexpr std::uint64_t kLastColumn = kFirstColumn << 7;    ///< x = 7
inline constexpr std::uint64_t kFirstRow = 0xff;                   ///< y = 0
inline constexpr std::uint64_t kLastRow = kFirstRow << 56;         ///< y = 7

/// Returns a word whose bit (x, y) is bit (x + 1, y) of `word`; `next` is the same slice of the brick at x +
/// 1.
HD constexpr std::uint64_t fromAboveX(std::uint64_t word, std::uint64_t next) {
    return ((word >> 1) & ~kLastColumn) | ((next << 7) & kLastColumn);
}
/// Returns a word whose bit (x, y) is bit (x - 1, y) of `word`; `previous` is the same slice of the brick at
/// x - 1.
HD constexpr std::uint64_t fromBelowX(std::uint64_t word, std::uint64_t previous) {
    return ((word << 1) & ~kFirstColumn) | ((previous >> 7) & kFirstColumn);
}
/// Same as fromAboveX, along y.
HD constexpr std::uint64_t fromAboveY(std::uint64_t word, std::uint64_t next) {
    return (word >> 8) | (next << 56);
}
/// Same as fromBelowX, along y.
HD constexpr std::uint64_t fromBelowY(std::uint64_t word, std::uint64_t previous) {
    return (word << 8) | (previous >> 56);
}

/// Returns the bits of a slice with x in [begin, end).
HD constexpr std::uint64_t columns(int begin, int end) {
    return begin >= end ? 0 : kFirstColumn * ((0xffu >> (8 - (end - begin))) << begin);
}
/// Returns the bits of a slice with y in [begin, end).
HD constexpr std::uint64_t rows(int begin, int end) {
    return begin >= end ? 0 : (~std::uint64_t{0} >> (64 - 8 * (end - begin))) << (8 * begin);
}

/// Returns the bits of slice z that are within a limit. `left`: number of nodes or cells within the limit
/// along each axis, counted from the brick's first.
HD constexpr std::uint64_t before(Vec3i left, int z) {
    const auto shown = [](int n) { return n < 0 ? 0 : n < kBrickEdge ? n : kBrickEdge; };
    return z < left.z ? columns(0, shown(left.x)) & rows(0, shown(left.y)) : 0;
}

} // namespace scanloupe::bits
