#pragma once
// Baselines and internals of the operator for the registration benchmark.
#include "kernels/register/ndt/ndt_device.h"

namespace scanloupe::bench {

/// A straightforward implementation: each iteration runs one kernel, reads the sums of its blocks back, and
/// computes the step on the host. Parameters and the arithmetic of a pair are the same as the operator's; the
/// order of summation differs.
struct PlainAlignment {
    RigidTransform pose; ///< T_target_source
    int iterations = 0;
    double hostMs = 0;
};
PlainAlignment alignPlainly(const cuda::NdtDeviceMap& map, const cuda::NdtDeviceScan& scan,
                            const RigidTransform& start, const NdtParams& params, StreamView stream);

/// Times of a stream of batches of scans. With double buffering (two pinned buffers, two device buffers, two
/// streams), a batch is copied to the device while the previous batch is aligned; without it, copies and
/// alignments alternate.
struct OverlapTimes {
    double copyMs = 0, alignMs = 0; ///< sums over the batches, from events
    double totalMs = 0;             ///< from the start of the first copy to the end of the last alignment
    /// Time during which copies and alignments overlapped, as a share of the shorter of the two.
    double hidden() const {
        const double shorter = copyMs < alignMs ? copyMs : alignMs;
        return shorter > 0 ? (copyMs + alignMs - totalMs) / shorter : 0;
    }
};
OverlapTimes streamBatches(const cuda::NdtDeviceMap& map, const NdtScan& scan, const RigidTransform& start,
                           const NdtParams& params, int scansOfBatch, int batches, bool doubleBuffered);

} // namespace scanloupe::bench
