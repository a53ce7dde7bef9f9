#pragma once
// How many floats a point a headerless sweep has, told by its content.
#include "engine/io/input_file.h"

#include <string>
#include <vector>

namespace scanloupe {

struct SweepColumns {
    int columns = 0;   ///< 3 to 6; 0 when nothing looks like points
    bool sure = false; ///< no other number comes near
};

/// Looks at samples from all over the file.
SweepColumns guessSweepColumns(const InputFile& file);

/// Names for the columns: x, y, z, intensity, then ring or time, or what the values look like.
std::vector<std::string> sweepColumnNames(const InputFile& file, int columns);

} // namespace scanloupe
