// Limits a growing map to the part that scans at the pose can see, so that memory and time per scan do not
// grow with a drive.
#include "engine/align/scan_aligner.h"

#include "engine/cloud/point_cloud.h"

#include <algorithm>
#include <cstddef>

namespace scanloupe {

namespace {

constexpr std::size_t kMaxSights = 32; // limit; the nearest few are compared with a pose
constexpr double kDropStep = 0.25;     // relative to the reach: motion after which cells are dropped again

} // namespace

void ScanAligner::addSight(Targets& targets, const ScanSightPtr& sight) const {
    if (m_params.to == AlignTo::previous)
        targets.sights.clear();
    targets.sights.push_back(sight);
    if (targets.sights.size() > kMaxSights)
        targets.sights.erase(std::ranges::max_element(
            targets.sights, {}, [&](const ScanSightPtr& s) { return norm(s->sensor() - sight->sensor()); }));
}

std::optional<Ball> ScanAligner::sightBall(Targets& targets, const PreparedScan& scan,
                                           const RigidTransform& pose) const {
    targets.reach = std::max(targets.reach, 0.5 * norm(scan.bounds.max - scan.bounds.min));
    const Vec3d place = pose(0.5 * (scan.bounds.max + scan.bounds.min));
    if (!targets.lastDrop)
        targets.lastDrop = place;
    if (m_params.to != AlignTo::map || norm(place - *targets.lastDrop) < kDropStep * targets.reach)
        return std::nullopt;
    targets.lastDrop = place;
    return Ball{place, (1 + kDropStep) * targets.reach}; // visible until cells are dropped again
}

} // namespace scanloupe
