// Counts values in bins.
#include "kernels/histogram/histogram.h"

#include "kernels/core/queue/queue_body.h"

namespace scanloupe {

namespace {
/// The slot of every `every`-th value of a column of T.
template <class T>
struct SlotOfValue {
    HistogramColumn column;
    HistogramBins bins;
    std::size_t every;
    HD std::uint32_t operator()(std::size_t i) const {
        return bins.slotOf(histogramValue<T>(column, i * every));
    }
};
} // namespace

Histogram histogram(Queue& q, const HistogramColumn& column, const HistogramParams& params) {
    const HistogramBins bins = detail::checkedBins(params);
    const std::size_t sampled = (column.count + params.every - 1) / params.every;
    const auto slotCounts = visitScalar(column.type, [&]<class T>(std::type_identity<T>) {
        return q.countSlots(sampled, bins.slotCount(), SlotOfValue<T>{column, bins, params.every});
    });
    return detail::histogramOf(bins, column.count, slotCounts);
}

} // namespace scanloupe
