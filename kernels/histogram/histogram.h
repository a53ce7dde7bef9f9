#pragma once
// Declares histograms: counts of a column's values in bins of equal width.
#include "kernels/core/queue/queue.h"
#include "kernels/histogram/histogram_element.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace scanloupe {

struct HistogramParams {
    static constexpr std::uint32_t kMaxBins = 4096; ///< as many counters as fit into shared memory

    double low = 0, high = 1; ///< limits of the bins: finite, low < high
    std::uint32_t bins = 1;   ///< 1 to kMaxBins
    std::size_t every = 1;    ///< counts only the values 0, every, 2 * every, ...
};

/// Counts of values in equal bins of [low, high]. Bin i counts values with edge(i) <= value < edge(i + 1);
/// the last bin includes `high`.
struct Histogram {
    double low = 0, high = 1;
    std::vector<std::uint64_t> counts; ///< [bins]
    std::uint64_t below = 0, above = 0, notFinite = 0;
    std::uint64_t values = 0;  ///< number of values in the column
    std::uint64_t sampled = 0; ///< number of values that were examined: the sum of all counts, including
                               ///< those outside the bins

    double edge(std::size_t i) const;
    bool operator==(const Histogram&) const = default;
};

/// Returns the step between sampled values for a sample of about `most` of `count` values: 1 or a prime
/// number. A prime step avoids aliasing with periodic data, such as the beams of a sensor or the rows of an
/// image.
std::size_t samplingStep(std::size_t count, std::size_t most);

namespace detail {
/// Returns the bins of the given parameters. @throws KernelError for invalid bins or limits
HistogramBins checkedBins(const HistogramParams& params);
/// Assembles the result from the counts of all slots of `bins`. @param values number of values in the column
Histogram histogramOf(const HistogramBins& bins, std::size_t values,
                      const std::vector<std::uint64_t>& slotCounts);
} // namespace detail

/// Counts the values of a column, which lies where it is counted. @throws KernelError for invalid bins or
/// limits; DeviceMemoryShort; Cancelled. @note Synchronizes.
Histogram histogram(HostQueue& q, const HistogramColumn& column, const HistogramParams& params);
Histogram histogram(CudaQueue& q, const HistogramColumn& column, const HistogramParams& params);
inline Histogram histogram(const HistogramColumn& column, const HistogramParams& params,
                           const Execution& on) {
    return onQueue(on, [&](auto& q) { return histogram(q, column, params); });
}

} // namespace scanloupe
