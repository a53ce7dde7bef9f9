// Groups voxels by brick, and lists the bricks within reach of voxels, on the CPU.
#include "kernels/field/core/voxel_bricks.h"

#include "kernels/core/parallel.h"
#include "kernels/field/core/brick_bits.h"

#include <algorithm>
#include <bit>

namespace scanloupe::cpu {

namespace {
constexpr std::size_t kVoxelBricksVoxelGrain = std::size_t{1} << 14;

/// Decodes ascending keys into coordinates, with one division per row of the grid.
class CellDecoder {
public:
    CellDecoder(const GridShape& shape, int shift) : m_shape(shape), m_shift(shift) {}
    Vec3i cell(std::uint64_t key) {
        if (key - m_rowKey >= std::uint64_t(m_shape.dims.x)) {
            m_row = m_shape.cell(key);
            m_rowKey = key - std::uint64_t(m_row.x);
        }
        return {std::int32_t(key - m_rowKey) + m_shift, m_row.y + m_shift, m_row.z + m_shift};
    }

private:
    const GridShape& m_shape;
    int m_shift;
    std::uint64_t m_rowKey = 0;
    Vec3i m_row;
};

bool sameRow(Vec3i a, Vec3i b) {
    return a.z == b.z && a.y == b.y && a.x / kBrickEdge == b.x / kBrickEdge;
}
std::uint64_t keyOfBrick(Vec3i node, Vec3i brickDims) {
    return brickKey({node.x / kBrickEdge, node.y / kBrickEdge, node.z / kBrickEdge}, brickDims);
}
int bitsOfKeys(Vec3i brickDims) {
    const auto count = std::uint64_t(brickDims.x) * std::uint64_t(brickDims.y) * std::uint64_t(brickDims.z);
    return static_cast<int>(std::bit_width(count - 1));
}

/// Returns the brick key and the first voxel's index of each row of voxels in a brick, sorted by brick.
Buffer<KeyIndex> sortedRows(const VoxelGrid& voxels, Vec3i brickDims, int shift,
                            const std::stop_token& stop) {
    const auto keys = voxels.keys.span();
    std::vector<std::vector<KeyIndex>> parts(chunkCount(keys.size(), kVoxelBricksVoxelGrain));
    parallelChunks(keys.size(), kVoxelBricksVoxelGrain, stop,
                   [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                       CellDecoder decoder(voxels.shape, shift);
                       Vec3i before = begin > 0 ? decoder.cell(keys[begin - 1]) : Vec3i{-1, -1, -1};
                       for (std::size_t i = begin; i < end; ++i) {
                           const Vec3i cell = decoder.cell(keys[i]);
                           if (i == 0 || !sameRow(before, cell))
                               parts[chunk].push_back({keyOfBrick(cell, brickDims), i});
                           before = cell;
                       }
                   });
    std::vector<std::size_t> offsets;
    for (const auto& part : parts)
        offsets.push_back(part.size());
    const std::size_t count = exclusiveScan(std::span<std::size_t>(offsets));
    auto rows = Buffer<KeyIndex>::host(count), scratch = Buffer<KeyIndex>::host(count);
    parallelFor(parts.size(), 1, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t part = begin; part < end; ++part)
            std::ranges::copy(parts[part], rows.data() + offsets[part]);
    });
    parallelSortByKey(rows.span(), scratch.span(), bitsOfKeys(brickDims), stop);
    return rows;
}
} // namespace

VoxelBricks groupVoxels(const VoxelGrid& voxels, Vec3i brickDims, int shift, const std::stop_token& stop) {
    const auto keys = voxels.keys.span();
    const auto sorted = sortedRows(voxels, brickDims, shift, stop);
    VoxelBricks bricks;
    bricks.brickDims = brickDims;
    bricks.rows = Buffer<VoxelRow>::host(sorted.size());
    parallelFor(sorted.size(), kVoxelBricksVoxelGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t r = begin; r < end; ++r) {
            const std::size_t first = sorted[r].index;
            CellDecoder decoder(voxels.shape, shift);
            const Vec3i cell = decoder.cell(keys[first]);
            unsigned mask = 0;
            for (std::size_t i = first; i < keys.size(); ++i) {
                const Vec3i other = decoder.cell(keys[i]);
                if (!sameRow(cell, other))
                    break;
                mask |= 1u << other.x % kBrickEdge;
            }
            bricks.rows[r] = {
                static_cast<std::uint32_t>(first), static_cast<std::uint8_t>(mask),
                static_cast<std::uint8_t>(cell.y % kBrickEdge + kBrickEdge * (cell.z % kBrickEdge))};
        }
    });
    std::size_t count = 0;
    for (std::size_t r = 0; r < sorted.size(); ++r)
        count += r == 0 || sorted[r].key != sorted[r - 1].key;
    bricks.keys = Buffer<std::uint64_t>::host(count);
    bricks.rowBegins = Buffer<std::uint32_t>::host(count + 1);
    count = 0;
    for (std::size_t r = 0; r < sorted.size(); ++r) {
        if (r > 0 && sorted[r].key == sorted[r - 1].key)
            continue;
        bricks.keys[count] = sorted[r].key;
        bricks.rowBegins[count++] = static_cast<std::uint32_t>(r);
    }
    bricks.rowBegins[count] = static_cast<std::uint32_t>(sorted.size());
    return bricks;
}

