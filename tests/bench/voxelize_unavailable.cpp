// Replaces the benchmark's .cu files in a build without nvcc. Its functions are never called: without a
// device, the benchmark ends before.
#include "kernels/core/error.h"
#include "tests/bench/voxelize_device.h"

namespace scanloupe::bench {

namespace {
[[noreturn]] void refuse() {
    throw Fault("the device's part of the benchmark was called in a build without CUDA");
}
} // namespace

DeviceCloud::DeviceCloud(std::span<const Vec3f>, std::span<const float>, StreamView) {
    refuse();
}
DeviceCloud::DeviceCloud(const DeviceCloud&, const VoxelCells&, double&, StreamView) {
    refuse();
}
DevicePoints DeviceCloud::copy(std::size_t) const {
    refuse();
}
double copyBandwidth(StreamView) {
    refuse();
}
Histogram tallyGrid(const VoxelGrid&, StreamView) {
    refuse();
}
std::vector<MethodInfo> baselineMethods() {
    return {};
}
std::vector<MethodInfo> variantMethods() {
    return {};
}

} // namespace scanloupe::bench
