#pragma once
// Declares the fit of a normal distribution to the bulk of values.
#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe {

/// A normal distribution that represents `count` values.
struct GaussFit {
    double mean = 0, deviation = 0;
    std::uint64_t count = 0; ///< number of values within 2.5 standard deviations, divided by the expected
                             ///< fraction of such values
    bool exists() const { return count > 0 && deviation > 0; }
    /// Returns the expected number of values in an interval.
    double expected(double low, double high) const;
    bool operator==(const GaussFit&) const = default;
};

/// Fits mean and standard deviation to the values within 2.5 standard deviations of the mean. Iterates, and
/// corrects for the clipping, so that outliers have little influence.
/// @param values NaN is ignored
/// @param mean, deviation initial values: those of all values
/// @throws Cancelled
GaussFit gaussFit(std::span<const float> values, double mean, double deviation, const std::stop_token& stop);

} // namespace scanloupe
