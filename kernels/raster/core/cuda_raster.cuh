#pragma once
// Declares the state that all kernels of the rasterizer share: inputs, queues, counters and the visibility
// buffer.
#include "kernels/core/cuda_check.h"
#include "kernels/raster/core/cull_view.h"
#include "kernels/raster/core/resolve_view.h"

namespace scanloupe {
struct ClusterHead;
struct GroupBox;
struct PointBatch;
struct PointSums;
struct ScreenPosition;
} // namespace scanloupe

namespace scanloupe::cuda {

struct QueuedTriangle;

using Pixel = unsigned long long; ///< of the visibility buffer, as atomics want it
static_assert(sizeof(Pixel) == sizeof(std::uint64_t));
inline constexpr unsigned kAllLanes = 0xffffffffu;
inline constexpr unsigned kWarps = kBlockSize / 32; ///< of a block
inline constexpr std::uint32_t kNoTriangle = 0xffffffffu;

inline constexpr std::uint32_t kDepthRanges = 8; ///< that batches of points are sorted into, nearest first

/// Batches of points; the nearest are drawn first, since they occlude the others.
struct BatchWork {
    const PointBatch* batches;
    const GroupBox* groups;       ///< [count, kBatchGroups]
    const Vec3f* points;          ///< [N, 3] metres in the batches' order
    const std::uint32_t* indices; ///< [N] of these points in the scene, or null: they are in its order
    std::uint32_t count;          ///< 0: the scene has none
    bool whole;                   ///< a warp processes whole batches, not parts
    std::uint32_t* order;         ///< [kDepthRanges, count] batches that may be seen, by depth range
    std::uint32_t nearest; ///< bits of a float: the least distance along the view that a batch may have
    float rangesPerBit;    ///< depth ranges per unit of these bits, from `nearest` on
};

/// Hierarchical depth: tiles of a picture, each with a lower bound of the depth keys of its pixels, while
/// very many points are drawn.
struct HizWork {
    std::uint32_t* keys; ///< [count], or null where points are too few, or larger than a pixel
    int bitsX, bitsY;    ///< a tile has 2^bits pixels along each axis
    int across, count;   ///< tiles of a row, and of all
};

/// Counters of a frame. The ends of queues may exceed their capacity: what did not fit was drawn at once.
struct RasterCounts {
    unsigned long long notFinite, drawnInline, drawnPixels;
    std::uint32_t multiPixel; ///< triangles that may cover several pixels, listed by binTriangles()
    std::uint32_t medium, large, mediumVoxels, largeVoxels;
    std::uint32_t missingVertex; ///< the lowest triangle with a vertex index out of range, or kNoTriangle
    std::uint32_t unknown;       ///< pixels with an id that is not in the scene
    std::uint32_t batches[kDepthRanges]; ///< that may be seen
};

template <class T>
struct Queue {
    T* items;
    std::uint32_t capacity;
};

/// Everything that the kernels read and write. It is the one argument of each kernel, so that a recorded
/// frame gets another camera by replacing that argument.
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
    ScreenPosition* screenPositions; ///< [vertices], or null where vertices are not projected beforehand
    std::uint32_t* multiPixel;       ///< [triangles] that may cover several pixels, listed by binTriangles()
    std::uint32_t clusters;          ///< 0: the mesh has none, or is drawn without
    const ClusterHead* clusterHeads;
    const std::uint32_t *clusterWords, *clusterOrder;
    int maxSmallPixels, maxMediumPixels, maxSmallVoxelPixels;
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

/// The visibility buffer in row-major order.
class Pixels {
public:
    __device__ explicit Pixels(const RasterWork& work)
        : m_pixels(work.pixels), m_width(static_cast<std::uint32_t>(work.view().width)) {}
    __device__ Pixel* at(int x, int y) const {
        return m_pixels + static_cast<std::size_t>(static_cast<std::uint32_t>(y) * m_width +
                                                   static_cast<std::uint32_t>(x));
    }
    /// Keeps the larger of the pixel and `value`.
    __device__ void draw(int x, int y, std::uint64_t value) const { atomicMax(at(x, y), Pixel{value}); }
    /// A lower bound of the pixel's depth key: other threads may raise it.
    __device__ std::uint32_t keyAt(int x, int y) const {
        return __ldcg(reinterpret_cast<const std::uint32_t*>(at(x, y)) + 1);
    }

private:
    Pixel* m_pixels;
    std::uint32_t m_width;
};

/// Clears the picture and the counters. @throws KernelError
void queueClear(const RasterWork& work, StreamView stream);

/// Blocks of kBlockSize threads that the device can hold at once of a kernel, or less where `count` items
/// need less. @throws KernelError
std::size_t residentBlocks(const void* kernel, std::size_t count);
/// Queues a kernel for `items` threads, in as many blocks as the device can hold at once. @throws KernelError
void queueResident(const char* name, std::size_t items, void (*kernel)(RasterWork), const RasterWork& work,
                   StreamView stream);

} // namespace scanloupe::cuda
