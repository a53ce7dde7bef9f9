// Builds the boxes of the voxel view on the host, in Morton order, with coarser levels of detail.
#include "engine/results/snapshot.h"
#include "gui/views/geometry/colour_look.h"
#include "gui/views/geometry/view_geometry.h"
#include "kernels/core/parallel.h"

#include <algorithm>

namespace scanloupe::gui {

namespace {

constexpr std::size_t kGrain = 1 << 15;
constexpr std::uint32_t kChunkBoxes = 2048;
constexpr int kMortonBits = 21; // per axis

/// Spreads the lowest 21 bits to every third bit.
std::uint64_t spreadBits(std::uint64_t v) {
    v &= 0x1fffff;
    v = (v | v << 32) & 0x1f00000000ffff;
    v = (v | v << 16) & 0x1f0000ff0000ff;
    v = (v | v << 8) & 0x100f00f00f00f00f;
    v = (v | v << 4) & 0x10c30c30c30c30c3;
    return (v | v << 2) & 0x1249249249249249;
}
/// Inverse of spreadBits().
std::uint64_t compactBits(std::uint64_t v) {
    v &= 0x1249249249249249;
    v = (v | v >> 2) & 0x10c30c30c30c30c3;
    v = (v | v >> 4) & 0x100f00f00f00f00f;
    v = (v | v >> 8) & 0x1f0000ff0000ff;
    v = (v | v >> 16) & 0x1f00000000ffff;
    return (v | v >> 32) & 0x1fffff;
}
std::uint64_t mortonOf(Vec3i cell) {
    return spreadBits(std::uint64_t(cell.x)) | spreadBits(std::uint64_t(cell.y)) << 1 |
           spreadBits(std::uint64_t(cell.z)) << 2;
}
Vec3i cellOf(std::uint64_t morton) {
    return {std::int32_t(compactBits(morton)), std::int32_t(compactBits(morton >> 1)),
            std::int32_t(compactBits(morton >> 2))};
}

/// Cells in Morton order. Axes of more than 2^21 cells lose their lowest bits, which only loosens the order.
struct MortonOrder {
    std::vector<KeyIndex> items; ///< key: Morton code, index: voxel
    int shift = 0;               ///< bits that the codes lost
};

MortonOrder sortByMorton(const VoxelGrid& grid, const std::stop_token& stop) {
    MortonOrder sorted;
    const Vec3i dims = grid.shape.dims;
    const std::int32_t longest = std::max({dims.x, dims.y, dims.z});
    while ((longest - 1) >> sorted.shift >= 1 << kMortonBits)
        ++sorted.shift;
    int bits = 1;
    while (bits < kMortonBits && (longest - 1) >> sorted.shift >= 1 << bits)
        ++bits;
    const auto keys = grid.keys.span();
    sorted.items.resize(keys.size());
    parallelFor(keys.size(), kGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Vec3i cell = grid.shape.cell(keys[i]);
            sorted.items[i] = {
                mortonOf({cell.x >> sorted.shift, cell.y >> sorted.shift, cell.z >> sorted.shift}), i};
        }
    });
    std::vector<KeyIndex> scratch(keys.size());
    parallelSortByKey(sorted.items, scratch, 3 * bits, stop);
    return sorted;
}

/// Divides a level into chunks that do not cross pages.
std::vector<DrawChunk> chunksOf(const VoxelGeometry::Level& level) {
    const auto total = static_cast<std::uint32_t>(level.boxes.size());
    // larger chunks for many boxes, which limits the number of chunks to cull
    std::uint32_t size = kChunkBoxes;
    while (size < kBoxPage && total / size > 4096)
        size *= 2;
    std::vector<DrawChunk> chunks;
    const Vec3f half = level.edge * 0.5f;
    for (std::uint32_t first = 0; first < total; first += size) {
        DrawChunk chunk{first, std::min(size, total - first), level.boxes[first].middle,
                        level.boxes[first].middle};
        for (std::uint32_t i = first; i < first + chunk.count; ++i) {
            chunk.low = scanloupe::min(chunk.low, level.boxes[i].middle);
            chunk.high = scanloupe::max(chunk.high, level.boxes[i].middle);
        }
        chunk.low = chunk.low - half;
        chunk.high = chunk.high + half;
        chunks.push_back(chunk);
    }
    return chunks;
}

/// Merges runs of boxes in the same coarser cell; `codes` become those of the coarser cells.
VoxelGeometry::Level mergeCells(const VoxelGeometry::Level& fine, std::vector<std::uint64_t>& codes,
                                const GridShape& shape, int step, ColourLook::Mode mode) {
    VoxelGeometry::Level level;
    level.edge = shape.voxelSize * static_cast<float>(1 << step);
    std::vector<std::uint64_t> merged;
    for (std::size_t i = 0; i < codes.size();) {
        const std::uint64_t code = codes[i] >> 3;
        ColourMean colour(mode);
        for (; i < codes.size() && codes[i] >> 3 == code; ++i)
            colour.add(fine.boxes[i].colour);
        level.boxes.push_back({middleOf(shape, cellOf(code), static_cast<float>(1 << step)), colour.bits()});
        merged.push_back(code);
    }
    codes = std::move(merged);
    return level;
}

} // namespace

std::shared_ptr<const VoxelGeometry> buildVoxelGeometry(const Snapshot& snapshot, std::uint64_t coarsestLimit,
                                                        const std::stop_token& stop) {
    auto geometry = std::make_shared<VoxelGeometry>();
    geometry->origin = snapshot.origin();
    if (!snapshot.shownVoxels || snapshot.shownVoxels->size() == 0)
        return geometry;
    const VoxelGrid& grid = snapshot.shownVoxels.host();
    const ColourValues colours = colourVoxels(snapshot.resolved, shownVoxelSource(snapshot, &grid), stop);
    geometry->look = colourLook(colours);
    const MortonOrder sorted = sortByMorton(grid, stop);

    VoxelGeometry::Level all;
    all.edge = grid.shape.voxelSize;
    all.boxes.resize(grid.size());
    geometry->voxelOf.resize(grid.size());
    std::vector<std::uint64_t> codes(grid.size());
    const Colouring colouring = colours.colouring();
    parallelFor(grid.size(), kGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const auto voxel = static_cast<std::uint32_t>(sorted.items[i].index);
            codes[i] = sorted.items[i].key;
            geometry->voxelOf[i] = voxel;
            all.boxes[i] = boxOf(grid.shape, grid.keys[voxel], colourBits(colouring, voxel));
        }
    });
    geometry->boxLevels.push_back(std::move(all));
    constexpr int kMaxLevels = 12;
    for (int step = 1; step <= kMaxLevels && geometry->boxLevels.back().boxes.size() > coarsestLimit;
         ++step) {
        if (stop.stop_requested())
            throw Cancelled();
        if (step <= sorted.shift) // the truncated codes don't distinguish the cells of this level
            continue;
        geometry->boxLevels.push_back(
            mergeCells(geometry->boxLevels.back(), codes, grid.shape, step, geometry->look.mode));
    }
    for (const auto& level : geometry->boxLevels)
        geometry->levels.push_back(chunksOf(level));
    return geometry;
}

} // namespace scanloupe::gui
