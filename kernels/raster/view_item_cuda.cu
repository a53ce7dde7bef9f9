// Packs vertices and voxels for the OpenGL views on the device.
#include "kernels/core/cuda_check.h"
#include "kernels/raster/view_item.h"

namespace scanloupe::cuda {

namespace {

/// Packs one vertex per thread. @param normals null: the mesh has no normals
__global__ void packVerticesKernel(const Vec3f* positions, const Vec3f* normals, std::size_t count,
                                   Colouring colours, MeshVertex* out) {
    const std::size_t i = globalIndex();
    if (i < count)
        out[i] = meshVertex(positions[i], normals != nullptr ? normals[i] : Vec3f{}, colourBits(colours, i));
}

__global__ void packBoxesKernel(GridShape shape, const std::uint64_t* keys, std::size_t count,
                                Colouring colours, BoxInstance* out) {
    const std::size_t i = globalIndex();
    if (i < count)
        out[i] = boxOf(shape, keys[i], colourBits(colours, i));
}

} // namespace

void packVertices(const TriangleMesh& mesh, const Colouring& colours, MeshVertex* out, StreamView stream) {
    const std::size_t count = mesh.vertexCount();
    const Vec3f* normals = mesh.normals.size() == count ? mesh.normals.data() : nullptr;
    launch("packVerticesKernel", count, stream, packVerticesKernel, mesh.positions.data(), normals, count,
           colours, out);
}

void packBoxes(const VoxelGrid& voxels, const Colouring& colours, BoxInstance* out, StreamView stream) {
    launch("packBoxesKernel", voxels.size(), stream, packBoxesKernel, voxels.shape, voxels.keys.data(),
           voxels.size(), colours, out);
}

} // namespace scanloupe::cuda
