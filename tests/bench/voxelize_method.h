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

/// A point in the layout of the published pipelines, read by one 16-byte access.
struct alignas(16) Point4 {
    float x, y, z, intensity;
};

/// One copy of a cloud on the device, in both layouts that methods read.
struct DevicePoints {
    const Vec3f* positions;   // [N, 3] metres
    const float* intensities; // [N]
    const Point4* packed;     // [N] position and intensity
    std::size_t count;        // N
};

/// Figures of the occupied voxels that do not depend on their order.
struct Histogram {
    std::uint64_t voxels = 0;
    std::uint64_t counted = 0;   ///< number of points in all voxels
    std::uint64_t checksum = 0;  ///< sum of cellChecksum() over the voxels, modulo 2^64
    std::optional<Vec3d> centre; ///< centre of all points, computed from the means of the voxels, metres;
                                 ///< none for methods without means
    /// Sum of levelInCell() over all points; none for methods that do not count it.
    std::optional<std::uint64_t> levels;
};

/// The case that a method is prepared for: parameters, number of points and expected result.
struct Setting {
    VoxelizeParams params;
    VoxelCells cells;
    std::size_t points;  ///< number of points in each copy
    float intensityMax;  ///< largest intensity in the cloud; the smallest is 0
    Histogram reference; ///< the expected result
    double centreError;  ///< tolerance of the centre, metres
};

class Method {
public:
    virtual ~Method() = default;
    /// Called once with all copies of the cloud, before timing starts.
    virtual void prepare(const std::vector<DevicePoints>&, StreamView) {}
    /// Queues one run, including the clearing of its buffers. Memory is preallocated, except by operators
    /// that allocate themselves.
    virtual void run(const DevicePoints& points, StreamView stream) = 0;
    /// The result of the last run. @note Synchronizes.
    virtual Histogram found(StreamView stream) = 0;
    /// Minimum traffic of this method in bytes: points read, clears, and results written.
    virtual std::uint64_t bytes() const = 0;
    /// Milliseconds of the last run, measured by the method's own events; none: the caller measures the time.
    virtual std::optional<double> ownMs() const { return std::nullopt; }
};

struct MethodInfo {
    std::string name;  ///< the name used by --only
    std::string group; ///< "library", "baseline", "dense" or "hash"
    std::string what;  ///< short description for --list
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
