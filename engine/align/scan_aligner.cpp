// Registers scans one after the other by NDT, with a constant-velocity prediction and a grid search for scans
// without a start.
#include "engine/align/scan_aligner.h"

#include "kernels/core/devices.h"
#include "kernels/core/parallel.h"
#include "kernels/register/ndt_report.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace scanloupe {

namespace {

constexpr double kMaxResolution = 2; // metres: walls and ground of a street are planar at that scale
constexpr double kCellsAcross = 12;  // a room of 10 m gets cells of 1 m
constexpr std::size_t kSampleSize = 100'000;
constexpr double kMaxSearchRadius = 1000; // metres
constexpr int kHeadings = 12;             // 30 degrees apart: NDT converges from 15 degrees off
constexpr double kSearchStep = 1.5;       // cells between starts, at least: NDT converges from a cell off
constexpr double kMaxSearchPositions = 1000;
constexpr double kRivalCells = 0.5; // cells from which on another pose that a search finds is a rival

/// The diagonal of the box between the 1 % and 99 % quantiles of each axis, metres; 0 without finite points.
double robustExtent(const PointCloud& cloud) {
    const std::size_t stride = std::max<std::size_t>(1, cloud.size() / kSampleSize);
    std::vector<double> values;
    Vec3d extent;
    for (int axis = 0; axis < 3; ++axis) {
        values.clear();
        for (std::size_t i = 0; i < cloud.size(); i += stride)
            if (const Vec3d p = cloud.position(i); isFinite(p))
                values.push_back(p[axis]);
        if (values.empty())
            return 0;
        const auto at = [&](double share) {
            const auto nth = values.begin() + std::llround(share * double(values.size() - 1));
            std::nth_element(values.begin(), nth, values.end());
            return *nth;
        };
        extent[axis] = at(0.99) - at(0.01);
    }
    return norm(extent);
}

/// Where a scan was seen from: what its file says, else the origin of its frame, which DepthView::isKnown()
/// tests.
Vec3d sensorOf(const PointCloud& cloud) {
    return cloud.sensor ? cloud.sensor->position : Vec3d{};
}

/// Rounds down to 1, 2 or 5 times a power of ten.
double roundDownTo125Series(double value) {
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    return power * (value >= 5 * power ? 5 : value >= 2 * power ? 2 : 1);
}

} // namespace

ScanAligner::ScanAligner(const AlignParams& params, Backend backend) : m_params(params), m_map(params.map) {
    if (backend == Backend::cuda)
        m_stream.emplace();
    checkNdt(params.ndt);
    m_params.ndt.pointScores = false; // not used here
    if (m_params.resolution) {
        m_params.map.resolution = *m_params.resolution;
        m_map = NdtMap(m_params.map); // checks the resolution
    }
    if (!(params.searchRadius >= 0 && params.searchRadius <= kMaxSearchRadius))
        throw EngineError(fmt::format("Scans can't be looked for within {}.", params.searchRadius),
                          fmt::format("Take 0, which looks nowhere else, up to {:g}.", kMaxSearchRadius));
    if (m_params.thinning && !(*m_params.thinning >= 0 && std::isfinite(*m_params.thinning)))
        throw EngineError(fmt::format("Scans can't be thinned to {}.", *m_params.thinning),
                          "Take 0, which keeps all points, or more.");
}

void ScanAligner::chooseParams(const PointCloud& first) {
    const double extent = robustExtent(first);
    if (!(extent > 0))
        throw EngineError("The first scan has no points that others could be aligned to.",
                          "Begin with another scan.");
    if (!m_params.resolution)
        m_params.resolution = std::min(kMaxResolution, roundDownTo125Series(extent / kCellsAcross));
    if (!m_params.thinning)
        m_params.thinning = *m_params.resolution / 5;
    m_params.map.resolution = *m_params.resolution;
    m_map = NdtMap(m_params.map);
    m_target.mapChanged();
}

Execution ScanAligner::execution(bool onDevice, const std::stop_token& stop) const {
    if (m_stream && onDevice)
        return {m_stream->view(), stop};
    return {std::nullopt, stop};
}

RigidTransform ScanAligner::predictedPose() const {
    if (m_lastPoses.size() < 2)
        return m_lastPoses.empty() ? RigidTransform{} : m_lastPoses.back();
    return m_lastPoses[1] * m_lastPoses[0].inverse() * m_lastPoses[1];
}

NdtResult ScanAligner::align(const NdtScan& scan, const RigidTransform& start, const std::stop_token& stop) {
    return m_target.align(scan, start, m_params.ndt, execution(m_params.to == AlignTo::first, stop));
}

NdtFound ScanAligner::searchPose(const NdtScan& scan, const RigidTransform& about,
                                 const std::stop_token& stop) {
    const double radius = m_params.searchRadius;
    const double step = std::max(kSearchStep * *m_params.resolution,
                                 radius * std::sqrt(std::numbers::pi / kMaxSearchPositions));
    const int reach = int(radius / step);
    std::vector<RigidTransform> starts;
    for (int i = -reach; i <= reach; ++i)
        for (int j = -reach; j <= reach; ++j) {
            if (std::hypot(i, j) * step > radius)
                continue;
            for (int heading = 0; heading < kHeadings; ++heading) {
                const double yaw = 2 * std::numbers::pi * heading / kHeadings;
                RigidTransform start = fromRollPitchYaw({0, 0, yaw}, {}) * about;
                // rotation about the scan's origin: the origin of the file's frame may be far away
                start.translation =
                    about(scan.origin) - start.rotate(scan.origin) + Vec3d{i * step, j * step, 0};
                starts.push_back(start);
            }
        }
    NdtSearch search;
    search.apart = std::min(search.apart, kRivalCells * *m_params.resolution);
    return m_target.findPose(scan, starts, m_params.ndt, search, execution(true, stop));
}

