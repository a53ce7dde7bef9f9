#pragma once
// Defines groups of threads that together decode one stream of LAZ. An arithmetic decoder is serial: each
// symbol depends on the previous one. Lanes of a warp can only share the work of one symbol: the search in
// its model, and the model's update. The decoder is written once, for any number of lanes.
#include "kernels/core/hd.h"

#include <array>
#include <cstdint>

namespace scanloupe::laz {

/// A group of a single thread. A value "of each lane" is a plain variable.
struct OneLane {
    static constexpr std::uint32_t kCount = 1;
    template <class T>
    using Each = T;

    /// Calls `f(lane)` for each lane, and returns the results.
    template <class F>
    HD auto each(const F& f) const {
        return f(0u);
    }
    template <class F>
    HD void forEach(const F& f) const {
        f(0u);
    }
    /// Returns the value of lane `lane`.
    template <class T>
    HD T of(T value, std::uint32_t) const {
        return value;
    }
    /// Broadcasts a lane's value to all lanes.
    HD std::uint32_t from(std::uint32_t value, std::uint32_t) const { return value; }
    HD std::uint32_t countTrue(bool value) const { return value ? 1 : 0; }
    /// Returns the exclusive prefix sums over the lanes.
    HD std::uint32_t sumsBefore(std::uint32_t) const { return 0; }
    HD std::uint32_t sum(std::uint32_t value) const { return value; }
    /// Calls `f` on one lane.
    template <class F>
    HD void once(const F& f) const {
        f();
    }
    /// Waits for the other lanes, and makes their writes visible.
    HD void sync() const {}
};

/// Emulates the lanes of a warp, or of a part of it, one after another on the host, for tests of the device's
/// algorithm.
template <std::uint32_t kLanes>
struct EmulatedLanes {
    static constexpr std::uint32_t kCount = kLanes;
    template <class T>
    using Each = std::array<T, kLanes>;

    template <class F>
    auto each(const F& f) const {
        Each<decltype(f(0u))> values{};
        for (std::uint32_t lane = 0; lane < kLanes; ++lane)
            values[lane] = f(lane);
        return values;
    }
    template <class F>
    void forEach(const F& f) const {
        for (std::uint32_t lane = 0; lane < kLanes; ++lane)
            f(lane);
    }
    template <class T>
    T of(const Each<T>& values, std::uint32_t lane) const {
        return values[lane];
    }
    std::uint32_t from(const Each<std::uint32_t>& values, std::uint32_t lane) const {
        return values[lane % kLanes];
    }
    std::uint32_t countTrue(const Each<bool>& values) const {
        std::uint32_t count = 0;
        for (const bool value : values)
            count += value ? 1 : 0;
        return count;
    }
    Each<std::uint32_t> sumsBefore(const Each<std::uint32_t>& values) const {
        Each<std::uint32_t> sums{};
        for (std::uint32_t lane = 1; lane < kLanes; ++lane)
            sums[lane] = sums[lane - 1] + values[lane - 1];
        return sums;
    }
    std::uint32_t sum(const Each<std::uint32_t>& values) const {
        return sumsBefore(values)[kLanes - 1] + values[kLanes - 1];
    }
    template <class F>
    void once(const F& f) const {
        f();
    }
    void sync() const {}
};

} // namespace scanloupe::laz
