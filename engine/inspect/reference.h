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

/// A reference mesh, on the host.
struct ReferenceMesh {
    TriangleMesh mesh; ///< welded; vertices in metres relative to Reference::origin
    Bvh tree;
    Pseudonormals normals;
    MeshTopology topology;
    ShellOrientation orientation;
    std::uint64_t repeated = 0; ///< number of triangles in the file that repeat another triangle and were
                                ///< removed
};

/// A reference scan, on the host.
struct ReferenceScan {
    Buffer<Vec3f> points; ///< [N] metres, relative to Reference::origin
    Buffer<Vec3f>
        normals; ///< [N] unit normals from the file; empty: the file has none, and distances are unsigned
    Bvh tree;
    std::uint64_t repeated = 0; ///< number of points in the file that coincide with another point and were
                                ///< removed
};

/// A reference, prepared for distance queries.
struct Reference {
    std::string name;
    Vec3d origin; ///< origin of the reference's coordinates, in the scan's frame
    std::variant<ReferenceMesh, ReferenceScan> shape;
    Bounds bounds;                     ///< bounding box in the scan's frame
    double treeMs = 0;                 ///< wall time for building tree and normals, ms
    std::vector<std::string> warnings; ///< sentences on defects of the file and of the mesh

    const ReferenceMesh* mesh() const {
        return std::get_if<ReferenceMesh>(&shape);
    } ///< null if the
      ///< reference is a scan
    const ReferenceScan* scan() const {
        return std::get_if<ReferenceScan>(&shape);
    } ///< null if the
      ///< reference is a mesh
    /// Whether distances are signed.
    bool hasSigns() const { return mesh() || !scan()->normals.empty(); }
    std::uint64_t bytes() const;
};

/// Returns a description such as "1,234 triangles, closed" or "1,234 points with normals".
std::string contentText(const Reference& reference);

/// Prepares a reference: a mesh if the file has faces, else a scan.
/// @param origin origin of the scan, which coordinates will be relative to; scan's frame
/// @param scale factor from the file's unit to metres (or to the scan's unit)
/// @throws EngineError if coordinates are not finite or missing; KernelError; Cancelled.
Reference makeReference(const MeshFile& file, std::string name, double scale, Vec3d origin,
                        const std::stop_token& stop);

} // namespace scanloupe
