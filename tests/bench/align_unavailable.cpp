// Replaces align_device.cu in a build without nvcc. Its functions are never called, because such a build
// finds no device.
#include "tests/bench/align_device.h"

namespace scanloupe::bench {

namespace {
[[noreturn]] void refuse() {
    throw Fault("the device's part of the benchmark was called in a build without CUDA");
}
} // namespace

PlainAlignment alignPlainly(const cuda::NdtDeviceMap&, const cuda::NdtDeviceScan&, const RigidTransform&,
                            const NdtParams&, StreamView) {
    refuse();
}
OverlapTimes streamBatches(const cuda::NdtDeviceMap&, const NdtScan&, const RigidTransform&, const NdtParams&,
                           int, int, bool) {
    refuse();
}

} // namespace scanloupe::bench
