#pragma once
// Declares ways to align on the GPU that a published plan for a faster matcher proposes, and that the product
// does not take: each differs from cuda::alignNdt in one thing, so that benchmarks tell what it is worth.
#include "kernels/register/ndt/ndt_device.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace scanloupe::cuda {

/// All but the last three give the bits of cuda::alignNdt.
enum class NdtVariant : std::uint8_t {
    readCells, ///< reads the cells around a point in each iteration, not only once the point leaves its cell
    texture,   ///< as readCells, through a texture
    cellCache, ///< as readCells, through a cache in the shared memory of each block
    graphLaunches, ///< launches a graph of an iteration's two kernels for each iteration, from the host
    graphLoop,     ///< launches one graph, which repeats these kernels until they are done
    warpSolve,     ///< the lanes of a warp share a factorization: rounds otherwise, poses within 1e-6 m
    earlyExit,     ///< leaves out points whose score can hardly have changed: poses within 1e-6 m
};
inline constexpr const char* kNdtVariantKeys[] = {"read cells", "texture",    "cell cache", "graph launches",
                                                  "graph loop", "warp solve", "early exit"};

struct NdtVariantResult {
    RigidTransform pose; ///< T_target_source
    double score = 0;
    int iterations = 0;
    double ms = 0; ///< on the device; of graphLaunches and of NdtSplit, with the host's part of iterations
    double spared = 0; ///< cellCache: share of the reads that the cache serves; earlyExit: of the evaluations
};

/// Aligns `scan` to `map`, which have a finite point and a cell, as cuda::alignNdt does. Textures and graphs
/// are made before the time is taken. @param params trace, pointScores and geometry are not filled
/// @note Synchronizes. @throws KernelError as cuda::alignNdt; for more than 32,768 points; where `params`
/// doesn't have 7 neighbours
NdtVariantResult alignNdtBy(NdtVariant variant, const NdtDeviceMap& map, const NdtDeviceScan& scan,
                            const RigidTransform& start, const NdtParams& params, StreamView stream);

/// A map on several devices, and one scan whose points are split among them. Each device sums the terms of
/// its part; the host adds these up in the order of the parts, and solves: other rounding than one device's,
/// poses within 1e-6 m.
class NdtSplit {
public:
    /// @param devices of the parts, at least one, each below deviceCount(); a device may have several
    /// @throws KernelError
    NdtSplit(const NdtMap& map, const NdtScan& scan, std::span<const int> devices);
    ~NdtSplit();
    NdtSplit(const NdtSplit&) = delete;
    NdtSplit& operator=(const NdtSplit&) = delete;

    /// As alignNdtBy, with any neighbours and any number of points. @note Synchronizes, once per iteration.
    NdtVariantResult align(const RigidTransform& start, const NdtParams& params);

private:
    struct Part;
    std::vector<std::unique_ptr<Part>> m_parts;
    NdtSpread m_spread; ///< of all points
};

} // namespace scanloupe::cuda
