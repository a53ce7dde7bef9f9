// Checks the parameters of histograms, chooses sampling steps and assembles results, for both backends.
#include "kernels/core/error.h"
#include "kernels/core/number_text.h"
#include "kernels/histogram/histogram.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace scanloupe {

double Histogram::edge(std::size_t i) const {
    return HistogramBins(low, high, std::uint32_t(counts.size())).edge(std::uint32_t(i));
}

std::size_t samplingStep(std::size_t count, std::size_t most) {
    std::size_t step = most > 0 ? std::max<std::size_t>(1, (count + most - 1) / most) : 1;
    const auto isPrime = [](std::size_t n) {
        for (std::size_t d = 2; d * d <= n; ++d)
            if (n % d == 0)
                return false;
        return true;
    };
    while (!isPrime(step))
        ++step;
    return step;
}

namespace detail {

HistogramBins checkedBins(const HistogramParams& params) {
    const double width = params.high - params.low;
    if (!(width > 0) || !std::isfinite(width) || !std::isfinite(params.bins / width))
        throw KernelError(
            "the limits of a histogram must be finite, and the upper one above the lower one (got " +
                shortNumber(params.low) + " and " + shortNumber(params.high) + ")",
            "Choose limits that are further apart.");
    if (params.bins < 1 || params.bins > HistogramParams::kMaxBins || params.every < 1)
        throw KernelError("a histogram needs 1 to 4096 bins and a step of at least 1 value (got " +
                              std::to_string(params.bins) + " bins and a step of " +
                              std::to_string(params.every) + ")",
                          "Choose values in these ranges.");
    return {params.low, params.high, params.bins};
}

Histogram histogramOf(const HistogramBins& bins, std::size_t values,
                      const std::vector<std::uint64_t>& slotCounts) {
    Histogram made;
    made.low = bins.low;
    made.high = bins.high;
    made.counts.assign(slotCounts.begin(), slotCounts.begin() + bins.count);
    made.below = slotCounts[bins.below()];
    made.above = slotCounts[bins.above()];
    made.notFinite = slotCounts[bins.notFinite()];
    made.values = values;
    for (const std::uint64_t count : slotCounts)
        made.sampled += count;
    return made;
}

} // namespace detail

} // namespace scanloupe
