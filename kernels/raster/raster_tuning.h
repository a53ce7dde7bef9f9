#pragma once
// Declares the size thresholds of the device's rasterizer and the capacities of its queues. Pictures do not
// depend on any of them.
#include "kernels/raster/core/raster_scene.h"

#include <cstdint>

namespace scanloupe::cuda {

struct RasterTuning {
    /// Maximum bounding box, in pixels, of a triangle that is drawn by the warp that finds it. If the edge
    /// functions fit 32 bits, the lanes share the rows of their triangles, then the pixels of the spans.
    /// Larger triangles are queued for another warp.
    int maxSmallPixels = 1024;
    int maxSmallVoxelPixels = 128; ///< maximum bounding box, in pixels, of a voxel whose rows the lanes of a
                                   ///< warp share
    /// Maximum bounding box, in pixels, of a triangle or voxel that is queued for a warp; larger ones are
    /// drawn tile by tile.
    int maxMediumPixels = 4096;
    /// Maximum number of triangles of a mesh without clusters for which vertices are projected per triangle,
    /// after the picture is cleared. For larger meshes, each vertex is projected once beforehand.
    std::uint32_t smallMeshTriangles = 1 << 21;
    /// Minimum number of points of one pixel for drawing by batches; fewer points are drawn faster without
    /// (10 million in the rows of a scan on one H200: 0.097 ms without and 0.123 ms with batches).
    std::uint32_t batchedPoints = 1 << 25;
    /// Same as batchedPoints, for points larger than one pixel (2 pixels wide, 1080p: 10 million take 0.21 ms
    /// without and 0.24 ms with batches, 100 million 1.33 ms and 0.85 ms).
    std::uint32_t batchedSquares = 1 << 24;
    /// Minimum number of batches for which a warp processes whole batches and shares their setup: there are
    /// then enough batches to keep all warps busy to the end.
    std::uint32_t wholeBatches = 1 << 17;
    std::uint32_t mediumCapacity = 1 << 20; ///< maximum number of triangles that are queued for a warp, 56
                                            ///< bytes each
    std::uint32_t largeCapacity = 1 << 17;  ///< maximum number of triangles that are queued for the tiles, 56
                                            ///< bytes each
    std::uint32_t voxelCapacity = 1 << 20;  ///< maximum number of queued voxels, medium and large ones
                                            ///< separately, 4 bytes each

    /// Returns whether a scene's points are drawn by batches, provided that it has batches.
    bool drawsBatches(const RasterScene& scene) const {
        const bool single = scene.pointSize <= 1 && scene.pointExtent <= 0;
        return scene.points.size() >= (single ? batchedPoints : batchedSquares);
    }
};

} // namespace scanloupe::cuda
