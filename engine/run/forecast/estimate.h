#pragma once
// Declares an estimate of a number, with its uncertainty.
#include <algorithm>
#include <cmath>

namespace scanloupe {

/// An estimate of a positive number, with limits that contain the true value in about nine of ten cases.
struct Estimate {
    double value = 0, low = 0, high = 0;

    static Estimate exact(double value) { return {value, value, value}; }
    /// Creates an estimate. @param spread standard deviation of the natural logarithm
    static Estimate withSpread(double value, double spread) {
        constexpr double nineOfTen = 1.64; // standard deviations of a normal distribution
        const double factor = std::exp(nineOfTen * spread);
        return {value, value / factor, value * factor};
    }
    /// Returns the larger of the two relative errors, for example 0.08 for 8 %.
    double relativeError() const { return value > 0 ? std::max(high / value - 1, 1 - low / value) : 0; }
    /// Returns the standard deviation of the logarithm; the inverse of withSpread().
    double spread() const {
        constexpr double nineOfTen = 1.64;
        return low > 0 && high > low ? 0.5 * std::log(high / low) / nineOfTen : 0;
    }
    Estimate clamped(double least, double most) const {
        return {std::clamp(value, least, most), std::clamp(low, least, most), std::clamp(high, least, most)};
    }
    bool operator==(const Estimate&) const = default;
};

} // namespace scanloupe
