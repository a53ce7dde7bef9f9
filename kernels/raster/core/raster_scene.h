#pragma once
// Declares the inputs and outputs of the rasterizer, for both backends: the scene and its colours, the
// visibility buffer (Burns and Hunt, 2013) and the image.
#include "kernels/core/buffer.h"
#include "kernels/core/cost.h"
#include "kernels/core/vec3.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/raster/core/camera.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <cstdint>
#include <span>

namespace scanloupe {

struct PointBatches;
struct TriangleClusters;

/// The content of a pixel: two bits of kind over 30 bits of index into the primitives of that kind.
enum class PrimitiveKind : std::uint32_t { none = 0, point = 1, voxel = 2, triangle = 3 };
constexpr std::uint32_t primitiveId(PrimitiveKind kind, std::uint32_t index) {
    return static_cast<std::uint32_t>(kind) << 30 | index;
}
constexpr PrimitiveKind primitiveKind(std::uint32_t id) {
    return static_cast<PrimitiveKind>(id >> 30);
}
constexpr std::uint32_t primitiveIndex(std::uint32_t id) {
    return id & 0x3fffffffu;
}

/// The visibility buffer: for each pixel bits(1 / w) << 32 | ~id (orthographic: 0x7fffffff - bits(w) in the
/// upper half), so that the maximum is the nearest, and of equally near ones the lowest id; 0 without a
/// primitive.
struct VisibilityBuffer {
    int width = 0, height = 0;
    Buffer<std::uint64_t> pixels; ///< [height, width]

    /// The id at a pixel; 0: no primitive.
    std::uint32_t id(int x, int y) const;
    /// Distance along the view at a pixel, metres; infinite without a primitive.
    float depth(int x, int y, const Projection& projection) const;
    /// A copy on the host, which the two above need. @note Synchronizes when the buffer is on the device.
    VisibilityBuffer download(StreamView stream) const;
};

struct Image {
    int width = 0, height = 0;
    Buffer<std::uint32_t>
        pixels; ///< [height, width] 0xAABBGGRR: R, G, B, A in memory on little-endian machines
    /// A copy on the host. @note Synchronizes when the image is on the device.
    Image download(StreamView stream) const;
};

/// Colours of primitives: 256 steps of a map between two limits, or given colours.
struct Colouring {
    const float* values = nullptr; ///< [count] one per primitive (per vertex for triangles), or null: uniform
    const std::uint32_t* rgba = nullptr; ///< [count] colours themselves; wins over `values`
    float low = 0, high = 1;             ///< limits of the map
    const std::uint32_t* map = nullptr;  ///< [256] RGBA, on the host for both backends
    std::uint32_t uniform = 0xffc8c8c8u;
    /// Colours represent classes: a pixel gets that of the nearest corner or point, without blending.
    bool discrete = false;
};

struct Shading {
    bool light = true;   ///< headlight on voxels and triangles
    bool eyeDome = true; ///< eye-dome lighting (log-depth)
    float eyeDomeStrength = 1;
    std::uint32_t background = 0xff2b2622u; ///< RGBA
    bool operator==(const Shading&) const = default;
};

/// How a pixel combines several points.
enum class PointBlend : std::uint8_t {
    nearest,
    averaged, ///< the mean colour, opaque, of all within 1 % of the nearest's distance; not for classes
};

inline constexpr float kLargestPoint = 1024; ///< pixels across

/// The primitives to draw; any part may be absent. Buffers and pointers lie where the backend works, colour
/// maps on the host.
struct RasterScene {
    std::span<const Vec3f> points;         ///< [N, 3] metres
    float pointSize = 1;                   ///< pixels across, (0, kLargestPoint]; drawn at least one wide
    float pointExtent = 0;                 ///< metres across, if that is larger than pointSize; >= 0
    const PointBatches* batches = nullptr; ///< batches of these points, for the device; null: none
    Colouring pointColour;
    /// for resolve(); ids are those of the nearest in both cases
    PointBlend pointBlend = PointBlend::nearest;
    const VoxelGrid* voxels = nullptr;
    float voxelScale = 1; ///< edge of the drawn box as a part of the voxel, (0, 1]
    Colouring voxelColour;
    const TriangleMesh* mesh = nullptr;
    /// clusters of this mesh, with which the device draws the same picture faster; null: none
    const TriangleClusters* clusters = nullptr;
    Colouring meshColour;  ///< one value per vertex
    bool backFaces = true; ///< draw triangles seen from behind
};

struct RasterStats {
    std::uint64_t drawnPixels = 0;
    std::uint64_t rejectedNotFinite = 0; ///< primitives with a coordinate that is not a number
    std::uint64_t drawnInline = 0;       ///< on the device: drawn the slow way, since their queue was full
    Cost cost;
};

} // namespace scanloupe
