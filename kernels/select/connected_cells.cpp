// Finds pairs of adjacent voxels in the sorted keys of neighbouring grid rows, and joins them.
#include "kernels/select/connected_cells.h"

#include "kernels/core/error.h"

#include <array>
#include <numeric>
#include <vector>

namespace scanloupe {

namespace {

void add(PointSet& set, std::size_t i) {
    set.words[i / 32] |= 1u << i % 32;
}

/// Calls `visit(a, b)` with the indices of each pair of adjacent occupied voxels; the key of b is smaller
/// than the key of a.
template <class Visit>
void forEachPair(const GridShape& shape, std::span<const std::uint64_t> keys, const std::stop_token& stop,
                 Visit&& visit) {
    // (dy, dz) of the adjacent rows that precede a voxel's row in key order; (0, 0) is its own row
    constexpr std::array<std::array<std::int32_t, 2>, 5> rows{{{0, 0}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};
    for (const auto& [dy, dz] : rows) {
        const bool isOwn = dy == 0 && dz == 0;
        std::size_t first = 0; // index of the first key in the neighbouring row that is adjacent to the voxel
        for (std::size_t a = 0; a < keys.size(); ++a) {
            if (a % 65536 == 0 && stop.stop_requested())
                throw Cancelled();
            const Vec3i cell = shape.cell(keys[a]);
            const Vec3i other{cell.x, cell.y + dy, cell.z + dz};
            if (other.y < 0 || other.z < 0 || other.y >= shape.dims.y)
                continue;
            const std::uint64_t middle = shape.key(other);
            const std::uint64_t low = cell.x > 0 ? middle - 1 : middle, high = isOwn ? middle - 1
                                                                               : cell.x + 1 < shape.dims.x
                                                                                   ? middle + 1
                                                                                   : middle;
            if (isOwn && cell.x == 0)
                continue;
            while (first < keys.size() && keys[first] < low)
                ++first;
            for (std::size_t b = first; b < keys.size() && keys[b] <= high; ++b)
                visit(a, b);
        }
    }
}

/// Disjoint sets of joined voxels; each set is identified by one of its voxels.
class Parts {
public:
    explicit Parts(std::size_t size) : m_parent(size) { std::iota(m_parent.begin(), m_parent.end(), 0u); }
    std::uint32_t find(std::uint32_t i) {
        while (m_parent[i] != i)
            i = m_parent[i] = m_parent[m_parent[i]];
        return i;
    }
    void join(std::uint32_t a, std::uint32_t b) {
        a = find(a), b = find(b);
        m_parent[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<std::uint32_t> m_parent;
};

} // namespace

PointSet connectedVoxels(const GridShape& shape, std::span<const std::uint64_t> keys, const PointSet& seeds,
                         const std::stop_token& stop) {
    Parts parts(keys.size());
    forEachPair(shape, keys, stop,
                [&](std::size_t a, std::size_t b) { parts.join(std::uint32_t(a), std::uint32_t(b)); });
    PointSet wanted = PointSet::none(keys.size()), found = PointSet::none(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (seeds.has(i))
            add(wanted, parts.find(std::uint32_t(i)));
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (wanted.has(parts.find(std::uint32_t(i))))
            add(found, i);
    return found;
}

PointSet grownVoxels(const GridShape& shape, std::span<const std::uint64_t> keys, PointSet set, int steps,
                     const std::stop_token& stop) {
    for (int step = 0; step < steps; ++step) {
        PointSet grown{set.size, hostCopy(std::span<const std::uint32_t>(set.words.span()))};
        forEachPair(shape, keys, stop, [&](std::size_t a, std::size_t b) {
            if (set.has(a))
                add(grown, b);
            if (set.has(b))
                add(grown, a);
        });
        set = std::move(grown);
    }
    return set;
}

} // namespace scanloupe
