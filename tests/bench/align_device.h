#pragma once
// Baselines and internals of the operator for the registration benchmark.
#include "kernels/register/ndt_device.h"

namespace scanloupe::bench {

/// A straightforward implementation: a kernel per iteration, its blocks' sums read back, the step computed on
/// the host. Same parameters, same arithmetic for a pair, another order of sums.
struct PlainAlignment {
    RigidTransform pose; ///< T_target_source
    int iterations = 0;
    double hostMs = 0;
};
PlainAlignment alignPlainly(const cuda::NdtDeviceMap& map, const cuda::NdtDeviceScan& scan,
                            const RigidTransform& start, const NdtParams& params, StreamView stream);

/// A stream of batches of scans, each copied to the device while the one before is aligned: two pinned
/// buffers, two on the device, two streams. Or one after the other, with one of each.
struct OverlapTimes {
    double copyMs = 0, alignMs = 0; ///< sums over the batches, from events
    double totalMs = 0;             ///< from the start of the first copy to the end of the last alignment
    /// Share of the shorter of the two that the other hid.
    double hidden() const {
        const double shorter = copyMs < alignMs ? copyMs : alignMs;
        return shorter > 0 ? (copyMs + alignMs - totalMs) / shorter : 0;
    }
};
OverlapTimes streamBatches(const cuda::NdtDeviceMap& map, const NdtScan& scan, const RigidTransform& start,
                           const NdtParams& params, int scansOfBatch, int batches, bool doubleBuffered);

} // namespace scanloupe::bench
