// Provides stubs for the .cu files in a build without nvcc: everything links, and reports that there is no
// CUDA backend.
#include "kernels/core/cuda_memory.h"
#include "kernels/core/device.h"
#include "kernels/field/brick_neighbours.h"
#include "kernels/field/scalar_field.h"
#include "kernels/field/voxel_values.h"
#include "kernels/mesh/nearest_voxels.h"
#include "kernels/mesh/surface_distance.h"
#include "kernels/mesh/surface_graph.h"
#include "kernels/raster/colour_values.h"
#include "kernels/raster/point_batches.h"
#include "kernels/raster/raster_graph.h"
#include "kernels/raster/samples.h"
#include "kernels/raster/triangle_clusters.h"
#include "kernels/raster/view_item.h"
#include "kernels/register/ndt_device.h"
#include "kernels/voxelize/points_in_voxels.h"
#include "kernels/voxelize/voxel_modes.h"
#include "kernels/voxelize/voxelize_graph.h"
#include "kernels/voxelize/voxelize_pieces.h"

namespace scanloupe {

namespace {
constexpr const char* kReason = "this build has no CUDA backend";
constexpr const char* kNextStep = "Take the CPU backend, or build with the CUDA Toolkit installed.";
[[noreturn]] void refuse() {
    throw KernelError(kReason, kNextStep);
}
} // namespace

namespace detail {
void* cudaAllocate(std::size_t, MemorySpace, StreamView) {
    refuse();
}
void cudaRelease(void*, MemorySpace, StreamView) noexcept {}
void cudaCopy(void*, const void*, std::size_t, StreamView) {
    refuse();
}
} // namespace detail

void StreamView::synchronize() const {
    refuse();
}
Stream::Stream(StreamPriority) {
    refuse();
}
Stream::~Stream() = default;
EventTimer::EventTimer(StreamView stream) : m_stream(stream) {
    refuse();
}
EventTimer::~EventTimer() = default;
void EventTimer::stop() {
    refuse();
}
double EventTimer::elapsedMs() const {
    refuse();
}

namespace cuda {
Buffer<std::uint32_t> nearestVoxels(const VoxelGrid&, const Buffer<Vec3f>&, const std::stop_token&,
                                    StreamView) {
    refuse();
}
Buffer<float> gatherValues(const ValueColumn&, std::size_t, StreamView) {
    refuse();
}
Buffer<float> gatherValues(const ValueColumn&, const Buffer<std::uint32_t>&, StreamView) {
    refuse();
}
Buffer<std::uint32_t> gatherColours(const ColourColumns&, std::size_t, StreamView) {
    refuse();
}
Buffer<std::uint32_t> gatherColours(const ColourColumns&, const Buffer<std::uint32_t>&, StreamView) {
    refuse();
}
Buffer<std::uint32_t> gatherColours(const ClassColumn&, std::size_t, StreamView) {
    refuse();
}
Buffer<std::uint32_t> gatherColours(const ClassColumn&, const Buffer<std::uint32_t>&, StreamView) {
    refuse();
}
Buffer<std::uint8_t> presentClasses(const std::uint32_t*, const std::uint32_t*, std::size_t, std::size_t,
                                    StreamView) {
    refuse();
}
Buffer<Vec3f> pointsInVoxels(const Buffer<Vec3f>&, const Buffer<std::uint32_t>&, StreamView) {
    refuse();
}
Buffer<std::uint32_t> mostFrequent(const VoxelMembers&, std::span<const CategoryView>, const std::stop_token&,
                                   StreamView) {
    refuse();
}
ValueLimits limitsOf(const Buffer<float>&, StreamView) {
    refuse();
}
DeviceInfo probeDevice() {
    DeviceInfo info;
    info.reason = std::string(kReason) + ". " + kNextStep;
    return info;
}
Buffer<std::uint32_t> findNeighbours(const Buffer<std::uint64_t>&, const Buffer<std::uint64_t>&, Vec3i,
                                     StreamView) {
    refuse();
}
void findNeighbours(const std::uint64_t*, std::size_t, const std::uint64_t*, std::size_t, Vec3i,
                    std::uint32_t*, StreamView) {
    refuse();
}
ScalarField computeField(const VoxelGrid&, const FieldParams&, const std::stop_token&, StreamView) {
    refuse();
}
ScalarField volumeField(std::span<const float>, const LatticeShape&, bool, bool, const std::stop_token&,
                        StreamView) {
    refuse();
}
std::uint64_t countBricks(const VoxelGrid&, const FieldParams&, const std::stop_token&, StreamView) {
    refuse();
}
Buffer<float> valuesAtVoxels(const ScalarField&, const VoxelGrid&, std::size_t, StreamView) {
    refuse();
}
TriangleMesh extractSurface(const ScalarField&, float, const std::stop_token&, StreamView) {
    refuse();
}
Bvh buildTriangleBvh(const TriangleMesh&, const std::stop_token&, StreamView) {
    refuse();
}
Bvh buildPointBvh(const Buffer<Vec3f>&, const std::stop_token&, StreamView) {
    refuse();
}
PointDistances pointToMesh(const Buffer<Vec3f>&, const TriangleMesh&, const Bvh&, const std::stop_token&,
                           StreamView) {
    refuse();
}
Buffer<float> distancesToPoints(const Buffer<Vec3f>&, const Buffer<Vec3f>&, const Bvh&,
                                const std::stop_token&, StreamView) {
    refuse();
}
struct SurfaceGraph::State {};
SurfaceGraph::SurfaceGraph(const ScalarField&, std::uint64_t, std::uint64_t, StreamView) {
    refuse();
}
SurfaceGraph::~SurfaceGraph() = default;
void SurfaceGraph::launch(float, StreamView) {
    refuse();
}
TriangleMesh SurfaceGraph::result(StreamView) {
    refuse();
}
std::uint64_t SurfaceGraph::vertexCapacity() const {
    refuse();
}
std::uint64_t SurfaceGraph::triangleCapacity() const {
    refuse();
}
TriangleClusters clusterTriangles(const TriangleMesh&, StreamView) {
    refuse();
}
void packVertices(const TriangleMesh&, const Colouring&, MeshVertex*, StreamView) {
    refuse();
}
void packBoxes(const VoxelGrid&, const Colouring&, BoxInstance*, StreamView) {
    refuse();
}
VisibilityBuffer rasterize(const RasterScene&, const Projection&, RasterStats&, const std::stop_token&,
                           StreamView) {
    refuse();
}
Image resolve(const VisibilityBuffer&, const RasterScene&, const Projection&, const Shading&,
              const std::stop_token&, StreamView) {
    refuse();
}
PointBatches batchPoints(std::span<const Vec3f>, BatchOrder, StreamView) {
    refuse();
}
VisibilityBuffer emptyBuffer(const Projection&, StreamView) {
    refuse();
}
void addPoints(VisibilityBuffer&, const RasterScene&, const Projection&, PointPart, StreamView) {
    refuse();
}
void addPoints(VisibilityBuffer&, const RasterScene&, const Projection&, std::span<const std::uint32_t>,
               StreamView) {
    refuse();
}
std::uint64_t countDrawn(const VisibilityBuffer&, StreamView) {
    refuse();
}
void addSample(SampleSums&, const Image&, StreamView) {
    refuse();
}
Image meanOfSamples(const SampleSums&, StreamView) {
    refuse();
}
struct RasterGraph::State {};
RasterGraph::RasterGraph(const RasterScene&, int, int, Output, const RasterTuning&, StreamView) {
    refuse();
}
RasterGraph::~RasterGraph() = default;
void RasterGraph::launch(const Projection&, const Shading&, StreamView) {
    refuse();
}
const VisibilityBuffer& RasterGraph::visibility() const {
    refuse();
}
const Image& RasterGraph::image() const {
    refuse();
}
RasterStats RasterGraph::stats(StreamView) const {
    refuse();
}
std::uint32_t RasterGraph::pick(int, int, StreamView) const {
    refuse();
}
std::uint64_t RasterGraph::bytes() const {
    refuse();
}
VoxelGrid voxelize(const PointsView&, const VoxelizeParams&, const std::stop_token&, StreamView) {
    refuse();
}
struct VoxelizeGraph::State {};
VoxelizeGraph::VoxelizeGraph(const std::vector<PointsView>&, const VoxelizeParams&, std::size_t, StreamView) {
    refuse();
}
VoxelizeGraph::~VoxelizeGraph() = default;
void VoxelizeGraph::launch(std::size_t, std::size_t, StreamView) {
    refuse();
}
VoxelGrid VoxelizeGraph::result(StreamView) {
    refuse();
}
std::size_t VoxelizeGraph::capacity() const {
    refuse();
}
VoxelGrid voxelizeInPieces(const PointsView&, const VoxelizeParams&, std::size_t, const std::stop_token&,
                           StreamView, PieceTimes*) {
    refuse();
}
NdtDeviceMap::NdtDeviceMap(const NdtMap&, StreamView) {
    refuse();
}
NdtDeviceMap::NdtDeviceMap(const Buffer<Vec3f>&, Vec3d, const RigidTransform&, const NdtMapParams&,
                           const std::stop_token&, StreamView) {
    refuse();
}
std::vector<NdtCell> NdtDeviceMap::cells(StreamView) const {
    refuse();
}
std::vector<Vec3i> NdtDeviceMap::cellPlaces(StreamView) const {
    refuse();
}
NdtTableView NdtDeviceMap::table(NdtNeighbours, double) const {
    refuse();
}
NdtDeviceScan::NdtDeviceScan(const NdtScan&, const std::stop_token&, StreamView) {
    refuse();
}
NdtResult alignNdt(const NdtDeviceMap&, const NdtDeviceScan&, const RigidTransform&, const NdtParams&,
                   const NdtTuning&, const std::stop_token&, StreamView) {
    refuse();
}
NdtResult scoreNdt(const NdtDeviceMap&, const NdtDeviceScan&, const RigidTransform&, const NdtParams&,
                   const std::stop_token&, StreamView) {
    refuse();
}
std::vector<NdtResult> alignNdtBatch(const NdtDeviceMap&, std::span<const NdtDeviceScan>,
                                     std::span<const NdtJob>, const NdtParams&, const std::stop_token&,
                                     StreamView) {
    refuse();
}
NdtFound findPoseNdt(const NdtDeviceMap&, const NdtScan&, std::span<const RigidTransform>, const NdtParams&,
                     const NdtSearch&, const std::stop_token&, StreamView) {
    refuse();
}
NdtResult alignNdtSplit(std::span<const NdtPart>, const NdtSpread&, const RigidTransform&, const NdtParams&,
                        const std::stop_token&) {
    refuse();
}
std::vector<NdtResult> alignNdtSharded(std::span<const NdtPart>,
                                       std::span<const std::span<const NdtDeviceScan>>,
                                       std::span<const NdtJob>, const NdtParams&, const std::stop_token&) {
    refuse();
}
} // namespace cuda

} // namespace scanloupe
