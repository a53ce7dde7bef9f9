#pragma once
// Declares the reference of a comparison: a mesh, or another scan.
#include "engine/cloud/bounds.h"
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

struct MeshFile;

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

/// A reference, ready for distance queries.
struct Reference {
    std::string name;
    Vec3d origin; ///< origin of its coordinates, in the scan's frame
    std::variant<ReferenceMesh, ReferenceScan> shape;
    Bounds bounds;                     ///< scan's frame
    double treeMs = 0;                 ///< wall time of tree and normals
    std::vector<std::string> warnings; ///< sentences on defects of the file and of the mesh

    const ReferenceMesh* mesh() const { return std::get_if<ReferenceMesh>(&shape); } ///< null: it is a scan
    const ReferenceScan* scan() const { return std::get_if<ReferenceScan>(&shape); } ///< null: it is a mesh
    /// Whether distances are signed.
    bool hasSigns() const { return mesh() || !scan()->normals.empty(); }
    std::uint64_t bytes() const;
};

/// "1,234 triangles, closed", "1,234 points with normals".
std::string contentText(const Reference& reference);

/// A mesh if the file has faces, else a scan. @param origin the scan's origin, which coordinates are relative
/// to @param scale from the file's unit to metres (or the scan's unit)
/// @throws EngineError for coordinates that are not numbers, or when there are none; KernelError; Cancelled.
Reference makeReference(const MeshFile& file, std::string name, double scale, Vec3d origin,
                        const std::stop_token& stop);

} // namespace scanloupe
