#pragma once
// Operators of this folder with two backends, which dispatch to the backend of an Execution. Input and
// results are in the memory of that backend, except distances and parts of surfaces, which are on the host.
#include "kernels/core/execution.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/distance/bvh.h"
#include "kernels/mesh/distance/nearest_voxels.h"
#include "kernels/mesh/distance/signed_distance.h"
#include "kernels/mesh/distance/surface_distance.h"
#include "kernels/mesh/part/surface_part.h"
#include "kernels/mesh/smooth/smooth_mesh.h"
#include "kernels/sycl/sycl_device.h"

namespace scanloupe {

/// Extracts the iso-surface of a field, see cpu::extractSurface.
inline TriangleMesh extractSurface(const ScalarField& field, float iso, const Execution& on) {
    if (on.bySycl())
        return on.sycl->extractSurface(field, iso, on.stop);
    return on.onDevice() ? cuda::extractSurface(field, iso, on.stop, *on.device)
                         : cpu::extractSurface(field, iso, on.stop);
}

/// Extracts the iso-surface of a field with its bricks, see cpu::extractBricks.
inline BrickedSurface extractBricks(const ScalarField& field, float iso, const Execution& on) {
    return on.onDevice() ? cuda::extractBricks(field, iso, on.stop, *on.device)
                         : cpu::extractBricks(field, iso, on.stop);
}

/// Cuts out the part of a surface that the bricks in a box own, see cpu::cutSurface.
inline SurfacePart cutSurface(const BrickedSurface& surface, std::span<const VertexColumn> columns,
                              Vec3i brickDims, const IndexBox& owned, const Execution& on) {
    return on.onDevice() ? cuda::cutSurface(surface, columns, brickDims, owned, on.stop, *on.device)
                         : cpu::cutSurface(surface, columns, brickDims, owned, on.stop);
}

/// Smooths a mesh, see cpu::smoothMesh.
inline SmoothedMesh smoothMesh(const TriangleMesh& mesh, const SmoothParams& params, const Execution& on) {
    return on.onDevice() ? cuda::smoothMesh(mesh, params, on.stop, *on.device)
                         : cpu::smoothMesh(mesh, params, on.stop);
}

/// Builds a search tree over triangles, see cpu::buildTriangleBvh.
inline Bvh buildTriangleBvh(const TriangleMesh& mesh, const Execution& on) {
    return on.onDevice() ? cuda::buildTriangleBvh(mesh, on.stop, *on.device)
                         : cpu::buildTriangleBvh(mesh, on.stop);
}

/// Builds a search tree over points, see cpu::buildPointBvh.
inline Bvh buildPointBvh(const Buffer<Vec3f>& points, const Execution& on) {
    return on.onDevice() ? cuda::buildPointBvh(points, on.stop, *on.device)
                         : cpu::buildPointBvh(points.span(), on.stop);
}

/// Computes distances from points to a mesh, see cpu::pointToMesh.
inline PointDistances pointToMesh(const Buffer<Vec3f>& points, const TriangleMesh& mesh, const Bvh& tree,
                                  const Execution& on) {
    return on.onDevice() ? cuda::pointToMesh(points, mesh, tree, on.stop, *on.device)
                         : cpu::pointToMesh(points.span(), mesh, tree, on.stop);
}

/// Computes signed distances from points to a mesh, see cpu::signedDistances.
inline SignedDistances signedDistances(const Buffer<Vec3f>& points, const TriangleMesh& mesh, const Bvh& tree,
                                       const Pseudonormals& normals, float largest, const Execution& on) {
    return on.onDevice() ? cuda::signedDistances(points, mesh, tree, normals, largest, on.stop, *on.device)
                         : cpu::signedDistances(points.span(), mesh, tree, normals, largest, on.stop);
}

/// Computes distances from positions to the nearest point, see cpu::distancesToPoints.
inline Buffer<float> distancesToPoints(const Buffer<Vec3f>& positions, const Buffer<Vec3f>& points,
                                       const Bvh& tree, const Execution& on) {
    return on.onDevice() ? cuda::distancesToPoints(positions, points, tree, on.stop, *on.device)
                         : cpu::distancesToPoints(positions.span(), points.span(), tree, on.stop);
}

/// Finds the voxel of each position, or the nearest voxel, see cpu::nearestVoxels.
inline Buffer<std::uint32_t> nearestVoxels(const VoxelGrid& grid, const Buffer<Vec3f>& positions,
                                           const Execution& on) {
    return on.onDevice() ? cuda::nearestVoxels(grid, positions, on.stop, *on.device)
                         : cpu::nearestVoxels(grid, positions.span(), on.stop);
}

} // namespace scanloupe
