#pragma once
// Declares how to measure the part of some work on a device that overlaps with other work there.
#include "kernels/core/stream.h"

#include <algorithm>
#include <span>
#include <vector>

namespace scanloupe {

/// Returns the part of the total length of `spans` during which any of `others` ran, ms.
inline double hiddenMs(std::span<const DeviceSpan> spans, std::vector<DeviceSpan> others) {
    std::ranges::sort(others, {}, &DeviceSpan::begin);
    double hidden = 0;
    for (const DeviceSpan& span : spans) {
        double end = span.begin; // end of the part that is already counted
        for (const DeviceSpan& other : others) {
            const double from = std::max(end, other.begin), to = std::min(span.end, other.end);
            hidden += std::max(to - from, 0.0);
            end = std::max(end, to);
        }
    }
    return hidden;
}

} // namespace scanloupe
