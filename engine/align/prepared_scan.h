#pragma once
// Declares the part of an alignment that does not depend on other scans' poses.
#include "engine/align/pose_evidence.h"
#include "engine/cloud/bounds.h"
#include "kernels/core/buffer.h"
#include "kernels/core/execution.h"
#include "kernels/core/vec3.h"
#include "kernels/register/ndt/ndt.h"
#include "kernels/register/surface_target.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

class PointCloud;

struct PreparationParams {
    /// Edge length of the voxel grid that downsamples the scan for NDT, metres. 0: all points are used.
    /// nullopt: NDT is not needed.
    std::optional<double> thinning;
    SurfaceScale scale;
    /// Parameters of the pyramid of surfaces for the registration; nullopt with NDT. Edge length of its
    /// coarsest cells, metres, and whether normals point towards the sensor.
    struct Surfaces {
        double coarsest;
        bool isOriented;
    };
    std::optional<Surfaces> surfaces;
};

/// A scan's points and surfaces, relative to `origin` in its full coordinates. All device work on them is
/// complete.
struct PreparedScan {
    std::uint64_t size = 0;     ///< number of points, including those that are not finite
    Vec3d origin, reference;    ///< see ScanAlignment::reference
    Bounds bounds;              ///< metres
    Buffer<Vec3f> points;       // [size, 3]
    std::vector<Vec3f> thinned; // [M, 3] metres; empty if all points are used
    bool isThinned = false;
    ScanShapes shapes;
    std::optional<SurfaceTarget> surfaces; ///< in the scan's frame
    ScanSight sight;
    double ms = 0; ///< wall time of the preparation

    /// Downsamples the points for NDT, unless already done. @throws KernelError; Cancelled
    void thin(double edge, const std::stop_token& stop);
    /// Returns the points that NDT aligns: the downsampled ones, or all.
    NdtScan source() const { return {isThinned ? std::span<const Vec3f>(thinned) : points.span(), origin}; }
};

/// Returns a prepared scan with only points and origin. @throws KernelError; Cancelled
PreparedScan pointsOf(const PointCloud& cloud, const std::stop_token& stop);
/// Prepares a scan for alignment. @note Synchronizes with the device. @throws KernelError; Cancelled
PreparedScan prepareScan(const PointCloud& cloud, const PreparationParams& params, const Execution& on);
/// Returns the sensor position of a scan. Taken from its file if stored there; else the origin of the file's
/// frame if it is inside the scan, as in sensor frames; else the centre of the scan, as in map coordinates.
/// DepthView::isKnown() checks whether the result is plausible.
Vec3d sensorOf(const PointCloud& cloud);

} // namespace scanloupe
