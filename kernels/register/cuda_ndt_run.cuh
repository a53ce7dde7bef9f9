#pragma once
// Declares the functions that queue NDT alignments and scores on a stream. None of them synchronizes unless
// its comment says so.
#include "kernels/register/cuda_ndt.cuh"

namespace scanloupe::cuda {

/// What all jobs of a launch share.
struct NdtRun {
    NdtTableView map, wide;       ///< with the neighbours that count, and with all 27
    std::size_t cells = 0;        ///< of the map
    NdtNewtonParams newtonParams; ///< but for the arc, which is the job's
    bool geometry = false;        ///< totals with all neighbours are wanted, too
    NdtSolve solve = NdtSolve::lanes;
    bool alwaysRead = false;
    double settled = 0; ///< metres, NdtTuning::settled
    cudaTextureObject_t texture = 0;
};

/// Of a score, by what its sum may differ for no reason: pairs are in single precision, and errors of some
/// thousand of them mostly cancel.
inline constexpr double kDeviceRounding = 1e-8;

NdtRun ndtRun(const NdtDeviceMap& map, const NdtParams& params);
NdtDeviceJob ndtJob(const NdtDeviceMap& map, const NdtDeviceScan& scan, const RigidTransform& start);
NdtFrame ndtFrame(const NdtDeviceMap& map, const NdtDeviceScan& scan);

/// One alignment in one kernel. @note Synchronizes where cells are fetched as a texture.
void queueAlignment(const NdtRun& run, const NdtDeviceJob& job, const NdtTuning& tuning, NdtDeviceEnd* end,
                    NdtTraceEntry* trace, StreamView stream);
/// `jobs`, `ends` and `traces` ([count, maxIterations]) lie on the device, as `queue` does: one 0.
void queueBatch(const NdtRun& run, const NdtDeviceJob* jobs, std::uint32_t count, std::uint32_t* queue,
                NdtDeviceEnd* ends, NdtTraceEntry* traces, StreamView stream);
/// Totals at the job's start, all of `end` but the pose being from there.
void queueScore(const NdtRun& run, const NdtDeviceJob& job, NdtDeviceEnd* end, StreamView stream);
/// Totals at a pose by many blocks: `sums` has room for ndtSumBlocks(count) rows of 32.
void queueTotals(const NdtTableView& map, const NdtDeviceJob& job, const RigidTransform* pose, double* sums,
                 double* totals, StreamView stream);
unsigned ndtSumBlocks(std::uint64_t points);
void queuePointScores(const NdtRun& run, const NdtDeviceJob& job, const RigidTransform* pose, float* scores,
                      std::uint32_t* cells, StreamView stream);
/// One alignment by a graph that repeats itself. @note Synchronizes: the graph goes when it is done.
void runGraph(const NdtRun& run, const NdtDeviceJob& job, NdtDeviceEnd* end, NdtTraceEntry* trace,
              StreamView stream);

} // namespace scanloupe::cuda
