#pragma once
// Declares quality measures of a mesh: topology, thickness, and distances from the points.
#include "engine/reference/length_unit.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/distance/surface_distance.h"

#include <cstdint>
#include <string>

namespace scanloupe {

/// The apparent kind of a surface.
enum class SurfaceKind : std::uint8_t {
    none,  ///< no triangles
    sheet, ///< open: a surface with a boundary (rim)
    crust, ///< closed and thin: two sides, as occupancy and density wrap the points of a scan
    solid, ///< closed and thicker
};
const char* name(SurfaceKind kind);

/// Quality measures of one mesh.
struct MeshQuality {
    std::uint64_t vertices = 0, triangles = 0;
    std::uint64_t zeroAreaTriangles = 0;
    MeshTopology topology;
    double thickestCrust = 0; ///< metres: a closed surface that is thinner on average is a crust
    std::size_t stride = 0;   ///< distances are of every `stride`-th point; 0: no points
    std::uint64_t points = 0; ///< N, of the scan
    PointDistances distances; ///< [ceil(N / stride)]; NaN for points in no voxel
    bool distancesOnDevice = false;
    double topologyMs = 0, treeMs = 0, distancesMs = 0; ///< wall time of the parts

    bool ofAllPoints() const { return stride == 1; }
    SurfaceKind kind() const;
    /// The mean thickness of a closed surface, metres: twice its volume divided by its area.
    double thickness() const;
};

/// {"vertices": ..., "surface": "crust", "holes": {...}, "distance_m": {...}}; keys of lengths end in their
/// unit. Undefined measures (the volume of an open surface, distances without points) are null.
std::string toJson(const MeshQuality& quality, LengthUnit unit, int indent = 2);

/// The effects of clean-up on a surface.
struct CleanUp {
    std::uint64_t trianglesBefore = 0, verticesBefore = 0;
    std::uint64_t removedComponents = 0, removedTriangles = 0; ///< connected components that were too small
    std::uint64_t mergedTriangles = 0;                         ///< removed by decimation
    /// Edges that decimation has split, which would have become non-manifold.
    std::uint64_t partedEdges = 0;
    /// Non-manifold (branching) edges of the input, counted only if any edges were split.
    std::uint64_t branchingBefore = 0;
    float cellSize = 0;        ///< metres: edge of the cubes whose vertices were merged; 0: none merged
    bool reachedTarget = true; ///< false: a coarser surface would have no triangles
    double removeMs = 0, decimateMs = 0;
};

} // namespace scanloupe
