#pragma once
// Evaluates the point of a thread in the ways that variants of the matcher differ by: how cells are read,
// whether the point is evaluated at all, and how the step is solved for. The terms and the order of sums are
// the product's.
#include "kernels/register/ndt/cuda_ndt_job.cuh"

namespace scanloupe::cuda {

/// What a kernel of a variant gets besides its job.
struct WaySetup {
    cudaTextureObject_t slots = 0; ///< of uint4, three for each cell
    float least = 0;               ///< EarlyExit: a score's change that is too small to count
};

/// How often a thread could have been spared work, and was.
struct WayCounts {
    unsigned all = 0, spared = 0;
};

// ---- ways to read a cell: load() tells whether the map was spared

struct GlobalFetch {
    __device__ GlobalFetch(const WaySetup&, unsigned char*) {}
    __device__ bool load(const NdtTableView& map, std::uint32_t index, SlotBits& bits) const {
        loadSlot(map, index, bits);
        return false;
    }
    template <class Insert>
    __device__ void fill(const Insert&) const {}
};

struct TextureFetch {
    cudaTextureObject_t slots;
    __device__ TextureFetch(const WaySetup& setup, unsigned char*) : slots(setup.slots) {}
    __device__ bool load(const NdtTableView&, std::uint32_t index, SlotBits& bits) const {
#pragma unroll
        for (int i = 0; i < 3; ++i)
            bits.parts[i] = tex1Dfetch<uint4>(slots, static_cast<int>(3 * index) + i);
        return false;
    }
    template <class Insert>
    __device__ void fill(const Insert&) const {}
};

/// A direct-mapped cache of the cells around the block's points at the start; other cells are read from the
/// map. It changes no more once it is filled, so that reads need no barrier.
struct CachedFetch {
    static constexpr unsigned kCells = 512;
    NdtSlot* cache; // [kCells], shared

