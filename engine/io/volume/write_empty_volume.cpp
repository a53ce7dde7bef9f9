// Writes a new grid to paint in: a file without values, and a sidecar with the shape of the grid.
#include "engine/io/volume/write_empty_volume.h"

#include "engine/cloud/error.h"
#include "engine/io/common/write/write_atomically.h"
#include "engine/io/volume/volume_shape.h"
#include "engine/io/volume/write_sidecar.h"

#include <algorithm>
#include <string>

namespace scanloupe {

void writeEmptyVolume(const std::filesystem::path& target, Vec3i dims, Vec3f spacing) {
    if (std::min({dims.x, dims.y, dims.z}) < 2 || !(std::min({spacing.x, spacing.y, spacing.z}) > 0))
        throw EngineError("A new grid needs at least 2 nodes along each axis and a spacing above 0 m (got " +
                              std::to_string(dims.x) + " x " + std::to_string(dims.y) + " x " +
                              std::to_string(dims.z) + " nodes, spacing " +
                              std::to_string(std::min({spacing.x, spacing.y, spacing.z})) + " m).",
                          "Increase the number of nodes or the spacing.");
    if (double(dims.x) * double(dims.y) * double(dims.z) > kMaxSamples)
        throw EngineError("The grid has " + std::to_string(dims.x) + " x " + std::to_string(dims.y) + " x " +
                              std::to_string(dims.z) + " nodes, more than the maximum of 9e15.",
                          "Reduce the number of nodes.");
    writeSidecar(target, dims, kEmptyVolume, spacing);
    // the file contains a text, since readers reject empty files
    writeAtomically(target,
                    [](std::ostream& out) { out << "A grid to paint in: its size is in the sidecar.\n"; });
}

} // namespace scanloupe
