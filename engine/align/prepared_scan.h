#pragma once
// Declares the part of an alignment that does not depend on other scans' poses.
#include "engine/align/pose_evidence.h"
#include "engine/cloud/bounds.h"
#include "kernels/core/buffer.h"
#include "kernels/core/execution.h"
#include "kernels/core/vec3.h"
#include "kernels/register/ndt.h"
#include "kernels/register/surface_target.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

class PointCloud;

struct PreparationParams {
    /// Edge of the voxel grid that downsamples the scan for NDT, metres; 0: not; none: NDT isn't expected
    std::optional<double> thinning;
    SurfaceScale scale;
    /// Pyramid of surfaces that the scan is registered by: edge of its coarsest cells, metres, and whether
    /// normals point towards the sensor; none with NDT.
    struct Surfaces {
        double coarsest;
        bool isOriented;
    };
    std::optional<Surfaces> surfaces;
};

/// A scan's points and surfaces, relative to `origin` in its full coordinates. Work on device data has been
/// completed.
struct PreparedScan {
    std::uint64_t size = 0;     ///< points, with those that are not finite
    Vec3d origin, reference;    ///< see ScanAlignment::reference
    Bounds bounds;              ///< metres
    Buffer<Vec3f> points;       // [size, 3]
    std::vector<Vec3f> thinned; // [M, 3] empty where all points are used
    bool isThinned = false;
    ScanShapes shapes;
    std::optional<SurfaceTarget> surfaces; ///< in the scan's frame
    ScanSight sight;
    double ms = 0; ///< wall time

    /// Downsamples the points for NDT, unless they are. @throws KernelError; Cancelled
    void thin(double edge, const std::stop_token& stop);
    /// The points that NDT aligns, once they are thinned.
    NdtScan source() const { return {isThinned ? std::span<const Vec3f>(thinned) : points.span(), origin}; }
};

/// Points and origin alone. @throws KernelError; Cancelled
PreparedScan pointsOf(const PointCloud& cloud, const std::stop_token& stop);
/// @note Synchronizes with the device. @throws KernelError; Cancelled
PreparedScan prepareScan(const PointCloud& cloud, const PreparationParams& params, const Execution& on);
/// Sensor position of a scan: from its file; else the origin of its frame if it is inside the scan, as in
/// sensor frames; else the centre of the scan, as in map coordinates. DepthView::isKnown() tests it.
Vec3d sensorOf(const PointCloud& cloud);

} // namespace scanloupe
