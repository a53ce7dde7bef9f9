#pragma once
// Declares the normal distribution that fits the bulk of values.
#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe {

/// A normal distribution of `count` values.
struct GaussFit {
    double mean = 0, deviation = 0;
    std::uint64_t count = 0; ///< number of values within 2.5 deviations, plus the distribution's share beyond
    bool exists() const { return count > 0 && deviation > 0; }
    /// Expected number of values in an interval.
    double expected(double low, double high) const;
    bool operator==(const GaussFit&) const = default;
};

/// Mean and deviation of the values within 2.5 deviations of the mean, iterated, and corrected for the
/// clipping: outliers hardly change it. @param values NaN does not count
/// @param mean, deviation initial values: those of all values @throws Cancelled
GaussFit gaussFit(std::span<const float> values, double mean, double deviation, const std::stop_token& stop);

} // namespace scanloupe
