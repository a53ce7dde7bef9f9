#pragma once
// Declares the state that all kernels of the rasterizer share: inputs, queues, counters and the visibility
// buffer.
#include "kernels/core/cuda_check.h"
#include "kernels/raster/point_batches.h"
#include "kernels/raster/resolve_element.h"
#include "kernels/raster/triangle_clusters.h"
#include "kernels/raster/triangle_coverage.h"

namespace scanloupe::cuda {

using Pixel = unsigned long long; ///< of the visibility buffer, as atomics want it
static_assert(sizeof(Pixel) == sizeof(std::uint64_t));
inline constexpr unsigned kAllLanes = 0xffffffffu;
inline constexpr unsigned kWarps = kBlockSize / 32; ///< of a block
inline constexpr std::uint32_t kNoTriangle = 0xffffffffu;

/// A triangle that waits for its tier.
struct QueuedTriangle {
    TriangleSetup setup;
    std::uint32_t id;
};

inline constexpr std::uint32_t kDepthRanges = 8; ///< that batches of points are sorted into

/// Batches of points; the nearest are drawn first, since they hide the others.
struct BatchWork {
    const PointBatch* batches;
    const GroupBox* groups;       ///< [count, kBatchGroups]
    const Vec3f* points;          ///< [N, 3] metres in the batches' order
    const std::uint32_t* indices; ///< [N] of these points in the scene, or null: they are in its order
    std::uint32_t count;          ///< 0: the scene has none
    bool whole;                   ///< a warp takes a whole one, not a part of it
    std::uint32_t* order;         ///< [kDepthRanges, count] batches that may be seen, by depth
    std::uint32_t nearest;        ///< bits of the least distance along the view that a batch may have
    float rangesPerBit;           ///< of distances from there on
};

/// Tiles of a picture, and the depth key that each pixel of a tile has at least while very many points are
/// drawn.
struct HizWork {
    std::uint32_t* keys; ///< [count], or null where points are too few for it, or larger than a pixel
    int bitsX, bitsY;    ///< a tile has 2^bits pixels along each axis
    int across, count;   ///< tiles of a row, and of all
};
inline constexpr std::size_t kHizPoints = std::size_t{1} << 22; ///< from here on a picture may have tiles
inline constexpr std::size_t kMostHizTiles = 50000; ///< whose keys 227 KiB hold beside what warps work in
/// Tiles that are as small as they can be for a multiprocessor to share their keys; none where points are too
/// few. @throws KernelError
HizWork hizTiles(std::size_t points, const RasterView& view);

/// What a frame counts. Queues' ends may lie past their room: the rest was drawn at once.
struct RasterCounts {
    unsigned long long notFinite, drawnInline, drawnPixels;
    std::uint32_t others; ///< triangles that the triage has left
    std::uint32_t medium, large, mediumVoxels, largeVoxels;
    std::uint32_t missingVertex; ///< the first triangle that names a vertex that is not there, or kNoTriangle
    std::uint32_t unknown;       ///< pixels that show something that the scene does not hold
    std::uint32_t batches[kDepthRanges]; ///< that may be seen
};

template <class T>
struct Queue {
    T* items;
    std::uint32_t room;
};

/// Everything that the kernels read and write. Each kernel takes it as its one argument, so that a recorded
/// frame gets another camera by another copy of it.
struct RasterWork {
    ResolveView scene; ///< the view, the mesh, the voxels, colours; maps lie on the device
    CullView cull;
    Pixel* pixels; ///< [height, width]
    RasterCounts* counts;
    std::uint32_t* image; ///< [height, width], or null where nothing is shaded
    bool eyeDome;
    float eyeDomeStrength;

    std::uint32_t vertices;
    bool backFaces;
    ScreenPosition* screenPositions; ///< [vertices], or null where they are not placed once for all
    std::uint32_t* others;           ///< [triangles] that the triage has left
    std::uint32_t clusters;          ///< 0: the mesh has none, or is drawn without
    const ClusterHead* clusterHeads;
    const std::uint32_t *clusterWords, *clusterOrder;
    int smallPixels, atOncePixels, mediumPixels, smallVoxelPixels;
    Queue<QueuedTriangle> medium, large;
    Queue<std::uint32_t> mediumVoxels, largeVoxels;

    const Vec3f* points;
    float pointSize, pointExtent;
    BatchWork batches;
    HizWork hiz;
    PointSums* sums; ///< [height, width] while points are averaged, else null

    __device__ const RasterView& view() const { return scene.view; }
};
static_assert(sizeof(RasterWork) <= 4096, "what a kernel can take");

/// The visibility buffer row by row. What draws is a template over this, so that other orders can be
/// measured.
class LinearPixels {
public:
    __device__ explicit LinearPixels(const RasterWork& work)
        : m_pixels(work.pixels), m_width(static_cast<std::uint32_t>(work.view().width)) {}
    __device__ Pixel* at(int x, int y) const {
        return m_pixels + static_cast<std::size_t>(static_cast<std::uint32_t>(y) * m_width +
                                                   static_cast<std::uint32_t>(x));
    }
    /// Keeps the larger of the pixel and `value`.
    __device__ void draw(int x, int y, std::uint64_t value) const { atomicMax(at(x, y), Pixel{value}); }
    /// The depth key that a pixel has at least.
    __device__ std::uint32_t keyAt(int x, int y) const {
        return __ldcg(reinterpret_cast<const std::uint32_t*>(at(x, y)) + 1);
    }

private:
    Pixel* m_pixels;
    std::uint32_t m_width;
};

/// Queues each stage of a frame; those of a kind are for scenes that hold it. @throws KernelError
void queueClear(const RasterWork& work, StreamView stream);
void queueResetCounts(const RasterWork& work, StreamView stream); ///< what queueClear does besides
void queueTriangles(const RasterWork& work, StreamView stream);
void queueVoxels(const RasterWork& work, StreamView stream);
void queuePoints(const RasterWork& work, StreamView stream);
void queueBatches(const RasterWork& work, StreamView stream);    ///< all points, batch by batch
void queueManyPoints(const RasterWork& work, StreamView stream); ///< of one pixel each, for frames with tiles
/// Queues a part of the points, or those that `listed` names (their number is `items`), over what is there.
void queueSomePoints(const RasterWork& work, PointPart part, const std::uint32_t* listed, std::size_t items,
                     StreamView stream);
/// Adds up the colours of the points in each pixel; for frames with sums.
void queueAverages(const RasterWork& work, StreamView stream);
void queueResolve(const RasterWork& work, StreamView stream);
/// Counts the drawn pixels of a frame that is not shaded.
void queueCount(const RasterWork& work, StreamView stream);

/// Blocks of kBlockSize threads that the device can hold at once of a kernel, or less where `count` items
/// need less. @throws KernelError
std::size_t residentBlocks(const void* kernel, std::size_t count);

} // namespace scanloupe::cuda
