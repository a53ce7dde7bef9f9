#pragma once
// Defines the options of the writers, and the channels of values that meshes and voxels are written with.
#include "engine/cloud/value_range.h"
#include "engine/io/common/progress.h"
#include "kernels/core/vec3.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace scanloupe {

struct Category;

/// The name of a channel of voxel means, and the offset that its values are relative to.
struct VoxelChannel {
    std::string name;
    double offset = 0;
    /// For colours and intensities: the values of zero and full brightness, which formats with integers scale
    /// by. None: scaled by the range of the values.
    std::optional<ValueRange> fullScale = {};
};
/// One value a vertex of a mesh.
struct MeshChannel {
    VoxelChannel channel;
    std::vector<float> values;                          ///< [M] relative to the channel's offset
    std::shared_ptr<const Category> category = nullptr; ///< the category, if values are classes; or null
    std::vector<std::uint32_t> codes = {};              ///< [M] codes of classes in `category`
};

struct VoxelPoints;

/// Options of array formats (.npz, .npy) for voxels.
struct VoxelArrays {
    bool halfMeans = false;                 ///< means as float16, rounded to the nearest
    std::optional<std::int32_t> batch = {}; ///< the index of the scan in a batch, before those of the voxel
    /// Counts finite means that overflow float16; null: not counted.
    std::atomic<std::uint64_t>* overflows = nullptr;
};

struct WriteOptions {
    Vec3d origin; ///< origin of the data's local frame; files get coordinates in the file's frame
    ProgressFunction progress;
    std::span<const MeshChannel> channels = {}; ///< values of a mesh's vertices; written where possible
    /// [V] the voxels in the order in which they are written; empty: by their keys.
    std::span<const std::uint32_t> voxelOrder = {};
    const VoxelPoints* voxelPoints = nullptr; ///< points of the voxels; null: none are written
    VoxelArrays arrays = {};
    std::string ending = {}; ///< extension of the format, with its dot; empty: that of the target
};

} // namespace scanloupe
