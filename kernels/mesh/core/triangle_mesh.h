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
    Buffer<Vec3f> normals;               ///< [M, 3] unit, towards the outside
    Buffer<std::uint32_t> indices;       ///< [T, 3] counter-clockwise seen from the outside
    std::uint64_t activeBricks = 0;      ///< bricks with a vertex or a triangle
    std::uint64_t activeCells = 0;       ///< cells that carry surface
    std::uint64_t zeroAreaTriangles = 0; ///< kept, so that the surface stays closed
    /// Durations of the four steps: wall time, on the device time between events.
    double classifyMs = 0, scanMs = 0, compactMs = 0, generateMs = 0;
    Cost cost;

    std::size_t vertexCount() const { return positions.size(); }
    std::size_t triangleCount() const { return indices.size() / 3; }
    std::uint64_t bytes() const { return positions.bytes() + normals.bytes() + indices.bytes(); }
    /// A copy on the host. @note Synchronizes when the mesh lies on the device. @throws KernelError
    TriangleMesh download(StreamView stream) const;
};

namespace cpu {
struct PreviousSurface;
struct SurfaceTrace;

/// Extracts the iso-surface in four steps: classify -> exclusive scan -> compact -> generate.
/// Every vertex lies on one lattice edge and exists once; ids follow bricks, then the edge's axis, then its
/// lower node.
/// @param earlier a surface of nearly the same field, whose unchanged bricks are reused; null: none
/// @param trace receives the intermediate results that the next call can reuse; null: not recorded
/// @throws KernelError for a NaN iso-value, more than 2^32 - 1 vertices, or short memory; Cancelled.
TriangleMesh extractSurface(const ScalarField& field, float iso, const std::stop_token& stop,
                            const PreviousSurface* earlier = nullptr, SurfaceTrace* trace = nullptr);
} // namespace cpu

namespace cuda {
/// As cpu::extractSurface, with the same bytes as its result; field and mesh lie on the device.
/// @note Synchronizes with `stream` to read the size of the mesh.
TriangleMesh extractSurface(const ScalarField& field, float iso, const std::stop_token& stop,
                            StreamView stream);
} // namespace cuda

/// The loops of boundary edges; the outer rim of an open surface is one of them.
struct MeshRims {
    std::uint64_t count = 0;
    double length = 0;  ///< metres, total of all loops
    double longest = 0; ///< metres
};

/// Topology of a mesh.
struct MeshTopology {
    std::uint64_t boundaryEdges = 0;    ///< directed edges without an opposite one
    std::uint64_t nonManifoldEdges = 0; ///< directed edges that occur more than once
    std::uint64_t components = 0;
    std::int64_t euler = 0; ///< V - E + F over used vertices
    double area = 0;        ///< square metres
    double volume = 0;      ///< cubic metres, positive when normals point outwards; 0 when not closed
    MeshRims rims;
    /// Tunnels through closed components: the sum of their genera, which are 1 minus half the Euler number
    /// each. The tunnels of a crust are the gaps of the surface that it wraps. Closed components with
    /// branching edges have no genus and are skipped.
    std::uint64_t tunnels = 0;
    std::uint64_t gaps = 0; ///< rims of open components, except one outer rim of each
    bool closed() const { return boundaryEdges == 0; }
    std::uint64_t holes() const { return tunnels + gaps; }
};
/// Analyses the topology on all cores, with the same numbers on every machine. @throws Cancelled
MeshTopology analyseTopology(const TriangleMesh& mesh, const std::stop_token& stop = {});

} // namespace scanloupe
