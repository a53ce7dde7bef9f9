#pragma once
// Declares the computation of each kind of field on the device.
#include "kernels/field/core/cuda_field.cuh"

namespace scanloupe::cuda {

// Each of these functions fills in the bricks, values and cells of a field whose lattice is set, and returns
// the counters. `counters`: one zeroed element. @note Synchronizes. @throws KernelError; Cancelled
FieldCounters fillOccupancy(const FieldJob& job, Buffer<FieldCounters>& counters, ScalarField& field);
FieldCounters fillDensity(const FieldJob& job, Buffer<FieldCounters>& counters, ScalarField& field);
FieldCounters fillSignedDistance(const FieldJob& job, const NormalSource& source,
                                 Buffer<FieldCounters>& counters, ScalarField& field);

/// Sets the field's minimum and maximum value from the counters.
void setValueRange(const FieldCounters& counters, ScalarField& field);

} // namespace scanloupe::cuda
