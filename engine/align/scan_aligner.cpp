// Registers scans sequentially. Initial poses are given, predicted with constant velocity, or found by a grid
// search.
#include "engine/align/scan_aligner.h"

#include "engine/align/scan_check.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "kernels/core/devices.h"
#include "kernels/core/parallel.h"
#include "kernels/register/ndt/ndt_report.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace scanloupe {

namespace {

constexpr double kMaxResolution = 2;      // metres; walls and ground of a street are planar at this scale
constexpr double kCellsAcross = 12;       // a room of 10 m gets cells of 1 m
constexpr double kMaxSearchRadius = 1000; // metres
constexpr int kHeadings = 12;             // every 30 degrees: NDT converges from 15 degrees away
constexpr double kSearchStep = 1.5;       // minimum distance between initial poses, in cells: NDT converges
                                          // from one cell away
constexpr double kMaxSearchPositions = 1000;
constexpr std::size_t kEvidenceTargets = 3; // number of nearest scans of the map that a pose is compared with
constexpr double kCoarsestSurfaces = 2;     // edge length of the coarsest cells, metres; they find a pose
                                            // from far away
// Minimum number of CPU threads for keeping two maps, which costs 10 % more CPU time.
constexpr int kThreadsAhead = 8;
constexpr double kRivalCells = 0.5; // minimum distance, in cells, at which another pose found by a search is
                                    // a rival

/// Rounds down to 1, 2 or 5 times a power of ten.
double roundDownTo125Series(double value) {
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    return power * (value >= 5 * power ? 5 : value >= 2 * power ? 2 : 1);
}

bool isPose(NdtEnd end) {
    return end == NdtEnd::converged || end == NdtEnd::maxIterations;
}

static_assert(int(AlignMethod::gicp) == int(RegistrationMethod::gicp) &&
              int(AlignMethod::plane) == int(RegistrationMethod::plane));

} // namespace

ScanAligner::ScanAligner(const AlignParams& params, Backend backend, std::uint64_t maxWaitingBytes)
    : m_params(params), m_map(params.map, maxWaitingBytes) {
    if (backend == Backend::cuda) {
        m_stream.emplace();
        m_settledStream.emplace();
        m_aheadStream.emplace();
        m_clock.emplace(*m_stream);
    }
    checkNdt(params.ndt);
    m_params.ndt.pointScores = false; // scores per point are not used here
    if (m_params.resolution) {
        m_params.map.resolution = *m_params.resolution;
        m_map.reset(m_params.map); // validates the resolution
    }
    if (!(params.searchRadius >= 0 && params.searchRadius <= kMaxSearchRadius))
        throw EngineError(
            fmt::format("The search radius must be between 0 and {:g} m (got {:g}).", kMaxSearchRadius,
                        params.searchRadius),
            "Choose a radius in this range; with 0, a scan starts only from its expected pose.");
    if (m_params.thinning && !(*m_params.thinning >= 0 && std::isfinite(*m_params.thinning)))
        throw EngineError(fmt::format("The voxel size for thinning must be finite and at least 0 (got {}).",
                                      *m_params.thinning),
                          "Enter a voxel size in metres, or 0 to use all points.");
}

void ScanAligner::chooseParams(const PointCloud& first) {
    const double extent = robustExtent(first, kExtentSample);
    if (!(extent > 0))
        throw EngineError("The first scan has no extent: no finite points, or all at the same position.",
                          "Put another scan first; all others are aligned to it.");
    if (!m_params.resolution)
        m_params.resolution = std::min(kMaxResolution, roundDownTo125Series(extent / kCellsAcross));
    if (!m_params.thinning)
        m_params.thinning = *m_params.resolution / 5;
    m_params.map.resolution = *m_params.resolution;
    m_map.reset(m_params.map);
}

Execution ScanAligner::execution(bool onDevice, const std::stop_token& stop) const {
    if (m_stream && onDevice)
        return {m_stream->view(), stop};
    return {std::nullopt, stop};
}

