#pragma once
// Declares quality measures of a mesh: topology, thickness, and distances from the points.
#include "engine/cloud/reference/length_unit.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/distance/surface_distance.h"

#include <cstdint>
#include <string>

namespace scanloupe {

/// The apparent kind of a surface.
enum class SurfaceKind : std::uint8_t {
    none,  ///< no triangles
    sheet, ///< open: a surface with a boundary
    crust, ///< closed and thin, with two sides, as occupancy and density wrap the points of a scan
    solid, ///< closed, and thicker than a crust
};
const char* name(SurfaceKind kind);

/// Quality measures of one mesh.
struct MeshQuality {
    std::uint64_t vertices = 0, triangles = 0;
    std::uint64_t zeroAreaTriangles = 0;
    MeshTopology topology;
    double thickestCrust = 0; ///< maximum mean thickness of a crust, metres; thicker closed surfaces are
                              ///< solids
    std::size_t stride = 0;   ///< distances are measured at every `stride`-th point; 0: no points
    std::uint64_t points = 0; ///< number of points of the scan, N
    PointDistances distances; ///< [ceil(N / stride)]; NaN for points outside all voxels
    bool distancesOnDevice = false;
    double topologyMs = 0, treeMs = 0, distancesMs = 0; ///< wall times of the three parts, ms

    bool ofAllPoints() const { return stride == 1; }
    SurfaceKind kind() const;
    /// Returns the mean thickness of a closed surface, metres: twice its volume divided by its area.
    double thickness() const;
};

/// Writes the measures as JSON: {"vertices": ..., "surface": "crust", "holes": {...}, "distance_m": {...}}.
/// Keys of lengths end in the unit. Undefined measures (the volume of an open surface, distances without
/// points) are null.
std::string toJson(const MeshQuality& quality, LengthUnit unit, int indent = 2);

/// The effects of clean-up on a surface.
struct CleanUp {
    std::uint64_t trianglesBefore = 0, verticesBefore = 0;
    std::uint64_t removedComponents = 0, removedTriangles = 0; ///< connected components that were removed
                                                               ///< because they were too small
    std::uint64_t mergedTriangles = 0;                         ///< number of triangles removed by decimation
    /// Number of edges that decimation has split because they would have become non-manifold.
    std::uint64_t partedEdges = 0;
    /// Number of non-manifold edges of the input; counted only if partedEdges > 0.
    std::uint64_t branchingBefore = 0;
    float cellSize = 0;        ///< edge of the cubes in which vertices were merged, metres; 0: no vertices
                               ///< were merged
    bool reachedTarget = true; ///< false: the target number of triangles was not reached, because a coarser
                               ///< surface would be empty
    double removeMs = 0, decimateMs = 0;
};

} // namespace scanloupe
