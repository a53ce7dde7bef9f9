// Provides stubs for the .cu files in a build without nvcc.
#include "kernels/core/cuda_unavailable.h"
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/field/core/scalar_field.h"
#include "kernels/field/function/field_function.h"
#include "kernels/field/sculpt/sculpt.h"
#include "kernels/field/voxels/surface_voxels.h"

namespace scanloupe::cuda {

Buffer<std::uint32_t> findNeighbours(const Buffer<std::uint64_t>&, const Buffer<std::uint64_t>&, Vec3i,
                                     StreamView) {
    detail::throwNoCuda();
}
void findNeighbours(const std::uint64_t*, std::size_t, const std::uint64_t*, std::size_t, Vec3i,
                    std::uint32_t*, StreamView) {
    detail::throwNoCuda();
}
ScalarField computeField(const VoxelGrid&, const FieldParams&, const std::stop_token&, StreamView) {
    detail::throwNoCuda();
}
ScalarField volumeField(std::span<const float>, const LatticeShape&, bool, bool, const std::stop_token&,
                        StreamView) {
    detail::throwNoCuda();
}
ScalarField sculpt(const ScalarField&, std::span<const SculptDab>, std::uint64_t, const std::stop_token&,
                   StreamView) {
    detail::throwNoCuda();
}
ScalarField applyFunction(const ScalarField&, const TrustedCudaFile&, const FieldFrame&, std::uint64_t,
                          const std::stop_token&, StreamView) {
    detail::throwNoCuda();
}
VoxelChange surfaceVoxels(const SurfaceVoxelSource&, const std::stop_token&, StreamView) {
    detail::throwNoCuda();
}

} // namespace scanloupe::cuda
