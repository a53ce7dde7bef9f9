#include "engine/io/text_columns.h"

#include "engine/io/text_number.h"

#include <algorithm>
#include <cmath>

namespace scanloupe {

namespace {

bool isColour(const std::vector<ColumnSample>& columns, std::size_t first) {
    if (first + 3 > columns.size())
        return false;
    return std::all_of(
        columns.begin() + std::ptrdiff_t(first), columns.begin() + std::ptrdiff_t(first) + 3,
        [](const ColumnSample& c) { return c.numbers && c.whole && c.min >= 0 && c.max <= 255; });
}

bool isNormal(const std::vector<ColumnSample>& columns, std::size_t first) {
    if (first + 3 > columns.size())
        return false;
    return std::all_of(columns.begin() + std::ptrdiff_t(first), columns.begin() + std::ptrdiff_t(first) + 3,
                       [](const ColumnSample& c) { return c.numbers && c.min >= -1.001 && c.max <= 1.001; });
}

} // namespace

void ColumnSample::add(double value, int decimals) {
    if (!std::isfinite(value)) {
        whole = false;
        return;
    }
    min = numbers ? std::min(min, value) : value;
    max = numbers ? std::max(max, value) : value;
    ++numbers;
    whole = whole && value == std::trunc(value);
    floatHolds = floatHolds && scanloupe::floatHolds(value, decimals);
}

ScalarType ColumnSample::type() const {
    if (numbers && whole && min >= 0 && max <= 255)
        return ScalarType::uint8;
    if (numbers && whole && std::max(-min, max) < 2147483647.0)
        return ScalarType::int32;
    return floatHolds ? ScalarType::float32 : ScalarType::float64;
}

std::vector<std::string> guessColumnNames(const std::vector<ColumnSample>& columns, bool pts) {
    std::vector<std::string> names = {"x", "y", "z"};
    const auto add = [&](std::initializer_list<const char*> more) {
        names.insert(names.end(), more.begin(), more.end());
    };
    const std::size_t further = columns.size() < 3 ? 0 : columns.size() - 3;
    const bool intensityFirst = further == 1 || pts || !(isColour(columns, 3) || isNormal(columns, 3));
    if (further >= 1 && intensityFirst)
        add({"intensity"});
    while (names.size() < columns.size()) {
        const std::size_t at = names.size();
        const bool has = std::find(names.begin(), names.end(), "red") != names.end();
        const bool hasNormal = std::find(names.begin(), names.end(), "normal_x") != names.end();
        const bool hasIntensity = std::find(names.begin(), names.end(), "intensity") != names.end();
        if (!has && isColour(columns, at))
            add({"red", "green", "blue"});
        else if (!hasNormal && isNormal(columns, at))
            add({"normal_x", "normal_y", "normal_z"});
        else if (has && names.back() == "blue" && columns[at].min == 255 && columns[at].max == 255)
            add({"alpha"});
        else if (!hasIntensity && at + 1 == columns.size())
            add({"intensity"});
        else
            names.push_back("column_" + std::to_string(at + 1));
    }
    names.resize(columns.size());
    return names;
}

} // namespace scanloupe
