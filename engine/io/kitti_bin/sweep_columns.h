#pragma once
// Declares the detection of the layout of headerless sweeps from their values.
#include "engine/io/common/input_file.h"
#include "engine/io/common/read_options.h"

#include <string>
#include <vector>

namespace scanloupe {

/// The number type and the columns of points in a .bin file.
struct SweepLayout {
    SweepNumberType type = SweepNumberType::float32;
    int columns = 0;   ///< 0: the values are not points
    bool sure = false; ///< the content leaves no doubt about the columns

    std::size_t numberSize() const { return type == SweepNumberType::float16 ? 2 : 4; }
    std::size_t pointSize() const { return numberSize() * static_cast<std::size_t>(columns); }
};

/// Detects by content what `options` leave open: the type with plausible coordinates, and 3, 4, 5 or 6
/// columns, by the stride with the smallest differences, where values of the same column are compared.
SweepLayout sniffSweep(const InputFile& file, const ReadOptions& options);

/// Evidence against a requested number of columns.
struct ColumnsProblem {
    std::string what; ///< a phrase: "the file's 20 numbers make no whole points of 6"; empty: no evidence
    int fittingColumns = 0; ///< number of columns that fits better; 0: none is known
};
/// Checks the length of the file and its values: coordinates that no sensor measures, and values that match
/// better with another number of columns. A file that only ends within a point has no problem.
ColumnsProblem columnsProblem(const InputFile& file, const SweepLayout& asked);

/// Names for the columns: x, y, z, then colours, normals, intensity, ring and time as their values allow.
std::vector<std::string> sweepColumnNames(const InputFile& file, const SweepLayout& layout);

} // namespace scanloupe
