#pragma once
// Sums score, gradient and Hessian of a pose over a scan's points; ndt_float.h defines the order of the
// additions.
#include "kernels/register/ndt/cuda_ndt_cells.cuh"

namespace scanloupe::cuda {

// ---- sums over lanes

/// Adds up the 32 terms over the lanes as a tree, with lanes half a warp apart first: lane t gets the sum of
/// term t. Each step halves the number of terms per lane, so that 31 shuffles suffice in place of 160.
__device__ inline double sumOverLanes(const float (&terms)[kNdtTerms]) {
    float half[16], quarter[8], eighth[4];
    halve<16>(terms, half);
    halve<8>(half, quarter);
    halve<4>(quarter, eighth);
    const double wide[4] = {eighth[0], eighth[1], eighth[2], eighth[3]};
    double two[2], one[1];
    halve<2>(wide, two);
    halve<1>(two, one);
    return one[0];
}

/// Passes a point's terms at a pose to `sink(term, value)`; does nothing for a point without cells.
template <int kAround, int kAtOnce, class Sink>
__device__ void termsOfPoint(const NdtTableView& map, const NdtDeviceJob& job, const RigidTransform& pose,
                             std::uint64_t i, const Sink& sink) {
    NdtPlace place;
    if (i >= job.count || !ndtPlace(map, pose, job.middle, job.points[i], place))
        return;
    NdtNear<float> near;
    nearPoint<kAround, kAtOnce>(map, place, near);
    ndtPointSums(near, place.rotated.as<float>(), sink);
}

/// Returns the sums of logical warp `warp` of `warps` over its points: lane t gets term t. Must be called by
/// all lanes.
template <int kAround, int kAtOnce>
__device__ double sumOfWarp(const NdtTableView& map, const NdtDeviceJob& job, const RigidTransform& pose,
                            unsigned warp, unsigned warps) {
    const std::uint64_t stride = std::uint64_t{warps} * kLanes, mine = warp * kLanes + threadIdx.x % kLanes;
    const auto ofTile = [&](std::uint64_t first) {
        float terms[kNdtTerms];
#pragma unroll
        for (float& term : terms)
            term = 0;
        if (job.count <= stride) { // one point per lane: registers are free, since there are no accumulators
            termsOfPoint<kAround, kAtOnce>(map, job, pose, first,
                                           [&](int term, float value) { terms[term] = value; });
        } else {
#pragma unroll 1
            for (unsigned k = 0; k < kNdtTile; ++k)
                termsOfPoint<kAround, kAtOnce>(map, job, pose, first + k * stride,
                                               [&](int term, float value) { terms[term] += value; });
        }
        __syncwarp();
        return sumOverLanes(terms);
    };
    if (job.count <= stride)
        return ofTile(mine);
    double sum = 0;
    // equal for all lanes of the warp
    for (std::uint64_t first = 0; first < job.count; first += stride * kNdtTile)
        sum += ofTile(first + mine);
    return sum;
}

/// Returns the sums of hardware warp `warp`, which runs `runs` logical warps, see ndt_float.h.
template <int kAround, int kAtOnce>
__device__ double sumOfRuns(const NdtTableView& map, const NdtDeviceJob& job, const RigidTransform& pose,
                            unsigned warp, unsigned runs) {
    const unsigned warps = ndtWarps(job.count);
    TreeSum sum;
    for (unsigned run = 0; run < runs; ++run) {
        const unsigned next = warp * runs + run;
        const bool any = next * kLanes < job.count; // equal for all lanes of the warp
        sum.add(any ? sumOfWarp<kAround, kAtOnce>(map, job, pose, next, warps) : 0);
    }
    return sum.sum();
}

/// A point that a thread keeps, with the cells around it. The cells are read again when the point moves to
/// another cell.
template <int kAround>
class HeldPoint {
public:
    /// Holds point `i` of a job, or no point if `i` is beyond the last.
    /// @param room shared memory for Neighbours
    __device__ HeldPoint(const NdtDeviceJob& job, std::uint64_t i, float* room)
        : m_neighbours(room), m_any(i < job.count) {
        if (m_any)
            m_point = job.points[i].as<double>() - job.middle;
    }
    /// Computes the point's terms at a pose, which are 0 for a point without cells.
    __device__ void terms(const NdtTableView& map, const RigidTransform& pose, float (&terms)[kNdtTerms]) {
#pragma unroll
        for (float& term : terms)
            term = 0;
        NdtPlace place;
        if (!m_any || !ndtPlace(map, pose, m_point, place)) {
            m_read = false;
            return;
        }
        if (!m_read || !(place.cell == m_cell)) {
            m_neighbours.load(map, place.cell);
            m_cell = place.cell;
            m_read = true;
        }
        NdtNear<float> near;
        m_neighbours.add(map, place, near);
        ndtPointSums(near, place.rotated.as<float>(), [&](int term, float value) { terms[term] = value; });
    }

private:
    Vec3d m_point; ///< position relative to the scan's centre
    Vec3i m_cell;  ///< cell at the centre of m_neighbours
    Neighbours<kAround> m_neighbours;
    bool m_any, m_read = false;
};

} // namespace scanloupe::cuda
