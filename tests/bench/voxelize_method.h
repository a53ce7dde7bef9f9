#pragma once
// What `scanloupe-bench voxelize` times: methods behind one interface, and what each of them has to find.
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
    std::optional<Vec3d> centre; ///< of all points from the voxels' means, metres; where there are means
    std::optional<std::uint64_t> levels; ///< sum of levelInCell() over all points; where it was counted
};

/// What a method is made for.
struct Setting {
    VoxelizeParams params;
    VoxelCells cells;
    std::size_t points;  ///< N of every cloud it will get
    float intensityMax;  ///< of the cloud; the smallest is 0
    Histogram reference; ///< what it has to find
    double centreError;  ///< metres that its centre may be off
};

class Method {
public:
    virtual ~Method() = default;
    /// Called once with all copies of the cloud that will be run, before anything is timed.
    virtual void prepare(const std::vector<DevicePoints>&, StreamView) {}
    /// Queues one run, its clears included. The memory was taken before, unless the method is an operator
    /// that takes its own.
    virtual void run(const DevicePoints& points, StreamView stream) = 0;
    /// What the last run found. @note Synchronizes.
    virtual Histogram found(StreamView stream) = 0;
    /// Bytes that this method has to move at least: points read, clears, and what it writes.
    virtual std::uint64_t bytes() const = 0;
    /// Milliseconds of the last run by the method's own events; nothing: the caller's are taken.
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
/// Published methods, written anew from their descriptions.
std::vector<MethodInfo> baselineMethods();
/// Ways to count points a cell: the ablation.
std::vector<MethodInfo> variantMethods();

} // namespace scanloupe::bench
