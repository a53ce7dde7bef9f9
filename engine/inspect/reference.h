#pragma once
// Declares what a scan is compared with: a mesh, or another scan.
#include "engine/io/mesh_reader.h"
#include "kernels/mesh/cleanup/shell_orientation.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/distance/bvh.h"
#include "kernels/mesh/distance/signed_distance.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

namespace scanloupe {

/// A mesh to measure from, on the host.
struct ReferenceMesh {
    TriangleMesh mesh; ///< welded, metres from Reference::origin
    Bvh tree;
    Pseudonormals normals;
    MeshTopology topology;
    ShellOrientation orientation;
    std::uint64_t repeated = 0; ///< triangles of the file that repeat another one, and are left out
};

/// A scan to measure from, on the host.
struct ReferenceScan {
    Buffer<Vec3f> points; ///< [N] metres from Reference::origin
    Buffer<Vec3f>
        normals; ///< [N] unit vectors, as the file has them; empty: it has none, and distances no sign
    Bvh tree;
    std::uint64_t repeated = 0; ///< points of the file that coincide with another one, and are left out
};

/// A reference, ready to be measured from.
struct Reference {
    std::string name;
    Vec3d origin; ///< of its coordinates, in the scan's frame
    std::variant<ReferenceMesh, ReferenceScan> shape;
    Bounds bounds;                     ///< scan's frame
    double treeMs = 0;                 ///< wall time of tree and normals
    std::vector<std::string> warnings; ///< sentences on what is wrong with it, of the file and of the mesh

    const ReferenceMesh* mesh() const { return std::get_if<ReferenceMesh>(&shape); } ///< null: it is a scan
    const ReferenceScan* scan() const { return std::get_if<ReferenceScan>(&shape); } ///< null: it is a mesh
    /// Whether distances tell the side.
    bool hasSigns() const { return mesh() || !scan()->normals.empty(); }
    std::uint64_t bytes() const;
};

/// "1,234 triangles, closed", "1,234 points with normals".
std::string contentText(const Reference& reference);

/// A mesh if the file has faces, else a scan. @param origin that coordinates are taken from, the scan's
/// @param scale metres (or the scan's unit) of a unit of the file
/// @throws EngineError for coordinates that are not numbers, or when there are none; KernelError; Cancelled.
Reference makeReference(const MeshFile& file, std::string name, double scale, Vec3d origin,
                        const std::stop_token& stop);

} // namespace scanloupe
