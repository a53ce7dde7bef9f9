#pragma once
// Declares functions over a field that users write in CUDA.
#include "kernels/field/core/scalar_field.h"
#include "kernels/formula/trusted_code.h"

#include <cstdint>
#include <stop_token>

namespace scanloupe {

/// The coordinate frame and value scale for a user's function over a field.
struct FieldFrame {
    Vec3d origin;               ///< origin of the field's frame in the file's frame, metres
    Vec3d up;                   ///< unit vector along which heights are measured
    float level = 0, slope = 1; ///< `level`: value at the surface; `slope`: change of the value per metre
                                ///< inwards, not 0
};

namespace cuda {

/// Applies a user's function `float field(Node)` to each node of a field. `Node` has doubles x, y, z and
/// height in the file's frame, and the edge length of a cell as `size`. Its `depth` is the node's depth below
/// the surface in metres, negative outside; two edges outside if the field has no value. The function returns
/// the node's new depth; NaN, or the same depth, keeps the value. Bricks are added where the function creates
/// surface. A thread that runs longer than two seconds is aborted.
/// @param most maximum number of bricks of the field
/// @note Synchronizes with `stream`. @throws KernelError with the line in the file, see GuardedModule; when
/// the lattice or the field would have too many bricks; Cancelled
ScalarField applyFunction(const ScalarField& field, const TrustedCudaFile& file, const FieldFrame& frame,
                          std::uint64_t most, const std::stop_token& stop, StreamView stream);

} // namespace cuda

} // namespace scanloupe
