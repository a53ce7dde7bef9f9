#pragma once
// Points and features in the form and the memory that kernels read.
#include "engine/cloud/categories.h"
#include "engine/io/writers.h"
#include "kernels/core/stream.h"
#include "kernels/voxelize/voxel_grid.h"
#include "kernels/voxelize/voxel_modes.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string_view>
#include <vector>

namespace scanloupe {

/// Points as the kernels see them, all in one memory space.
struct KernelPoints {
    Buffer<Vec3f> positions;                ///< [N, 3] metres, relative to the cloud's origin
    std::vector<Buffer<std::byte>> storage; ///< [N] each: features that are not the cloud's own memory
    std::vector<FeatureView> features;      ///< F
    std::vector<VoxelChannel> channels;     ///< F: names, and what the means are relative to
    std::vector<std::shared_ptr<const Category>> categories; ///< C: attributes whose values are classes
    std::vector<Buffer<std::uint32_t>> codes;                ///< [C, N] the class of each point

    PointsView view() const { return {positions.data(), positions.size(), features}; }
    /// Channel of VoxelGrid::mean that has the means of an attribute, or -1.
    int channelOf(std::string_view name) const;
    /// Index of a categorical attribute, or -1.
    int categoryOf(std::string_view name) const;
    std::vector<CategoryView> categoryViews() const;
    std::uint64_t bytes() const;
};

/// Every `stride`-th point of the cloud on the host; features view into the cloud's own memory where they
/// can. Attributes become categories where their values are classes, else features; triples (normal, sensor,
/// red green blue) stand together.
/// @throws KernelError; Cancelled.
KernelPoints uploadToHost(const PointCloud& cloud, std::size_t stride, const std::stop_token& stop);

/// A copy on the device. @note Asynchronous: `host` must live until the stream has passed. @throws
/// KernelError
KernelPoints uploadToDevice(const KernelPoints& host, StreamView stream);

} // namespace scanloupe
