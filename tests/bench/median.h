#pragma once
// The median of a benchmark's times.
#include <algorithm>
#include <vector>

namespace scanloupe::bench {

/// The upper median; 0 for an empty list.
inline double median(std::vector<double> values) {
    if (values.empty())
        return 0;
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

} // namespace scanloupe::bench
