#pragma once
// Declares the functions that queue NDT alignments and scores on a stream. None of them synchronizes unless
// its comment says so.
#include "kernels/register/cuda_ndt.cuh"

namespace scanloupe::cuda {

/// Parameters that all jobs of a launch share.
struct NdtRun {
    NdtTableView map, wide;       ///< with the neighbours of NdtParams, and with all 27
    std::size_t cells = 0;        ///< of the map
    NdtNewtonParams newtonParams; ///< except `arc`, which each job has
    bool geometry = false;        ///< also computes the totals with all 27 neighbours
    NdtSolve solve = NdtSolve::lanes;
    bool alwaysRead = false;
    double settled = 0; ///< metres, NdtTuning::settled
    cudaTextureObject_t texture = 0;
};

/// Rounding tolerance of the summed score, relative: pairs are in single precision, and the errors of some
/// thousand of them mostly cancel.
inline constexpr double kDeviceRounding = 1e-8;

NdtRun ndtRun(const NdtDeviceMap& map, const NdtParams& params);
NdtDeviceJob ndtJob(const NdtDeviceMap& map, const NdtDeviceScan& scan, const RigidTransform& start);
NdtFrame ndtFrame(const NdtDeviceMap& map, const NdtDeviceScan& scan);

/// Queues one alignment as one kernel. @note Synchronizes where cells are fetched from a texture.
void queueAlignment(const NdtRun& run, const NdtDeviceJob& job, const NdtTuning& tuning, NdtDeviceEnd* end,
                    NdtTraceEntry* trace, StreamView stream);
/// Queues `count` alignments as one kernel. `jobs`, `ends`, `traces` ([count, maxIterations]) and `queue`, a
/// counter that is 0 at first, lie on the device.
void queueBatch(const NdtRun& run, const NdtDeviceJob* jobs, std::uint32_t count, std::uint32_t* queue,
                NdtDeviceEnd* ends, NdtTraceEntry* traces, StreamView stream);
/// Queues the totals at the job's start pose, and fills all of `end`.
void queueScore(const NdtRun& run, const NdtDeviceJob& job, NdtDeviceEnd* end, StreamView stream);
/// Queues the totals at a pose, with many blocks: `sums` has room for ndtSumBlocks(count) rows of 32.
void queueTotals(const NdtTableView& map, const NdtDeviceJob& job, const RigidTransform* pose, double* sums,
                 double* totals, StreamView stream);
unsigned ndtSumBlocks(std::uint64_t points);
void queuePointScores(const NdtRun& run, const NdtDeviceJob& job, const RigidTransform* pose, float* scores,
                      std::uint32_t* cells, StreamView stream);
/// Runs one alignment as a CUDA graph with a conditional while node. @note Synchronizes, since the graph is
/// destroyed at the end.
void runGraph(const NdtRun& run, const NdtDeviceJob& job, NdtDeviceEnd* end, NdtTraceEntry* trace,
              StreamView stream);

} // namespace scanloupe::cuda
