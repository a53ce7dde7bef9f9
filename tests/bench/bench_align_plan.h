#pragma once
// Declares the benchmark of the methods that a published plan proposes for a faster NDT matcher on the GPU.
#include "kernels/register/ndt/ndt_device.h"
#include "tests/bench/bench_align_drive.h"

namespace scanloupe::bench {

/// Map, scan and start pose of the alignment to time.
struct PlannedAlignment {
    const NdtMap& map;
    const cuda::NdtDeviceMap& deviceMap; ///< device copy of `map`
    std::vector<Vec3f> points;
    StreamView stream;
};

/// Times the product's implementation and each variant of the plan, with 7 neighbours. The notes of the rows
/// state the hit rate of the cache and the share of points that exit early.
/// @returns the variants with wrong poses; empty if all agree with the product within 1e-6 m
/// @throws KernelError
std::string timePlannedAlignment(const PlannedAlignment& what, int repeats, const AlignRowTimer& time);

} // namespace scanloupe::bench
