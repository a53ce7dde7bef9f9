#pragma once
// Counts values in the bins of a slider: of a sample on the host, of all on the device.
#include "engine/cloud/attribute.h"
#include "kernels/histogram/operators.h"

#include <memory>

namespace scanloupe {

inline constexpr std::size_t kHistogramSample =
    1'000'000; // a bin's share is then known to some percent of itself

/// @throws as histogram()
inline std::shared_ptr<const Histogram> sampledHistogram(const HistogramColumn& column,
                                                         const ValueRange& limits, std::uint32_t bins,
                                                         const Execution& on) {
    HistogramParams params{limits.min, limits.max, bins};
    if (!on.onDevice())
        params.every = samplingStep(column.count, kHistogramSample);
    return std::make_shared<const Histogram>(histogram(column, params, on));
}

} // namespace scanloupe
