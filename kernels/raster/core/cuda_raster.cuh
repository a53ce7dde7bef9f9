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

using Pixel = unsigned long long; ///< pixel of the visibility buffer, in the type of CUDA's atomics
static_assert(sizeof(Pixel) == sizeof(std::uint64_t));
inline constexpr unsigned kAllLanes = 0xffffffffu;
inline constexpr unsigned kWarps = kBlockSize / 32; ///< number of warps per block
inline constexpr std::uint32_t kNoTriangle = 0xffffffffu;

/// number of depth ranges into which batches of points are sorted, nearest first
inline constexpr std::uint32_t kDepthRanges = 8;

/// Batches of points. The nearest batches are drawn first, since they occlude the others.
struct BatchWork {
    const PointBatch* batches;
    const GroupBox* groups;       ///< [count, kBatchGroups] boxes of the groups
    const Vec3f* points;          ///< [N, 3] points in the order of the batches, metres
    const std::uint32_t* indices; ///< [N] index of each of these points in the scene; null if `points` is in
                                  ///< scene order
    std::uint32_t count;          ///< number of batches; 0 if the scene has no batches
    bool whole;                   ///< whether a warp processes whole batches instead of parts
    std::uint32_t* order;         ///< [kDepthRanges, count] batches that may be visible, by depth range
    std::uint32_t nearest;        ///< bits of a float: minimum distance along the view of the batches
    float rangesPerBit;           ///< depth ranges per unit of these bits
};

/// Hierarchical depth for very many points: tiles of a picture, each with a lower bound of the depth keys of
/// its pixels.
struct HizWork {
    std::uint32_t* keys; ///< [count] depth keys of the tiles; null if there are too few points, or points are
                         ///< larger than a pixel
    int bitsX, bitsY;    ///< a tile has 2^bitsX x 2^bitsY pixels
    int across, count;   ///< number of tiles per row, and total number of tiles
};

/// Counters of a frame. The ends of queues may exceed their capacity: items that did not fit were drawn
/// immediately.
struct RasterCounts {
    unsigned long long notFinite, drawnInline, drawnPixels;
    std::uint32_t multiPixel; ///< triangles that may cover several pixels, listed by binTriangles()
    std::uint32_t medium, large, mediumVoxels, largeVoxels;
    std::uint32_t missingVertex;         ///< lowest index of a triangle with a vertex index out of range, or
                                         ///< kNoTriangle
    std::uint32_t unknown;               ///< number of pixels with an id that does not exist in the scene
    std::uint32_t batches[kDepthRanges]; ///< number of batches that may be visible, per depth range
};

template <class T>
struct Queue {
    T* items;
    std::uint32_t capacity;
};

/// All inputs and outputs of the kernels. It is the only argument of each kernel: replacing it changes the
/// camera of a recorded frame.
struct RasterWork {
    ResolveView scene; ///< view, mesh, voxels and colours; colour maps are on the device
    CullView cull;
    Pixel* pixels; ///< [height, width] visibility buffer
    RasterCounts* counts;
    std::uint32_t* image; ///< [height, width] image; null without shading
    bool eyeDome;
    float eyeDomeStrength;

    std::uint32_t vertices;
    bool backFaces;
    ScreenPosition* screenPositions; ///< [vertices] projected positions; null if vertices are not projected
                                     ///< beforehand
    std::uint32_t* multiPixel;       ///< [triangles] triangles that may cover several pixels, listed by
                                     ///< binTriangles()
    std::uint32_t clusters; ///< number of clusters; 0 if the mesh has no clusters or is drawn without
                            ///< clusters
    const ClusterHead* clusterHeads;
    const std::uint32_t *clusterWords, *clusterOrder;
    int maxSmallPixels, maxMediumPixels, maxSmallVoxelPixels;
    Queue<QueuedTriangle> medium, large;
    Queue<std::uint32_t> mediumVoxels, largeVoxels;

    const Vec3f* points;
    float pointSize, pointExtent;
    BatchWork batches;
    HizWork hiz;
    PointSums* sums; ///< [height, width] sums of averaged points; null if points are not averaged

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
    /// Replaces the pixel by `value` if that is larger.
    __device__ void draw(int x, int y, std::uint64_t value) const { atomicMax(at(x, y), Pixel{value}); }
    /// Returns a lower bound of the pixel's depth key; other threads may raise the key meanwhile.
    __device__ std::uint32_t keyAt(int x, int y) const {
        return __ldcg(reinterpret_cast<const std::uint32_t*>(at(x, y)) + 1);
    }

private:
    Pixel* m_pixels;
    std::uint32_t m_width;
};

/// Clears the picture and the counters. @throws KernelError
void queueClear(const RasterWork& work, StreamView stream);

/// Returns the number of blocks of kBlockSize threads that can be resident on the device simultaneously, but
/// no more than `count` items need. @throws KernelError
std::size_t residentBlocks(const void* kernel, std::size_t count);
/// Queues a kernel for `items` threads, with as many blocks as can be resident on the device simultaneously.
/// @throws KernelError
void queueResident(const char* name, std::size_t items, void (*kernel)(RasterWork), const RasterWork& work,
                   StreamView stream);

} // namespace scanloupe::cuda
