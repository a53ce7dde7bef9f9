// Thins points with a grid.
#include "engine/inspect/fit/evenly_spread.h"

#include "kernels/core/mix_bits.h"
#include "kernels/core/parallel.h"
#include "kernels/cut/cut_points.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace scanloupe {

namespace {

/// A set of cells: a hash table with linear probing.
class CellSet {
public:
    explicit CellSet(std::size_t most) : m_slots(std::bit_ceil(2 * most + 2)) {}
    void clear() { std::ranges::fill(m_slots, 0); }
    bool insert(std::uint64_t cell) { // returns false if the cell was already in the set
        const std::uint64_t stored = cell + 1;
        std::size_t slot = mixBits(cell) & (m_slots.size() - 1);
        while (m_slots[slot] != 0) {
            if (m_slots[slot] == stored)
                return false;
            slot = (slot + 1) & (m_slots.size() - 1);
        }
        m_slots[slot] = stored;
        return true;
    }

private:
    std::vector<std::uint64_t> m_slots; // cell + 1; 0: free slot
};

} // namespace

std::vector<std::size_t> evenlySpread(std::span<const Vec3f> points, std::size_t most) {
    constexpr std::size_t looksAt = 400'000; // maximum number of examined points; of larger clouds, every
                                             // n-th point is examined
    constexpr int bits = 21;                 // number of bits of a cell coordinate
    std::vector<std::size_t> rows;
    const std::size_t stride = std::max<std::size_t>(1, chunkCount(points.size(), looksAt));
    Vec3d low, high;
    for (std::size_t i = 0; i < points.size(); i += stride) {
        if (!isPresent(points[i]))
            continue;
        const Vec3d p = points[i].as<double>();
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = rows.empty() ? p[axis] : std::min(low[axis], p[axis]);
            high[axis] = rows.empty() ? p[axis] : std::max(high[axis], p[axis]);
        }
        rows.push_back(i);
    }
    const double extent = norm(high - low);
    if (rows.size() <= most || !(extent > 0))
        return rows;
    CellSet cells(rows.size());
    const double finest = extent / double((1 << bits) - 1);
    double edge = extent / std::sqrt(double(most)); // edge that gives `most` cells on a surface of this
                                                    // extent
    std::vector<std::size_t> kept;
    for (int step = 0; step < 8; ++step) {
        kept.clear();
        cells.clear();
        for (const std::size_t row : rows) {
            const Vec3d at = (points[row].as<double>() - low) / edge;
            const auto cell =
                std::uint64_t(at.x) | std::uint64_t(at.y) << bits | std::uint64_t(at.z) << 2 * bits;
            if (cells.insert(cell))
                kept.push_back(row);
        }
        const double ratio = double(kept.size()) / double(most);
        if (ratio > 0.8 && ratio <= 1.05)
            break;
        edge = std::max(edge * std::sqrt(ratio / 0.95), finest);
    }
    return kept;
}

} // namespace scanloupe
