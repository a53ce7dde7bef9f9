#pragma once
// Computes histograms for sliders, from a sample on the host, from all values on the device.
#include "engine/cloud/value_range.h"
#include "kernels/histogram/histogram.h"

#include <memory>

namespace scanloupe {

inline constexpr std::size_t kHistogramSample = 1'000'000; // gives a relative error of some percent per bin

/// Returns the histogram of a column of values. @throws as histogram()
inline std::shared_ptr<const Histogram> sampledHistogram(const HistogramColumn& column,
                                                         const ValueRange& limits, std::uint32_t bins,
                                                         const Execution& on) {
    HistogramParams params{limits.min, limits.max, bins};
    if (!on.onDevice())
        params.every = samplingStep(column.count, kHistogramSample);
    return std::make_shared<const Histogram>(histogram(column, params, on));
}

} // namespace scanloupe
