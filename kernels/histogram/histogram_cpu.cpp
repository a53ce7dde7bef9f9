// Counts values per bin on the CPU.
#include "kernels/core/parallel.h"
#include "kernels/histogram/histogram.h"

namespace scanloupe::cpu {

namespace {

using Counts = std::vector<std::uint64_t>; // counts of all slots of HistogramBins

/// Number of values per chunk: few enough to cancel within milliseconds, even if each value is in a different
/// cache line.
constexpr std::size_t kHistogramGrain = 1 << 17;

template <class T>
Counts countSlots(const HistogramColumn& column, const HistogramBins& bins, std::size_t every,
                  const std::stop_token& stop) {
    return parallelReduce(
        chunkCount(column.count, every), kHistogramGrain, stop, Counts(bins.slotCount()),
        [&](std::size_t begin, std::size_t end) {
            Counts counts(bins.slotCount());
            for (std::size_t i = begin; i < end; ++i)
                ++counts[bins.slotOf(histogramValue<T>(column, i * every))];
            return counts;
        },
        [](Counts a, const Counts& b) {
            for (std::size_t i = 0; i < a.size(); ++i)
                a[i] += b[i];
            return a;
        });
}

} // namespace

Histogram histogram(const HistogramColumn& column, const HistogramParams& params,
                    const std::stop_token& stop) {
    const HistogramBins bins = detail::checkedBins(params);
    const Counts slotCounts = visitScalar(column.type, [&]<class T>(std::type_identity<T>) {
        return countSlots<T>(column, bins, params.every, stop);
    });
    return detail::histogramOf(bins, column.count, slotCounts);
}

} // namespace scanloupe::cpu
