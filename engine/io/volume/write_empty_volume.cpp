// Writes a sidecar that says what an empty file stands for.
#include "engine/io/volume/write_empty_volume.h"

#include "engine/cloud/error.h"
#include "engine/io/common/write/write_atomically.h"
#include "engine/io/volume/volume_shape.h"
#include "engine/io/volume/write_sidecar.h"

#include <algorithm>

namespace scanloupe {

void writeEmptyVolume(const std::filesystem::path& target, Vec3i dims, Vec3f spacing) {
    if (std::min({dims.x, dims.y, dims.z}) < 2 || !(std::min({spacing.x, spacing.y, spacing.z}) > 0))
        throw EngineError("A grid to paint in has two nodes or more along each axis, and cells with a size.",
                          "Give it more nodes, or a size above 0.");
    if (double(dims.x) * double(dims.y) * double(dims.z) > kMostSamples)
        throw EngineError("A grid of so many nodes can't be numbered.", "Give it fewer nodes.");
    writeSidecar(target, dims, kEmptyVolume, spacing);
    // a file without a byte is taken for one that was lost
    writeAtomically(target,
                    [](std::ostream& out) { out << "A grid to paint in: its size is in the sidecar.\n"; });
}

} // namespace scanloupe
