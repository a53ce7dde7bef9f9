// Puts the voxels of a run in order, lists their points, and writes them.
#include "engine/results/voxel_export.h"

#include "engine/io/common/file_ending.h"
#include "engine/io/common/write/voxel_points.h"
#include "engine/io/formats.h"
#include "engine/io/writers.h"
#include "engine/recipe/recipe.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"
#include "engine/results/voxel_attributes.h"
#include "kernels/voxelize/operators.h"

#include <optional>

namespace scanloupe {

void writeVoxelsOf(const Snapshot& snapshot, const std::filesystem::path& target, WriteOptions options,
                   const std::stop_token& stop) {
    const std::string ending = options.ending.empty() ? lowerEnding(target) : options.ending;
    const FileFormat* format = formatWithEnding(&FileFormat::voxels, ending);
    const Recipe& recipe = snapshot.resolved;
    const VoxelTable table = voxelTable(*snapshot.attributes, stop); // loads all attributes
    const VoxelGrid& grid = snapshot.voxels.host();
    options.origin = snapshot.origin();
    std::vector<std::uint32_t> order;
    if (recipe.voxelOrder == VoxelOrder::firstPoint) {
        const VoxelMembers members{grid.pointVoxel.data(), grid.pointVoxel.size(), grid.size()};
        order = orderByFirstPoint(firstPoints(members, {std::nullopt, stop}).span());
        options.voxelOrder = order;
    }
    std::optional<VoxelPoints> points;
    if (format && format->voxels.holdsPoints && recipe.maxPointsPerVoxel > 0) {
        points = pointsOfVoxels(snapshot.cloud, attributesInOrder(*snapshot.cloud), grid.pointVoxel.span(),
                                grid.counts.span(), recipe.maxPointsPerVoxel, stop);
        options.voxelPoints = &*points;
    }
    writeVoxels(target, table.grid, table.channels, table.categories, options, stop);
}

} // namespace scanloupe
