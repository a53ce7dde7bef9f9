#pragma once
// Declares the inference of types and names of text columns from sampled values.
#include <cstdint>
#include <string>
#include <vector>

namespace scanloupe {

enum class ScalarType : std::uint8_t;

/// Statistics of a column over the first rows.
struct ColumnSample {
    std::size_t numbers = 0; ///< number of rows with a finite number
    std::size_t missing = 0; ///< number of rows with NaN, infinity or no value
    std::size_t words = 0;   ///< number of rows with other content
    double min = 0, max = 0;
    double last = 0;         ///< the latest number
    bool whole = true;       ///< whether all numbers are integers
    bool digits = true;      ///< whether all numbers are written without a decimal point or an exponent
    bool consecutive = true; ///< whether each number is the previous number plus 1
    bool floatHolds = true;  ///< whether single precision represents all numbers as written

    void add(const std::string& token);
    /// Returns whether all values are integers that are written without a decimal point or an exponent.
    bool allWhole() const { return whole && digits && missing == 0 && words == 0; }
    /// Returns whether no value is a number, and at least one is a word.
    bool allWords() const { return words > 0 && numbers == 0; }
    /// Returns the narrowest type for the sampled values. Later rows may require a wider type.
    ScalarType type() const;
};

/// Returns whether the columns look like PNEZD (point number or name, northing, easting, elevation,
/// description), which survey programs export without a header.
bool arePnezd(const std::vector<ColumnSample>& columns);

/// Returns names for the columns of a file without a header. PNEZD columns get their names. Otherwise the
/// columns are x, y, z, possibly after columns of words, followed by intensity, colours and normals if the
/// values permit. @param pts whether the file is PTS, where the intensity precedes the colours
std::vector<std::string> guessColumnNames(const std::vector<ColumnSample>& columns, bool pts);

} // namespace scanloupe
