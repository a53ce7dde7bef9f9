#pragma once
// Numbers the cells of a grid along the Hilbert curve, which keeps neighbouring cells together, for both
// backends.
#include "kernels/core/hd.h"
#include "kernels/mesh/distance/triangle_distance.h"

#include <cstdint>

namespace scanloupe {

/// Returns the number of bits per axis for which items of a surface rarely share a cell. A surface occupies
/// about 4^bits of the 8^bits cells; two more bits allow for elongated surfaces.
HD constexpr int hilbertBits(std::uint64_t items) {
    int bits = 4;
    while (bits < 20 && (std::uint64_t{1} << (2 * (bits - 2))) < items)
        ++bits;
    return bits;
}

/// State table of the Hilbert curve: the order in which it passes the eight octants of a cell, for each of
/// its 24 orientations (Hamilton, "Compact Hilbert indices", 2006). An orientation consists of the corner
/// where the curve enters the cell (0 to 7) and the axis along which it leaves.
struct HilbertTable {
    std::uint8_t steps[24][8] = {}; ///< [orientation][octant]: orientation inside the octant << 3 | rank of
                                    ///< the octant

    constexpr HilbertTable() {
        for (int orientation = 0; orientation < 24; ++orientation) {
            for (int octant = 0; octant < 8; ++octant) {
                const int axis = orientation % 3;
                const int step = fromGray(rotated(octant ^ orientation / 3, 3 - (axis + 1) % 3));
                const int enters = orientation / 3 ^ rotated(entry(step), axis + 1);
                const int leaves = (axis + axisOf(step) + 1) % 3;
                steps[orientation][octant] = static_cast<std::uint8_t>((enters * 3 + leaves) << 3 | step);
            }
        }
    }

private:
    static constexpr int rotated(int bits, int by) { // rotates three bits to the left by `by` places
        return (bits << by % 3 | bits >> (3 - by % 3)) & 7;
    }
    static constexpr int gray(int step) { return step ^ step >> 1; }
    static constexpr int fromGray(int code) { return code ^ code >> 1 ^ code >> 2; }
    static constexpr int entry(int step) { return step == 0 ? 0 : gray((step - 1) / 2 * 2); }
    /// Returns the axis along which an octant is passed.
    static constexpr int axisOf(int step) {
        int ones = 0; // number of consecutive ones, starting with the lowest bit
        for (int rest = step == 0 ? 0 : step % 2 == 0 ? step - 1 : step; rest & 1; rest >>= 1)
            ++ones;
        return ones % 3;
    }
};
/// The table for the host. The device has its own copy, since this constexpr object has no storage there.
inline constexpr HilbertTable kHilbertTable;

/// Combines two steps of the curve in one look-up. For CPUs, whose caches can hold this table.
struct HilbertPairTable {
    /// [orientation][two octants]: orientation inside the inner octant << 6 | combined rank of both octants
    std::uint16_t steps[24][64] = {};

    constexpr HilbertPairTable() {
        for (unsigned orientation = 0; orientation < 24; ++orientation)
            for (unsigned octants = 0; octants < 64; ++octants) {
                const unsigned outer = kHilbertTable.steps[orientation][octants >> 3],
                               inner = kHilbertTable.steps[outer >> 3][octants & 7];
                steps[orientation][octants] =
                    static_cast<std::uint16_t>((inner >> 3) << 6 | (outer & 7) << 3 | (inner & 7));
            }
    }
};
inline constexpr HilbertPairTable kHilbertPairTable;

/// Cubic cells over a box, numbered along the Hilbert curve. Consecutive cells share a face; therefore boxes
/// around runs of items overlap less than half as much as with the Morton curve.
class HilbertGrid {
public:
    HD HilbertGrid(const Box3f& bounds, int bits) : m_low(bounds.low), m_bits(bits) {
        const Vec3f extent = bounds.high - bounds.low;
        const float across = extent.x > extent.y ? extent.x : extent.y;
        const float longest = across > extent.z ? across : extent.z;
        m_maxCoordinate = static_cast<float>((1 << bits) - 1);
        m_perMetre = longest > 0.0f ? m_maxCoordinate / longest : 0.0f;
    }
    /// Returns the number of the cell that contains `p`, below 8^bits.
    HD std::uint64_t key(Vec3f p, const HilbertTable& table) const {
        const std::uint64_t octants = octantsOf(p);
        std::uint64_t key = 0;
        unsigned orientation = 0;
        for (int shift = 3 * (m_bits - 1); shift >= 0; shift -= 3) {
            const unsigned step = table.steps[orientation][octants >> shift & 7];
            key = key << 3 | (step & 7);
            orientation = step >> 3;
        }
        return key;
    }

    /// Same as above, on the host.
    std::uint64_t key(Vec3f p) const {
        const std::uint64_t octants = octantsOf(p);
        std::uint64_t key = 0;
        unsigned orientation = 0;
        int shift = 3 * m_bits;
        if (m_bits % 2 != 0) {
            shift -= 3;
            const unsigned step = kHilbertTable.steps[0][octants >> shift & 7];
            key = step & 7;
            orientation = step >> 3;
        }
        for (shift -= 6; shift >= 0; shift -= 6) {
            const unsigned steps = kHilbertPairTable.steps[orientation][octants >> shift & 63];
            key = key << 6 | (steps & 63);
            orientation = steps >> 6;
        }
        return key;
    }

private:
    /// Returns the octants that contain `p`, from the whole box down to its cell, three bits per level.
    HD std::uint64_t octantsOf(Vec3f p) const {
        return spread(p.x - m_low.x) | spread(p.y - m_low.y) << 1 | spread(p.z - m_low.z) << 2;
    }
    /// Returns the bits of a cell coordinate, with two zero bits between consecutive bits.
    HD std::uint64_t spread(float metres) const {
        const float at = metres * m_perMetre;
        std::uint64_t bits =
            at > 0.0f ? static_cast<std::uint64_t>(at < m_maxCoordinate ? at : m_maxCoordinate) : 0u;
        bits = (bits | bits << 32) & 0x1f00000000ffffu;
        bits = (bits | bits << 16) & 0x1f0000ff0000ffu;
        bits = (bits | bits << 8) & 0x100f00f00f00f00fu;
        bits = (bits | bits << 4) & 0x10c30c30c30c30c3u;
        return (bits | bits << 2) & 0x1249249249249249u;
    }
    Vec3f m_low;
    int m_bits;
    float m_perMetre, m_maxCoordinate;
};

} // namespace scanloupe
