#pragma once
// Defines the options of the writers, and the channels of values for meshes and voxels.
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

/// The name of a channel of voxel means, and the offset that was subtracted from its values.
struct VoxelChannel {
    std::string name;
    double offset = 0;
    /// For colours and intensities: the values of zero and of full brightness, from which integer formats
    /// derive their scale. nullopt: scaled by the range of the values.
    std::optional<ValueRange> fullScale = {};
};
/// A channel with one value per vertex of a mesh.
struct MeshChannel {
    VoxelChannel channel;
    std::vector<float> values;                          ///< [M] values after the channel's offset was
                                                        ///< subtracted
    std::shared_ptr<const Category> category = nullptr; ///< category if the values are classes, otherwise
                                                        ///< null
    std::vector<std::uint32_t> codes = {};              ///< [M] codes of classes in `category`
};

struct VoxelPoints;

/// Options for voxels in array formats (.npz, .npy).
struct VoxelArrays {
    bool halfMeans = false;                 ///< store means as float16, rounded to the nearest
    std::optional<std::int32_t> batch = {}; ///< index of the scan in a batch, stored before the voxel's own
                                            ///< indices
    /// Counts finite means that overflow float16; null: not counted.
    std::atomic<std::uint64_t>* overflows = nullptr;
};

struct WriteOptions {
    Vec3d origin; ///< origin of the data's local frame; coordinates in files are in the file's frame
    ProgressFunction progress;
    std::span<const MeshChannel> channels = {}; ///< values of a mesh's vertices; only written if the format
                                                ///< supports them
    /// [V] order in which voxels are written; empty: by ascending keys.
    std::span<const std::uint32_t> voxelOrder = {};
    const VoxelPoints* voxelPoints = nullptr; ///< points of the voxels; null: points are not written
    VoxelArrays arrays = {};
    std::string ending = {}; ///< extension of the format, with its dot; empty: the target's extension
};

} // namespace scanloupe
