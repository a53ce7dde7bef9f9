#pragma once
// Declares a scan on its way through the pipeline of a DriveAligner.
#include "engine/align/scan_aligner.h"
#include "engine/cloud/point_cloud.h"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>

namespace scanloupe {

/// A scan between its file and the maps.
struct DriveItem {
    enum class State : std::uint8_t { reading, read, prepared, begun, judging, judged };
    std::size_t number = 0;
    State state = State::reading;
    std::shared_ptr<const PointCloud> cloud; ///< null if it could not be read, or with keepClouds off
    PendingScan pending;
    std::uint64_t points = 0;
    std::uint64_t bytes = 0;  ///< of memory, a forecast before it is read
    std::exception_ptr error; ///< an Error, which keeps it from being aligned
    double readMs = 0;

    /// Marks the scan as failed: its pose is assumed instead of estimated.
    void fail(std::exception_ptr why) {
        error = std::move(why);
        pending.scan.reset();
    }
};
using DriveItemPtr = std::shared_ptr<DriveItem>;

} // namespace scanloupe