RigidTransform ScanAligner::Targets::predictedPose() const {
    if (lastPoses.size() < 2)
        return lastPoses.empty() ? RigidTransform{} : lastPoses.back();
    return lastPoses[1] * lastPoses[0].inverse() * lastPoses[1];
}

void ScanAligner::Targets::recordPose(const RigidTransform& pose) {
    lastPoses.push_back(pose);
    if (lastPoses.size() > 2)
        lastPoses.erase(lastPoses.begin());
}

NdtFit ScanAligner::align(const NdtScan& scan, const RigidTransform& start, const std::stop_token& stop) {
    return m_map.target(stop).align(scan, start, m_params.ndt,
                                    execution(m_params.to == AlignTo::first, stop));
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
                // Rotates about the scan's origin, since the origin of the file's frame may be far away.
                start.translation =
                    about(scan.origin) - start.rotate(scan.origin) + Vec3d{i * step, j * step, 0};
                starts.push_back(start);
            }
        }
    NdtSearch search;
    search.apart = std::min(search.apart, kRivalCells * *m_params.resolution);
    return m_map.target(stop).findPose(scan, starts, m_params.ndt, search, execution(true, stop));
}

RigidTransform ScanAligner::startOf(const NdtScan& source, const RigidTransform& start,
                                    std::optional<RigidTransform>& rival, const std::stop_token& stop) {
    if (!(m_params.searchRadius > 0))
        return start;
    const NdtFound found = searchPose(source, start, stop);
    if (found.rival.score > 0)
        rival = found.rival.pose;
    return isPose(found.best.end) ? found.best.pose : start;
}

bool ScanAligner::alignSurfaces(PendingScan& pending, const std::stop_token& stop) {
    ScanAlignment& scan = pending.alignment;
    const RigidTransform start = startOf(pending.scan->source(), scan.start, pending.rival, stop);
    RegistrationParams params;
    params.method = RegistrationMethod(m_params.method);
    params.epsilon = m_params.ndt.epsilon;
    params.maxIterations = m_params.ndt.maxIterations;
    const RegistrationResult found = m_now.surfaces->align(*pending.scan->surfaces, start, params, stop);
    if (found.end == RegistrationEnd::noSurfaces || found.end == RegistrationEnd::noTarget) {
        if (pending.isAhead)
            return false;
        pending.scan->thin(*m_params.thinning, stop);
        scan.ndt = align(pending.scan->source(), start, stop); // the scan has no planes, e.g. among crowns of
                                                               // trees
        scan.alignedPoints = pending.scan->source().points.size();
        pending.isScored = true;
        return true;
    }
    scan.ndt.pose = found.pose;
    scan.ndt.end = found.end == RegistrationEnd::noOverlap       ? NdtEnd::noOverlap
                   : found.end == RegistrationEnd::maxIterations ? NdtEnd::maxIterations
                                                                 : NdtEnd::converged;
    scan.ndt.iterations = found.iterations;
    return true;
}

void ScanAligner::score(PendingScan& pending, const std::stop_token& stop) {
    NdtFit& found = pending.alignment.ndt;
    NdtFit scored = cpu::scoreNdt(m_map.map(stop), pending.scan->source(), found.pose, m_params.ndt, stop);
    scored.end = found.end;
    scored.iterations = found.iterations;
    scored.trace.clear(); // the trace of a single evaluation is of no use
    found = std::move(scored);
    pending.isScored = true;
}

PreparationParams ScanAligner::preparation() const {
    PreparationParams params{.thinning = {}, .scale = m_scale, .surfaces = {}};
    if (usesNdt())
        params.thinning = *m_params.thinning;
    if (m_params.method != AlignMethod::ndt)
        params.surfaces = {kCoarsestSurfaces, m_isSightKnown};
    return params;
}

PreparedScan ScanAligner::prepare(const PointCloud& cloud, const std::stop_token& stop) const {
    return prepareScan(cloud, preparation(), {view(m_aheadStream), stop});
}

