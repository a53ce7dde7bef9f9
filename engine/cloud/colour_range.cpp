// Determines the full scale of a cloud's colours from declared ranges, number types and a high quantile.
#include "engine/cloud/colour_range.h"

#include "engine/cloud/attribute.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace scanloupe::detail {

namespace {

constexpr std::size_t kSampleSize = 20'000; // number of points
constexpr double kBrightQuantile = 0.99;    // fraction of the values that must be inside the range
constexpr double kMaxUnitRange = 1.5;       // floats of 0..1 may exceed 1 by rounding and interpolation

/// Returns the 99 % quantile of a sample of all three colours; 0 without finite values.
double robustMaximum(const std::array<const Attribute*, 3>& colours, std::size_t size) {
    const std::size_t stride = std::max<std::size_t>(1, size / kSampleSize);
    std::vector<double> values;
    for (const Attribute* colour : colours)
        for (std::size_t i = 0; i < size; i += stride)
            if (const double value = colour->value(i); std::isfinite(value))
                values.push_back(value);
    if (values.empty())
        return 0;
    const auto at = values.begin() + std::ptrdiff_t(kBrightQuantile * double(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

bool isFloating(ScalarType type) {
    return type >= ScalarType::float32;
}

} // namespace

std::optional<ValueRange> colourRange(std::span<const Attribute> attributes, std::size_t size) {
    constexpr std::array names{"red", "green", "blue"};
    std::array<const Attribute*, 3> colours{};
    for (std::size_t c = 0; c < colours.size(); ++c) {
        const auto found = std::find_if(attributes.begin(), attributes.end(),
                                        [&](const Attribute& one) { return one.name == names[c]; });
        if (found == attributes.end())
            return std::nullopt;
        colours[c] = &*found;
    }
    const auto all = [&](auto&& test) { return std::all_of(colours.begin(), colours.end(), test); };
    if (all([](const Attribute* c) { return c->declared && c->declared->min < c->declared->max; }))
        return ValueRange{
            std::min({colours[0]->declared->min, colours[1]->declared->min, colours[2]->declared->min}),
            std::max({colours[0]->declared->max, colours[1]->declared->max, colours[2]->declared->max})};
    constexpr ValueRange bytes{0, 255}, words{0, 65535}, unit{0, 1};
    if (all([](const Attribute* c) { return sizeOf(c->type) == 1; }))
        return bytes;
    const double brightest = robustMaximum(colours, size);
    if (all([](const Attribute* c) { return isFloating(c->type); }) && brightest <= kMaxUnitRange)
        return unit;
    return brightest <= bytes.max ? bytes : words;
}

} // namespace scanloupe::detail
