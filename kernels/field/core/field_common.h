#pragma once
// Declares the steps that all kinds of fields share on the CPU.
#include "kernels/field/core/scalar_field.h"

#include <algorithm>
#include <limits>
#include <span>
#include <stop_token>

namespace scanloupe::cpu {

/// Marks every cell of the lattice as one that may carry surface. @throws KernelError; Cancelled
void fillLatticeCells(ScalarField& field, const std::stop_token& stop);

/// The smallest and the largest of some values; of none, `min` is above `max`.
struct MinMax {
    float min = std::numeric_limits<float>::max(), max = std::numeric_limits<float>::lowest();
};
inline MinMax both(MinMax a, MinMax b) {
    return {std::min(a.min, b.min), std::max(a.max, b.max)};
}
/// Of the values that are neither NaN nor infinite.
MinMax rangeOf(std::span<const float> values);
/// Sets the field's smallest and largest value; they stay for an empty range.
void setRange(ScalarField& field, MinMax range);
/// Finds the range of all values, and sets it. @throws Cancelled
void findRange(ScalarField& field, const std::stop_token& stop);

} // namespace scanloupe::cpu
