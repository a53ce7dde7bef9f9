#pragma once
// Declares functions that users write in CUDA for a field.
#include "kernels/field/core/scalar_field.h"
#include "kernels/formula/trusted_code.h"

#include <cstdint>
#include <stop_token>

namespace scanloupe {

/// The coordinates that a function of a field receives.
struct FieldFrame {
    Vec3d origin;               ///< origin of the field's frame, in the file's frame
    Vec3d up;                   ///< unit vector that heights are measured along
    float level = 0, slope = 1; ///< value at the surface; change of the value per metre inwards, not 0
};

namespace cuda {

/// Applies a file's float field(Node). `Node` has x, y, z and height in the file's frame, `size`, the edge of
/// a cell, and `depth`, the depth of the place below the surface, metres, negative outside, and two edges
/// outside if the field has no value; all as double. The function returns the new depth of the place; NaN, or
/// the same depth, keeps the value. Bricks are added where it makes a surface. No thread runs longer than two
/// seconds.
/// @param most maximum number of bricks of the field
/// @note Synchronizes with `stream`. @throws KernelError with the line of the file: see GuardedModule; when
/// the lattice or the field would have too many bricks; Cancelled
ScalarField applyFunction(const ScalarField& field, const TrustedCudaFile& file, const FieldFrame& frame,
                          std::uint64_t most, const std::stop_token& stop, StreamView stream);

} // namespace cuda

} // namespace scanloupe