bool ScanAligner::canBeginAhead() const {
    const bool hasCores = m_stream || parallelThreads() >= kThreadsAhead;
    return hasCores && m_params.method != AlignMethod::ndt && !(m_params.searchRadius > 0);
}

bool ScanAligner::begin(PendingScan& pending, const std::stop_token& stop) {
    if (!m_clock)
        return beginStep(pending, stop);
    EventTimer device(*m_stream);
    const bool isBegun = beginStep(pending, stop);
    device.stop();
    pending.work = device.spanSince(*m_clock);
    if (pending.scan && pending.scan->shapes.uploading)
        pending.upload = pending.scan->shapes.uploading->spanSince(*m_clock);
    pending.alignment.uploadMs = pending.upload.length();
    return isBegun;
}

bool ScanAligner::beginStep(PendingScan& pending, const std::stop_token& stop) {
    const WallTimer timer;
    pending.alignment = {};
    pending.isScored = false;
    ScanAlignment& scan = pending.alignment;
    scan.start = scan.pose = pending.start.value_or(m_now.predictedPose());
    if (pending.isAhead && !m_settled)
        m_settled = copyOf(m_now, m_settledStream);
    if (pending.scan) {
        scan.points = pending.scan->size;
        scan.reference = pending.scan->reference;
        scan.alignedPoints =
            usesNdt() ? pending.scan->source().points.size() : pending.scan->shapes.host.size();
        scan.prepareMs = pending.scan->ms;
        if (m_params.method != AlignMethod::ndt) {
            if (!alignSurfaces(pending, stop))
                return false;
        } else if (m_params.searchRadius > 0) {
            NdtFound found = searchPose(pending.scan->source(), scan.start, stop);
            scan.ndt = std::move(found.best);
            if (found.rival.score > 0)
                pending.rival = found.rival.pose;
            pending.isScored = true;
        } else {
            scan.ndt = align(pending.scan->source(), scan.start, stop);
            pending.isScored = true;
        }
        scan.hasPose = isPose(scan.ndt.end);
        if (scan.hasPose)
            scan.pose = scan.ndt.pose;
        auto sight = std::make_shared<ScanSight>(pending.scan->sight);
        sight->pose = scan.pose;
        pending.sight = std::move(sight);
        pending.targets = nearestSights(m_now.sights, pending.sight->sensor(), kEvidenceTargets);
        scan.alignMs = timer.elapsedMs();
    }
    if (pending.isAhead) {
        if (scan.hasPose && m_params.to != AlignTo::first)
            advance(m_now, *pending.scan, pending.sight);
        m_now.recordPose(scan.pose);
    }
    return true;
}

void ScanAligner::judge(PendingScan& pending, const std::stop_token& stop) const {
    ScanAlignment& scan = pending.alignment;
    if (!scan.hasPose)
        return;
    const WallTimer timer;
    std::vector<const ScanSight*> targets;
    for (const ScanSightPtr& target : pending.targets)
        targets.push_back(target.get());
    const EvidenceInput input{.targets = targets,
                              .scan = *pending.sight,
                              .pose = scan.pose,
                              .converged = scan.ndt.converged(),
                              .searched = m_params.searchRadius > 0,
                              .rival = pending.rival};
    scan.evidence = gatherEvidence(input, m_scale, stop);
    scan.verdict = judgePose(scan.evidence, *m_params.resolution);
    scan.evidenceMs = timer.elapsedMs();
}

bool ScanAligner::settle(PendingScan& pending, const std::stop_token& stop) {
    const WallTimer timer;
    ScanAlignment& scan = pending.alignment;
    Targets& targets = pending.isAhead ? *m_settled : m_now;
    if (pending.scan && !pending.isScored && m_params.ndtFigures)
        score(pending, stop);
    const bool isTarget = scan.placed() && m_params.to != AlignTo::first;
    if (isTarget) {
        addToMap(*pending.scan, scan.pose, stop);
        if (const std::optional<Ball> ball = advance(targets, *pending.scan, pending.sight))
            m_map.keepNear(*ball);
    }
    const bool isAtStart = scan.verdict.word == PoseWord::wrong;
    targets.recordPose(isAtStart ? scan.start : scan.pose);
    scan.mapMs = timer.elapsedMs();
    const bool wasTarget = scan.hasPose && m_params.to != AlignTo::first;
    return isTarget == wasTarget && !(isAtStart && scan.hasPose);
}

