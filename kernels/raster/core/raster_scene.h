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

/// Kind of the primitive in a pixel. An id has two bits of kind above 30 bits of index into the primitives of
/// that kind.
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

/// Visibility buffer. The value of a pixel is bits(1 / w) << 32 | ~id (orthographic: 0x7fffffff - bits(w) in
/// the upper half), so that the maximum is the nearest primitive, and among equally near primitives the one
/// with the lowest id; 0 without a primitive.
struct VisibilityBuffer {
    int width = 0, height = 0;
    Buffer<std::uint64_t> pixels; ///< [height, width] values of the pixels

    /// Returns the id of the primitive at a pixel; 0 without a primitive. The buffer must be on the host.
    std::uint32_t id(int x, int y) const;
    /// Returns the distance along the view at a pixel, metres; infinite without a primitive. The buffer must
    /// be on the host.
    float depth(int x, int y, const Projection& projection) const;
    /// Returns a copy on the host. @note Synchronizes if the buffer is on the device.
    VisibilityBuffer download(StreamView stream) const;
};

struct Image {
    int width = 0, height = 0;
    Buffer<std::uint32_t>
        pixels; ///< [height, width] 0xAABBGGRR: R, G, B, A in memory on little-endian machines
    /// Returns a copy on the host. @note Synchronizes if the image is on the device.
    Image download(StreamView stream) const;
};

/// Colours of primitives: 256 steps of a map between two limits, or given colours.
struct Colouring {
    const float* values = nullptr; ///< [count] value per primitive (per vertex for triangles); null: uniform
                                   ///< colour
    const std::uint32_t* rgba = nullptr; ///< [count] given colours, which take precedence over `values`; or
                                         ///< null
    float low = 0, high = 1;             ///< limits of the map
    const std::uint32_t* map = nullptr;  ///< [256] RGBA, on the host for both backends
    std::uint32_t uniform = 0xffc8c8c8u;
    /// True if colours represent classes: a pixel gets the colour of the nearest corner or point, without
    /// blending.
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
    averaged, ///< the mean colour, opaque, of all points up to 1 % farther than the nearest; not for classes
};

inline constexpr float kLargestPoint = 1024; ///< maximum width of a point, pixels

/// The primitives to draw; any part may be absent. Buffers and pointers are in the memory of the backend,
/// colour maps on the host.
struct RasterScene {
    std::span<const Vec3f> points; ///< [N, 3] metres
    float pointSize = 1;   ///< width in pixels, (0, kLargestPoint]; points are drawn at least one pixel wide
    float pointExtent = 0; ///< width in metres, used if it is larger on the screen than pointSize; >= 0
    const PointBatches* batches = nullptr; ///< batches of these points, for the device; null: none
    Colouring pointColour;
    /// Blending in resolve(); ids are always those of the nearest points.
    PointBlend pointBlend = PointBlend::nearest;
    const VoxelGrid* voxels = nullptr;
    float voxelScale = 1; ///< edge of the drawn box divided by the edge of the voxel, (0, 1]
    Colouring voxelColour;
    const TriangleMesh* mesh = nullptr;
    /// Clusters of this mesh, with which the device draws the same picture faster; null: no clusters.
    const TriangleClusters* clusters = nullptr;
    Colouring meshColour;  ///< colours of the mesh; one value per vertex
    bool backFaces = true; ///< whether to draw triangles seen from behind
};

struct RasterStats {
    std::uint64_t drawnPixels = 0;
    std::uint64_t rejectedNotFinite = 0; ///< number of primitives with a coordinate that is not finite
    std::uint64_t drawnInline = 0; ///< number of primitives, on the device, that were drawn more slowly since
                                   ///< their queue was full
    Cost cost;
};

} // namespace scanloupe
