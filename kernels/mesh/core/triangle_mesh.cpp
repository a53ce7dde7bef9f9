// Copies meshes to the host.
#include "kernels/mesh/core/triangle_mesh.h"

namespace scanloupe {

TriangleMesh TriangleMesh::download(StreamView stream) const {
    TriangleMesh copy;
    copy.positions = positions.copyTo(MemorySpace::host, stream);
    copy.normals = normals.copyTo(MemorySpace::host, stream);
    copy.indices = indices.copyTo(MemorySpace::host, stream);
    copy.activeBricks = activeBricks;
    copy.activeCells = activeCells;
    copy.zeroAreaTriangles = zeroAreaTriangles;
    copy.classifyMs = classifyMs;
    copy.scanMs = scanMs;
    copy.compactMs = compactMs;
    copy.generateMs = generateMs;
    copy.cost = cost;
    return copy;
}

} // namespace scanloupe
