// Maps values to positions of a slider, and rounds them to few digits.
#include "gui/sliders/value_scale.h"

#include <algorithm>
#include <cmath>

namespace scanloupe::gui {

double roundToResolution(double value, double resolution) {
    if (!(resolution > 0) || !std::isfinite(value))
        return value;
    const int exponent = int(std::floor(std::log10(resolution)));
    // dividing by a power of ten gives the double that is nearest to the decimal number
    const double power = std::pow(10.0, std::abs(exponent));
    return exponent < 0 ? std::round(value * power) / power : std::round(value / power) * power;
}

int ValueScale::position(double v) const {
    if (zeroFirst && v <= 0)
        return 0;
    const double part =
        logarithmic ? std::log(std::max(v, low) / low) / std::log(high / low) : (v - low) / (high - low);
    if (!std::isfinite(part)) // low == high
        return 0;
    const int first = zeroFirst ? 1 : 0;
    return first + int(std::lround(std::clamp(part, 0.0, 1.0) * (kSteps - first)));
}

double ValueScale::value(int at) const {
    if (zeroFirst && at <= 0)
        return 0;
    const int first = zeroFirst ? 1 : 0;
    const double part = double(at - first) / (kSteps - first);
    if (part <= 0)
        return low;
    if (part >= 1)
        return high;
    const double exact = logarithmic ? low * std::pow(high / low, part) : low + part * (high - low);
    if (whole)
        return std::round(exact);
    const double step = logarithmic ? exact * std::log(high / low) / kSteps : (high - low) / kSteps;
    return std::clamp(roundToResolution(exact, step), low, high);
}

} // namespace scanloupe::gui
