// Provides stubs for the .cu files in a build without nvcc.
#include "kernels/core/cuda_unavailable.h"
#include "kernels/mesh/distance/nearest_triangles.h"
#include "kernels/mesh/distance/signed_distance.h"
#include "kernels/mesh/distance/surface_distance.h"
#include "kernels/mesh/extract/surface_bricks.h"
#include "kernels/mesh/part/surface_part.h"

namespace scanloupe::cuda {

Buffer<std::uint32_t> nearestTrianglesOf(const Buffer<Vec3f>&, const TriangleMesh&, const Bvh&, float,
                                         const std::stop_token&, StreamView) {
    detail::throwNoCuda();
}
TriangleMesh extractSurface(const ScalarField&, float, const std::stop_token&, StreamView) {
    detail::throwNoCuda();
}
BrickedSurface extractBricks(const ScalarField&, float, const std::stop_token&, StreamView) {
    detail::throwNoCuda();
}
SurfacePart cutSurface(const BrickedSurface&, std::span<const VertexColumn>, Vec3i, const IndexBox&,
                       const std::stop_token&, StreamView) {
    detail::throwNoCuda();
}
Bvh buildTriangleBvh(const TriangleMesh&, const std::stop_token&, StreamView) {
    detail::throwNoCuda();
}
Bvh buildPointBvh(const Buffer<Vec3f>&, const std::stop_token&, StreamView) {
    detail::throwNoCuda();
}
Buffer<std::uint32_t> orderAlongCurve(const Buffer<Vec3f>&, const std::stop_token&, StreamView) {
    detail::throwNoCuda();
}
PointDistances pointToMesh(const Buffer<Vec3f>&, const TriangleMesh&, const Bvh&, const std::stop_token&,
                           StreamView) {
    detail::throwNoCuda();
}
SignedDistances signedDistances(const Buffer<Vec3f>&, const TriangleMesh&, const Bvh&, const Pseudonormals&,
                                float, const std::stop_token&, StreamView) {
    detail::throwNoCuda();
}

} // namespace scanloupe::cuda
