#pragma once
// Declares the device's computation of each kind of field.
#include "kernels/field/core/cuda_field.cuh"

namespace scanloupe::cuda {

// Each fills in bricks, values and cells of a field whose lattice is set, and returns the counters.
// `counters`: one element, zeroed. @note They synchronize. @throws KernelError; Cancelled
FieldCounters fillOccupancy(const FieldJob& job, Buffer<FieldCounters>& counters, ScalarField& field);
FieldCounters fillDensity(const FieldJob& job, Buffer<FieldCounters>& counters, ScalarField& field);
FieldCounters fillSignedDistance(const FieldJob& job, const NormalSource& source,
                                 Buffer<FieldCounters>& counters, ScalarField& field);

/// Sets the minimum and maximum.
void setValueRange(const FieldCounters& counters, ScalarField& field);

} // namespace scanloupe::cuda
