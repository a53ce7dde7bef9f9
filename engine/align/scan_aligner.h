#pragma once
// Aligns scans one after the other: a pose for each.
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/io/trajectory.h"
#include "kernels/core/stream.h"
#include "kernels/register/ndt_device.h"

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

    /// Share of the aligned points that had something to be compared with.
    double overlap() const {
        return alignedPoints > 0 ? double(ndt.pointsWithCell) / double(alignedPoints) : 0;
    }
    /// So few that it may be anywhere.
    bool hasLittleOverlap() const { return alignedPoints > 0 && overlap() < 0.3; }
};

/// Gives every scan that is added a pose in the frame of the first one.
class ScanAligner {
public:
    /// @param backend cpu, or cuda, which searches and aligns to the first scan; a map that grows would be
    /// copied to the device for each scan, which takes longer than an alignment on the CPU
    /// @throws EngineError, KernelError for parameters out of range.
    ScanAligner(const AlignParams& params, Backend backend);

    /// Aligns one more scan. Without a `start`, T_first_scan, the motion of the last two goes on. One that
    /// could not be placed is taken to have followed it.
    /// @throws EngineError when the first scan has no finite points; KernelError when memory is short;
    /// Cancelled, and the scan was not added.
    ScanAlignment add(const PointCloud& cloud, const std::optional<RigidTransform>& start,
                      const std::stop_token& stop);

    /// With what was chosen from the first scan; before that, as given.
    const AlignParams& params() const { return m_params; }
    const NdtMap& map() const { return m_map; }

    /// Where the next scan would be if the motion of the last two goes on.
    RigidTransform predictedPose() const;
    /// Takes it that a scan, of which nothing else is known, was taken there: the motion goes on from it.
    void recordPose(const RigidTransform& pose);

private:
    void chooseParams(const PointCloud& first);
    NdtResult align(const NdtScan& scan, const RigidTransform& start, const std::stop_token& stop);
    NdtResult searchPose(const NdtScan& scan, const RigidTransform& about, const std::stop_token& stop);
    void invalidateDeviceMap();

    /// A device, and the map as it lies there, once it is wanted.
    struct Device {
        Stream stream;
        std::optional<cuda::NdtDeviceMap> map; // goes before the stream
    };
    const cuda::NdtDeviceMap& deviceMap();

    AlignParams m_params;
    NdtMap m_map;
    std::optional<Device> m_device;
    std::vector<RigidTransform> m_lastPoses; ///< where the last two scans are, or are taken to be
};

} // namespace scanloupe