    __device__ CachedFetch(const WaySetup&, unsigned char* room) : cache(reinterpret_cast<NdtSlot*>(room)) {}
    __device__ bool load(const NdtTableView& map, std::uint32_t index, SlotBits& bits) const {
        const NdtSlot& kept = cache[index % kCells];
        if (kept.cell != index) {
            loadSlot(map, index, bits);
            return false;
        }
        const auto* from = reinterpret_cast<const uint4*>(&kept);
#pragma unroll
        for (int i = 0; i < 3; ++i)
            bits.parts[i] = from[i];
        return true;
    }
    /// Empties the cache and lets `insertAll(insert)` fill it. All threads of the block have to call it.
    template <class Insert>
    __device__ void fill(const Insert& insertAll) const {
        for (unsigned i = threadIdx.x; i < kCells; i += blockDim.x)
            cache[i].cell = kNoCell;
        __syncthreads();
        insertAll([this](const NdtSlot& slot) { insert(slot); });
        __syncthreads();
    }

private:
    /// Stores a slot, unless another occupies its entry.
    __device__ void insert(const NdtSlot& slot) const {
        NdtSlot& entry = cache[slot.cell % kCells];
        if (atomicCAS(&entry.cell, kNoCell, slot.cell) != kNoCell)
            return;
        entry.key = slot.key;
        for (int i = 0; i < 3; ++i)
            entry.mean[i] = slot.mean[i];
        for (int i = 0; i < 6; ++i)
            entry.inverse[i] = slot.inverse[i];
    }
};

/// The product's step, for variants that differ elsewhere.
struct ProductStep {
    __device__ static void update(const NdtNewtonParams& params, RunSpace& space, const NdtTotals& totals) {
        updateNewtonState(params, space, totals, nullptr);
    }
};

// ---- ways to evaluate a point: terms() as HeldPoint has it

/// Reads the cells around its point each time.
template <class Fetch>
class ReadPoint : public ProductStep {
public:
    __device__ ReadPoint(const NdtTableView& map, const NdtDeviceJob& job, std::uint64_t i,
                         unsigned char* room, const WaySetup& setup)
        : m_fetch(setup, room), m_any(i < job.count) {
        if (m_any)
            m_point = job.points[i].as<double>() - job.middle;
        m_fetch.fill([&](const auto& insert) {
            NdtPlace place;
            if (!m_any || !ndtPlace(map, job.start, m_point, place))
                return;
            const NeighbourListIndices indices(map, place.cell, 0);
            for (int k = 0; k < NdtNeighbourList::kSlots; ++k)
                if (indices.has(k))
                    insert(map.cellSlots[indices.index(k)]);
        });
    }
    __device__ void terms(const NdtTableView& map, const RigidTransform& pose, float (&terms)[kNdtTerms]) {
#pragma unroll
        for (float& term : terms)
            term = 0;
        NdtPlace place;
        if (!m_any || !ndtPlace(map, pose, m_point, place))
            return;
        const NeighbourListIndices indices(map, place.cell, 0);
        SlotBits bits[NdtNeighbourList::kSlots]; // all loads are issued before the first result is used
#pragma unroll
        for (int k = 0; k < NdtNeighbourList::kSlots; ++k) {
            const bool isSpared = m_fetch.load(map, indices.index(k), bits[k]), has = indices.has(k);
            m_counts.all += has ? 1 : 0;
            m_counts.spared += has && isSpared ? 1 : 0;
        }
        NdtNear<float> near;
#pragma unroll
        for (int k = 0; k < NdtNeighbourList::kSlots; ++k)
            ndtAddSlot(map, slotOf(bits[k]), indices.has(k), place.inside, ndtNeighbour(k), near);
        ndtPointSums(near, place.rotated.as<float>(), [&](int term, float value) { terms[term] = value; });
    }
    __device__ WayCounts counts() const {
        return m_counts;
    }

private:
    Fetch m_fetch;
    Vec3d m_point; ///< from the scan's middle
    WayCounts m_counts;
    bool m_any;
};

/// As solveShifted without a shift, by an L D L^T factorization: lane i (i + 1) / 2 + j holds the element at
/// row i and column j <= i. All lanes of one warp have to call it, and get the result.
__device__ inline void solveByWarp(const NdtTotals& at, double arc, NdtSolved& solved) {
    const unsigned lane = threadIdx.x % kLanes;
    unsigned i = 0;
    while ((i + 1) * (i + 2) / 2 <= lane && i < 6)
        ++i;
    const unsigned j = lane - i * (i + 1) / 2;
    const bool has = i < 6;
    const auto scale = [arc](unsigned n) { return n < 3 ? 1 : arc; };
    const auto element = [&](unsigned row, unsigned column) {
        return -at.hessian(static_cast<int>(row), static_cast<int>(column)) * scale(row) * scale(column);
    };
    const auto place = [](unsigned row, unsigned column) { return row * (row + 1) / 2 + column; };
    const auto from = [](double value, unsigned source) {
        return __shfl_sync(kAllOfWarp, value, static_cast<int>(source));
    };
    double a = has ? element(i, j) : 0;
    double x = lane < 6 ? at.gradient(static_cast<int>(lane)) * scale(lane) : 0; // lane k: the k-th
    bool positive = true;
#pragma unroll
    for (unsigned k = 0; k < 6; ++k) {
        const double pivot = from(a, place(k, k)), diagonal = element(k, k), inverse = 1 / pivot;
        positive = positive && diagonal > 0 && pivot > kLeastPivot * diagonal;
        const bool inner = has && j > k, below = lane > k && lane < 6;
        const double row = from(a, inner ? place(i, k) : lane), column = from(a, inner ? place(j, k) : lane);
        const double ofX = from(a, below ? place(lane, k) : lane), solvedX = from(x, k);
        if (inner)
            a = fma(-(row * inverse), column, a);
        if (below)
            x = fma(-(ofX * inverse), solvedX, x);
    }
    const double inverse = 1 / from(a, lane < 6 ? place(lane, lane) : 0); // of the pivot of the lane's row
    x *= inverse;
#pragma unroll
    for (unsigned k = 5; k > 0; --k) {
        const bool above = lane < k;
        const double solvedX = from(x, k), column = from(a, above ? place(k, lane) : lane);
        if (above)
            x = fma(-(column * inverse), solvedX, x);
    }
    double of[6];
#pragma unroll
    for (unsigned n = 0; n < 6; ++n)
        of[n] = from(x, n) * scale(n);
    solved = ndtSolved(at, {of[0], of[1], of[2]}, {of[3], of[4], of[5]}, positive);
}

/// The product's point, and a step that the lanes of a warp solve for together. Where the matrix is not
/// positive definite, they try shifts, as the product does.
class WarpSolve {
public:
    __device__ WarpSolve(const NdtTableView&, const NdtDeviceJob& job, std::uint64_t i, unsigned char* room,
                         const WaySetup&)
        : m_held(job, i, reinterpret_cast<float*>(room)) {}
    __device__ void terms(const NdtTableView& map, const RigidTransform& pose, float (&terms)[kNdtTerms]) {
        m_held.terms(map, pose, terms);
    }
    __device__ WayCounts counts() const { return {}; }

