#pragma once
// Defines the options of the writers, and the channels of values that meshes and voxels are written with.
#include "engine/cloud/categories.h"
#include "engine/io/common/progress.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace scanloupe {

/// The name of a channel of voxel means, and the offset that its values are relative to.
struct VoxelChannel {
    std::string name;
    double offset = 0;
    /// Of colours and intensities: the values of none and of full brightness, by which formats of integers
    /// stretch them. None: by the values themselves.
    std::optional<ValueRange> fullScale = {};
};
/// One value a vertex of a mesh.
struct MeshChannel {
    VoxelChannel channel;
    std::vector<float> values;                          ///< [M] relative to the channel's offset
    std::shared_ptr<const Category> category = nullptr; ///< of values that are classes; or null
    std::vector<std::uint32_t> codes = {};              ///< [M] of `category`
};

struct VoxelPoints;

/// How formats of arrays (.npz, .npy) hold voxels.
struct VoxelArrays {
    bool halfMeans = false;                 ///< means as float16, rounded to the nearest
    std::optional<std::int32_t> batch = {}; ///< the index of the scan in a batch, before those of the voxel
    /// Counts finite means that are infinite as float16; null: they are not counted.
    std::atomic<std::uint64_t>* overflows = nullptr;
};

struct WriteOptions {
    Vec3d origin; ///< of the data's local frame; files get coordinates of the file's frame
    ProgressFunction progress;
    std::span<const MeshChannel> channels = {}; ///< of a mesh's vertices; written where possible
    /// [V] the voxels in the order in which they are written; empty: by their keys.
    std::span<const std::uint32_t> voxelOrder = {};
    const VoxelPoints* voxelPoints = nullptr; ///< of voxels; null: none are written
    VoxelArrays arrays = {};
    std::string ending = {}; ///< of the format, with its dot; empty: that of the target
};

} // namespace scanloupe
