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

/// Detects by content what `options` leave open: the type that makes the coordinates plausible, and 3, 4, 5
/// or 6 columns, by the stride at which values differ least, since they are of the same column then.
SweepLayout sniffSweep(const InputFile& file, const ReadOptions& options);

/// What speaks against a number of columns that was asked for.
struct ColumnsProblem {
    std::string what; ///< a phrase: "the file's 20 numbers make no whole points of 6"; empty: nothing does
    int fittingColumns = 0; ///< that fit better; 0: none is known
};
/// Looks at the length of the file and at its values: coordinates that no sensor measures, and values that
/// resemble those another number of columns apart. A file that only ends within a point has no problem.
ColumnsProblem columnsProblem(const InputFile& file, const SweepLayout& asked);

/// Names for the columns: x, y, z, then colours, normals, intensity, ring and time as their values allow.
std::vector<std::string> sweepColumnNames(const InputFile& file, const SweepLayout& layout);

} // namespace scanloupe
