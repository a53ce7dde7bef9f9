// Writes a sidecar that describes the grid, next to a file without samples.
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
        throw EngineError("A new grid needs at least two nodes along each axis and a spacing above 0 (got " +
                              std::to_string(dims.x) + " x " + std::to_string(dims.y) + " x " +
                              std::to_string(dims.z) + " nodes).",
                          "Raise the number of nodes or the spacing.");
    if (double(dims.x) * double(dims.y) * double(dims.z) > kMaxSamples)
        throw EngineError("The grid has too many nodes: " + std::to_string(dims.x) + " x " +
                              std::to_string(dims.y) + " x " + std::to_string(dims.z) + ".",
                          "Give it fewer nodes.");
    writeSidecar(target, dims, kEmptyVolume, spacing);
    // readers report a file of 0 bytes as lost
    writeAtomically(target,
                    [](std::ostream& out) { out << "A grid to paint in: its size is in the sidecar.\n"; });
}

} // namespace scanloupe
