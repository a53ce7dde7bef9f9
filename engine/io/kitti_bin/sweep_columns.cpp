// Detects the layout of headerless sweeps from their values.
#include "engine/io/kitti_bin/sweep_columns.h"

#include "engine/io/common/coordinate_spread.h"
#include "engine/io/kitti_bin/sweep_sample.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace scanloupe {

namespace {

/// Returns the mean logarithmic difference between values that are `stride` numbers apart, over every
/// `step`-th window. It is minimal if the stride is the number of columns, since then values of the same
/// column are compared.
double meanLogDifference(const SweepWindows& windows, std::size_t step, std::size_t stride) {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t w = 0; w < windows.size(); w += step) {
        const auto& window = windows[w];
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

/// Whether values are absolute times in units from seconds to nanoseconds. In single precision, such times
/// are almost constant in a sweep.
bool areTimes(const std::vector<double>& values) {
    constexpr double least = 1e8, most = 1e19;
    return !values.empty() && values[0] >= least && values[0] < most &&
           std::ranges::all_of(values, [&](double v) { return std::abs(v - values[0]) <= 1e-3 * values[0]; });
}

/// Returns the number of values in a column of times, which sweeps of 4 to 6 columns may have after x, y and
/// z.
std::size_t countTimes(const SweepWindows& windows) {
    for (const int columns : {4, 5, 6})
        for (int column = 3; column < columns; ++column)
            if (const auto values = columnValues(windows, column, columns); areTimes(values))
                return values.size();
    return 0;
}

/// Whether most values are plausible as metres, intensities or times.
bool isPlausible(const SweepWindows& windows, SweepNumberType type) {
    // Other data read as halves seldom has such magnitudes.
    const bool half = type == SweepNumberType::float16;
    const float least = half ? 1e-4f : 1e-9f, most = half ? 6e4f : 1e8f;
    std::size_t good = 0, count = 0;
    for (const auto& window : windows) {
        for (const float value : window) {
            const float size = std::abs(value);
            good += value == 0 || std::isnan(value) || (size > least && size < most) ? 1 : 0;
            ++count;
        }
    }
    const std::size_t percent = half ? 95 : 90;
    if (!half && good * 100 < count * percent)
        good += countTimes(windows);
    return count > 0 && good * 100 >= count * percent;
}

/// Returns the fraction of coordinates that are infinite or beyond 1e8 m; with `nan`, also of NaN.
double shareOfNonsense(const SweepWindows& windows, int columns, bool nan) {
    std::size_t bad = 0, count = 0;
    for (int axis = 0; axis < 3; ++axis) {
        for (const double value : columnValues(windows, axis, columns)) {
            bad += std::isnan(value) ? nan : std::abs(value) >= 1e8;
            ++count;
        }
    }
    return count > 0 ? double(bad) / double(count) : 0;
}

/// Returns the ratio between the spread of most coordinates and the spread of half of them; up to about 10 in
/// real sweeps.
double spreadRatio(const InputFile& file, const SweepLayout& layout) {
    const auto windows = sampleWindows(file, layout);
    std::array<ValueSpread, 3> spreads;
    parallelFor(3, 1, {}, [&](std::size_t axis, std::size_t) {
        spreads[axis] = measureSpread(columnValues(windows, int(axis), layout.columns));
    });
    ValueSpread widest;
    for (const ValueSpread& spread : spreads)
        widest = {std::max(widest.medianDeviation, spread.medianDeviation),
                  std::max(widest.deviation95, spread.deviation95)};
    return widest.medianDeviation > 0 ? widest.deviation95 / widest.medianDeviation : 1;
}

/// Scores for the possible numbers of columns; a lower score is better.
class ColumnScores {
public:
    /// @param step only every step-th window is used
    ColumnScores(const SweepWindows& windows, std::size_t step) {
        parallelFor(4, 1, {},
                    [&](std::size_t i,
                        std::size_t) { // in parallel, since scoring took half of the time for reading a sweep
                        m_scores[3 + i] = meanLogDifference(windows, step, 3 + i);
                    });
    }
    /// Returns the allowed number of columns with the best score; 0 if there is none.
    template <class Allowed>
    int best(Allowed&& allowed) const {
        const int found = lowest(allowed);
        return found == 6 && score(3) < 1.1 * score(6) ? 3 : found;
    }
    /// Whether the score of `columns` is below `share` times the lowest score of the other numbers of
    /// columns.
    bool isBelow(double share, int columns) const {
        // Points with 3 columns also match at a stride of 6.
        const int second =
            lowest([&](int other) { return other != columns && !(columns == 3 && other == 6); });
        return score(columns) < share * score(second);
    }

private:
    double score(int columns) const { return m_scores[std::size_t(columns)]; }
    template <class Allowed>
    int lowest(Allowed&& allowed) const {
        int found = 0;
        for (const int columns : {3, 4, 5, 6})
            if (allowed(columns) && (found == 0 || score(columns) < score(found)))
                found = columns;
        return found;
    }
    std::array<double, 7> m_scores{};
};

/// Guesses the number of columns for the layout's number type.
SweepLayout guessColumns(const InputFile& file, const SweepLayout& layout, const SweepWindows& windows) {
    constexpr double clearly = 0.8;
    constexpr double beyondDoubt = 0.6; // relative score below which some of the windows are sufficient
    constexpr std::size_t part = 4;
    const auto any = [](int) { return true; };
    const auto divides = [&](int columns) {
        return file.size() % (layout.numberSize() * std::uint64_t(columns)) == 0;
    };
    if (windows.size() >= 64 * part) {
        const ColumnScores scores(windows, part);
        const int likely = scores.best(any);
        if (scores.isBelow(beyondDoubt, likely))
            return {layout.type, likely, true};
    }
    const ColumnScores scores(windows, 1);
    const int likely = scores.best(any);
    if (scores.isBelow(clearly, likely))
        return {layout.type, likely, true};
    const int fitting = scores.best(divides);
    if (fitting == 0)
        return {layout.type, likely, false};
    const int fits = int(divides(3)) + int(divides(4)) + int(divides(5)) + int(divides(6));
    return {layout.type, fitting, fits == 1 || scores.isBelow(clearly, fitting)};
}

/// Properties of a column in the sample.
struct ColumnTraits {
    bool unitInterval = true; ///< whether all values are from 0 to 1
    bool byte = true;         ///< whether all values are from 0 to 255
    bool whole = true;
    bool ring = true; ///< whether all values are integers below 1024

    explicit ColumnTraits(const std::vector<double>& values) {
        for (const double v : values) {
            const bool isWhole = v == std::floor(v);
            unitInterval = unitInterval && v >= 0 && v <= 1;
            byte = byte && v >= 0 && v <= 255;
            whole = whole && isWhole;
            ring = ring && isWhole && v >= 0 && v < 1024;
        }
    }
};

/// Returns the Pearson correlation of two columns; 0 if one of them is constant.
double correlation(const std::vector<double>& a, const std::vector<double>& b) {
    double sumA = 0, sumB = 0, sumAA = 0, sumBB = 0, sumAB = 0;
    const auto n = static_cast<double>(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        sumA += a[i];
        sumB += b[i];
        sumAA += a[i] * a[i];
        sumBB += b[i] * b[i];
        sumAB += a[i] * b[i];
    }
    const double spread = (n * sumAA - sumA * sumA) * (n * sumBB - sumB * sumB);
    return spread > 0 ? (n * sumAB - sumA * sumB) / std::sqrt(spread) : 0;
}

enum class TripleKind { normals, colours, others };

/// Classifies the last three of six columns. Colours are in 0 to 255, and are integers or correlated.
TripleKind classifyLastThree(const SweepWindows& windows) {
    std::array<std::vector<double>, 3> c;
    for (int i = 0; i < 3; ++i) {
        c[std::size_t(i)] = columnValues(windows, 3 + i, 6);
        c[std::size_t(i)].resize(std::min(c[0].size(), c[std::size_t(i)].size()));
    }
    const std::size_t count = c[2].size();
    bool unit = true;
    for (std::size_t i = 0; i < count; ++i)
        unit = unit && std::abs(c[0][i] * c[0][i] + c[1][i] * c[1][i] + c[2][i] * c[2][i] - 1) < 0.02;
    if (unit)
        return TripleKind::normals;
    c[0].resize(count);
    c[1].resize(count);
    const auto all = [&](bool ColumnTraits::*trait) {
        return std::all_of(c.begin(), c.end(),
                           [&](const auto& values) { return ColumnTraits(values).*trait; });
    };
    constexpr double together = 0.5;
    const bool alike = correlation(c[0], c[1]) > together && correlation(c[1], c[2]) > together;
    const bool colours = all(&ColumnTraits::byte) && (all(&ColumnTraits::whole) || alike);
    return colours ? TripleKind::colours : TripleKind::others;
}

} // namespace

SweepLayout sniffSweep(const InputFile& file, const ReadOptions& options) {
    const auto sniff = [&](SweepNumberType type) {
        const SweepLayout layout{type, options.columns, true};
        const auto windows = sampleWindows(file, layout);
        if (!isPlausible(windows, type))
            return SweepLayout{type, 0, false};
        return options.columns == 0 ? guessColumns(file, layout, windows) : layout;
    };
    if (options.type != SweepNumberType::byContent)
        return options.columns == 0 ? sniff(options.type) : SweepLayout{options.type, options.columns, true};
    // A half has five exponent bits, a float eight. If halves are read as floats, a ratio of 2 between
    // coordinates becomes 256.
    constexpr double suspicious = 50;
    const SweepLayout single = sniff(SweepNumberType::float32);
    const double singleRatio =
        single.columns == 0 ? std::numeric_limits<double>::infinity() : spreadRatio(file, single);
    if (singleRatio > suspicious) {
        const SweepLayout half = sniff(SweepNumberType::float16);
        if (half.columns != 0 && spreadRatio(file, half) < std::min(suspicious, std::sqrt(singleRatio)))
            return half;
    }
    return options.columns == 0 ? single : SweepLayout{SweepNumberType::float32, options.columns, true};
}

ColumnsProblem columnsProblem(const InputFile& file, const SweepLayout& asked) {
    if (asked.columns == 0)
        return {}; // no number of columns was requested
    constexpr double clearly = 0.8;
    constexpr std::size_t enough = 64; // minimum number of points for a judgement
    const SweepWindows windows = sampleWindows(file, asked);
    const SweepWindows plain = sampleWindows(file, {asked.type, 0, true}); // windows that begin at points of
                                                                           // 3 to 6 columns
    const bool isPlain = isPlausible(plain, asked.type);
    const SweepLayout fitting =
        isPlain ? guessColumns(file, {asked.type, 0, true}, plain) : SweepLayout{asked.type, 0, false};
    const bool isFitting = fitting.columns == asked.columns;
    const std::string of = std::to_string(asked.columns);
    const std::uint64_t numbers = file.size() / asked.numberSize();
    const bool isWhole = file.size() % asked.pointSize() == 0;
    const bool fitsBetter = fitting.columns != 0 && file.size() % fitting.pointSize() == 0;
    if (!isFitting && !isWhole && fitsBetter)
        return {"its " + std::to_string(numbers) + " numbers make no whole points of " + of, fitting.columns};
    if (numbers / std::uint64_t(asked.columns) < enough)
        return {};
    // Correct columns may be NaN at points without a return.
    if (const double share = shareOfNonsense(windows, asked.columns, !isFitting); share > 0.05)
        return {"with " + of + " a point, " + std::to_string(int(std::round(100 * share))) +
                    " % of the coordinates are NaN, infinite or farther than 1e8 m",
                isFitting ? 0 : fitting.columns};
    constexpr double absurd = 1000; // 100 times the ratio in real sweeps
    if (spreadRatio(file, asked) > absurd)
        return {"with " + of + " a point, its coordinates spread over many powers of ten",
                isFitting ? 0 : fitting.columns};
    if (isFitting)
        return {};
    const auto difference = [&](int columns) {
        return meanLogDifference(windows, 1, static_cast<std::size_t>(columns));
    };
    if (fitting.columns != 0 && fitting.sure &&
        difference(fitting.columns) < clearly * difference(asked.columns))
        return {"numbers that are " + std::to_string(fitting.columns) +
                    " apart resemble each other, and those that are " + of + " apart do not",
                fitting.columns};
    return {};
}

std::vector<std::string> sweepColumnNames(const InputFile& file, const SweepLayout& layout) {
    const int columns = layout.columns;
    const auto windows = sampleWindows(file, layout);
    std::vector<std::string> names = {"x", "y", "z"};
    const auto add = [&](std::initializer_list<const char*> more) {
        names.insert(names.end(), more.begin(), more.end());
    };
    const bool ring = columns >= 5 && ColumnTraits(columnValues(windows, 4, columns)).ring;
    const TripleKind lastThree = columns == 6 ? classifyLastThree(windows) : TripleKind::others;
    if (lastThree == TripleKind::normals)
        add({"normal_x", "normal_y", "normal_z"});
    else if (lastThree == TripleKind::colours)
        add({"red", "green", "blue"});
    else if (columns == 6 && ring)
        add({"intensity", "ring", "time"});
    else if (columns >= 4 && columns != 6) // three columns that are not recognized get neutral names
        add({"intensity"});
    if (columns >= 5 && columns != 6)
        add({ring ? "ring" : "time"});
    while (names.size() < std::size_t(columns))
        names.push_back("column_" + std::to_string(names.size() + 1));
    return names;
}

} // namespace scanloupe
