// Limits a growing map to the part that is visible from the current pose, so that memory and time per scan do
// not grow with the length of the drive.
#include "engine/align/scan_aligner.h"

#include "engine/cloud/point_cloud.h"

#include <algorithm>
#include <cstddef>

namespace scanloupe {

namespace {

constexpr std::size_t kMaxSights = 32; // maximum number of kept scans; a pose is compared with the nearest
                                       // few
constexpr double kDropStep = 0.25;     // motion of the sensor after which cells are dropped again, relative
                                       // to the reach

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
    return Ball{place, (1 + kDropStep) * targets.reach}; // remains visible until cells are dropped again
}

} // namespace scanloupe
