#pragma once
// Declares indexed triangle meshes, their extraction from scalar fields by marching cubes (Lorensen and
// Cline, 1987), and their topology.
#include "kernels/core/buffer.h"
#include "kernels/core/cost.h"
#include "kernels/core/vec3.h"
#include "kernels/field/core/scalar_field.h"

#include <cstdint>
#include <stop_token>

namespace scanloupe {

struct TriangleMesh {
    Buffer<Vec3f> positions;             ///< [M, 3] metres, in the field's frame
    Buffer<Vec3f> normals;               ///< [M, 3] unit normals, pointing outwards
    Buffer<std::uint32_t> indices;       ///< [T, 3] vertex indices, counter-clockwise seen from outside
    std::uint64_t activeBricks = 0;      ///< number of bricks with a vertex or a triangle
    std::uint64_t activeCells = 0;       ///< number of cells that contain surface
    std::uint64_t zeroAreaTriangles = 0; ///< number of triangles without area, which are kept so that the
                                         ///< surface stays closed
    /// durations of the four steps: wall time on the CPU, time between events on the device
    double classifyMs = 0, scanMs = 0, compactMs = 0, generateMs = 0;
    Cost cost;

    std::size_t vertexCount() const { return positions.size(); }
    std::size_t triangleCount() const { return indices.size() / 3; }
    std::uint64_t bytes() const { return positions.bytes() + normals.bytes() + indices.bytes(); }
    /// Returns a copy on the host. @note Synchronizes when the mesh is on the device. @throws KernelError
    TriangleMesh download(StreamView stream) const;
};

namespace cpu {
struct PreviousSurface;
struct SurfaceTrace;

/// Extracts the iso-surface in four steps: classify, exclusive scan, compact, generate.
/// Every vertex is on one lattice edge and exists once. Vertices are ordered by brick, then by the axis of
/// their edge, then by the edge's lower node.
/// @param earlier a surface of nearly the same field, whose unchanged bricks are reused; null: none
/// @param trace receives the intermediate results that the next call can reuse; null: not recorded
/// @throws KernelError for a NaN iso-value, more than 2^32 - 1 vertices, or exhausted memory; Cancelled.
TriangleMesh extractSurface(const ScalarField& field, float iso, const std::stop_token& stop,
                            const PreviousSurface* earlier = nullptr, SurfaceTrace* trace = nullptr);
} // namespace cpu

namespace cuda {
/// Same as cpu::extractSurface, with an identical result; field and mesh are on the device.
/// @note Synchronizes with `stream` to read the size of the mesh.
TriangleMesh extractSurface(const ScalarField& field, float iso, const std::stop_token& stop,
                            StreamView stream);
} // namespace cuda

/// The loops of boundary edges. The outer rim of an open surface is also a loop.
struct MeshRims {
    std::uint64_t count = 0;
    double length = 0;  ///< total length of all loops, metres
    double longest = 0; ///< length of the longest loop, metres
};

/// Topology of a mesh.
struct MeshTopology {
    std::uint64_t boundaryEdges = 0;    ///< number of directed edges without an opposite edge
    std::uint64_t nonManifoldEdges = 0; ///< number of directed edges that occur more than once
    std::uint64_t components = 0;
    std::int64_t euler = 0; ///< Euler characteristic V - E + F over used vertices
    double area = 0;        ///< square metres
    double volume = 0;      ///< cubic metres, positive if normals point outwards; 0 if the mesh is not closed
    MeshRims rims;
    /// Number of tunnels through closed components: the sum of their genera; the genus is 1 minus half the
    /// Euler characteristic. If the mesh is a crust around a surface, each tunnel is a gap of that surface.
    /// Closed components with branching edges have no genus and are skipped.
    std::uint64_t tunnels = 0;
    std::uint64_t gaps = 0; ///< number of boundary loops of open components, not counting one outer rim per
                            ///< component
    bool closed() const { return boundaryEdges == 0; }
    std::uint64_t holes() const { return tunnels + gaps; }
};
/// Analyses the topology on all cores; the result is the same on every machine. @throws Cancelled
MeshTopology analyseTopology(const TriangleMesh& mesh, const std::stop_token& stop = {});

} // namespace scanloupe
