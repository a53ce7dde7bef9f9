#pragma once
// Declares the scene as kernels take it, on either backend.
#include "kernels/raster/core/raster_element.h"
#include "kernels/raster/core/raster_scene.h"

namespace scanloupe {

struct PointSums;

/// What the pixels are shaded from; pointers lie where the code runs.
struct ResolveView {
    RasterView view;
    Vec3f toLight; ///< unit
    bool light;
    std::uint32_t background;
    Colouring pointColour, voxelColour, meshColour;
    const Vec3f* positions;       ///< [M, 3] metres
    const Vec3f* normals;         ///< [M, 3], or null: normals of the faces
    const std::uint32_t* indices; ///< [T, 3]
    GridShape shape;
    const std::uint64_t* keys; ///< [V]
    float voxelScale;
    std::uint32_t points, voxels, triangles; ///< how many there are
    const PointSums* sums;                   ///< [height, width] of the points that are averaged, or null
};

} // namespace scanloupe
