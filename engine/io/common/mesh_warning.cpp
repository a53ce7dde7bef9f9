// Warns that the faces of a mesh file are not used.
#include "engine/io/common/mesh_warning.h"

#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"

#include <fmt/format.h>

namespace scanloupe {

namespace {
constexpr std::string_view kUnusedFaces = "Mesh file: its ";
} // namespace

bool tellsOfUnusedFaces(std::string_view warning) {
    return warning.starts_with(kUnusedFaces);
}

void warnOfFaces(PointCloud& cloud, std::uint64_t faces, bool cut) {
    if (faces == 0)
        return;
    cloud.warnings.push_back(fmt::format("{}{} {} shown as points, its {} {} not used.", kUnusedFaces,
                                         cloud.size(), cloud.size() == 1 ? "vertex is" : "vertices are",
                                         faces, faces == 1 ? "face is" : "faces are"));
    if (cut)
        cloud.warnings.push_back(
            "The file is truncated: some of its faces are missing, but it contains all vertices.");
}

void requireAllVertices(const InputFile& file, const PointCloud& vertices, std::uint64_t claimed) {
    if (vertices.size() < claimed)
        throw EngineError(
            fmt::format("Of the {} vertices of '{}', {} are missing, so its faces can't be read.", claimed,
                        file.name(), claimed - vertices.size()),
            "The file is truncated or damaged. Export the mesh again.");
}

} // namespace scanloupe
