#pragma once
// What a mesh is worth, in figures.
#include "kernels/mesh/surface_distance.h"
#include "kernels/mesh/triangle_mesh.h"

#include <cstdint>
#include <string>

namespace scanloupe {

/// What a surface is to the eye.
enum class SurfaceKind : std::uint8_t {
    none,  ///< no triangles
    sheet, ///< open: it has one side to look at, and a rim
    crust, ///< closed around something thin: two sides, as occupancy and density wrap the points of a scan
    solid, ///< closed around something thicker
};
const char* name(SurfaceKind kind);

/// Figures of one mesh.
struct MeshQuality {
    std::uint64_t vertices = 0, triangles = 0;
    std::uint64_t zeroAreaTriangles = 0;
    MeshTopology topology;
    double thickestCrust = 0; ///< metres: what is closed and thinner on average is a crust
    std::size_t stride = 0;   ///< distances are of every so many-th point; 0: there are no points
    std::uint64_t points = 0; ///< N, of the scan
    PointDistances distances; ///< [ceil(N / stride)]; NaN for points that are in no voxel
    bool distancesOnDevice = false;
    double topologyMs = 0, treeMs = 0, distancesMs = 0; ///< wall time of the parts

    bool ofAllPoints() const { return stride == 1; }
    SurfaceKind kind() const;
    /// Metres from side to side of what a closed surface wraps, on average: twice its volume by its area.
    double thickness() const;
};

/// {"vertices": ..., "surface": "crust", "holes": {...}, "distance_m": {...}}: figures that there are not (a
/// volume of an open surface, distances without points) are null.
std::string toJson(const MeshQuality& quality, int indent = 2);

/// What clean-up did to a surface.
struct CleanUp {
    std::uint64_t trianglesBefore = 0, verticesBefore = 0;
    std::uint64_t removedComponents = 0, removedTriangles = 0; ///< parts that were too small
    std::uint64_t mergedTriangles = 0;                         ///< gone by decimation
    std::uint64_t partedEdges = 0; ///< where decimation would have made the surface branch
    std::uint64_t branchingBefore =
        0;                     ///< branching edges of the surface before, counted where any were parted
    float cellSize = 0;        ///< metres: of the cubes whose vertices were merged; 0: none were
    bool reachedTarget = true; ///< false: fewer triangles would have been none
    double removeMs = 0, decimateMs = 0;
};

} // namespace scanloupe
