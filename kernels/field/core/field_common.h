#pragma once
// Declares the steps that all kinds of fields share on the CPU.
#include "kernels/core/cost.h"
#include "kernels/field/core/scalar_field.h"

#include <stop_token>

namespace scanloupe::cpu {

/// Marks every cell of the lattice as one that may carry surface. @throws KernelError; Cancelled
void fillLatticeCells(ScalarField& field, const std::stop_token& stop);

/// Fills in the smallest and largest value and the cost. @throws Cancelled
void finishField(ScalarField& field, const WallTimer& timer, const std::stop_token& stop);

} // namespace scanloupe::cpu
