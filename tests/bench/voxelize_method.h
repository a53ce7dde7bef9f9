#pragma once
// Declares the methods of `scanloupe-bench voxelize` behind one interface, with their expected results.
#include "kernels/core/stream.h"
#include "kernels/voxelize/core/voxel_element.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace scanloupe::bench {

/// A point as published pipelines read it, 16 bytes at once.
struct alignas(16) Point4 {
    float x, y, z, intensity;
};

/// One copy of a cloud on the device, in the two layouts that methods read.
struct DevicePoints {
    const Vec3f* positions;   // [N, 3] metres
    const float* intensities; // [N]
    const Point4* packed;     // [N] both
    std::size_t count;        // N
};

/// The occupied voxels in figures that do not depend on their order.
struct Histogram {
    std::uint64_t voxels = 0;
    std::uint64_t counted = 0;   ///< points, over all voxels
    std::uint64_t checksum = 0;  ///< sum of cellChecksum() over the voxels, modulo 2^64
    std::optional<Vec3d> centre; ///< centre of all points from the voxels' means, metres; none without means
    /// Sum of levelInCell() over all points; none where it was not counted.
    std::optional<std::uint64_t> levels;
};

/// The case that a method is prepared for.
struct Setting {
    VoxelizeParams params;
    VoxelCells cells;
    std::size_t points;  ///< N of each cloud
    float intensityMax;  ///< maximum of the cloud; the minimum is 0
    Histogram reference; ///< the expected result
    double centreError;  ///< tolerance of the centre, metres
};

class Method {
public:
    virtual ~Method() = default;
    /// Called once with all copies of the cloud, before the timing.
    virtual void prepare(const std::vector<DevicePoints>&, StreamView) {}
    /// Queues one run, including its clears. Memory is preallocated, unless the method is an operator that
    /// allocates itself.
    virtual void run(const DevicePoints& points, StreamView stream) = 0;
    /// The result of the last run. @note Synchronizes.
    virtual Histogram found(StreamView stream) = 0;
    /// Minimum traffic of this method in bytes: points read, clears, and results written.
    virtual std::uint64_t bytes() const = 0;
    /// Milliseconds of the last run by the method's own events; none: the caller measures.
    virtual std::optional<double> ownMs() const { return std::nullopt; }
};

struct MethodInfo {
    std::string name;  ///< as --only spells it
    std::string group; ///< "library", "baseline", "dense" or "hash"
    std::string what;  ///< a phrase for --list
    std::function<std::unique_ptr<Method>(const Setting&, StreamView)> make;
};

/// The operator's strategies, each with both kinds of sums.
std::vector<MethodInfo> libraryMethods();
/// Recorded graphs of the operator.
std::vector<MethodInfo> graphMethods();
/// Published methods, reimplemented from their descriptions.
std::vector<MethodInfo> baselineMethods();
/// Alternatives for counting points per cell: the ablation.
std::vector<MethodInfo> variantMethods();

} // namespace scanloupe::bench
