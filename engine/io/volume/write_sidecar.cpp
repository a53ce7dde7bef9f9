// Writes the sidecar of a raw volume.
#include "engine/io/volume/write_sidecar.h"

#include "engine/io/common/write/write_atomically.h"
#include "engine/io/volume/volume_shape.h"

#include <nlohmann/json.hpp>

namespace scanloupe {

void writeSidecar(const std::filesystem::path& volume, Vec3i dims, const std::string& type, Vec3f spacing) {
    const nlohmann::ordered_json sidecar{
        {"dims", {dims.x, dims.y, dims.z}}, {"type", type}, {"spacing", {spacing.x, spacing.y, spacing.z}}};
    writeAtomically(sidecarOf(volume), [&](std::ostream& out) { out << sidecar.dump(2) << '\n'; });
}

} // namespace scanloupe
