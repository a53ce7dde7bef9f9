#pragma once
// Declares the functions that queue NDT alignments and scores on a stream. None of them synchronizes.
#include "kernels/register/ndt/cuda_ndt.cuh"

namespace scanloupe::cuda {

/// Parameters that all jobs of a launch share.
struct NdtRun {
    NdtTableView map, wide;       ///< tables with the neighbours of NdtParams, and with all 27
    NdtNewtonParams newtonParams; ///< all except `arc`, which is set per job
    bool geometry = false;        ///< whether to compute the totals with all 27 neighbours, too
};

/// Rounding tolerance of the summed score, relative: pairs are in single precision, and the errors of some
/// thousand of them mostly cancel.
inline constexpr double kDeviceRounding = 1e-8;

NdtRun ndtRun(const NdtDeviceMap& map, const NdtParams& params);
NdtDeviceJob ndtJob(const NdtDeviceMap& map, const NdtDeviceScan& scan, const RigidTransform& start);
NdtFrame ndtFrame(const NdtDeviceMap& map, const NdtDeviceScan& scan);

/// Queues one alignment as one kernel.
void queueAlignment(const NdtRun& run, const NdtDeviceJob& job, const NdtLaunchBounds& bounds,
                    NdtDeviceEnd* end, NdtTraceEntry* trace, StreamView stream);
/// Queues `count` alignments as one kernel. `jobs`, `ends`, `traces` ([count, maxIterations]) and `queue`, a
/// counter that must be initialized to 0, are on the device.
void queueBatch(const NdtRun& run, const NdtDeviceJob* jobs, std::uint32_t count, std::uint32_t* queue,
                NdtDeviceEnd* ends, NdtTraceEntry* traces, StreamView stream);
/// Queues the totals at a pose. @param pose, totals [kNdtTerms] on the device
/// @param sums workspace on the device, [ndtSumBlocks(job.count).number, kNdtTerms]
void queueTotals(const NdtTableView& map, const NdtDeviceJob& job, const RigidTransform* pose, double* sums,
                 double* totals, StreamView stream);
/// Queues the totals at the job's start pose, and fills all of `end`.
void queueScore(const NdtRun& run, const NdtDeviceJob& job, NdtDeviceEnd* end, StreamView stream);
void queuePointScores(const NdtRun& run, const NdtDeviceJob& job, const RigidTransform* pose, float* scores,
                      std::uint32_t* cells, StreamView stream);

} // namespace scanloupe::cuda
