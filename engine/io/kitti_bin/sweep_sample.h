#pragma once
// Declares the samples of a headerless sweep from which its layout is detected.
#include "engine/io/kitti_bin/sweep_columns.h"

namespace scanloupe {

using SweepWindows = std::vector<std::vector<float>>;

/// Windows of numbers from all over the file, each of complete points for 3, 4, 5, 6 and layout.columns
/// columns alike; a single shorter one for small files.
SweepWindows sampleWindows(const InputFile& file, const SweepLayout& layout);

/// The values of one column.
std::vector<double> columnValues(const SweepWindows& windows, int column, int columns);

} // namespace scanloupe
