// Samples the numbers of a headerless sweep.
#include "engine/io/kitti_bin/sweep_sample.h"

#include "engine/io/common/half_float.h"

#include <algorithm>
#include <numeric>

namespace scanloupe {

namespace {
constexpr std::size_t kWindow = 240; // length of a window in numbers; a multiple of 3, 4, 5 and 6
constexpr std::size_t kMaxWindows = 512;
} // namespace

SweepWindows sampleWindows(const InputFile& file, const SweepLayout& layout) {
    const std::size_t size = layout.numberSize();
    const auto numbers = static_cast<std::size_t>(file.size() / size);
    const std::size_t window =
        layout.columns > 6 ? std::lcm(kWindow, static_cast<std::size_t>(layout.columns)) : kWindow;
    const std::size_t all = std::max<std::size_t>(1, numbers / window);
    const std::size_t count = std::min(all, kMaxWindows);
    SweepWindows windows;
    std::vector<std::uint16_t> halves;
    for (std::size_t w = 0; w < count; ++w) {
        const std::size_t at = all * w / count * window;
        std::vector<float> values(std::min(window, numbers - at));
        if (layout.type == SweepNumberType::float16) {
            halves.resize(values.size());
            file.read(at * size, std::as_writable_bytes(std::span(halves)));
            std::transform(halves.begin(), halves.end(), values.begin(), fromHalf);
        } else {
            file.read(at * size, std::as_writable_bytes(std::span(values)));
        }
        windows.push_back(std::move(values));
    }
    return windows;
}

std::vector<double> columnValues(const SweepWindows& windows, int column, int columns) {
    std::vector<double> values;
    for (const auto& window : windows)
        for (std::size_t i = static_cast<std::size_t>(column); i < window.size();
             i += static_cast<std::size_t>(columns))
            values.push_back(window[i]);
    return values;
}

} // namespace scanloupe
