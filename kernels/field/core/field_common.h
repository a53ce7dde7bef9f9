#pragma once
// Declares the common steps of all kinds of fields on the CPU.
#include "kernels/field/core/scalar_field.h"

#include <algorithm>
#include <limits>
#include <span>
#include <stop_token>

namespace scanloupe::cpu {

/// Marks every cell of the lattice as one that may contain surface. @throws KernelError; Cancelled
void fillLatticeCells(ScalarField& field, const std::stop_token& stop);

/// Minimum and maximum of some values; if there are no values, `min` is above `max`.
struct MinMax {
    float min = std::numeric_limits<float>::max(), max = std::numeric_limits<float>::lowest();
};
inline MinMax both(MinMax a, MinMax b) {
    return {std::min(a.min, b.min), std::max(a.max, b.max)};
}
/// Returns the range of the finite values.
MinMax rangeOf(std::span<const float> values);
/// Sets the field's minimum and maximum; an empty range leaves both unchanged.
void setRange(ScalarField& field, MinMax range);
/// Computes the range of all values and stores it in the field. @throws Cancelled
void findRange(ScalarField& field, const std::stop_token& stop);

} // namespace scanloupe::cpu
