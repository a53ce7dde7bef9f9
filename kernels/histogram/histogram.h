#pragma once
// Declares histograms: counts of a column's values in bins of equal width.
#include "kernels/core/queue/queue.h"
#include "kernels/histogram/histogram_element.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace scanloupe {

struct HistogramParams {
    static constexpr std::uint32_t kMaxBins = 4096; ///< the counters fit into shared memory

    double low = 0, high = 1; ///< finite, low < high
    std::uint32_t bins = 1;   ///< 1 to kMaxBins
    std::size_t every = 1;    ///< looks at the values 0, every, 2 * every, ...
};

/// Counts of values in equal bins of [low, high]; bin i holds edge(i) <= value < edge(i + 1), and the last
/// one holds `high`, too.
struct Histogram {
    double low = 0, high = 1;
    std::vector<std::uint64_t> counts; ///< [bins]
    std::uint64_t below = 0, above = 0, notFinite = 0;
    std::uint64_t values = 0;  ///< N of the column
    std::uint64_t sampled = 0; ///< number of values that were counted; the sum of all counts

    double edge(std::size_t i) const;
    bool operator==(const Histogram&) const = default;
};

/// The step between values for a sample of about `most` of `count` values: 1, or a prime number, since data
/// may repeat with the number of a sensor's beams or with the width of an image.
std::size_t samplingStep(std::size_t count, std::size_t most);

namespace detail {
/// The bins of some parameters. @throws KernelError for invalid bins or limits
HistogramBins checkedBins(const HistogramParams& params);
/// The result from the counts of all slots of `bins`.
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
