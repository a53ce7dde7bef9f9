#pragma once
// Declares the size thresholds of the device's rasterizer and the capacities of its queues. Pictures do not
// depend on any of them.
#include "kernels/raster/rasterizer.h"

#include <cstdint>

namespace scanloupe::cuda {

struct RasterTuning {
    /// Pixels of a triangle's bounding box up to which the lanes of a warp share its rows, and then the
    /// pixels of its spans, with those of its neighbours; larger ones get a warp of their own.
    int smallPixels = 1024;
    /// Pixels up to which that is the warp that has found the triangle; larger ones wait for another.
    int atOncePixels = 1024;
    int smallVoxelPixels = 128; ///< of a voxel's box, up to which lanes share rows
    /// Pixels up to which they get a warp; larger ones are drawn tile by tile.
    int mediumPixels = 4096;
    /// Triangles up to which those of a mesh without clusters are transformed one by one, while the picture
    /// is cleared; of more, each vertex is placed once, for all that share it.
    std::uint32_t smallMeshTriangles = 1 << 21;
    /// Points of one pixel from which on their batches are used: fewer take as long by themselves (on one
    /// H200, 10 million in rows of a scan: 0.097 ms without and 0.123 with).
    std::uint32_t batchedPoints = 1 << 25;
    /// The same for larger points (of 2 pixels at 1080p: 10 million 0.21 ms without and 0.24 with, 100
    /// million 1.33 and 0.85).
    std::uint32_t batchedSquares = 1 << 24;
    /// Batches from which on a warp takes whole ones: they keep all warps busy to the end, and their setup is
    /// shared.
    std::uint32_t wholeBatches = 1 << 17;
    std::uint32_t mediumRoom = 1 << 20; ///< triangles that can wait for a warp, 56 bytes each
    std::uint32_t largeRoom = 1 << 17;  ///< triangles that can wait for the tiles, 56 bytes each
    std::uint32_t voxelRoom = 1 << 20;  ///< voxels that can wait for a warp or for the tiles, 4 bytes each

    /// Whether a scene's points are drawn by their batches, where it has them.
    bool drawsBatches(const RasterScene& scene) const {
        const bool single = scene.pointSize <= 1 && scene.pointExtent <= 0;
        return scene.points.size() >= (single ? batchedPoints : batchedSquares);
    }
};

} // namespace scanloupe::cuda
