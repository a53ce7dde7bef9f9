#pragma once
// Declares the scene as argument of kernels, on both backends.
#include "kernels/raster/core/raster_element.h"
#include "kernels/raster/core/raster_scene.h"

namespace scanloupe {

struct PointSums;

/// The inputs of shading; pointers refer to the memory of the backend.
struct ResolveView {
    RasterView view;
    Vec3f toLight; ///< unit
    bool light;
    std::uint32_t background;
    Colouring pointColour, voxelColour, meshColour;
    const Vec3f* positions;       ///< [M, 3] metres
    const Vec3f* normals;         ///< [M, 3]; null: face normals are used
    const std::uint32_t* indices; ///< [T, 3]
    GridShape shape;
    const std::uint64_t* keys; ///< [V]
    float voxelScale;
    std::uint32_t points, voxels, triangles; ///< numbers of primitives
    const PointSums* sums; ///< [height, width] sums of the points that are averaged, or null
};

} // namespace scanloupe
