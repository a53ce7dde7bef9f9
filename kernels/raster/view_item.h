#pragma once
// Packs vertices and voxels into the vertex formats of the OpenGL views, for both backends.
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/raster/core/raster_scene.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace scanloupe {

/// An instance of a box; all boxes of a grid have the same edge length.
struct BoxInstance {
    Vec3f middle;
    std::uint32_t colour; ///< bits of a float value, or RGBA
};

struct MeshVertex {
    Vec3f position;
    std::array<std::int16_t, 4> normal; ///< unit vector times 32767
    std::uint32_t colour;               ///< bits of a float value, or RGBA
};

/// Returns the 32 bits that represent the colour of primitive i.
HD inline std::uint32_t colourBits(const Colouring& colours, std::size_t i) {
    if (colours.rgba != nullptr)
        return colours.rgba[i];
    return colours.values != nullptr ? std::bit_cast<std::uint32_t>(colours.values[i]) : colours.uniform;
}

/// Packs a component of a unit vector; values outside [-1, 1] and NaN become 0.
HD inline std::int16_t packedPart(float part) {
    const float scaled = part * 32767;
    return static_cast<std::int16_t>(part >= -1 && part <= 1 ? scaled + (scaled < 0 ? -0.5f : 0.5f) : 0.0f);
}
HD inline MeshVertex meshVertex(Vec3f position, Vec3f normal, std::uint32_t colour) {
    return {position, {packedPart(normal.x), packedPart(normal.y), packedPart(normal.z), 0}, colour};
}

/// Returns the centre of a cell with an edge length of `voxels` voxels.
HD inline Vec3f middleOf(const GridShape& shape, Vec3i cell, float voxels) {
    return shape.origin + shape.voxelSize * (cell.as<float>() * voxels + Vec3f{0.5f, 0.5f, 0.5f} * voxels);
}
HD inline BoxInstance boxOf(const GridShape& shape, std::uint64_t key, std::uint32_t colour) {
    return {middleOf(shape, shape.cell(key), 1), colour};
}

/// All data is on the device, including `out`, which must be large enough. Asynchronous. @throws KernelError
namespace cuda {
void packVertices(const TriangleMesh& mesh, const Colouring& colours, MeshVertex* out, StreamView stream);
/// Packs the voxels in the grid's order.
void packBoxes(const VoxelGrid& voxels, const Colouring& colours, BoxInstance* out, StreamView stream);
} // namespace cuda

} // namespace scanloupe
