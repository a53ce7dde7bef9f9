#pragma once
// Declares the published walk-through of marching cubes from CUDA to SYCL beside ours.
#include "kernels/core/stream.h"
#include "kernels/field/core/scalar_field.h"

#include <optional>

namespace scanloupe::bench {

/// Times the walk-through by CUDA and on each device for SYCL, and compares what comes out: occupied voxels,
/// triangles, and the soup's corners. @param dense a volume of as many nodes along each axis
void walkthrough(const ScalarField& dense, int rounds, const std::optional<Stream>& stream);

} // namespace scanloupe::bench
