#include "engine/io/sweep_columns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace scanloupe {

namespace {

constexpr std::size_t kWindow = 240; // floats: whole points for 3, 4, 5 and 6 columns alike
constexpr std::size_t kMostWindows = 512;

/// Windows from all over the file, each of whole points whatever the number of columns; a short one for small
/// files.
std::vector<std::vector<float>> sampleWindows(const InputFile& file) {
    const auto floats = static_cast<std::size_t>(file.size() / 4);
    const std::size_t all = std::max<std::size_t>(1, floats / kWindow);
    const std::size_t count = std::min(all, kMostWindows);
    std::vector<std::vector<float>> windows;
    for (std::size_t w = 0; w < count; ++w) {
        const std::size_t at = all * w / count * kWindow;
        std::vector<float> window(std::min(kWindow, floats - at));
        file.read(at * 4, std::as_writable_bytes(std::span(window)));
        windows.push_back(std::move(window));
    }
    return windows;
}

/// How much values differ from those `stride` floats before: least where the stride is that of the points,
/// for then like is compared with like.
double unlikeness(const std::vector<std::vector<float>>& windows, std::size_t stride) {
    double sum = 0;
    std::size_t count = 0;
    for (const auto& window : windows) {
        for (std::size_t i = stride; i < window.size(); ++i) {
            const double difference = std::abs(double(window[i]) - double(window[i - stride]));
            if (!std::isfinite(difference))
                continue;
            sum += std::log1p(difference);
            ++count;
        }
    }
    return count ? sum / static_cast<double>(count) : 0;
}

/// True when most values could be metres, intensities or seconds.
bool plausible(const std::vector<std::vector<float>>& windows) {
    std::size_t good = 0, count = 0;
    for (const auto& window : windows) {
        for (const float value : window) {
            const float size = std::abs(value);
            good += value == 0 || std::isnan(value) || (size > 1e-9f && size < 1e8f) ? 1 : 0;
            ++count;
        }
    }
    return count > 0 && good * 10 >= count * 9;
}

} // namespace

SweepColumns guessSweepColumns(const InputFile& file) {
    const auto windows = sampleWindows(file);
    if (!plausible(windows))
        return {};
    constexpr double clearly = 0.8;
    std::array<double, 7> score{};
    for (const int columns : {3, 4, 5, 6})
        score[std::size_t(columns)] = unlikeness(windows, std::size_t(columns));
    const auto divides = [&](int columns) { return file.size() % (4 * std::uint64_t(columns)) == 0; };
    const auto best = [&](auto&& allowed) {
        int found = 0;
        for (const int columns : {3, 4, 5, 6})
            if (allowed(columns) && (found == 0 || score[std::size_t(columns)] < score[std::size_t(found)]))
                found = columns;
        return found;
    };
    const auto clear = [&](int columns) {
        // points of 3 floats look alike in pairs too
        const int second = best([&](int other) { return other != columns && !(columns == 3 && other == 6); });
        return score[std::size_t(columns)] < clearly * score[std::size_t(second)];
    };
    const auto preferThree = [&](int columns) {
        return columns == 6 && score[3] < 1.1 * score[6] ? 3 : columns;
    };
    const int likely = preferThree(best([](int) { return true; }));
    if (clear(likely))
        return {likely, true};
    const int fitting = preferThree(best(divides));
    if (fitting == 0)
        return {likely, false};
    const int fits = int(divides(3)) + int(divides(4)) + int(divides(5)) + int(divides(6));
    return {fitting, fits == 1 || clear(fitting)};
}

std::vector<std::string> sweepColumnNames(const InputFile& file, int columns) {
    std::vector<std::string> names = {"x", "y", "z"};
    if (columns == 6) {
        // three more of one kind are normals or colours
        bool unit = true, colour = true;
        for (const auto& window : sampleWindows(file)) {
            for (std::size_t i = 0; i + 5 < window.size(); i += 6) {
                const float a = window[i + 3], b = window[i + 4], c = window[i + 5];
                unit = unit && std::abs(a * a + b * b + c * c - 1) < 0.02f;
                for (const float v : {a, b, c})
                    colour = colour && v >= 0 && v <= 255 && v == std::floor(v);
            }
        }
        if (unit || colour) {
            for (const char* name : {"x", "y", "z"}) {
                const int axis = name[0] - 'x';
                const char* parts[] = {"red", "green", "blue"};
                names.push_back(unit ? std::string("normal_") + name : parts[axis]);
            }
            return names;
        }
    }
    if (columns >= 4)
        names.push_back("intensity");
    if (columns >= 5) {
        bool whole = true;
        for (const auto& window : sampleWindows(file)) {
            if (kWindow % std::size_t(columns) != 0)
                break; // windows do not begin at a point then
            for (std::size_t i = 4; i < window.size(); i += std::size_t(columns))
                whole = whole && window[i] >= 0 && window[i] < 1024 && window[i] == std::floor(window[i]);
        }
        names.push_back(whole ? "ring" : "time");
    }
    if (columns == 6 && names.back() == "ring")
        names.push_back("time");
    while (names.size() < std::size_t(columns))
        names.push_back("column_" + std::to_string(names.size() + 1));
    return names;
}

} // namespace scanloupe
