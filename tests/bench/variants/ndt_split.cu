// Splits the points of one scan among devices.
#include "kernels/core/cost.h"
#include "kernels/core/devices.h"
#include "kernels/register/ndt/cuda_ndt_blocks.cuh"
#include "tests/bench/variants/ndt_variants.h"

#include <utility>

namespace scanloupe::cuda {

/// What lies on one device. It is made and used while the thread uses that device.
struct NdtSplit::Part {
    int device;
    Stream stream;
    NdtDeviceMap map;
    NdtDeviceScan scan;
    Buffer<RigidTransform> pose, pinnedPose;
    Buffer<double> sums, totals, pinnedTotals;

    Part(int number, const NdtMap& from, const NdtScan& points)
        : device(number), map(from, stream), scan(points, {}, stream),
          pose(Buffer<RigidTransform>::in(MemorySpace::device, 1, stream)),
          pinnedPose(Buffer<RigidTransform>::in(MemorySpace::pinned, 1, stream)),
          sums(Buffer<double>::in(MemorySpace::device,
                                  std::size_t{ndtSumBlocks(points.points.size()).number} * kNdtTerms,
                                  stream)),
          totals(Buffer<double>::in(MemorySpace::device, kNdtTerms, stream)),
          pinnedTotals(Buffer<double>::in(MemorySpace::pinned, kNdtTerms, stream)) {}

    /// Queues the totals at a pose, up to their copy to the host. @param middle of the whole scan
    void queue(const RigidTransform& local, const NdtParams& params, Vec3d middle) {
        const DeviceScope scope(device);
        NdtDeviceJob job;
        job.points = scan.points().data();
        job.count = static_cast<std::uint32_t>(scan.points().size());
        job.middle = middle; // all parts turn about one point
        pinnedPose[0] = local;
        scanloupe::detail::copyBytes(pose.data(), MemorySpace::device, pinnedPose.data(), MemorySpace::pinned,
                                     pose.bytes(), stream);
        queueTotals(map.table(params.neighbours, params.outlierRatio), job, pose.data(), sums.data(),
                    totals.data(), stream);
        scanloupe::detail::copyBytes(pinnedTotals.data(), MemorySpace::pinned, totals.data(),
                                     MemorySpace::device, totals.bytes(), stream);
    }
    void addTo(NdtTotals& sum) const {
        stream.view().synchronize();
        for (int term = 0; term < kNdtTerms; ++term)
            sum.terms[term] += pinnedTotals[static_cast<std::size_t>(term)];
    }
};

NdtSplit::NdtSplit(const NdtMap& map, const NdtScan& scan, std::span<const int> devices)
    : m_spread(ndtSpread(scan.points, {})) {
    const std::size_t parts = devices.size(), count = scan.points.size();
    if (parts == 0 || m_spread.finite == 0 || map.cells().empty())
        throw KernelError("there is nothing to align, or no device to align on",
                          "Take a scan and a map with points, and at least one device.");
    if (count >= kNoCell)
        throw KernelError("a scan of 2^32 points or more cannot be aligned", "Thin the scan.");
    for (std::size_t i = 0; i < parts; ++i) {
        const std::size_t begin = count * i / parts, end = count * (i + 1) / parts;
        const DeviceScope scope(devices[i]);
        m_parts.push_back(std::make_unique<Part>(
            devices[i], map, NdtScan{scan.points.subspan(begin, end - begin), scan.origin}));
    }
}

NdtSplit::~NdtSplit() {
    for (std::unique_ptr<Part>& part : m_parts) {
        checkNoThrow(cudaStreamSynchronize(part->stream.view().handle()));
        part.reset();
    }
}

NdtVariantResult NdtSplit::align(const RigidTransform& start, const NdtParams& params) {
    checkNdt(params);
    const Part& first = *m_parts.front();
    const NdtFrame frame{first.map.origin(), first.scan.origin() + m_spread.middle};
    const NdtNewtonParams newtonParams = ndtNewtonParams(params, m_spread.radius, kDeviceRounding);
    NdtNewtonState newton(frame.toLocal(checkNdtStart(start)));
    const WallTimer timer;
    while (!newton.done) {
        for (const std::unique_ptr<Part>& part : m_parts) // all are queued before the first is waited for
            part->queue(newton.candidate, params, m_spread.middle);
        newton.candidateTotals() = {};
        for (const std::unique_ptr<Part>& part : m_parts)
            part->addTo(newton.candidateTotals());
        newton.update(newtonParams, nullptr);
    }
    return {frame.toWorld(newton.pose), newton.poseTotals().score(), newton.iterations, timer.elapsedMs(), 0};
}

} // namespace scanloupe::cuda
