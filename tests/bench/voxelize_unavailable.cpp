// Replaces the benchmark's .cu files in a build without nvcc. Its functions are never called: without a
// device, the benchmark ends before.
#include "tests/bench/voxelize_device.h"
#include "tests/bench/without_cuda.h"

namespace scanloupe::bench {

DeviceCloud::DeviceCloud(std::span<const Vec3f>, std::span<const float>, StreamView) {
    refuseWithoutCuda();
}
DeviceCloud::DeviceCloud(const DeviceCloud&, const VoxelCells&, double&, StreamView) {
    refuseWithoutCuda();
}
DevicePoints DeviceCloud::copy(std::size_t) const {
    refuseWithoutCuda();
}
double copyBandwidth(StreamView) {
    refuseWithoutCuda();
}
Histogram tallyGrid(const VoxelGrid&, StreamView) {
    refuseWithoutCuda();
}
std::vector<MethodInfo> baselineMethods() {
    return {};
}
std::vector<MethodInfo> variantMethods() {
    return {};
}

} // namespace scanloupe::bench
