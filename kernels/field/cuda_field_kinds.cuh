#pragma once
// The kinds of fields that the device makes from voxels.
#include "kernels/field/cuda_field.cuh"

namespace scanloupe::cuda {

// Each fills in bricks, values and cells of a field whose lattice is set, and returns what was counted.
// `tally`: one, of zeros. @note They synchronize. @throws KernelError; Cancelled
FieldCounters fillOccupancy(const FieldJob& job, Buffer<FieldCounters>& counters, ScalarField& field);
FieldCounters fillDensity(const FieldJob& job, Buffer<FieldCounters>& counters, ScalarField& field);
FieldCounters fillSignedDistance(const FieldJob& job, const NormalSource& source,
                                 Buffer<FieldCounters>& counters, ScalarField& field);

/// Fills in the smallest and largest value.
void setValueRange(const FieldCounters& counters, ScalarField& field);

// How many bricks they make. @note They synchronize.
std::uint64_t countSplatBricks(const FieldJob& job);
std::uint64_t countDistanceBricks(const FieldJob& job);

} // namespace scanloupe::cuda
