// Checks voxels, and writes them in the format of the target's extension.
#include "engine/cloud/error.h"
#include "engine/io/common/file_ending.h"
#include "engine/io/formats.h"
#include "engine/io/writers.h"

namespace scanloupe {

void writeVoxels(const std::filesystem::path& target, const VoxelGrid& voxels,
                 std::span<const VoxelChannel> features,
                 std::span<const std::shared_ptr<const Category>> categories, const WriteOptions& options,
                 const std::stop_token& stop) {
    const std::string ending =
        options.ending.empty() ? requireEnding(target, voxelEndings(), "voxels") : options.ending;
    if (features.size() != voxels.featureCount)
        throw Fault("the voxels have " + std::to_string(voxels.featureCount) + " features, but " +
                    std::to_string(features.size()) + " feature names were given");
    if (voxels.size() > 0 && categories.size() != voxels.categoryCount())
        throw Fault("the voxels have " + std::to_string(voxels.categoryCount()) + " categories, but " +
                    std::to_string(categories.size()) + " were given");
    const detail::VoxelRows rows(voxels, features, categories, options);
    const detail::VoxelJob job{rows, voxels.shape, options, stop, ending};
    const FileFormat* format = formatWithEnding(&FileFormat::voxels, ending);
    writeAtomically(
        target, [&](std::ostream& stream) { format->voxels.write(stream, job); }, stop);
}

} // namespace scanloupe
