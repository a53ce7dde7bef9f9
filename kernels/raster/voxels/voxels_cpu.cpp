// Draws voxels on the CPU.
#include "kernels/raster/voxels/voxels_cpu.h"
#include "kernels/core/parallel.h"
#include "kernels/raster/core/raster_target.h"
#include "kernels/raster/voxels/voxel_box.h"

#include <algorithm>
#include <vector>

namespace scanloupe::cpu {

namespace {

struct LargeVoxel {
    VoxelBox box;
    PixelBox pixels;
    std::uint32_t nearest; ///< upper bound of the voxel's depth keys
    std::uint32_t id;
};

/// Ray-tests the box at every pixel, unless the pixel shows something nearer than any part of the box.
template <class Box>
void coverBox(const RasterTarget& target, const Box& box, const PixelBox& pixels, std::uint32_t nearest,
              std::uint32_t id) {
    const RasterView& view = target.view;
    for (int y = pixels.minY; y <= pixels.maxY; ++y) {
        for (int x = pixels.minX; x <= pixels.maxX; ++x) {
            if (target.keyAt(x, y) > nearest)
                continue;
            const BoxHit hit = box.hit(pixelRay(view, x, y));
            if (hit.depth > 0)
                target.draw(x, y, fragment(depthKey(hit.depth, view.orthographic), id));
        }
    }
}

void coverVoxel(const RasterTarget& target, const LargeVoxel& voxel, const PixelBox& pixels) {
    if (target.view.orthographic)
        coverBox(target, OrthographicBox(target.view, voxel.box), pixels, voxel.nearest, voxel.id);
    else
        coverBox(target, PerspectiveBox(target.view, voxel.box), pixels, voxel.nearest, voxel.id);
}

/// Decodes ascending voxel keys to cells. It divides only when a key is beyond the current row of the grid.
class CellDecoder {
public:
    explicit CellDecoder(const GridShape& shape) : m_shape(shape) {}
    Vec3i cell(std::uint64_t key) {
        const auto ahead = key - m_rowStart;
        if (ahead < m_rowLength)
            return {static_cast<std::int32_t>(ahead), m_row.y, m_row.z};
        const Vec3i found = m_shape.cell(key);
        m_row = found;
        m_rowStart = key - static_cast<std::uint64_t>(found.x);
        m_rowLength = static_cast<std::uint64_t>(m_shape.dims.x);
        return found;
    }

private:
    const GridShape& m_shape;
    Vec3i m_row;
    std::uint64_t m_rowStart = 0, m_rowLength = 0;
};

void drawLarge(const RasterTarget& target, std::vector<LargeVoxel>& large, const std::stop_token& stop) {
    std::sort(large.begin(), large.end(), [](const LargeVoxel& a, const LargeVoxel& b) {
        return a.nearest != b.nearest ? a.nearest > b.nearest
                                      : a.id < b.id; // Voxels are drawn front to back, so that most pixels
                                                     // reject later ones early.
    });
    const int height = target.view.height;
    parallelFor(static_cast<std::size_t>(height), kBandRows, stop, [&](std::size_t begin, std::size_t end) {
        for (const LargeVoxel& voxel : large) {
            PixelBox part = voxel.pixels;
            part.minY = std::max(part.minY, static_cast<int>(begin));
            part.maxY = std::min(part.maxY, static_cast<int>(end) - 1);
            if (part.empty())
                continue;
            if (stop.stop_requested())
                return;
            coverVoxel(target, voxel, part);
        }
    });
}

} // namespace

std::uint64_t drawVoxels(const RasterTarget& target, const RasterScene& scene, const std::stop_token& stop) {
    constexpr std::size_t grain = 512;
    const VoxelGrid& grid = *scene.voxels;
    const RasterView& view = target.view;
    const std::size_t count = grid.size();
    if (!isFinite(grid.shape.origin) || !isFinite(grid.shape.voxelSize))
        return count;
    std::vector<std::vector<LargeVoxel>> waiting(chunkCount(count, grain));
    parallelChunks(count, grain, stop, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        CellDecoder decoder(grid.shape);
        for (std::size_t i = begin; i < end; ++i) {
            const std::uint32_t id = primitiveId(PrimitiveKind::voxel, static_cast<std::uint32_t>(i));
            const VoxelBox box = voxelBox(view, grid.shape, scene.voxelScale, decoder.cell(grid.keys[i]));
            const BoxBounds bounds = boundBox(view, box);
            if (!bounds.visible)
                continue;
            const PixelBox pixels = boxPixels(view, bounds);
            if (pixels.empty())
                continue;
            if (bounds.tiny) {
                target.draw(pixels.minX, pixels.minY,
                            fragment(depthKey(bounds.centre, view.orthographic), id));
                continue;
            }
            const LargeVoxel voxel{box, pixels, depthKey(bounds.nearest, view.orthographic), id};
            if (pixels.count() > kLargePixels)
                waiting[chunk].push_back(voxel);
            else
                coverVoxel(target, voxel, pixels);
        }
    });
    std::vector<LargeVoxel> large;
    for (const auto& part : waiting)
        large.insert(large.end(), part.begin(), part.end());
    if (!large.empty())
        drawLarge(target, large, stop);
    return 0;
}

} // namespace scanloupe::cpu
