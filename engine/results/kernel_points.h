#pragma once
// Declares the points and features in the layout and the memory space that kernels read.
#include "engine/cloud/categories.h"
#include "engine/io/writers.h"
#include "kernels/core/stream.h"
#include "kernels/voxelize/core/voxel_grid.h"
#include "kernels/voxelize/values/voxel_modes.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string_view>
#include <vector>

namespace scanloupe {

/// Points in the layout that kernels read, all in one memory space.
struct KernelPoints {
    Buffer<Vec3f> positions;                ///< [N, 3] metres, relative to the cloud's origin
    std::vector<Buffer<std::byte>> storage; ///< [N] each: memory of converted features
    std::vector<FeatureView> features;      ///< F
    std::vector<VoxelChannel> channels;     ///< F: names, and the offsets that means are relative to
    std::vector<std::shared_ptr<const Category>> categories; ///< C: attributes whose values are classes
    std::vector<Buffer<std::uint32_t>> codes;                ///< [C, N] the class of each point

    PointsView view() const { return {positions.data(), positions.size(), features}; }
    /// The channel of VoxelGrid::mean with the means of an attribute, or -1.
    int channelOf(std::string_view name) const;
    /// The index of a categorical attribute, or -1.
    int categoryOf(std::string_view name) const;
    std::vector<CategoryView> categoryViews() const;
    std::uint64_t bytes() const;
};

/// Converts every `stride`-th point of the cloud, on the host. Features refer to the cloud's memory if their
/// type allows it. Categorical attributes become categories, others features; the components of vectors
/// (normal, sensor, red green blue) are adjacent.
/// @throws KernelError; Cancelled.
KernelPoints uploadToHost(const PointCloud& cloud, std::size_t stride, const std::stop_token& stop);

/// Copies the points to the device. @note Asynchronous: `host` must live until the stream has passed.
/// @throws KernelError
KernelPoints uploadToDevice(const KernelPoints& host, StreamView stream);

} // namespace scanloupe
