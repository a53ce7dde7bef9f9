#pragma once
// Aligns scans one after the other: a pose for each.
#include "engine/align/trajectory.h"
#include "engine/cloud/point_cloud.h"
#include "kernels/register/ndt.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

/// What a scan is aligned to.
enum class AlignTo : std::uint8_t {
    first,    ///< the first scan
    previous, ///< the scan before it: for a drive, whose errors add up
    map,      ///< all scans before it, where they have been put
};

struct AlignParams {
    AlignTo to = AlignTo::map;
    std::optional<double> resolution; ///< edge of the map's cells, metres; chosen from the first scan
    std::optional<double> thinning;   ///< points of a scan are averaged in cells of this edge before they are
                                      ///< aligned, metres; 0: not at all; a fifth of the resolution
    NdtMapParams map;                 ///< but for the resolution
    NdtParams ndt;
    /// Scans without a start are looked for so far around where they are expected, in the plane of x and y,
    /// with any heading, metres; 0: they begin there.
    double searchRadius = 0;
    bool operator==(const AlignParams&) const = default;
};

/// Where a scan was put, and why there.
struct ScanAlignment {
    RigidTransform start; ///< where it began: given, or motion that goes on as before
    RigidTransform pose;  ///< T_first_scan; `start` where it could not be aligned
    std::uint64_t points = 0;
    std::uint64_t alignedPoints = 0; ///< after thinning
    NdtResult ndt;                   ///< of the first scan: nothing
    double alignMs = 0, mapMs = 0;   ///< wall time: of thinning and aligning, and of adding to the map

    /// Whether it has a place: it is the first, or was compared with something.
    bool placed = false;
};

/// Gives every scan that is added a pose in the frame of the first one.
class ScanAligner {
public:
    /// @throws EngineError, KernelError for parameters out of range.
    explicit ScanAligner(const AlignParams& params);

    /// Aligns one more scan. Without a `start`, T_first_scan, the motion of the last two placed scans goes
    /// on. One that could not be placed changes nothing for those after it.
    /// @throws EngineError when the first scan has no finite points; KernelError when memory is short;
    /// Cancelled, and the scan was not added.
    ScanAlignment add(const PointCloud& cloud, const std::optional<RigidTransform>& start,
                      const std::stop_token& stop);

    /// With what was chosen from the first scan; before that, as given.
    const AlignParams& params() const { return m_params; }
    const NdtMap& map() const { return m_map; }

    /// Where the next scan would be if the motion of the last two placed ones goes on.
    RigidTransform expected() const;

private:
    void choose(const PointCloud& first);
    NdtResult find(const NdtScan& scan, const RigidTransform& about, const std::stop_token& stop) const;

    AlignParams m_params;
    NdtMap m_map;
    std::vector<RigidTransform> m_placed; ///< of the last two scans that have a place
};

} // namespace scanloupe
