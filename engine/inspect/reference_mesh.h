#pragma once
// Declares the mesh that a scan is compared with.
#include "engine/io/mesh_reader.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/distance/bvh.h"
#include "kernels/mesh/distance/signed_distance.h"

#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

/// A reference, ready to be measured from; all on the host.
struct ReferenceMesh {
    std::string name;
    Vec3d origin;      ///< of its coordinates, in the scan's frame
    TriangleMesh mesh; ///< welded, metres from `origin`
    Bvh tree;
    Pseudonormals normals;
    Bounds bounds; ///< scan's frame
    MeshTopology topology;
    double treeMs = 0;                 ///< wall time of tree and normals
    std::vector<std::string> warnings; ///< sentences on what is wrong with it, of the file and of the mesh
};

/// @param origin that coordinates are taken from, the scan's @param scale metres (or the scan's unit) of a
/// unit of the file
/// @throws EngineError for coordinates that are not numbers; KernelError; Cancelled.
ReferenceMesh referenceMesh(const MeshFile& file, std::string name, double scale, Vec3d origin,
                            const std::stop_token& stop);

} // namespace scanloupe
