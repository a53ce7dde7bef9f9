// Prepares references for measuring: welds meshes, and checks them for defects.
#include "engine/inspect/reference.h"

#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/inspect/reference_warnings.h"
#include "engine/inspect/repeated_items.h"
#include "engine/inspect/unit_normals.h"
#include "engine/io/mesh_reader.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace scanloupe {

namespace {

/// Returns the vertices or points of a file, in single precision.
Buffer<Vec3f> positionsOf(const PointCloud& points, double scale, Vec3d origin, const std::stop_token& stop) {
    auto positions = Buffer<Vec3f>::host(points.size());
    parallelFor(points.size(), 1 << 16, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            positions[i] = (points.position(i) * scale - origin).as<float>();
    });
    return positions;
}

/// Returns the bounding box of `count` positions.
template <class At>
Bounds boundsOf(std::size_t count, At&& at) {
    Bounds bounds;
    bool isFirst = true;
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3d p = at(i);
        if (!isFinite(p))
            continue;
        if (isFirst)
            bounds = {p, p};
        isFirst = false;
        for (int axis = 0; axis < 3; ++axis) {
            bounds.min[axis] = std::min(bounds.min[axis], p[axis]);
            bounds.max[axis] = std::max(bounds.max[axis], p[axis]);
        }
    }
    return bounds;
}

ReferenceMesh meshOf(const MeshFile& file, const std::string& name, double scale, Vec3d origin,
                     const std::stop_token& stop) {
    TriangleMesh mesh;
    mesh.positions = positionsOf(*file.vertices, scale, origin, stop);
    mesh.indices = hostCopy(std::span<const std::uint32_t>(file.faces.indices));
    for (const std::uint32_t vertex : mesh.indices.span())
        if (!isFinite(mesh.positions[vertex]))
            throw EngineError(fmt::format("'{}' has triangles whose corners are not finite, or too large for "
                                          "single precision",
                                          name),
                              "Export the model again, or check its unit.");
    ReferenceMesh reference;
    reference.mesh = weldedMesh(mesh, stop);
    reference.repeated = removeRepeated(reference.mesh, stop);
    reference.tree = cpu::buildTriangleBvh(reference.mesh, stop);
    reference.normals = pseudonormalsOf(reference.mesh, stop);
    return reference;
}

ReferenceScan scanOf(const PointCloud& points, const std::string& name, double scale, Vec3d origin,
                     const std::stop_token& stop) {
    ReferenceScan reference;
    reference.points = positionsOf(points, scale, origin, stop);
    reference.normals = unitNormals(points, 1, stop);
    reference.tree = cpu::buildPointBvh(reference.points.span(), stop);
    if (reference.tree.shape.items == 0)
        throw EngineError(fmt::format("'{}' has no points with finite coordinates.", name),
                          "Use another reference.");
    reference.repeated = removeRepeated(reference, stop);
    return reference;
}

} // namespace

std::uint64_t Reference::bytes() const {
    if (const ReferenceMesh* mesh = this->mesh())
        return mesh->mesh.positions.bytes() + mesh->mesh.indices.bytes() + mesh->tree.bytes() +
               mesh->normals.bytes();
    return scan()->points.bytes() + scan()->normals.bytes() + scan()->tree.bytes();
}

std::string contentText(const Reference& reference) {
    if (const ReferenceMesh* mesh = reference.mesh())
        return fmt::format("{} triangles, {}", mesh->mesh.triangleCount(),
                           mesh->topology.closed() ? "closed" : "open");
    return fmt::format("{} points, {} normals", reference.scan()->points.size(),
                       reference.hasSigns() ? "with" : "without");
}

Reference makeReference(const MeshFile& file, std::string name, double scale, Vec3d origin,
                        const std::stop_token& stop) {
    Reference reference;
    reference.name = std::move(name);
    reference.origin = origin;
    const WallTimer timer;
    if (file.faces.indices.empty()) {
        reference.shape = scanOf(*file.vertices, reference.name, scale, origin, stop);
        reference.treeMs = timer.elapsedMs();
        const Buffer<Vec3f>& points = reference.scan()->points;
        reference.bounds =
            boundsOf(points.size(), [&](std::size_t i) { return points[i].as<double>() + origin; });
        reference.warnings = file.vertices->warnings;
        std::ranges::copy(file.vertices->loadWarnings(), std::back_inserter(reference.warnings)); // warnings
                                                                                                  // about its
                                                                                                  // normals
        if (const std::uint64_t repeated = reference.scan()->repeated; repeated > 0)
            reference.warnings.push_back(fmt::format(
                "{} of its points have the same position as another point and are ignored.", repeated));
        if (!reference.hasSigns())
            reference.warnings.emplace_back("It is a scan without normals, so all distances are positive.");
        else if (const auto without = std::ranges::count(reference.scan()->normals.span(), Vec3f{});
                 without > 0)
            reference.warnings.push_back(fmt::format(
                "{} of its points have no normal, so distances from them are positive.", without));
        return reference;
    }
    ReferenceMesh mesh = meshOf(file, reference.name, scale, origin, stop);
    reference.treeMs = timer.elapsedMs();
    mesh.topology = analyseTopology(mesh.mesh, stop);
    mesh.orientation = analyseOrientation(mesh.mesh, mesh.tree, stop);
    reference.bounds = boundsOf(mesh.mesh.indices.size(), [&](std::size_t i) {
        return mesh.mesh.positions[mesh.mesh.indices[i]].as<double>() + origin;
    });
    reference.warnings = warningsOf(file, mesh);
    reference.shape = std::move(mesh);
    return reference;
}

} // namespace scanloupe
