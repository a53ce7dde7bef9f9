#pragma once
// Declares the normal distribution that fits the bulk of values.
#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe {

/// A normal distribution of `count` values.
struct GaussFit {
    double mean = 0, deviation = 0;
    std::uint64_t count =
        0; ///< of those within 2.5 deviations, and as many more as lie beyond in the distribution
    bool exists() const { return count > 0 && deviation > 0; }
    /// Values that are expected between two.
    double expected(double low, double high) const;
    bool operator==(const GaussFit&) const = default;
};

/// Mean and deviation of the values within 2.5 deviations of the mean, of which both are found again and
/// again, corrected for what is cut off: faults at the rim hardly change it. @param values NaN does not count
/// @param mean, deviation of all: where it begins @throws Cancelled
GaussFit gaussFit(std::span<const float> values, double mean, double deviation, const std::stop_token& stop);

} // namespace scanloupe
