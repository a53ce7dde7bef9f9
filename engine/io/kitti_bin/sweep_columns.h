#pragma once
// Declares the detection of the layout of headerless sweeps from their values.
#include "engine/io/common/input_file.h"
#include "engine/io/common/read_options.h"

#include <string>
#include <vector>

namespace scanloupe {

/// Number type and columns of the points in a .bin file.
struct SweepLayout {
    SweepNumberType type = SweepNumberType::float32;
    int columns = 0;   ///< number of columns; 0 if the values are not points
    bool sure = false; ///< whether the content leaves no doubt about the columns

    std::size_t numberSize() const { return type == SweepNumberType::float16 ? 2 : 4; }
    std::size_t pointSize() const { return numberSize() * static_cast<std::size_t>(columns); }
};

/// Detects what `options` do not specify: the number type, by plausible coordinates, and 3 to 6 columns, by
/// the stride with the smallest differences, at which values of the same column are compared.
SweepLayout sniffSweep(const InputFile& file, const ReadOptions& options);

/// Evidence against a requested number of columns.
struct ColumnsProblem {
    std::string what;       ///< message about the evidence; empty if there is none
    int fittingColumns = 0; ///< number of columns that fits better; 0: unknown
};
/// Checks the length and the values of the file: coordinates that no sensor measures, and values that fit
/// another number of columns better. A file that only ends within a point has no problem.
ColumnsProblem columnsProblem(const InputFile& file, const SweepLayout& asked);

/// Returns names for the columns: x, y, z, then colours, normals, intensity, ring and time, depending on
/// their values.
std::vector<std::string> sweepColumnNames(const InputFile& file, const SweepLayout& layout);

} // namespace scanloupe
