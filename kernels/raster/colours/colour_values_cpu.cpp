// Gathers values and colours, and finds the limits of values, on the CPU.
#include "kernels/raster/colours/colour_values.h"

#include "kernels/core/parallel.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <vector>

namespace scanloupe {

ValueLimits valueLimits(float least, float low, float high, float greatest) {
    if (low < high)
        return {low, high};
    return {least, std::max(greatest, std::nextafter(least, std::numeric_limits<float>::max()))};
}

namespace cpu {

namespace {

constexpr std::size_t kColourValuesGrain = 1 << 15;

template <class T, class At>
Buffer<T> filled(std::size_t count, const std::stop_token& stop, At&& at) {
    auto values = Buffer<T>::host(count);
    parallelFor(count, kColourValuesGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            values[i] = at(i);
    });
    return values;
}

} // namespace

Buffer<float> gatherValues(const ValueColumn& column, std::size_t count, const std::stop_token& stop) {
    return filled<float>(count, stop, [&](std::size_t i) { return valueAt(column, i); });
}

Buffer<float> gatherValues(const ValueColumn& column, std::span<const std::uint32_t> indices,
                           const std::stop_token& stop) {
    return filled<float>(indices.size(), stop, [&](std::size_t i) {
        return indices[i] == kNoValueIndex ? std::numeric_limits<float>::quiet_NaN()
                                           : valueAt(column, indices[i]);
    });
}

Buffer<std::uint32_t> gatherColours(const ColourColumns& columns, std::size_t count,
                                    const std::stop_token& stop) {
    return filled<std::uint32_t>(count, stop, [&](std::size_t i) { return colourAt(columns, i); });
}

Buffer<std::uint32_t> gatherColours(const ColourColumns& columns, std::span<const std::uint32_t> indices,
                                    const std::stop_token& stop) {
    return filled<std::uint32_t>(indices.size(), stop, [&](std::size_t i) {
        return indices[i] == kNoValueIndex ? 0 : colourAt(columns, indices[i]);
    });
}

Buffer<std::uint32_t> gatherColours(const ClassColumn& column, std::size_t count,
                                    const std::stop_token& stop) {
    return filled<std::uint32_t>(count, stop, [&](std::size_t i) { return column.colours[column.codes[i]]; });
}

Buffer<std::uint32_t> gatherColours(const ClassColumn& column, std::span<const std::uint32_t> indices,
                                    const std::stop_token& stop) {
    return filled<std::uint32_t>(indices.size(), stop, [&](std::size_t i) {
        return indices[i] == kNoValueIndex ? 0 : column.colours[column.codes[indices[i]]];
    });
}

Buffer<std::uint8_t> presentClasses(const std::uint32_t* codes, const std::uint32_t* mask, std::size_t count,
                                    std::size_t classes, const std::stop_token& stop) {
    auto present = Buffer<std::uint8_t>::host(classes);
    std::fill(present.span().begin(), present.span().end(), std::uint8_t{0});
    parallelFor(count, kColourValuesGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (mask && mask[i] == kNoValueIndex)
                continue;
            const std::atomic_ref<std::uint8_t> flag(present[codes[i]]);
            if (flag.load(std::memory_order_relaxed) == 0)
                flag.store(1, std::memory_order_relaxed);
        }
    });
    return present;
}

ValueLimits limitsOf(std::span<const float> values) {
    std::vector<float> finite(values.begin(), values.end());
    std::erase_if(finite, [](float v) { return !std::isfinite(v); });
    if (finite.empty())
        return {};
    const auto quantile = [&](double share) {
        const auto at = finite.begin() + std::ptrdiff_t(share * double(finite.size() - 1));
        std::nth_element(finite.begin(), at, finite.end());
        return *at;
    };
    const float low = quantile(0.02), high = quantile(0.98);
    const auto [least, greatest] = std::minmax_element(finite.begin(), finite.end());
    return valueLimits(*least, low, high, *greatest);
}

} // namespace cpu

} // namespace scanloupe
