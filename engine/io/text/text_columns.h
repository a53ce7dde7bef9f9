#pragma once
// Declares the inference of types and names of text columns from sampled values.
#include <cstdint>
#include <string>
#include <vector>

namespace scanloupe {

enum class ScalarType : std::uint8_t;

/// Statistics of one column over the first rows.
struct ColumnSample {
    std::size_t numbers = 0; ///< number of rows with a finite number
    std::size_t missing = 0; ///< number of rows with NaN, infinity or no value
    std::size_t words = 0;   ///< number of rows with other content
    double min = 0, max = 0;
    double last = 0;         ///< the last number
    bool whole = true;       ///< all numbers are integers
    bool digits = true;      ///< all numbers are written as integers, without a point or an exponent
    bool consecutive = true; ///< each number is one more than the last
    bool floatHolds = true;  ///< single precision holds all of them

    void add(const std::string& token);
    /// True when all values are integers, written as such.
    bool allWhole() const { return whole && digits && missing == 0 && words == 0; }
    /// True when no value is a number, and some are words.
    bool allWords() const { return words > 0 && numbers == 0; }
    /// The narrowest type that represents the sample; later rows may widen it.
    ScalarType type() const;
};

/// True when the values look like PNEZD (point number or name, northing, easting, elevation, description), as
/// survey programs export them without a header.
bool arePnezd(const std::vector<ColumnSample>& columns);

/// Names for columns without any: those of PNEZD, or x, y, z after columns of words, then intensity, colours
/// and normals as their values allow. A PTS file has the intensity before the colours.
std::vector<std::string> guessColumnNames(const std::vector<ColumnSample>& columns, bool pts);

} // namespace scanloupe