void ScanAligner::rewind() {
    if (!m_settled)
        return;
    m_now = copyOf(*m_settled, m_stream);
    m_settled.reset();
}

std::optional<StreamView> ScanAligner::view(const std::optional<Stream>& stream) const {
    return stream ? std::optional(stream->view()) : std::nullopt;
}

ScanAligner::Targets ScanAligner::copyOf(const Targets& targets, const std::optional<Stream>& stream) const {
    Targets copy{{}, targets.sights, targets.reach, targets.lastDrop, targets.lastPoses};
    if (targets.surfaces)
        copy.surfaces.emplace(targets.surfaces->copy(view(stream)));
    return copy;
}

std::optional<Ball> ScanAligner::advance(Targets& targets, const PreparedScan& scan,
                                         const ScanSightPtr& sight) const {
    if (m_params.method != AlignMethod::ndt) {
        if (m_params.to == AlignTo::previous)
            targets.surfaces.emplace(m_scale.spacing, kCoarsestSurfaces, m_isSightKnown,
                                     view(&targets == &m_now ? m_stream : m_settledStream));
        targets.surfaces->add(scan.shapes, scan.origin, sight->pose);
    }
    addSight(targets, sight);
    const std::optional<Ball> ball = sightBall(targets, scan, sight->pose);
    if (ball && targets.surfaces)
        targets.surfaces->keepNear(ball->middle, ball->radius);
    return ball;
}

void ScanAligner::addToMap(PreparedScan& scan, const RigidTransform& pose, const std::stop_token& stop) {
    if (m_params.to == AlignTo::previous)
        m_map.reset(m_params.map);
    m_map.add(std::move(scan.points), scan.bounds, scan.origin, pose, stop);
}

ScanAlignment ScanAligner::addFirst(const PointCloud& cloud, const RigidTransform& start,
                                    const std::stop_token& stop) {
    chooseParams(cloud);
    WallTimer timer;
    PreparedScan prepared = pointsOf(cloud, stop);
    ScanAlignment scan;
    scan.start = scan.pose = start;
    scan.points = prepared.size;
    scan.reference = prepared.reference;
    scan.hasPose = true;
    scan.verdict = PoseVerdict{.word = PoseWord::right, .chance = 1, .reason = PoseReason::isReference};
    auto sight = std::make_shared<ScanSight>(firstSightOf(
        prepared.points.span(), prepared.origin, sensorOf(cloud), m_scale, prepared.shapes.host, stop));
    sight->pose = start;
    m_isSightKnown = sight->depth.isKnown();
    scan.evidenceMs = timer.elapsedMs();
    addToMap(prepared, start, stop);
    if (m_params.method != AlignMethod::ndt) {
        if (m_stream)
            prepared.shapes.upload(m_stream->view());
        m_now.surfaces.emplace(m_scale.spacing, kCoarsestSurfaces, m_isSightKnown, view(m_stream));
    }
    advance(m_now, prepared, sight);
    m_now.recordPose(start);
    scan.mapMs = timer.elapsedMs() - scan.evidenceMs;
    return scan;
}

ScanAlignment ScanAligner::add(const PointCloud& cloud, const std::optional<RigidTransform>& start,
                               const std::stop_token& stop) {
    if (m_now.lastPoses.empty())
        return addFirst(cloud, start.value_or(RigidTransform{}), stop);
    PendingScan pending;
    pending.scan = prepare(cloud, stop);
    pending.start = start;
    begin(pending, stop);
    judge(pending, stop);
    settle(pending, stop);
    return std::move(pending.alignment);
}

} // namespace scanloupe
