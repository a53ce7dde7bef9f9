// Provides stubs for the .cu files in a build without nvcc.
#include "kernels/core/cuda_unavailable.h"
#include "kernels/register/ndt/ndt_device.h"
#include "kernels/register/surface_device.h"

namespace scanloupe::cuda {

NdtDeviceMap::NdtDeviceMap(const NdtMap&, StreamView) {
    detail::throwNoCuda();
}
NdtDeviceMap::NdtDeviceMap(const Buffer<Vec3f>&, Vec3d, const RigidTransform&, const NdtMapParams&,
                           const std::stop_token&, StreamView) {
    detail::throwNoCuda();
}
std::vector<NdtCell> NdtDeviceMap::cells(StreamView) const {
    detail::throwNoCuda();
}
std::vector<Vec3i> NdtDeviceMap::cellPlaces(StreamView) const {
    detail::throwNoCuda();
}
NdtTableView NdtDeviceMap::table(NdtNeighbours, double) const {
    detail::throwNoCuda();
}
NdtDeviceScan::NdtDeviceScan(const NdtScan&, const std::stop_token&, StreamView) {
    detail::throwNoCuda();
}
NdtResult alignNdt(const NdtDeviceMap&, const NdtDeviceScan&, const RigidTransform&, const NdtParams&,
                   const NdtLaunchBounds&, const std::stop_token&, StreamView) {
    detail::throwNoCuda();
}
NdtResult scoreNdt(const NdtDeviceMap&, const NdtDeviceScan&, const RigidTransform&, const NdtParams&,
                   const std::stop_token&, StreamView) {
    detail::throwNoCuda();
}
std::vector<NdtResult> alignNdtBatch(const NdtDeviceMap&, std::span<const NdtDeviceScan>,
                                     std::span<const NdtJob>, const NdtParams&, const std::stop_token&,
                                     StreamView) {
    detail::throwNoCuda();
}
NdtFound findPoseNdt(const NdtDeviceMap&, const NdtScan&, std::span<const RigidTransform>, const NdtParams&,
                     const NdtSearch&, const std::stop_token&, StreamView) {
    detail::throwNoCuda();
}

PointShapes DevicePointShapes::download(StreamView) const {
    detail::throwNoCuda();
}
DevicePointShapes DevicePointShapes::upload(const PointShapes&, StreamView) {
    detail::throwNoCuda();
}
DevicePointShapes findPointShapes(const Buffer<Vec3f>&, const PointShapeParams&, const std::stop_token&,
                                  StreamView) {
    detail::throwNoCuda();
}
std::vector<SurfacePatch> DeviceSurfaceMap::patches(StreamView) const {
    detail::throwNoCuda();
}
DeviceSurfacePyramid::DeviceSurfacePyramid(double, double, bool) {
    detail::throwNoCuda();
}
void DeviceSurfacePyramid::add(const DevicePointShapes&, Vec3d, const RigidTransform&, StreamView) {
    detail::throwNoCuda();
}
void DeviceSurfacePyramid::keepNear(Vec3d, double, StreamView) {
    detail::throwNoCuda();
}
DeviceSurfacePyramid DeviceSurfacePyramid::copy(StreamView) const {
    detail::throwNoCuda();
}
std::uint64_t DeviceSurfacePyramid::bytes() const {
    detail::throwNoCuda();
}
RegistrationResult registerSurfaces(const DeviceSurfacePyramid&, const DeviceSurfacePyramid&,
                                    const RigidTransform&, const RegistrationParams&, const std::stop_token&,
                                    StreamView) {
    detail::throwNoCuda();
}

} // namespace scanloupe::cuda
