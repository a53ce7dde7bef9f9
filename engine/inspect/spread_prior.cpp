// Estimates the common prior for the spreads of many groups.
#include "engine/inspect/spread_prior.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace scanloupe {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kFewest = 1; // minimum degrees of freedom of a variance that is used without the prior
constexpr std::size_t kFewestGroups = 5; // minimum number of groups for estimating the scatter of variances

/// Returns the derivative of the logarithm of the gamma function, for x > 0.
double digamma(double x) {
    double sum = 0;
    for (; x < 8; x += 1)
        sum -= 1 / x;
    const double r = 1 / (x * x);
    return sum + std::log(x) - 0.5 / x - r * (1.0 / 12 - r * (1.0 / 120 - r * (1.0 / 252 - r / 240)));
}

/// Returns the derivative of digamma(), for x > 0.
double trigamma(double x) {
    double sum = 0;
    for (; x < 8; x += 1)
        sum += 1 / (x * x);
    const double r = 1 / (x * x);
    return sum + 1 / x + r / 2 + r / x * (1.0 / 6 - r * (1.0 / 30 - r * (1.0 / 42 - r / 30)));
}

/// Returns the x > 0 with trigamma(x) = y, for y > 0. (trigamma decreases from infinity to 0.)
double inverseTrigamma(double y) {
    double low = 1e-6, high = 1e9;
    for (int i = 0; i < 200 && low < high * (1 - 1e-14); ++i) {
        const double middle = std::sqrt(low * high);
        (trigamma(middle) > y ? low : high) = middle;
    }
    return high;
}

/// Returns mean and variance of the logarithms of the groups' variances, for normally distributed values.
NoiseSpread commonSpread(std::vector<NoiseSpread> groups) {
    if (groups.size() < kFewestGroups)
        return {};
    const auto middle = groups.begin() + std::ptrdiff_t(groups.size() / 2);
    std::ranges::nth_element(groups, middle, {}, &NoiseSpread::variance);
    const double least = 1e-5 * middle->variance; // limit for the variances of rounded values, which may be 0
    if (!(least > 0))
        return {middle->variance, kInfinity};
    const auto count = double(groups.size());
    double sum = 0, squares = 0, expected = 0;
    const auto offset = [&](const NoiseSpread& group) { // the expectation of this value is the logarithm of
                                                        // the common variance
        const double half = group.freedom / 2;
        return std::log(std::max(group.variance, least)) - digamma(half) + std::log(half);
    };
    // makes the order independent of the result of nth_element()
    std::ranges::sort(groups, [](const NoiseSpread& a, const NoiseSpread& b) {
        return a.variance != b.variance ? a.variance < b.variance : a.freedom < b.freedom;
    });
    for (const NoiseSpread& group : groups) {
        sum += offset(group);
        expected += trigamma(group.freedom / 2);
    }
    const double mean = sum / count;
    for (const NoiseSpread& group : groups)
        squares += (offset(group) - mean) * (offset(group) - mean);
    // excess over the scatter that equal variances would have
    const double more = squares / (count - 1) - expected / count;
    if (!(more > 0))
        return {std::exp(mean), kInfinity};
    const double half = inverseTrigamma(more);
    return {std::exp(mean + digamma(half) - std::log(half)), 2 * half};
}

} // namespace

NoiseSpread SpreadPrior::moderated(NoiseSpread own) const {
    if (!std::isfinite(common.freedom))
        return common;
    const double freedom = common.freedom + own.freedom;
    if (!(freedom > 0))
        return {};
    return {(common.freedom * common.variance + own.freedom * own.variance) / freedom, freedom};
}

NoiseSpread SpreadPrior::unbiased(NoiseSpread own) const {
    return own.freedom >= kFewest ? own : NoiseSpread{mean, total};
}

SpreadPrior spreadPrior(std::span<const NoiseSpread> groups) {
    SpreadPrior prior;
    std::vector<NoiseSpread> usable;
    double sum = 0;
    for (const NoiseSpread& group : groups) {
        sum += group.variance * group.freedom;
        prior.total += group.freedom;
        if (group.freedom >= kFewest)
            usable.push_back(group);
    }
    prior.mean = prior.total > 0 ? sum / prior.total : 0;
    prior.common = commonSpread(std::move(usable));
    return prior;
}

void SpreadSum::add(NoiseSpread part) {
    m_variance += part.variance;
    if (part.variance > 0)
        m_squares += part.variance * part.variance / part.freedom;
}

double SpreadSum::freedom() const {
    return m_squares > 0 ? m_variance * m_variance / m_squares : kInfinity;
}

} // namespace scanloupe
