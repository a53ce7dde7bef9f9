#pragma once
// Declares functions that people write in CUDA for a field.
#include "kernels/field/core/scalar_field.h"
#include "kernels/formula/trusted_code.h"

#include <cstdint>
#include <stop_token>

namespace scanloupe {

/// How a function sees a field.
struct FieldFrame {
    Vec3d origin;               ///< of the field's frame, in the file's frame
    Vec3d up;                   ///< unit vector that heights are measured along
    float level = 0, slope = 1; ///< value at the surface; change of the value per metre inwards, not 0
};

namespace cuda {

/// The field as a file's float field(Node) makes it. `Node` has x, y, z and height in the file's frame,
/// `size`, the edge of a cell, and `depth`, the metres that the place lies below the surface, negative
/// outside, two edges outside where the field has no value; all as double. The function gives the depth that
/// the place is to have; NaN, or the same depth, leaves it as it is. Bricks are added where it makes a
/// surface. No thread works longer than two seconds.
/// @param most bricks that the field may have
/// @note Synchronizes with `stream`. @throws KernelError with the line of the file: see GuardedModule; when
/// the lattice or the field would have too many bricks; Cancelled
ScalarField applyFunction(const ScalarField& field, const TrustedCudaFile& file, const FieldFrame& frame,
                          std::uint64_t most, const std::stop_token& stop, StreamView stream);

} // namespace cuda

} // namespace scanloupe
