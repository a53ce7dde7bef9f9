#pragma once
// Sums score, gradient and Hessian of a pose over a scan's points; ndt_float.h defines the order of the
// additions.
#include "kernels/register/cuda_ndt_cells.cuh"

namespace scanloupe::cuda {

// ---- sums over lanes

/// Exchanges terms between lanes that are `kHalf` apart: each sends the half of its terms that the other
/// keeps, and adds the received half to its own.
template <int kHalf, class T>
__device__ void halve(const T (&from)[2 * kHalf], T (&to)[kHalf]) {
    const bool upper = (threadIdx.x & kHalf) != 0;
#pragma unroll
    for (int i = 0; i < kHalf; ++i) {
        const T give = upper ? from[i] : from[i + kHalf], keep = upper ? from[i + kHalf] : from[i];
        const T got = __shfl_xor_sync(kAllOfWarp, give, kHalf);
        to[i] = keep + got;
    }
}

/// Adds up the 32 terms over the lanes as a tree, halves first: lane t gets the sum of term t. Each step
/// halves the number of terms per lane, so that 31 shuffles suffice in place of 160.
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

/// Adds up a stream of numbers, a power of two of them, as a tree, neighbours first.
class TreeSum {
public:
    __device__ void add(double value) {
        unsigned at = 0;
        for (unsigned rest = m_count++; rest & 1; rest >>= 1)
            value = m_levels[at++] + value;
        m_levels[at] = value;
        m_top = at;
    }
    __device__ double sum() const { return m_levels[m_top]; }

private:
    double m_levels[11];
    unsigned m_count = 0, m_top = 0;
};

/// Passes a point's terms at a pose to `sink(term, value)`; none for a point without cells.
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

/// The sums of logical warp `warp` of `warps` over its points: lane t gets term t. All lanes have to call it.
template <int kAround, int kAtOnce>
__device__ double sumOfWarp(const NdtTableView& map, const NdtDeviceJob& job, const RigidTransform& pose,
                            unsigned warp, unsigned warps) {
    const std::uint64_t stride = std::uint64_t{warps} * kLanes, mine = warp * kLanes + threadIdx.x % kLanes;
    const auto ofTile = [&](std::uint64_t first) {
        float terms[kNdtTerms];
#pragma unroll
        for (float& term : terms)
            term = 0;
        if (job.count <= stride) { // a point per lane: without accumulators, registers are free meanwhile
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
    for (std::uint64_t first = 0; first < job.count; first += stride * kNdtTile) // uniform over the warp
        sum += ofTile(first + mine);
    return sum;
}

/// The sums of hardware warp `warp`, which runs `runs` logical warps, see ndt_float.h.
template <int kAround, int kAtOnce>
__device__ double sumOfRuns(const NdtTableView& map, const NdtDeviceJob& job, const RigidTransform& pose,
                            unsigned warp, unsigned runs) {
    const unsigned warps = ndtWarps(job.count);
    TreeSum sum;
    for (unsigned run = 0; run < runs; ++run) {
        const unsigned next = warp * runs + run;
        const bool any = next * kLanes < job.count; // uniform over the warp
        sum.add(any ? sumOfWarp<kAround, kAtOnce>(map, job, pose, next, warps) : 0);
    }
    return sum.sum();
}

/// A point that a thread keeps, with the cells around it; they are read again when the point leaves its cell.
template <int kAround>
class HeldPoint {
public:
    /// Point `i` of a job, or none.
    /// @param room of Neighbours
    __device__ HeldPoint(const NdtDeviceJob& job, std::uint64_t i, float* room)
        : m_neighbours(room), m_any(i < job.count) {
        if (m_any)
            m_point = job.points[i].as<double>() - job.middle;
    }
    /// The point's terms at a pose, which are 0 for a point without cells.
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
    Vec3d m_point; ///< from the scan's middle
    Vec3i m_cell;  ///< the cell at the centre of m_neighbours
    Neighbours<kAround> m_neighbours;
    bool m_any, m_read = false;
};

// ---- sums over warps and blocks

/// Sum of kRows values, a power of two of them, as a tree, neighbours first.
template <unsigned kRows>
__device__ double sumAsTree(double (&values)[kRows]) {
#pragma unroll
    for (unsigned n = kRows / 2; n > 0; n /= 2)
#pragma unroll
        for (unsigned r = 0; r < n; ++r)
            values[r] = values[2 * r] + values[2 * r + 1];
    return values[0];
}
/// A row of 32 sums for each warp of a block.
struct WarpRows {
    double rows[kMostWarps][kLanes + 1];

    /// Clears the rows of absent warps, which nothing writes to later. All threads have to call it.
    __device__ void clear() {
        for (unsigned r = threadIdx.x / kLanes + blockDim.x / kLanes; r < kMostWarps;
             r += blockDim.x / kLanes)
            rows[r][threadIdx.x % kLanes] = 0;
    }
    /// Sum of all rows as a tree, neighbours first: lane t gets term t.
    __device__ double sum() const {
        double v[kMostWarps];
#pragma unroll
        for (unsigned r = 0; r < kMostWarps; ++r)
            v[r] = rows[r][threadIdx.x % kLanes];
        return sumAsTree(v);
    }
};

/// Sum of the rows `first` to `first + count - 1`, a power of two of them, as a tree, neighbours first.
/// `read(row, values)` fills an array with the calling lane's term of the rows from `row` on, all at once.
template <class Read>
__device__ double sumOfRows(unsigned first, unsigned count, const Read& read) {
    const auto some = [&](auto rows, unsigned from) {
        double values[rows];
        read(from, values);
        return sumAsTree(values);
    };
    using std::integral_constant;
    if (count == 1)
        return some(integral_constant<unsigned, 1>{}, first);
    if (count == 2)
        return some(integral_constant<unsigned, 2>{}, first);
    if (count == 4)
        return some(integral_constant<unsigned, 4>{}, first);
    constexpr unsigned most = 8;
    if (count == most)
        return some(integral_constant<unsigned, most>{}, first);
    TreeSum sum;
    for (unsigned next = 0; next < count; next += most)
        sum.add(some(integral_constant<unsigned, most>{}, first + next));
    return sum.sum();
}

/// Sums one row per block of the grid, `blocksPow2` of them; `read` gives 0 past the last block. All warps of
/// this block, a power of two of them, read a share each; the first then has term t in lane t. All threads
/// have to call it. The rows of absent warps have to be clear.
template <class Read>
__device__ double sumOverBlocks(WarpRows& space, unsigned blocksPow2, const Read& read) {
    const unsigned warp = threadIdx.x / kLanes;
    const unsigned share = ::max(blocksPow2 >> (31 - __clz(static_cast<int>(blockDim.x / kLanes))), 1U);
    double part = 0;
    if (warp * share < blocksPow2)
        part = sumOfRows(warp * share, share, read);
    space.rows[warp][threadIdx.x % kLanes] = part;
    __syncthreads();
    return warp == 0 ? space.sum() : 0;
}

} // namespace scanloupe::cuda
