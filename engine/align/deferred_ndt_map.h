#pragma once
// Declares the NDT map of all scans with right poses; it is computed on first use.
#include "engine/cloud/point_cloud.h"
#include "kernels/core/buffer.h"
#include "kernels/register/operators.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <stop_token>

namespace scanloupe {

/// A ball in the frame of the poses (that of the first scan).
struct Ball {
    Vec3d middle;
    double radius = 0; ///< metres
};

/// An NdtMap that adds queued scans only when map() or target() is called: registration by surfaces rarely
/// needs NDT. The result equals that of adding each scan immediately. keepNear() drops cells and queued scans
/// alike. If the queue needs too much memory, its oldest scans are added early. Not thread-safe.
class DeferredNdtMap {
public:
    /// 340 frames of 130,000 points.
    static constexpr std::uint64_t kMaxWaitingBytes = std::uint64_t{512} << 20;
    /// @throws KernelError for parameters out of range
    /// @param maxWaitingBytes of the scans that wait
    explicit DeferredNdtMap(const NdtMapParams& params, std::uint64_t maxWaitingBytes = kMaxWaitingBytes)
        : m_map(params), m_maxWaitingBytes(maxWaitingBytes) {}

    /// Clears the map and the queue. @throws KernelError for parameters out of range
    void reset(const NdtMapParams& params);
    /// See NdtMap::add. @param points [N, 3] metres relative to `origin` @param bounds of the scan, in its
    /// full coordinates @throws as NdtMap::add, for this scan alone: where earlier ones can't be added, all
    /// wait, and map() reports it
    void add(Buffer<Vec3f> points, const Bounds& bounds, Vec3d origin, const RigidTransform& pose,
             const std::stop_token& stop);
    /// Drops cells outside the ball; see NdtMap::keepNear().
    void keepNear(const Ball& ball);

    /// Returns the map with all scans. @throws KernelError when out of memory; Cancelled, after which the
    /// call can be repeated
    const NdtMap& map(const std::stop_token& stop);
    /// Returns the registration target with all scans. @throws as map()
    NdtTarget& target(const std::stop_token& stop);
    /// Memory of the map and of queued scans, bytes.
    std::uint64_t bytes() const { return m_map.bytes() + m_waitingBytes; }
    std::size_t waiting() const { return m_steps.size(); } ///< number of queued scans and keepNear() calls

private:
    struct Scan {
        Buffer<Vec3f> points;
        Vec3d origin;
        RigidTransform pose;
        Ball extent; ///< contains all points of the scan, in the frame of the poses
    };
    struct Step {
        std::optional<Scan> scan;
        std::optional<Ball> kept; ///< cells outside this ball are dropped
    };
    /// Removes the scan that was added last.
    void dropNewest();
    /// Takes the first step.
    void takeStep(const std::stop_token& stop);

    NdtMap m_map;
    NdtTarget m_target{m_map};
    std::deque<Step> m_steps; ///< that the map has not taken
    std::uint64_t m_maxWaitingBytes, m_waitingBytes = 0;
    std::optional<Vec3d> m_began; ///< about where the map's origin is, or will be
};

} // namespace scanloupe