const ScanSight& ScanAligner::sightNear(Vec3d sensor) const {
    const auto apart = [&](const ScanSight& sight) {
        return norm(sight.pose(sight.depth.sensor()) - sensor);
    };
    return *std::min_element(m_sights.begin(), m_sights.end(),
                             [&](const ScanSight& a, const ScanSight& b) { return apart(a) < apart(b); });
}

ScanSight ScanAligner::alignOne(const PointCloud& cloud, ScanAlignment& scan, const std::stop_token& stop) {
    const WallTimer timer;
    const Buffer<Vec3f> all = cloud.floatView(stop);
    std::vector<Vec3f> thinned;
    std::span<const Vec3f> points = all.span();
    if (*m_params.thinning > 0) {
        thinned = cpu::thinScan(points, *m_params.thinning, stop);
        points = thinned;
    }
    scan.alignedPoints = points.size();
    const NdtScan source{points, cloud.origin()};
    const Vec3d sensor = sensorOf(cloud);
    // together: alignment leaves cores idle, all while a device does it, some where a scan has few points
    std::optional<ScanTraits> own;
    NdtRival rival;
    const int device = currentDevice();
    parallelFor(2, 1, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (i == 1) {
                own = traitsOf(source, sensor, m_map.params(), m_params.ndt, stop);
                continue;
            }
            const DeviceScope here(m_stream ? device : currentDevice()); // on whatever thread this runs
            if (m_params.searchRadius > 0) {
                NdtFound found = searchPose(source, scan.start, stop);
                scan.ndt = std::move(found.best);
                rival = found.rival;
            } else {
                scan.ndt = align(source, scan.start, stop);
            }
            scan.alignMs = timer.elapsedMs();
        }
    });
    scan.hasPose = scan.ndt.end == NdtEnd::converged || scan.ndt.end == NdtEnd::maxIterations;
    if (!scan.hasPose)
        return {};
    scan.pose = scan.ndt.pose;
    own->sight.pose = scan.pose;
    scan.evidence = gatherEvidence({.target = m_map,
                                    .targetSight = sightNear(scan.pose(sensor)),
                                    .scan = *own,
                                    .result = scan.ndt,
                                    .rival = m_params.searchRadius > 0 ? &rival : nullptr},
                                   m_params.ndt, stop);
    scan.verdict = judgePose(scan.evidence, *m_params.resolution);
    scan.evidenceMs = timer.elapsedMs() - scan.alignMs;
    return std::move(own->sight);
}

void ScanAligner::addToMap(const PointCloud& cloud, ScanAlignment& scan, const std::stop_token& stop) {
    const WallTimer timer;
    const Buffer<Vec3f> points = cloud.floatView(stop);
    if (m_params.to == AlignTo::previous) {
        NdtMap map(m_params.map);
        map.add(points.span(), cloud.origin(), scan.pose, stop);
        m_map = std::move(map);
    } else {
        m_map.add(points.span(), cloud.origin(), scan.pose, stop);
    }
    m_target.mapChanged();
    scan.mapMs = timer.elapsedMs();
}

ScanAlignment ScanAligner::add(const PointCloud& cloud, const std::optional<RigidTransform>& start,
                               const std::stop_token& stop) {
    const bool isFirst = m_lastPoses.empty();
    ScanAlignment scan;
    scan.start = scan.pose = isFirst ? start.value_or(RigidTransform{}) : start.value_or(predictedPose());
    scan.points = cloud.size();
    if (cloud.origin() != Vec3d{})
        scan.reference = 0.5 * (cloud.bounds().min + cloud.bounds().max);
    ScanSight sight;
    if (isFirst) {
        chooseParams(cloud);
        scan.hasPose = true;
        scan.verdict = PoseVerdict{.word = PoseWord::right, .chance = 1, .reason = PoseReason::isReference};
    } else {
        sight = alignOne(cloud, scan, stop);
    }
    if (isFirst || (scan.placed() && m_params.to != AlignTo::first)) {
        addToMap(cloud, scan, stop);
        if (isFirst) {
            const WallTimer timer;
            const Buffer<Vec3f> points = cloud.floatView(stop);
            sight = sightOf({points.span(), cloud.origin()}, sensorOf(cloud), *m_params.resolution, stop);
            sight.pose = scan.pose;
            scan.evidenceMs = timer.elapsedMs();
        }
        if (m_params.to == AlignTo::previous)
            m_sights.clear();
        m_sights.push_back(std::move(sight));
    }
    recordPose(scan.verdict.word == PoseWord::wrong ? scan.start : scan.pose);
    return scan;
}

void ScanAligner::recordPose(const RigidTransform& pose) {
    m_lastPoses.push_back(pose);
    if (m_lastPoses.size() > 2)
        m_lastPoses.erase(m_lastPoses.begin());
}

} // namespace scanloupe
