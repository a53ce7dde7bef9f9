// Selects points on the device, with one thread per point; each warp computes one word of 32 points.
#include "kernels/core/cuda_check.h"
#include "kernels/core/cuda_cub.cuh"
#include "kernels/select/select_points.h"

#include <cub/device/device_reduce.cuh>

namespace scanloupe::cuda {

namespace {

template <class Predicate>
__global__ void selectByPredicate(const Vec3f* points, std::size_t count, Predicate predicate,
                                  std::uint32_t* words) {
    const std::size_t i = globalIndex();
    bool chosen = false;
    if (i < count) {
        const Vec3f p = points[i];
        chosen = isPresent(p) && predicate(p, i);
    }
    // all lanes of a warp take part, since blocks have 256 threads
    const std::uint32_t word = __ballot_sync(0xffffffffu, chosen);
    if (i < count && threadIdx.x % 32 == 0)
        words[i / 32] = word;
}

__global__ void combineWords(std::uint32_t* set, const std::uint32_t* other, std::size_t count,
                             SetOperation operation) {
    const std::size_t i = globalIndex();
    if (i < count)
        set[i] = detail::combinedWord(set[i], other[i], operation);
}

__global__ void fillWords(std::uint32_t* words, std::size_t count, std::uint32_t value) {
    const std::size_t i = globalIndex();
    if (i < count)
        words[i] = value;
}

__global__ void splatDepths(const Vec3f* points, std::size_t count, ViewWindow window, float radius,
                            std::uint32_t* depths) {
    const std::size_t i = globalIndex();
    if (i >= count)
        return;
    const ViewWindow::Place at = window.placeOf(points[i]);
    if (!isPresent(points[i]) || !window.holds(at))
        return;
    const std::uint32_t bits = __float_as_uint(at.depth);
    const detail::CoveredPixels covered = detail::coveredPixels(window, at, radius);
    for (int y = covered.firstY; y <= covered.lastY; ++y)
        for (int x = covered.firstX; x <= covered.lastX; ++x) {
            std::uint32_t* depth = depths + std::size_t(y) * std::size_t(window.width) + std::size_t(x);
            // a cheap read that avoids most atomics; a stale value is never smaller than the current one, so
            // this is safe
            if (bits < *static_cast<volatile std::uint32_t*>(depth))
                atomicMin(depth, bits);
        }
}

__device__ bool isIn(const std::uint32_t* words, std::size_t size, std::size_t i) {
    return i < size && words[i / 32] >> (i % 32) & 1u;
}

__global__ void markVoxels(const std::uint32_t* words, std::size_t count, const std::uint32_t* pointVoxel,
                           std::size_t voxels, std::uint32_t* found) {
    const std::size_t i = globalIndex();
    if (!isIn(words, count, i))
        return;
    const std::uint32_t voxel = pointVoxel[i];
    if (voxel < voxels)
        atomicOr(found + voxel / 32, 1u << voxel % 32);
}

__global__ void moveAway(Vec3f* points, const std::uint32_t* words, std::size_t count) {
    const std::size_t i = globalIndex();
    if (isIn(words, count, i))
        points[i] = {kCutAway, kCutAway, kCutAway};
}

__global__ void tintItems(std::uint32_t* rgba, std::size_t count, const std::uint32_t* words,
                          std::size_t size, const std::uint32_t* items) {
    const std::size_t i = globalIndex();
    if (i < count && isIn(words, size, items ? items[i] : i))
        rgba[i] = detail::tinted(rgba[i]);
}

struct CountBits {
    __device__ std::uint64_t operator()(std::uint32_t word) const { return std::uint64_t(__popc(word)); }
};

struct Add {
    __device__ std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return a + b; }
};

PointSet emptySet(std::size_t size, StreamView stream) {
    return {size, Buffer<std::uint32_t>::in(MemorySpace::device, PointSet::wordsOf(size), stream)};
}

} // namespace

PointSet selectPoints(std::span<const Vec3f> points, const PointPredicate& predicate, StreamView stream) {
    PointSet set = emptySet(points.size(), stream);
    std::visit(
        [&]<class Predicate>(const Predicate& one) {
            launch("selectByPredicate", points.size(), stream, selectByPredicate<Predicate>, points.data(),
                   points.size(), one, set.words.data());
        },
        predicate);
    return set;
}

void combine(PointSet& set, const PointSet& other, SetOperation operation, StreamView stream) {
    launch("combineWords", set.words.size(), stream, combineWords, set.words.data(), other.words.data(),
           set.words.size(), operation);
}

std::uint64_t countOf(const PointSet& set, StreamView stream) {
    if (set.words.empty())
        return 0;
    auto sum = Buffer<std::uint64_t>::in(MemorySpace::device, 1, stream);
    runCub("cub::DeviceReduce::TransformReduce", stream, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceReduce::TransformReduce(scratch, bytes, set.words.data(), sum.data(),
                                                  static_cast<std::int64_t>(set.words.size()), Add{},
                                                  CountBits{}, std::uint64_t{0}, ownStream(stream));
    });
    return sum.copyTo(MemorySpace::host, stream)[0];
}

Buffer<std::uint32_t> nearestDepths(std::span<const Vec3f> points, const ViewWindow& window, float radius,
                                    StreamView stream) {
    const std::size_t pixels = std::size_t(window.width) * std::size_t(window.height);
    auto depths = Buffer<std::uint32_t>::in(MemorySpace::device, pixels, stream);
    constexpr std::uint32_t infinity = 0x7f800000u;
    launch("fillWords", pixels, stream, fillWords, depths.data(), pixels, infinity);
    launch("splatDepths", points.size(), stream, splatDepths, points.data(), points.size(), window, radius,
           depths.data());
    return depths;
}

PointSet voxelsOf(const PointSet& set, const Buffer<std::uint32_t>& pointVoxel, std::size_t voxels,
                  StreamView stream) {
    PointSet found = emptySet(voxels, stream);
    launch("fillWords", found.words.size(), stream, fillWords, found.words.data(), found.words.size(), 0u);
    launch("markVoxels", set.size, stream, markVoxels, set.words.data(), set.size, pointVoxel.data(), voxels,
           found.words.data());
    return found;
}

void removePoints(Buffer<Vec3f>& points, const PointSet& set, StreamView stream) {
    launch("moveAway", points.size(), stream, moveAway, points.data(), set.words.data(), points.size());
}

void tintChosen(Buffer<std::uint32_t>& rgba, const PointSet& set, const std::uint32_t* items,
                StreamView stream) {
    launch("tintItems", rgba.size(), stream, tintItems, rgba.data(), rgba.size(), set.words.data(), set.size,
           items);
}

} // namespace scanloupe::cuda
