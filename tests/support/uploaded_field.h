#pragma once
// Copies a field to the device.
#include "kernels/field/core/scalar_field.h"

namespace scanloupe::test {

/// A copy of a host's field on the device.
inline ScalarField uploaded(const ScalarField& field, StreamView stream) {
    ScalarField copy = field.withoutBricks();
    copy.brickKeys = field.brickKeys.copyTo(MemorySpace::device, stream);
    copy.values = field.values.copyTo(MemorySpace::device, stream);
    copy.cellMask = field.cellMask.copyTo(MemorySpace::device, stream);
    copy.minValue = field.minValue;
    copy.maxValue = field.maxValue;
    copy.cost = field.cost;
    return copy;
}

} // namespace scanloupe::test
