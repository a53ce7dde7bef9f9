#pragma once
// Samples of a headerless sweep, by which its layout is told.
#include "engine/io/sweep_columns.h"

namespace scanloupe {

using SweepWindows = std::vector<std::vector<float>>;

/// Windows of numbers from all over the file, each of whole points for 3, 4, 5, 6 and layout.columns columns
/// alike; a short one for small files.
SweepWindows sampleWindows(const InputFile& file, const SweepLayout& layout);

/// The values of one column.
std::vector<double> columnValues(const SweepWindows& windows, int column, int columns);

} // namespace scanloupe
