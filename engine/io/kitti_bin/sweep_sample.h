#pragma once
// Declares the samples of a headerless sweep from which its layout is detected.
#include "engine/io/kitti_bin/sweep_columns.h"

namespace scanloupe {

using SweepWindows = std::vector<std::vector<float>>;

/// Returns windows of numbers from all parts of the file. Each consists of complete points for 3, 4, 5, 6 and
/// layout.columns columns. Small files have a single, shorter window.
SweepWindows sampleWindows(const InputFile& file, const SweepLayout& layout);

/// Returns the values of a column.
std::vector<double> columnValues(const SweepWindows& windows, int column, int columns);

} // namespace scanloupe
