// Queues scans and requests to drop distant cells, and applies both to an NDT map in their order.
#include "engine/align/deferred_ndt_map.h"

#include <algorithm>
#include <utility>

namespace scanloupe {

namespace {

constexpr double kSureCells = 1 << 18; // from the origin of a map: far from where NdtMap::add() refuses

} // namespace

void DeferredNdtMap::reset(const NdtMapParams& params) {
    m_map = NdtMap(params);
    m_target.mapChanged();
    m_steps.clear();
    m_waitingBytes = 0;
    m_began.reset();
}

void DeferredNdtMap::add(Buffer<Vec3f> points, const Bounds& bounds, Vec3d origin, const RigidTransform& pose,
                         const std::stop_token& stop) {
    const Ball extent{pose(0.5 * (bounds.min + bounds.max)), 0.5 * norm(bounds.max - bounds.min)};
    if (!m_began)
        m_began = pose(origin);
    const double farthest = norm(extent.middle - *m_began) + extent.radius;
    const bool isAtOnce = !(farthest < kSureCells * m_map.params().resolution); // it may be refused
    const std::uint64_t most = isAtOnce ? 0 : m_maxWaitingBytes;
    m_waitingBytes += points.bytes();
    m_steps.push_back({Scan{std::move(points), origin, pose, extent}, {}});
    try {
        while (m_waitingBytes > most)
            takeStep(stop);
    } catch (const KernelError&) {
        if (m_steps.size() > 1 && !isAtOnce)
            return; // an earlier scan's, which the caller has settled
        dropNewest();
        throw;
    } catch (...) {
        dropNewest();
        throw;
    }
}

void DeferredNdtMap::dropNewest() {
    m_waitingBytes -= m_steps.back().scan->points.bytes();
    m_steps.pop_back();
}

void DeferredNdtMap::keepNear(const Ball& ball) {
    // The centre of a cell that contains a point of a scan is within 0.87 edge lengths of this point.
    const double beyond = ball.radius + m_map.params().resolution;
    const auto isBeyond = [&](const Step& step) {
        return step.scan && norm(step.scan->extent.middle - ball.middle) - step.scan->extent.radius > beyond;
    };
    // The very first scan defines the map's origin and must not be dropped.
    const auto first = m_steps.begin() + (m_map.points() == 0 && !m_steps.empty() ? 1 : 0);
    const auto dropped = std::remove_if(first, m_steps.end(), [&](const Step& step) {
        const bool isDropped = isBeyond(step);
        m_waitingBytes -= isDropped ? step.scan->points.bytes() : 0;
        return isDropped;
    });
    m_steps.erase(dropped, m_steps.end());
    m_steps.push_back({{}, ball});
}

const NdtMap& DeferredNdtMap::map(const std::stop_token& stop) {
    while (!m_steps.empty())
        takeStep(stop);
    return m_map;
}

NdtTarget& DeferredNdtMap::target(const std::stop_token& stop) {
    map(stop);
    return m_target;
}

void DeferredNdtMap::takeStep(const std::stop_token& stop) {
    Step& step = m_steps.front();
    if (step.kept)
        m_map.keepNear(step.kept->middle, step.kept->radius);
    if (step.scan) {
        m_map.add(step.scan->points.span(), step.scan->origin, step.scan->pose, stop);
        m_waitingBytes -= step.scan->points.bytes();
    }
    m_target.mapChanged();
    m_steps.pop_front();
}

} // namespace scanloupe
