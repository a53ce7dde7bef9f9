// Compares voxels, meshes and pictures of two runs.
#include "engine/results/same_results.h"

#include "engine/results/snapshot.h"
#include "kernels/core/error.h"

#include <algorithm>
#include <cstring>

namespace scanloupe {

namespace {

template <class T>
bool sameBytes(const Buffer<T>& a, const Buffer<T>& b) {
    // Bytes are compared instead of values, so that -0 and 0 differ, and identical NaNs are equal.
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.bytes()) == 0);
}

bool sameVoxels(const DeviceOrHost<VoxelGrid>& a, const DeviceOrHost<VoxelGrid>& b) {
    if (a == b) // both runs share one result, or both have none, as for volumes
        return true;
    if (!a || !b || a->shape != b->shape || a->size() != b->size() || a->featureCount != b->featureCount)
        return false;
    const VoxelGrid &one = a.host(), &other = b.host();
    return sameBytes(one.keys, other.keys) && sameBytes(one.counts, other.counts) &&
           sameBytes(one.means, other.means);
}

bool sameMesh(const DeviceOrHost<TriangleMesh>& a, const DeviceOrHost<TriangleMesh>& b) {
    if (a == b)
        return true;
    if (!a || !b || a->vertexCount() != b->vertexCount() || a->triangleCount() != b->triangleCount())
        return false;
    const TriangleMesh &one = a.host(), &other = b.host();
    return sameBytes(one.indices, other.indices) && sameBytes(one.positions, other.positions) &&
           sameBytes(one.normals, other.normals);
}

std::optional<ResultDifference::Pixels> comparePictures(const std::shared_ptr<const Picture>& a,
                                                        const std::shared_ptr<const Picture>& b) {
    if (!a || !b || !a->isWhole() || !b->isWhole() || a->samples != b->samples || a->camera != b->camera ||
        a->image->width != b->image->width || a->image->height != b->image->height)
        return std::nullopt;
    const auto one = a->image.host().pixels.span(), other = b->image.host().pixels.span();
    ResultDifference::Pixels pixels{one.size(), 0};
    for (std::size_t i = 0; i < one.size(); ++i)
        pixels.differing += one[i] != other[i];
    return pixels;
}

} // namespace

ResultDifference compareResults(const Snapshot& a, const Snapshot& b, const std::stop_token& stop) {
    ResultDifference difference;
    difference.pixels = comparePictures(a.picture, b.picture);
    if (stop.stop_requested())
        throw Cancelled();
    difference.sameVoxels = sameVoxels(a.voxels, b.voxels) && sameVoxels(a.shownVoxels, b.shownVoxels);
    if (stop.stop_requested())
        throw Cancelled();
    difference.sameMesh = sameMesh(a.mesh, b.mesh);
    return difference;
}

} // namespace scanloupe
