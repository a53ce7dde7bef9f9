#pragma once
// What OpenGL views draw, made from a snapshot by plain functions that run on any thread.
#include "engine/pipeline/colouring.h"
#include "engine/pipeline/pipeline.h"
#include "kernels/raster/view_item.h"

#include <array>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

namespace scanloupe::gui {

/// A run of neighbouring things that is culled and drawn as one.
struct DrawChunk {
    std::uint32_t first = 0, count = 0; ///< boxes or triangles
    Vec3f low, high;                    ///< what they lie within, relative to the snapshot's origin
};

/// How the 32-bit colours of a geometry are meant.
struct ColourLook {
    enum class Mode : std::uint8_t {
        uniform,
        values,
        rgba,
        classes, ///< RGBA that isn't mixed
    };
    Mode mode = Mode::uniform;
    float low = 0, high = 1;              ///< limits of the map; values
    std::array<std::uint32_t, 256> map{}; ///< RGBA; values
    ClassColours classes;                 ///< that are shown; classes
};

/// What CUDA writes into buffers of OpenGL: results that lie on the device, and their colours.
struct DeviceContent {
    std::shared_ptr<const Stream> stream; ///< the colours were worked out on it; outlives them
    Resident<VoxelGrid> voxels;           ///< or
    Resident<TriangleMesh> mesh;
    ColourValues colours;
};

/// Levels run from everything to the coarsest stand-in.
struct ViewGeometry {
    virtual ~ViewGeometry() = default;
    Vec3d origin; ///< what coordinates are relative to, file's frame
    ColourLook look;
    std::vector<std::vector<DrawChunk>> levels; ///< chunks of each level
    /// In place of pages and boxes on the host; null: they are there. Such a geometry has one level and one
    /// page, in the order of the results. Its chunks all claim the whole extent: bounds of their own would
    /// have to come from the device, and a GPU that CUDA can write to clips what is out of sight as fast as
    /// chunks are sorted out.
    std::unique_ptr<const DeviceContent> device;
};

struct VoxelGeometry : ViewGeometry {
    struct Level {
        std::vector<BoxInstance> boxes;
        Vec3f edge; ///< metres, before voxelScale
    };
    std::vector<Level> boxLevels;
    /// [V] the voxel that each box of level 0 stands for; none on the device, where it is the box's own
    /// number
    std::vector<std::uint32_t> voxelOf;
};

/// Triangles with the vertices that they need.
struct MeshPart {
    std::vector<MeshVertex> vertices;
    std::vector<std::uint32_t> indices; ///< [T, 3]
};
/// A level lies in pages of kMeshPage triangles, so that no buffer takes a driver long to make; level 0 keeps
/// the mesh's order of triangles. Chunks count on over a level's pages and lie within one.
struct MeshGeometry : ViewGeometry {
    std::vector<std::vector<MeshPart>> pages; ///< of each level
};
inline constexpr std::uint32_t kMeshPage = 1 << 17;

/// Boxes are never put across a multiple of this: they lie in texture buffers of the size that every OpenGL
/// has.
inline constexpr std::uint32_t kBoxPage = 65536;

/// Boxes of all voxels, in an order that keeps neighbours together, and coarser levels made by merging 2 x 2
/// x 2 cells until one has at most `enough` boxes. @throws EngineError as colourVoxels; Cancelled.
std::shared_ptr<const VoxelGeometry> buildVoxelGeometry(const Snapshot& snapshot, std::uint64_t coarsestLimit,
                                                        const std::stop_token& stop);

/// The mesh with its colours, and coarser levels made by merging the vertices of grown cells until one has at
/// most `enough` triangles. @throws EngineError as colourMesh; Cancelled.
std::shared_ptr<const MeshGeometry> buildMeshGeometry(const Snapshot& snapshot, std::uint64_t coarsestLimit,
                                                      const std::stop_token& stop);

/// More than this would not be drawn within a turn while something moves, and coarser levels are made on the
/// host: with chips whose graphics units draw a thousand million triangles a second, some 20 ms.
inline constexpr std::uint64_t kMostDeviceBoxes = 4'000'000, kMostDeviceTriangles = 16'000'000;

/// The same of results that lie on the device, and stay there: not a byte of theirs comes to the host. Null
/// where they don't, or are too many: then the host makes it. @throws as the others; KernelError, as
/// DeviceMemoryShort where the host may have more. @note Synchronizes with `stream`.
std::shared_ptr<const VoxelGeometry> deviceVoxelGeometry(const Snapshot& snapshot,
                                                         const std::shared_ptr<const Stream>& stream,
                                                         const std::stop_token& stop);
std::shared_ptr<const MeshGeometry> deviceMeshGeometry(const Snapshot& snapshot,
                                                       const std::shared_ptr<const Stream>& stream,
                                                       const std::stop_token& stop);

/// A coarser mesh: vertices within the same cube of edge `cell` metres become one, triangles that collapse
/// go.
MeshPart clusterVertices(const MeshPart& fine, float cell, ColourLook::Mode mode,
                         const std::stop_token& stop);

} // namespace scanloupe::gui
