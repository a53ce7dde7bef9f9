#pragma once
// Declares the geometry that the OpenGL views draw, built from a snapshot by free functions on any thread.
#include "engine/compute/device_or_host.h"
#include "engine/picture/colouring.h"
#include "kernels/raster/view_item.h"

#include <array>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

namespace scanloupe {
struct Snapshot;
}

namespace scanloupe::gui {

/// A run of neighbouring primitives that are culled and drawn together.
struct DrawChunk {
    std::uint32_t first = 0, count = 0; ///< boxes or triangles
    Vec3f low, high;                    ///< bounding box, relative to the snapshot's origin
};

/// Interpretation of the 32-bit colours of a geometry.
struct ColourLook {
    enum class Mode : std::uint8_t {
        uniform,
        values,
        rgba,
        classes, ///< RGBA without blending
    };
    Mode mode = Mode::uniform;
    float low = 0, high = 1;              ///< limits of the map, for values
    std::array<std::uint32_t, 256> map{}; ///< RGBA, for values
    ClassColours classes;                 ///< the displayed classes
};

/// Results on the device, voxels or a mesh, and their colours, which CUDA writes into OpenGL buffers.
struct DeviceContent {
    std::shared_ptr<const Stream> stream; ///< the stream on which the colours were computed; outlives them
    DeviceOrHost<VoxelGrid> voxels;       ///< or
    DeviceOrHost<TriangleMesh> mesh;
    ColourValues colours;
};

/// Geometry with levels of detail, from the finest to the coarsest.
struct ViewGeometry {
    virtual ~ViewGeometry() = default;
    Vec3d origin; ///< origin of the coordinates, file's frame
    ColourLook look;
    std::vector<std::vector<DrawChunk>> levels; ///< chunks of each level
    /// Results on the device that replace pages and boxes on the host; null when those exist. Such a geometry
    /// has one level and one page, in the order of the results. Its chunks all have the bounds of the whole
    /// extent: finer bounds would have to be copied from the device, and a GPU that CUDA can write to clips
    /// invisible primitives as fast as chunks are culled.
    std::unique_ptr<const DeviceContent> device;
};

struct VoxelGeometry : ViewGeometry {
    struct Level {
        std::vector<BoxInstance> boxes;
        Vec3f edge; ///< metres, before voxelScale
    };
    std::vector<Level> boxLevels;
    /// [V] the voxel of each box of level 0; empty for results on the device, where box numbers are voxel
    /// numbers
    std::vector<std::uint32_t> voxelOf;
};

/// Triangles with the vertices that they reference.
struct MeshPart {
    std::vector<MeshVertex> vertices;
    std::vector<std::uint32_t> indices; ///< [T, 3]
};
/// Each level is divided into pages of kMeshPage triangles, so that creating a buffer never takes a driver
/// long; level 0 keeps the mesh's order of triangles. Chunks are numbered across the pages of a level, and
/// each lies within one page.
struct MeshGeometry : ViewGeometry {
    std::vector<std::vector<MeshPart>> pages; ///< pages of each level
};
inline constexpr std::uint32_t kMeshPage = 1 << 17;

/// Boxes per page. No chunk crosses a multiple of this: boxes are in texture buffers of the size that every
/// OpenGL supports.
inline constexpr std::uint32_t kBoxPage = 65536;

/// Builds the boxes of all voxels, in an order with spatial locality, and coarser levels by merging 2 x 2 x 2
/// cells until one has at most `coarsestLimit` boxes. @throws EngineError as colourVoxels; Cancelled.
std::shared_ptr<const VoxelGeometry> buildVoxelGeometry(const Snapshot& snapshot, std::uint64_t coarsestLimit,
                                                        const std::stop_token& stop);

/// Builds the mesh with its colours, and coarser levels by clustering vertices in growing cells until one has
/// at most `coarsestLimit` triangles. @throws EngineError as colourMesh; Cancelled.
std::shared_ptr<const MeshGeometry> buildMeshGeometry(const Snapshot& snapshot, std::uint64_t coarsestLimit,
                                                      const std::stop_token& stop);

/// Largest geometry on the device. More could not be drawn within a slice during a move, and coarser levels
/// are built on the host. On chips whose graphics units draw 10^9 triangles a second, this many take some 20
/// ms.
inline constexpr std::uint64_t kMaxDeviceBoxes = 4'000'000, kMaxDeviceTriangles = 16'000'000;

/// Build the geometry of results on the device, which stay there: no byte is copied to the host. Null when
/// the results are not on the device, or too many: then the host builds it. @throws as the others;
/// KernelError, as DeviceMemoryShort where the host may have more memory. @note Synchronizes with `stream`.
std::shared_ptr<const VoxelGeometry> deviceVoxelGeometry(const Snapshot& snapshot,
                                                         const std::shared_ptr<const Stream>& stream,
                                                         const std::stop_token& stop);
std::shared_ptr<const MeshGeometry> deviceMeshGeometry(const Snapshot& snapshot,
                                                       const std::shared_ptr<const Stream>& stream,
                                                       const std::stop_token& stop);

/// Simplifies a mesh by vertex clustering: vertices within the same cube of edge `cell` metres become one,
/// and triangles that collapse are dropped.
MeshPart clusterVertices(const MeshPart& fine, float cell, ColourLook::Mode mode,
                         const std::stop_token& stop);

} // namespace scanloupe::gui
