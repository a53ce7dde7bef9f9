#pragma once
// Provides groups of lanes of a warp that together decode a stream of LAZ. For CUDA sources only.
#include "kernels/core/hd.h"

#include <cstdint>

namespace scanloupe::laz {

/// `kLanes` neighbouring lanes of a warp: 2, 4, 8, 16 or 32. Each method must be called by all of them. A
/// value "of each lane" is a plain variable, which differs by lane.
template <std::uint32_t kLanes>
class LaneGroup {
public:
    static constexpr std::uint32_t kCount = kLanes;
    template <class T>
    using Each = T;

    __device__ LaneGroup()
        : m_lane(threadIdx.x % kLanes),
          m_mask(kLanes == 32 ? ~0u : ((1u << kLanes % 32) - 1) << (threadIdx.x % 32 / kLanes * kLanes)) {}

    template <class F>
    __device__ auto each(const F& f) const {
        return f(m_lane);
    }
    template <class F>
    __device__ void forEach(const F& f) const {
        f(m_lane);
    }
    template <class T>
    __device__ T of(T value, std::uint32_t) const {
        return value;
    }
    __device__ std::uint32_t from(std::uint32_t value, std::uint32_t lane) const {
        return __shfl_sync(m_mask, value, static_cast<int>(lane), kLanes);
    }
    __device__ std::uint32_t countTrue(bool value) const {
        return static_cast<std::uint32_t>(__popc(__ballot_sync(m_mask, value)));
    }
    __device__ std::uint32_t sumsBefore(std::uint32_t value) const {
        std::uint32_t sum = value;
#pragma unroll
        for (std::uint32_t distance = 1; distance < kLanes; distance *= 2) {
            const std::uint32_t before = __shfl_up_sync(m_mask, sum, distance, kLanes);
            sum += m_lane >= distance ? before : 0;
        }
        return sum - value;
    }
    __device__ std::uint32_t sum(std::uint32_t value) const {
        return from(sumsBefore(value) + value, kLanes - 1);
    }
    template <class F>
    __device__ void once(const F& f) const {
        if (m_lane == 0)
            f();
    }
    __device__ void sync() const {
        __syncwarp(m_mask);
    }

private:
    std::uint32_t m_lane; ///< index of this lane in the group
    unsigned m_mask;
};

} // namespace scanloupe::laz
