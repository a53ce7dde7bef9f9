// Provides stubs for the .cu files in a build without nvcc.
#include "kernels/core/cuda_unavailable.h"
#include "kernels/voxelize/averages/feature_means.h"
#include "kernels/voxelize/core/strategy_table.h"
#include "kernels/voxelize/splice/splice_voxels.h"
#include "kernels/voxelize/values/count_in_window.h"
#include "kernels/voxelize/values/gather_voxel_values.h"
#include "kernels/voxelize/values/local_density.h"
#include "kernels/voxelize/values/points_in_voxels.h"
#include "kernels/voxelize/values/points_of_voxel.h"
#include "kernels/voxelize/values/voxel_modes.h"
#include "kernels/voxelize/values/voxel_order.h"
#include "kernels/voxelize/voxelize_pieces.h"

namespace scanloupe::cuda {

Buffer<float> featureMeans(std::span<const FeatureView>, const VoxelMembers&, const std::uint32_t*,
                           const std::stop_token&, StreamView) {
    detail::throwNoCuda();
}
VoxelGrid spliceVoxels(const VoxelGrid&, const VoxelChange&, const std::stop_token&, StreamView) {
    detail::throwNoCuda();
}
Buffer<Vec3f> voxelMiddles(const VoxelGrid&, StreamView) {
    detail::throwNoCuda();
}
Buffer<float> gatherVoxelValues(const Buffer<float>&, const Buffer<std::uint32_t>&, StreamView) {
    detail::throwNoCuda();
}
Buffer<std::uint32_t> gatherVoxelValues(const Buffer<std::uint32_t>&, const Buffer<std::uint32_t>&,
                                        StreamView) {
    detail::throwNoCuda();
}
WindowCounts countInWindow(const VoxelGrid&, const CellWindow&, StreamView) {
    detail::throwNoCuda();
}
Buffer<float> localDensities(const VoxelGrid&, StreamView) {
    detail::throwNoCuda();
}
Buffer<Vec3f> pointsInVoxels(const Buffer<Vec3f>&, const Buffer<std::uint32_t>&, StreamView) {
    detail::throwNoCuda();
}
std::vector<std::uint32_t> pointsOfVoxel(const Buffer<std::uint32_t>&, std::uint32_t, std::size_t,
                                         StreamView) {
    detail::throwNoCuda();
}
Buffer<std::uint32_t> firstPoints(const VoxelMembers&, StreamView) {
    detail::throwNoCuda();
}
void keepVoxels(VoxelGrid&, const KeptVoxels&, StreamView) {
    detail::throwNoCuda();
}
void moveToKept(Buffer<std::uint32_t>&, const KeptVoxels&, StreamView) {
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
