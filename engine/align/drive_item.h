#pragma once
// Declares a scan in the pipeline of a DriveAligner.
#include "engine/align/scan_aligner.h"
#include "engine/cloud/point_cloud.h"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>

namespace scanloupe {

/// A scan in the pipeline, from reading its file to adding it to the maps.
struct DriveItem {
    enum class State : std::uint8_t { reading, read, prepared, begun, judging, judged };
    std::size_t number = 0;
    State state = State::reading;
    std::shared_ptr<const PointCloud> cloud; ///< null if the scan could not be read, or if
                                             ///< AlignJob::keepClouds is off
    PendingScan pending;
    std::uint64_t points = 0;
    std::uint64_t bytes = 0;  ///< memory of the scan; before it is read, a forecast
    std::exception_ptr error; ///< an Error that prevents the alignment; null if there is none
    double readMs = 0;

    /// Records an error; the scan's pose is assumed instead of estimated.
    void fail(std::exception_ptr why) {
        error = std::move(why);
        pending.scan.reset();
    }
};
using DriveItemPtr = std::shared_ptr<DriveItem>;

} // namespace scanloupe
