// Provides stubs for the .cu files in a build without nvcc.
#include "kernels/core/cuda_unavailable.h"
#include "kernels/voxelize/averages/feature_means.h"
#include "kernels/voxelize/core/strategy_table.h"
#include "kernels/voxelize/values/voxel_modes.h"
#include "kernels/voxelize/voxelize_pieces.h"

namespace scanloupe::cuda {

Buffer<float> featureMeans(std::span<const FeatureView>, const VoxelMembers&, const std::uint32_t*,
                           const std::stop_token&, StreamView) {
    detail::throwNoCuda();
}
Buffer<std::uint32_t> voxelModes(const VoxelMembers&, std::span<const CategoryView>, const std::stop_token&,
                                 StreamView) {
    detail::throwNoCuda();
}
VoxelGrid voxelize(const PointsView&, const VoxelizeParams&, const std::stop_token&, StreamView) {
    detail::throwNoCuda();
}
VoxelGrid voxelizeInPieces(const PointsView&, const VoxelizeParams&, std::size_t, const std::stop_token&,
                           StreamView, PieceTimes*) {
    detail::throwNoCuda();
}

void voxelizeByBitmapRank(const Job&, VoxelGrid&) {
    detail::throwNoCuda();
}
void voxelizeByBrickHash(const Job&, VoxelGrid&) {
    detail::throwNoCuda();
}
void voxelizeByHash(const Job&, VoxelGrid&) {
    detail::throwNoCuda();
}
void voxelizeByRadixSort(const Job&, VoxelGrid&) {
    detail::throwNoCuda();
}
void voxelizeByDenseGrid(const Job&, VoxelGrid&) {
    detail::throwNoCuda();
}

} // namespace scanloupe::cuda
