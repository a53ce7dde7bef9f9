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
    std::vector<DeviceSpan> busy; // the others joined: apart from each other, ascending
    for (const DeviceSpan& other : others)
        if (busy.empty() || other.begin > busy.back().end)
            busy.push_back(other);
        else
            busy.back().end = std::max(busy.back().end, other.end);
    double hidden = 0;
    for (const DeviceSpan& span : spans)
        for (auto part = std::ranges::upper_bound(busy, span.begin, {}, &DeviceSpan::end);
             part != busy.end() && part->begin < span.end; ++part)
            hidden += std::min(span.end, part->end) - std::max(span.begin, part->begin);
    return hidden;
}

} // namespace scanloupe
