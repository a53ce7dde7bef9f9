#pragma once
// Declares coordinates of points in the type of their file.
#include "kernels/core/buffer.h"
#include "kernels/core/vec3.h"

#include <variant>

namespace scanloupe {

/// Coordinates as the file stores them, [N, 3].
struct FloatPositions {
    Buffer<Vec3f> xyz;
};
struct DoublePositions {
    Buffer<Vec3d> xyz;
    int decimals = -1; ///< number of decimal places in a text file; -1: not from a text file
};
/// Per axis, coordinate = integer * scale + offset; see ScaledFrame.
struct ScaledPositions {
    Buffer<Vec3i> xyz;
    Vec3d scale, offset;
};
using Positions = std::variant<FloatPositions, DoublePositions, ScaledPositions>;

} // namespace scanloupe
