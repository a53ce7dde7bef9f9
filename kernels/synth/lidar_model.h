#pragma once
// Declares models of spinning lidars: their rings, columns and ranges, as their manufacturers publish them.
#include "kernels/synth/poly_math.h"

#include <array>
#include <cstdint>

namespace scanloupe::synth {

/// A block of rings at equal angular steps.
struct RingBlock {
    double lowest = 0, step = 1; ///< elevation of the lowest ring, and step between rings; degrees above the
                                 ///< horizon
    int rings = 0;
};

/// A spinning lidar. All rays of a column are fired simultaneously.
struct LidarModel {
    const char* name = "";
    RingBlock blocks[2]; ///< the block with the lowest rings comes first
    int columns = 1800;  ///< number of columns per turn
    double turnSeconds = 0.1;
    double nearest = 0.5, farthest = 100; ///< range limits, metres

    HD constexpr int rings() const { return blocks[0].rings + blocks[1].rings; }
    HD constexpr std::uint64_t rays() const {
        return static_cast<std::uint64_t>(rings()) * static_cast<std::uint64_t>(columns);
    }
    /// Returns the elevation of a ring, radians above the horizon. @param ring 0 to rings() - 1, from the
    /// lowest up
    HD constexpr double elevation(int ring) const {
        const bool isUpper = ring >= blocks[0].rings;
        const RingBlock& block = isUpper ? blocks[1] : blocks[0];
        return (block.lowest + block.step * (isUpper ? ring - blocks[0].rings : ring)) * (kPi / 180);
    }
};

/// Published models. Angles and ranges are from the data sheets. The number of columns follows from the time
/// between firings (55.296 us, 46.08 us, 48 us) at 10 turns per second; for the OS1 it is that of the mode
/// 1024 x 10. The HDL-64E (S2) has two blocks of lasers; the angles of a real device differ slightly, and are
/// listed in its calibration.
inline constexpr std::array<LidarModel, 4> kLidarModels{
    LidarModel{"vlp16", {RingBlock{-15, 2, 16}}, 1808, 0.1, 0.5, 100},
    LidarModel{"hdl32", {RingBlock{-92.0 / 3, 4.0 / 3, 32}}, 2170, 0.1, 0.5, 100},
    LidarModel{"hdl64", {RingBlock{-73.0 / 3, 0.5, 32}, {-25.0 / 3, 1.0 / 3, 32}}, 2083, 0.1, 0.9, 120},
    LidarModel{"os1-128", {RingBlock{-22.5, 45.0 / 127, 128}}, 1024, 0.1, 0.5, 120}};

} // namespace scanloupe::synth
