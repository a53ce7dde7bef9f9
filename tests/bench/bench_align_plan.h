#pragma once
// Declares the benchmark of what a published plan for a faster matcher on the GPU proposes.
#include "kernels/register/ndt_device.h"
#include "tests/bench/bench_align_drive.h"

namespace scanloupe::bench {

/// What is aligned.
struct PlannedAlignment {
    const NdtMap& map;
    const cuda::NdtDeviceMap& deviceMap; ///< of `map`
    std::vector<Vec3f> points;
    StreamView stream;
};

/// Times the product's path, and beside it each variant of the plan, with 7 neighbours: the hit rate of the
/// cache and the share of points that exit early are in the notes.
/// @returns which variants' poses are wrong; empty if they are the product's within 1e-6 m
/// @throws KernelError
std::string timePlannedAlignment(const PlannedAlignment& what, int repeats, const AlignRowTimer& time);

} // namespace scanloupe::bench
