// Provides stubs for the .cu files in a build without nvcc.
#include "kernels/core/cuda_unavailable.h"
#include "tests/bench/variants/dense_brush.h"
#include "tests/bench/variants/laz_positions_device.h"
#include "tests/bench/variants/ndt_variants.h"
#include "tests/bench/variants/single_frame.h"
#include "tests/bench/variants/surface_graph.h"
#include "tests/bench/variants/voxelize_graph.h"

namespace scanloupe::cuda {

VisibilityBuffer rasterize(const RasterScene&, const Projection&, RasterStats&, StreamView) {
    detail::throwNoCuda();
}
Image resolve(const VisibilityBuffer&, const RasterScene&, const Projection&, const Shading&, StreamView) {
    detail::throwNoCuda();
}
std::span<const LazSchedule> lazSchedules() {
    return {};
}
void decodeLazPositions(const LazSchedule&, const laz::LayeredChunk*, std::uint32_t, const std::uint32_t*,
                        std::uint32_t*, std::int32_t*, std::uint8_t*, StreamView) {
    detail::throwNoCuda();
}
NdtVariantResult alignNdtBy(NdtVariant, const NdtDeviceMap&, const NdtDeviceScan&, const RigidTransform&,
                            const NdtParams&, StreamView) {
    detail::throwNoCuda();
}
struct NdtSplit::Part {};
NdtSplit::NdtSplit(const NdtMap&, const NdtScan&, std::span<const int>) {
    detail::throwNoCuda();
}
NdtSplit::~NdtSplit() = default;
NdtVariantResult NdtSplit::align(const RigidTransform&, const NdtParams&) {
    detail::throwNoCuda();
}
struct DenseBrush::State {};
DenseBrush::DenseBrush(ScalarField&, StreamView) {
    detail::throwNoCuda();
}
DenseBrush::~DenseBrush() = default;
void DenseBrush::apply(const SculptDab&, StreamView) {
    detail::throwNoCuda();
}
struct SurfaceGraph::State {};
SurfaceGraph::SurfaceGraph(const ScalarField&, std::uint64_t, std::uint64_t, StreamView) {
    detail::throwNoCuda();
}
SurfaceGraph::~SurfaceGraph() = default;
void SurfaceGraph::launch(float, StreamView) {
    detail::throwNoCuda();
}
TriangleMesh SurfaceGraph::result(StreamView) {
    detail::throwNoCuda();
}
std::uint64_t SurfaceGraph::vertexCapacity() const {
    detail::throwNoCuda();
}
std::uint64_t SurfaceGraph::triangleCapacity() const {
    detail::throwNoCuda();
}
struct VoxelizeGraph::State {};
VoxelizeGraph::VoxelizeGraph(const std::vector<PointsView>&, const VoxelizeParams&, std::size_t, StreamView) {
    detail::throwNoCuda();
}
VoxelizeGraph::~VoxelizeGraph() = default;
void VoxelizeGraph::launch(std::size_t, std::size_t, StreamView) {
    detail::throwNoCuda();
}
VoxelGrid VoxelizeGraph::result(StreamView) {
    detail::throwNoCuda();
}
std::size_t VoxelizeGraph::capacity() const {
    detail::throwNoCuda();
}

} // namespace scanloupe::cuda
