#pragma once
// Declares the probing of a pose: whether the scan lies as well at others that deceive, turned by quarters or
// moved along what hardly anything holds.
#include "engine/align/surface_match.h"

#include <optional>

namespace scanloupe {

/// Another pose at which the scan's surfaces lie on the target's.
struct PoseProbe {
    RigidTransform pose; ///< T_target_scan
    /// Its score, divided by that of the pose itself, both refined alike; 0: there is none.
    double ratio = 0;
};

/// What poses are probed with; all has to outlive the prober.
struct ProbeInput {
    const NdtMap& target; ///< that the scan was aligned to
    const NdtMap& scan;   ///< the scan's own cells
    NdtScan points;       ///< some of the scan's, that poses are scored by
    RigidTransform pose;  ///< T_target_scan
    NdtParams params;     ///< of the scores
};

/// Looks for other poses, by point-to-plane steps of some of the scan's surfaces. Its methods throw
/// KernelError when memory is short, and Cancelled.
class PoseProber {
public:
    PoseProber(const ProbeInput& input, const std::stop_token& stop);

    /// The best pose that a quarter, a half or three quarters of a turn lead to: about the vertical through
    /// the middle between the outermost surfaces, as a room with four walls deceives.
    PoseProbe turned() const;
    /// The best pose that is half a cell to a cell away along what the surfaces hold least, as a corridor
    /// deceives.
    PoseProbe slid() const;

private:
    std::vector<SurfaceMatch> matchesAt(const RigidTransform& pose) const;
    RigidTransform posed(RigidTransform moved) const;
    std::optional<RigidTransform> refined(RigidTransform moved) const;
    double scoreAt(const RigidTransform& pose) const;
    PoseProbe best(std::span<const RigidTransform> motions) const;

    const ProbeInput& m_input;
    const std::stop_token& m_stop;
    double m_edge;
    std::size_t m_stride;
    std::vector<SurfaceMatch> m_here; ///< at the pose
    double m_leastParallel, m_leastAgreeing;
};

} // namespace scanloupe
