#pragma once
// Declares the NDT map of scans with right poses that is computed when something asks for it.
#include "engine/cloud/point_cloud.h"
#include "kernels/core/buffer.h"
#include "kernels/register/operators.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <stop_token>

namespace scanloupe {

/// A ball in the frame of the poses.
struct Ball {
    Vec3d middle;
    double radius = 0; ///< metres
};

/// An NdtMap whose scans wait until map() or target() asks for them: registration by surfaces rarely needs
/// NDT. The map is that of each scan added at once. Scans that wait are dropped with the cells out of
/// keepNear(), and the oldest are added where they would take too much memory. One thread at a time.
class DeferredNdtMap {
public:
    /// @throws KernelError for parameters out of range
    explicit DeferredNdtMap(const NdtMapParams& params) : m_map(params) {}

    /// Makes an empty map. @throws KernelError for parameters out of range
    void reset(const NdtMapParams& params);
    /// See NdtMap::add. @param points [N, 3] metres relative to `origin` @param bounds of the scan, in its
    /// full coordinates @throws as NdtMap::add
    void add(Buffer<Vec3f> points, const Bounds& bounds, Vec3d origin, const RigidTransform& pose,
             const std::stop_token& stop);
    /// See NdtMap::keepNear.
    void keepNear(const Ball& ball);

    /// With all scans. @throws KernelError when memory is short; Cancelled, and it can be asked again
    const NdtMap& map(const std::stop_token& stop);
    /// @throws as map()
    NdtTarget& target(const std::stop_token& stop);
    /// Memory of the map and of scans that wait.
    std::uint64_t bytes() const { return m_map.bytes() + m_waitingBytes; }
    std::size_t waiting() const { return m_steps.size(); } ///< scans and balls

private:
    struct Scan {
        Buffer<Vec3f> points;
        Vec3d origin;
        RigidTransform pose;
        Ball extent; ///< around all of its points, in the frame of the poses
    };
    struct Step {
        std::optional<Scan> scan;
        std::optional<Ball> kept; ///< cells out of it are dropped
    };
    /// Takes the first step.
    void takeStep(const std::stop_token& stop);

    NdtMap m_map;
    NdtTarget m_target{m_map};
    std::deque<Step> m_steps; ///< that the map has not taken
    std::uint64_t m_waitingBytes = 0;
    std::optional<Vec3d> m_began; ///< about where the map's origin is, or will be
};

} // namespace scanloupe
