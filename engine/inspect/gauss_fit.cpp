// Fits normal distributions by iterative clipping.
#include "engine/inspect/gauss_fit.h"

#include "kernels/core/parallel.h"

#include <cmath>
#include <numbers>

namespace scanloupe {

namespace {

constexpr double kClip = 2.5; // clipping limit in standard deviations

struct GaussSums {
    std::uint64_t count = 0;
    double sum = 0, squares = 0; ///< relative to the known mean
};

GaussSums sumsWithin(std::span<const float> values, double mean, double reach, const std::stop_token& stop) {
    return parallelReduce(
        values.size(), std::size_t{1} << 16, stop, GaussSums{},
        [&](std::size_t begin, std::size_t end) {
            GaussSums part;
            for (std::size_t i = begin; i < end; ++i) {
                const double off = double(values[i]) - mean;
                if (!(std::abs(off) <= reach))
                    continue;
                ++part.count;
                part.sum += off;
                part.squares += off * off;
            }
            return part;
        },
        [](const GaussSums& a, const GaussSums& b) {
            return GaussSums{a.count + b.count, a.sum + b.sum, a.squares + b.squares};
        });
}

/// Returns the cumulative distribution function of the standard normal distribution.
double shareBelow(double deviations) {
    return std::erfc(-deviations / std::numbers::sqrt2) / 2;
}

} // namespace

double GaussFit::expected(double low, double high) const {
    return double(count) * (shareBelow((high - mean) / deviation) - shareBelow((low - mean) / deviation));
}

GaussFit gaussFit(std::span<const float> values, double mean, double deviation, const std::stop_token& stop) {
    constexpr int maxSteps = 30;
    const double kept = 2 * shareBelow(kClip) - 1;
    const double density = std::exp(-kClip * kClip / 2) / std::sqrt(2 * std::numbers::pi);
    const double shrunk = 1 - 2 * kClip * density / kept; // variance of the clipped distribution relative to
                                                          // the unclipped one
    GaussFit fit{mean, deviation, 0};
    for (int step = 0; step < maxSteps && fit.deviation > 0; ++step) {
        const GaussSums sums = sumsWithin(values, fit.mean, kClip * fit.deviation, stop);
        if (sums.count < 2)
            return {};
        const double count = double(sums.count), off = sums.sum / count;
        const double variance = std::max(0.0, sums.squares / count - off * off) / shrunk;
        const GaussFit next{fit.mean + off, std::sqrt(variance), std::uint64_t(std::llround(count / kept))};
        const bool isStill = std::abs(next.deviation - fit.deviation) + std::abs(off) < 1e-4 * fit.deviation;
        fit = next;
        if (isStill)
            break;
    }
    return fit;
}

} // namespace scanloupe
