// Prepares a mesh for measuring: welds it, and finds out what is wrong with it.
#include "engine/inspect/reference_mesh.h"

#include "engine/cloud/error.h"
#include "engine/io/common/mesh_warning.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace scanloupe {

namespace {

void addWarnings(const MeshFile& file, ReferenceMesh& reference) {
    const MeshFaces& faces = file.faces;
    std::vector<std::string>& warnings = reference.warnings;
    for (const std::string& warning : file.vertices->warnings)
        if (!tellsOfUnusedFaces(warning))
            warnings.push_back(warning);
    if (faces.isCut)
        warnings.push_back("The file ends within its faces: those before are used.");
    if (faces.missing > 0)
        warnings.push_back(
            fmt::format("{} faces name vertices that are not there, and are left out.", faces.missing));
    if (faces.collapsed > 0)
        warnings.push_back(fmt::format("{} faces have no area, and are left out.", faces.collapsed));
    const MeshTopology& topology = reference.topology;
    if (topology.nonManifoldEdges > 0)
        warnings.push_back(
            fmt::format("{} edges have more than one triangle on a side: signs near them may be "
                        "those of either.",
                        topology.nonManifoldEdges));
    if (!topology.closed())
        warnings.push_back(
            fmt::format("It is open, with {} edges at its border: a sign tells the side of the "
                        "surface, not inside or outside.",
                        topology.boundaryEdges));
    else if (topology.volume < 0)
        warnings.push_back("Its triangles face inwards: distances inside are positive.");
}

} // namespace

ReferenceMesh referenceMesh(const MeshFile& file, std::string name, double scale, Vec3d origin,
                            const std::stop_token& stop) {
    const PointCloud& vertices = *file.vertices;
    ReferenceMesh reference;
    reference.name = std::move(name);
    reference.origin = origin;
    TriangleMesh mesh;
    mesh.positions = Buffer<Vec3f>::host(vertices.size());
    parallelFor(vertices.size(), 1 << 16, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t v = begin; v < end; ++v)
            mesh.positions[v] = (vertices.position(v) * scale - origin).as<float>();
    });
    mesh.indices = hostCopy(std::span<const std::uint32_t>(file.faces.indices));
    for (const std::uint32_t vertex : mesh.indices.span())
        if (!isFinite(mesh.positions[vertex]))
            throw EngineError(
                fmt::format("'{}' has triangles with corners that are no numbers, or too far away for "
                            "single precision",
                            reference.name),
                "Export the model once more, or check the unit.");
    const WallTimer timer;
    reference.mesh = weldedMesh(mesh, stop);
    reference.tree = cpu::buildTriangleBvh(reference.mesh, stop);
    reference.normals = pseudonormalsOf(reference.mesh, stop);
    reference.treeMs = timer.elapsedMs();
    reference.topology = analyseTopology(reference.mesh, stop);
    bool isFirst = true;
    for (const std::uint32_t vertex : reference.mesh.indices.span()) {
        const Vec3d p = reference.mesh.positions[vertex].as<double>() + origin;
        if (isFirst)
            reference.bounds = {p, p};
        isFirst = false;
        for (int axis = 0; axis < 3; ++axis) {
            reference.bounds.min[axis] = std::min(reference.bounds.min[axis], p[axis]);
            reference.bounds.max[axis] = std::max(reference.bounds.max[axis], p[axis]);
        }
    }
    addWarnings(file, reference);
    return reference;
}

} // namespace scanloupe