namespace {
/// Returns the neighbouring bricks, of 27, that a brick's voxels reach into, as bits indexed by
/// neighbourSlot().
std::uint32_t reachedDirections(const VoxelBricks& bricks, std::size_t brick, Vec3i below, Vec3i above) {
    std::uint64_t slices[kBrickEdge] = {};
    for (std::uint32_t r = bricks.rowBegins[brick]; r < bricks.rowBegins[brick + 1]; ++r) {
        const VoxelRow& row = bricks.rows[r];
        slices[row.row / kBrickEdge] |= std::uint64_t{row.mask} << kBrickEdge * (row.row % kBrickEdge);
    }
    // a voxel at x reaches into the brick below if x - below < 0, and into the brick above if x + above > 7
    const auto range = [&](int axis, int d, int& begin, int& end) {
        begin = d > 0 ? kBrickEdge - above[axis] : 0;
        end = d < 0 ? below[axis] : kBrickEdge;
    };
    std::uint32_t result = 0;
    for (int dz = -1; dz <= 1; ++dz) {
        int zBegin, zEnd;
        range(2, dz, zBegin, zEnd);
        std::uint64_t flat = 0;
        for (int z = zBegin; z < zEnd; ++z)
            flat |= slices[z];
        for (int dy = -1; dy <= 1; ++dy) {
            int yBegin, yEnd;
            range(1, dy, yBegin, yEnd);
            for (int dx = -1; dx <= 1; ++dx) {
                int xBegin, xEnd;
                range(0, dx, xBegin, xEnd);
                if ((flat & bits::rows(yBegin, yEnd) & bits::columns(xBegin, xEnd)) != 0)
                    result |= 1u << neighbourSlot(dx, dy, dz);
            }
        }
    }
    return result;
}
} // namespace

Buffer<std::uint64_t> bricksInReach(const VoxelBricks& bricks, Vec3i below, Vec3i above,
                                    const std::stop_token& stop) {
    constexpr std::size_t grain = 512;
    const std::size_t count = bricks.keys.size();
    const Vec3i dims = bricks.brickDims;
    const auto forReached = [&](std::size_t b, std::uint32_t directions, auto&& body) {
        const Vec3i brick = brickOf(bricks.keys[b], dims);
        for (; directions != 0; directions &= directions - 1) {
            const int slot = std::countr_zero(directions);
            const Vec3i at = brick + Vec3i{slot % 3 - 1, slot / 3 % 3 - 1, slot / 9 - 1};
            if (at.x >= 0 && at.y >= 0 && at.z >= 0 && at.x < dims.x && at.y < dims.y && at.z < dims.z)
                body(brickKey(at, dims));
        }
    };
    std::vector<std::uint32_t> directions(count);
    std::vector<std::size_t> offsets(chunkCount(count, grain));
    parallelChunks(count, grain, stop, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b) {
            directions[b] = reachedDirections(bricks, b, below, above);
            forReached(b, directions[b], [&](std::uint64_t) { ++offsets[chunk]; });
        }
    });
    const std::size_t reached = exclusiveScan(std::span<std::size_t>(offsets));
    auto items = Buffer<KeyIndex>::host(reached), scratch = Buffer<KeyIndex>::host(reached);
    parallelChunks(count, grain, stop, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        std::size_t next = offsets[chunk];
        for (std::size_t b = begin; b < end; ++b)
            forReached(b, directions[b], [&](std::uint64_t key) { items[next++] = {key, 0}; });
    });
    parallelSortByKey(items.span(), scratch.span(), bitsOfKeys(dims), stop);
    std::size_t unique = 0;
    for (std::size_t i = 0; i < reached; ++i)
        if (i == 0 || items[i].key != items[unique - 1].key)
            items[unique++] = items[i];
    auto keys = Buffer<std::uint64_t>::host(unique);
    for (std::size_t i = 0; i < unique; ++i)
        keys[i] = items[i].key;
    return keys;
}

} // namespace scanloupe::cpu