    /// As updateNewtonState, for blocks of at least two warps.
    __device__ static void update(const NdtNewtonParams& params, RunSpace& space, const NdtTotals& totals) {
        NdtSolved solved;
        unsigned solvingLane = 0;
        if (threadIdx.x < kLanes) {
            signalSecondWarp();
            solveByWarp(totals, params.arc, solved);
            if (!solved.positive) // the same in all lanes
                solvingLane = solveByLanes(totals, params.arc, solved);
            __syncwarp();
        } else if (threadIdx.x < 2 * kLanes) {
            waitForFirstWarp();
        }
        if (threadIdx.x == kLanes)
            space.newton.acceptOrBacktrack(params, nullptr);
        __syncthreads();
        if (threadIdx.x == solvingLane && !space.newton.done)
            space.newton.proposeCandidate(params, solved);
        __syncthreads();
    }

private:
    HeldPoint<NdtNeighbourList::kSlots> m_held;
};

/// Keeps its point's terms while the score that the point adds can hardly have changed: by gradient and
/// curvature at the last evaluation, by less than WaySetup::least. Points without cells near them have
/// neither, and are looked at again once they have moved by kFarthest. No point leaves its cell in between.
class EarlyExit : public ProductStep {
public:
    __device__ EarlyExit(const NdtTableView&, const NdtDeviceJob& job, std::uint64_t i, unsigned char* room,
                         const WaySetup& setup)
        : m_held(job, i, reinterpret_cast<float*>(room)), m_least(setup.least), m_any(i < job.count) {
        if (m_any)
            m_point = job.points[i].as<double>() - job.middle;
    }
    __device__ void terms(const NdtTableView& map, const RigidTransform& pose, float (&terms)[kNdtTerms]) {
        const Vec3d place = pose(m_point);
        m_counts.all += m_any ? 1 : 0;
        if (m_reach > 0 && squaredNorm(place - m_place) < m_reach * m_reach) {
            m_counts.spared += m_any ? 1 : 0;
        } else {
            m_held.terms(map, pose, m_terms);
            m_place = place;
            m_reach = ::min(static_cast<double>(reach()), toFace(kNdtUnits / map.unitsPerMetre));
        }
#pragma unroll
        for (int t = 0; t < kNdtTerms; ++t)
            terms[t] = m_terms[t];
    }
    __device__ WayCounts counts() const {
        return m_counts;
    }

private:
    static constexpr double kFarthest = 0.01; ///< edges of a cell

    /// From m_place to the nearest face of its cell of this edge, kFarthest at most; metres.
    __device__ double toFace(double edge) const {
        double least = kFarthest;
#pragma unroll
        for (int axis = 0; axis < 3; ++axis) {
            const double at = m_place[axis] / edge, inside = at - floor(at);
            least = ::min(least, ::min(inside, 1 - inside));
        }
        return least * edge;
    }

    /// r with |gradient| r + |curvature| r^2 / 2 = least, by translation.
    __device__ float reach() const {
        const auto square = [this](int t) { return m_terms[t] * m_terms[t]; };
        constexpr auto at = NdtTotals::place;
        const float slope = sqrtf(square(1) + square(2) + square(3));
        const float curvature = sqrtf(square(at(0, 0)) + square(at(1, 1)) + square(at(2, 2)) +
                                      2 * (square(at(0, 1)) + square(at(0, 2)) + square(at(1, 2))));
        return 2 * m_least / (slope + sqrtf(slope * slope + 2 * curvature * m_least));
    }

    HeldPoint<NdtNeighbourList::kSlots> m_held;
    float m_terms[kNdtTerms];
    Vec3d m_point, m_place; ///< from the scan's middle; where it was evaluated last
    double m_reach = 0;     ///< metres from there; 0: it was not evaluated yet
    float m_least;
    WayCounts m_counts;
    bool m_any;
};

} // namespace scanloupe::cuda
