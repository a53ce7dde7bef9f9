// Replaces align_device.cu in a build without nvcc. Its functions are never called, because such a build
// finds no device.
#include "tests/bench/align_device.h"
#include "tests/bench/without_cuda.h"

namespace scanloupe::bench {

PlainAlignment alignPlainly(const cuda::NdtDeviceMap&, const cuda::NdtDeviceScan&, const RigidTransform&,
                            const NdtParams&, StreamView) {
    refuseWithoutCuda();
}
OverlapTimes streamBatches(const cuda::NdtDeviceMap&, const NdtScan&, const RigidTransform&, const NdtParams&,
                           int, int, bool) {
    refuseWithoutCuda();
}

} // namespace scanloupe::bench
