#pragma once
// Finds the bin of one value of a column, for both backends.
#include "kernels/core/hd.h"
#include "kernels/core/scalar_type.h"

#include <cstddef>
#include <cstdint>

namespace scanloupe {

/// A column of N numbers in memory. Value i is factor * data[i * spacing] + offset.
struct HistogramColumn {
    const void* data = nullptr;
    ScalarType type = ScalarType::float32;
    std::size_t count = 0;     ///< N
    std::uint32_t spacing = 1; ///< distance between consecutive values, in numbers: 3 for one coordinate of
                               ///< positions
    double factor = 1;         ///< scale of integers that encode other values, such as LAS coordinates
    double offset = 0;
};

/// Bins of equal width: bin i holds edge(i) <= value < edge(i + 1); the last bin includes `high`.
struct HistogramBins {
    double low, high, width, scale;
    std::uint32_t count;

    HistogramBins(double from, double to, std::uint32_t bins)
        : low(from), high(to), width((to - from) / bins), scale(bins / (to - from)), count(bins) {}

    HD double edge(std::uint32_t i) const { return i == count ? high : low + width * i; }
    // slots of values below, above and not finite, which follow the slots of the bins
    HD std::uint32_t below() const { return count; }
    HD std::uint32_t above() const { return count + 1; }
    HD std::uint32_t notFinite() const { return count + 2; }
    HD std::uint32_t slotCount() const { return count + 3; }

    /// Returns the bin of a value, or the slot for values outside the bins.
    HD std::uint32_t slotOf(double value) const {
        if (!(value - value == 0))
            return notFinite();
        if (value < low)
            return below();
        if (value > high)
            return above();
        const double at = (value - low) * scale;
        // `at` is never negative here
        const auto bin = at < static_cast<double>(count) ? static_cast<std::uint32_t>(at) : count - 1;
        // rounding of the product may move it across an edge
        if (value < edge(bin))
            return bin - 1;
        return bin + 1 < count && value >= edge(bin + 1) ? bin + 1 : bin;
    }
};

/// Returns value `i` of a column of numbers of type T.
template <class T>
HD double histogramValue(const HistogramColumn& column, std::size_t i) {
    return column.factor * static_cast<double>(static_cast<const T*>(column.data)[i * column.spacing]) +
           column.offset;
}

} // namespace scanloupe
