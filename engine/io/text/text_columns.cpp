// Infers types and names of text columns from sampled values.
#include "engine/io/text/text_columns.h"

#include "engine/io/text/text_tokens.h"
#include "kernels/core/scalar_type.h"
#include "kernels/core/vec3.h"

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

void ColumnSample::add(const std::string& token) {
    TextNumber number;
    const bool isNumeric = isNumber(token, number);
    if (!isNumeric || !std::isfinite(number.value)) {
        ++(isNumeric || isMissing(token) ? missing : words);
        return;
    }
    const double value = number.value;
    min = numbers ? std::min(min, value) : value;
    max = numbers ? std::max(max, value) : value;
    consecutive = consecutive && (numbers == 0 || value == last + 1);
    last = value;
    ++numbers;
    whole = whole && value == std::trunc(value);
    digits = digits && isInteger64(token.data(), token.data() + token.size());
    floatHolds = floatHolds && scanloupe::floatHolds(value, number.decimals);
}

ScalarType ColumnSample::type() const {
    if (numbers && whole && missing == 0 && words == 0) {
        if (min >= 0 && max <= 255)
            return ScalarType::uint8;
        if (std::max(-min, max) < 2147483647.0)
            return ScalarType::int32;
        if (digits && std::max(-min, max) >= kExactInteger) {
            constexpr double tooLarge = 9223372036854775808.0; // 2^63, the first value beyond int64
            return max < tooLarge ? ScalarType::int64 : min >= 0 ? ScalarType::uint64 : ScalarType::float64;
        }
    }
    return floatHolds ? ScalarType::float32 : ScalarType::float64;
}

bool arePnezd(const std::vector<ColumnSample>& columns) {
    if (columns.size() != 5 || columns[4].words == 0)
        return false;
    const ColumnSample &point = columns[0], &northing = columns[1], &easting = columns[2];
    const bool isCounter = point.numbers > 1 && point.consecutive;
    const bool hasNumber = point.allWhole() && (isCounter || !(northing.digits && easting.digits));
    return (hasNumber || point.allWords()) &&
           std::all_of(columns.begin() + 1, columns.begin() + 4,
                       [](const ColumnSample& c) { return c.numbers > 0 && c.words == 0; });
}

std::vector<std::string> guessColumnNames(const std::vector<ColumnSample>& columns, bool pts) {
    if (arePnezd(columns))
        return {"point", "y", "x", "z", "description"};
    std::vector<std::string> names;
    const auto add = [&](std::initializer_list<const char*> more) {
        names.insert(names.end(), more.begin(), more.end());
    };
    const auto addNumbered = [&] { names.push_back("column_" + std::to_string(names.size() + 1)); };
    while (names.size() + 3 < columns.size() &&
           columns[names.size()].allWords()) // columns of words, such as point names
        addNumbered();
    add({"x", "y", "z"});
    const std::size_t coordinates = names.size();
    const std::size_t further = columns.size() - std::min(columns.size(), coordinates);
    const bool intensityFirst =
        further == 1 || pts || !(isColour(columns, coordinates) || isNormal(columns, coordinates));
    if (further >= 1 && intensityFirst)
        add({"intensity"});
    while (names.size() < columns.size()) {
        const std::size_t at = names.size();
        const bool hasColours = std::find(names.begin(), names.end(), "red") != names.end();
        const bool hasNormal = std::find(names.begin(), names.end(), "normal_x") != names.end();
        const bool hasIntensity = std::find(names.begin(), names.end(), "intensity") != names.end();
        if (!hasColours && isColour(columns, at))
            add({"red", "green", "blue"});
        else if (!hasNormal && isNormal(columns, at))
            add({"normal_x", "normal_y", "normal_z"});
        else if (hasColours && names.back() == "blue" && columns[at].min == 255 && columns[at].max == 255)
            add({"alpha"});
        else if (!hasIntensity && at + 1 == columns.size())
            add({"intensity"});
        else
            addNumbered();
    }
    names.resize(columns.size());
    return names;
}

} // namespace scanloupe
