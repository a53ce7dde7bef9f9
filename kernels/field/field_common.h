#pragma once
// What the makers of fields share.
#include "kernels/core/cost.h"
#include "kernels/field/scalar_field.h"

#include <stop_token>

namespace scanloupe::cpu {

/// Lets every cell of the lattice carry surface. @throws KernelError; Cancelled
void fillLatticeCells(ScalarField& field, const std::stop_token& stop);

/// Fills in the smallest and largest value and the cost. @throws Cancelled
void finishField(ScalarField& field, const WallTimer& timer, const std::stop_token& stop);

} // namespace scanloupe::cpu
