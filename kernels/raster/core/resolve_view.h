#pragma once
// Declares the scene as an argument of kernels, on both backends.
#include "kernels/raster/core/raster_element.h"
#include "kernels/raster/core/raster_scene.h"

namespace scanloupe {

struct PointSums;

/// The inputs of shading; pointers refer to the memory of the backend.
struct ResolveView {
    RasterView view;
    Vec3f toLight; ///< unit vector
    bool light;
    std::uint32_t background;
    Colouring pointColour, voxelColour, meshColour;
    const Vec3f* positions;       ///< [M, 3] vertices, metres
    const Vec3f* normals;         ///< [M, 3] vertex normals; null: use face normals
    const std::uint32_t* indices; ///< [T, 3] vertex indices of the triangles
    GridShape shape;
    const std::uint64_t* keys; ///< [V] keys of the voxels
    float voxelScale;
    std::uint32_t points, voxels, triangles; ///< number of primitives of each kind
    const PointSums* sums; ///< [height, width] sums of the points that are averaged; or null
};

} // namespace scanloupe
