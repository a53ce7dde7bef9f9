// Scores a scan at a pose, with as many blocks as the scan needs.
#include "kernels/core/cuda_check.h"
#include "kernels/register/ndt/cuda_ndt_blocks.cuh"

namespace scanloupe::cuda {

namespace {

__global__ void joinTotals(const double* sums, NdtSumBlocks blocks, double* totals) {
    __shared__ WarpRows space;
    const double sum = joinBlocks(space, sums, blocks);
    if (threadIdx.x < kLanes)
        totals[threadIdx.x] = sum;
}

__global__ void endScore(RigidTransform pose, NdtDeviceEnd* end) {
    end->pose = pose;
    end->iterations = 0;
    end->end = end->totals.pairs() > 0 ? NdtEnd::maxIterations : NdtEnd::noOverlap;
}

} // namespace

void queueTotals(const NdtTableView& map, const NdtDeviceJob& job, const RigidTransform* pose, double* sums,
                 double* totals, StreamView stream) {
    queueSums(map, job, pose, sums, stream);
    joinTotals<<<1, kSumThreads, 0, ownStream(stream)>>>(sums, ndtSumBlocks(job.count), totals);
    check(cudaGetLastError(), "joinTotals");
}

void queueScore(const NdtRun& run, const NdtDeviceJob& job, NdtDeviceEnd* end, StreamView stream) {
    auto sums = Buffer<double>::in(MemorySpace::device,
                                   std::size_t{ndtSumBlocks(job.count).number} * kNdtTerms, stream);
    auto pose = Buffer<RigidTransform>::in(MemorySpace::device, 1, stream);
    check(
        cudaMemcpyAsync(pose.data(), &job.start, sizeof job.start, cudaMemcpyHostToDevice, ownStream(stream)),
        "cudaMemcpyAsync");
    queueTotals(run.map, job, pose.data(), sums.data(), end->totals.terms, stream);
    queueTotals(run.wide, job, pose.data(), sums.data(), end->wide.terms, stream);
    endScore<<<1, 1, 0, ownStream(stream)>>>(job.start, end);
    check(cudaGetLastError(), "endScore");
}

} // namespace scanloupe::cuda
