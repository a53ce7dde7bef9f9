// Finds revisits by the distance between poses, verifies them by registration, and optimizes the poses.
#include "engine/align/loop_closure.h"

#include "engine/align/align_scans.h"
#include "engine/cloud/point_cloud.h"
#include "kernels/register/pose_graph.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <utility>

namespace scanloupe {

namespace {

// The lengths below are multiples of the edge length of the map's cells: 2 m outdoors, 1 m in a room of 10 m.
constexpr double kCloseBy = 3; // maximum distance between two positions that count as the same place
constexpr double kShortestLoop = 15;
constexpr double kLoopSpacing = 1.5; // minimum distance along the drive between two tested loops
constexpr double kNeighbour = 1;     // minimum distance along the drive between the earlier scan of a loop
                                     // and its neighbours
constexpr double kStartSpacing = 1;  // distance between initial poses: registration converges from about one
                                     // coarse cell away
constexpr double kConfirms = 0.1, kConfirmsWithin = 15; // maximum error of a cycle of two loops; maximum
                                                        // distance between them along the drive
constexpr double kCertain = 0.25; // maximum correction that is accepted for loops of any length

constexpr double kDrift = 0.01,
                 kMaxDrift =
                     0.03; // drift as a fraction of the path: typical value; maximum for accepting a loop
constexpr double kMaxTurn = 10 * std::numbers::pi / 180;     // maximum rotation of a correction
constexpr double kConfirmsTurn = 1 * std::numbers::pi / 180; // maximum rotation error of a cycle of two loops
constexpr std::size_t kMaxLoops = 100, kMaxRings = 3;
constexpr double kLeastRatio = 4; // minimum ratio of the driven path to the distance between two positions

// Standard deviations. Loops: distance in cells, angle in radians. Steps between consecutive scans: distance
// in cells, distance as a fraction of the step, angle in radians.
constexpr double kLoopError = 0.01, kLoopAngle = 1e-3;
constexpr double kStepError = 0.002, kStepShare = 0.005, kStepAngle = 4e-4;
constexpr double kDoubtfulStep = 10; // factor on the errors of a step if its pose is doubtful or wrong
constexpr double kGuessedStep = 0.2; // additional error, as a fraction of the step, if no valid pose was
                                     // found
constexpr double kOutlier = 4;       // minimum residual for excluding a loop, in standard deviations

RigidTransform shiftBy(Vec3d by) {
    RigidTransform shift;
    shift.translation = by;
    return shift;
}

double turnBetween(const RigidTransform& a, const RigidTransform& b) {
    return rotationAngle(a.inverse() * b);
}

/// Returns the driven distance up to each position, metres.
std::vector<double> pathOf(std::span<const Vec3d> positions) {
    std::vector<double> path(positions.size());
    for (std::size_t i = 1; i < positions.size(); ++i)
        path[i] = path[i - 1] + norm(positions[i] - positions[i - 1]);
    return path;
}

class LoopCloser {
public:
    LoopCloser(const AlignJob& job, AlignOutcome& outcome, const std::stop_token& stop)
        : m_job(job), m_outcome(outcome), m_stop(stop), m_resolution(*outcome.params.resolution) {
        Vec3d reference;
        for (const AlignedScanPtr& scan : outcome.scans) {
            if (!scan->failed)
                reference = scan->alignment.reference;
            m_middles.push_back(shiftBy(reference));
            m_positions.push_back(scan->alignment.pose(reference));
            m_usable.push_back(scan->alignment.placed());
        }
        m_origin = shiftBy(m_positions.front());
        for (std::size_t i = 0; i < m_positions.size(); ++i)
            m_nodes.push_back(m_origin.inverse() * outcome.scans[i]->alignment.pose * m_middles[i]);
        m_path = pathOf(m_positions);
    }

    void run() {
        for (const Revisit& revisit : findRevisits(m_positions, m_usable, m_resolution))
            if (std::optional<LoopEdge> loop = tried(revisit))
                m_outcome.loops.push_back(*loop);
        confirm();
        while (const std::optional<std::vector<RigidTransform>> nodes = optimized())
            if (!leaveOutWorst()) {
                moveTo(*nodes);
                return;
            }
    }

private:
    std::shared_ptr<const PointCloud> cloudOf(std::size_t scan) const {
        const std::shared_ptr<const PointCloud>& kept = m_outcome.scans[scan]->cloud;
        return kept ? kept : m_job.read(scan);
    }
    /// Converts a motion T_from_to between the nodes of two scans to the motion between their own frames.
    RigidTransform scanMotion(std::size_t from, std::size_t to, const RigidTransform& nodes) const {
        return m_middles[from] * nodes * m_middles[to].inverse();
    }
    RigidTransform nodeMotion(const LoopEdge& loop) const {
        return m_middles[loop.from].inverse() * loop.motion * m_middles[loop.to];
    }
    RigidTransform between(std::size_t from, std::size_t to) const {
        return m_nodes[from].inverse() * m_nodes[to];
    }

    /// Returns the first usable scan before (`side` < 0) or after `scan` that is at least kNeighbour away
    /// along the drive. Returns nullopt if there is none closer than kCloseBy.
    std::optional<std::size_t> neighbour(std::size_t scan, int side) const {
        for (std::size_t i = scan; side < 0 ? i-- > 0 : ++i < m_path.size();)
            if (m_usable[i] && std::abs(m_path[i] - m_path[scan]) >= kNeighbour * m_resolution)
                return std::abs(m_path[i] - m_path[scan]) < kCloseBy * m_resolution ? std::optional(i)
                                                                                    : std::nullopt;
        return std::nullopt;
    }

    /// Returns initial poses around an expected motion, nearest first, within the possible drift of the
    /// drive.
    std::vector<RigidTransform> startsAbout(const RigidTransform& motion, double drift) const {
        std::vector<RigidTransform> starts{motion};
        const double step = kStartSpacing * m_resolution;
        for (std::size_t ring = 1; ring <= kMaxRings && (double(ring) - 0.5) * step < drift; ++ring)
            for (std::size_t k = 0; k < 6 * ring; ++k) {
                const double angle = 2 * std::numbers::pi * double(k) / double(6 * ring);
                starts.push_back(shiftBy(double(ring) * step * Vec3d{std::cos(angle), std::sin(angle), 0}) *
                                 motion);
            }
        return starts;
    }

    /// Aligns the later scan of a revisit to the earlier one and its neighbours.
    std::optional<LoopEdge> tried(const Revisit& revisit) {
        LoopEdge loop{.from = revisit.from, .to = revisit.to};
        const RigidTransform expected = between(loop.from, loop.to);
        // If a loop was closed shortly before, the drift is known from it.
        const bool isCorrected =
            m_lastClosed && m_path[loop.to] - m_path[*m_lastClosed] < kConfirmsWithin * m_resolution;
        const RigidTransform start =
            isCorrected ? m_nodes[loop.from].inverse() * m_correction * m_nodes[loop.to] : expected;
        try {
            ScanAligner aligner(loopParams(), m_job.backend);
            aligner.add(*cloudOf(loop.from), RigidTransform{}, m_stop);
            for (const int side : {-1, 1})
                if (const std::optional<std::size_t> other = neighbour(loop.from, side))
                    aligner.add(*cloudOf(*other), scanMotion(loop.from, *other, between(loop.from, *other)),
                                m_stop);
            const std::shared_ptr<const PointCloud> cloud = cloudOf(loop.to);
            for (const RigidTransform& at : startsAbout(start, isCorrected ? 0 : kDrift * revisit.path)) {
                const ScanAlignment found = aligner.add(*cloud, scanMotion(loop.from, loop.to, at), m_stop);
                loop.motion = found.pose;
                loop.verdict = found.verdict;
                if (found.placed())
                    break;
            }
        } catch (const Error&) {
            return std::nullopt; // e.g. scans from a pipe can only be read once
        }
        const RigidTransform motion = nodeMotion(loop);
        loop.correction = norm(motion.translation - expected.translation);
        if (loop.verdict.word != PoseWord::right)
            return loop;
        const double most = kCertain * m_resolution + kMaxDrift * revisit.path;
        loop.state = loop.correction > most || turnBetween(motion, expected) > kMaxTurn
                         ? LoopState::contradicted
                         : LoopState::alone;
        if (loop.state == LoopState::alone) {
            m_lastClosed = loop.to;
            m_correction = m_nodes[loop.from] * motion * m_nodes[loop.to].inverse();
        }
        return loop;
    }
    AlignParams loopParams() const {
        AlignParams params = m_outcome.params;
        params.to = AlignTo::map;
        params.searchRadius = 0;
        return params;
    }

    /// Whether two loops and the motions along the drive between them form a closed cycle.
    bool agree(const LoopEdge& a, const LoopEdge& b) const {
        const double apart =
            std::abs(m_path[a.to] - m_path[b.to]) + std::abs(m_path[a.from] - m_path[b.from]);
        if (apart > 2 * kConfirmsWithin * m_resolution)
            return false;
        const RigidTransform around =
            nodeMotion(a) * between(a.to, b.to) * nodeMotion(b).inverse() * between(b.from, a.from);
        return norm(around.translation) < kConfirms * m_resolution + kDrift * apart &&
               rotationAngle(around) < kConfirmsTurn;
    }
    /// Closes all loops that are confirmed by another one.
    void confirm() {
        std::vector<LoopEdge>& loops = m_outcome.loops;
        for (std::size_t i = 0; i < loops.size(); ++i)
            for (std::size_t k = 0; k < loops.size() && loops[i].state == LoopState::alone; ++k)
                if (k != i && (loops[k].state == LoopState::alone || loops[k].state == LoopState::closed) &&
                    agree(loops[i], loops[k]))
                    loops[i].state = LoopState::closed;
    }

    /// Returns the edge from the previous scan to this one.
    PoseEdge stepTo(std::size_t scan) const {
        const double distance = m_path[scan] - m_path[scan - 1];
        PoseEdge edge{.from = std::uint32_t(scan - 1), .to = std::uint32_t(scan)};
        edge.motion = between(scan - 1, scan);
        edge.distanceError = kStepError * m_resolution + kStepShare * distance;
        edge.angleError = kStepAngle;
        const AlignedScan& found = *m_outcome.scans[scan];
        if (!found.alignment.placed()) {
            edge.distanceError *= kDoubtfulStep;
            edge.angleError *= kDoubtfulStep;
        }
        if (found.failed || found.alignment.verdict.word == PoseWord::wrong)
            edge.distanceError += kGuessedStep * distance;
        return edge;
    }
    /// Returns the optimized poses, or nullopt if no loop is closed.
    std::optional<std::vector<RigidTransform>> optimized() {
        m_edges.clear();
        for (std::size_t i = 1; i < m_nodes.size(); ++i)
            m_edges.push_back(stepTo(i));
        m_edgeLoops.clear();
        for (std::size_t i = 0; i < m_outcome.loops.size(); ++i) {
            const LoopEdge& loop = m_outcome.loops[i];
            if (loop.state != LoopState::closed)
                continue;
            m_edges.push_back({.from = std::uint32_t(loop.from),
                               .to = std::uint32_t(loop.to),
                               .motion = nodeMotion(loop),
                               .distanceError = kLoopError * m_resolution,
                               .angleError = kLoopAngle,
                               .isRobust = true});
            m_edgeLoops.push_back(i);
        }
        if (m_edgeLoops.empty())
            return std::nullopt;
        PoseGraphResult result = cpu::optimizePoseGraph(m_nodes, m_edges, {}, m_stop);
        m_residuals = std::move(result.residuals);
        return std::move(result.poses);
    }
    /// Excludes the loop with the largest residual if it is an outlier. @returns whether a loop was excluded
    bool leaveOutWorst() {
        const auto first = m_residuals.end() - std::ptrdiff_t(m_edgeLoops.size());
        const auto worst = std::max_element(first, m_residuals.end());
        if (*worst <= kOutlier)
            return false;
        m_outcome.loops[m_edgeLoops[std::size_t(worst - first)]].state = LoopState::contradicted;
        return true;
    }

    void moveTo(const std::vector<RigidTransform>& nodes) {
        for (std::size_t i = 1; i < nodes.size(); ++i) {
            auto moved = std::make_shared<AlignedScan>(*m_outcome.scans[i]);
            moved->alignment.pose = m_origin * nodes[i] * m_middles[i].inverse();
            m_outcome.scans[i] = std::move(moved);
            if (m_job.onMoved)
                m_job.onMoved(i, m_outcome.scans[i]);
        }
    }

    const AlignJob& m_job;
    AlignOutcome& m_outcome;
    const std::stop_token& m_stop;
    double m_resolution;
    RigidTransform m_origin;                 ///< T_first_graph
    std::vector<RigidTransform> m_middles;   ///< [scans] T_scan_node; a node is located at its scan's centre
    std::vector<RigidTransform> m_nodes;     ///< T_graph_node
    std::vector<Vec3d> m_positions;          ///< [scans] in the frame of the first scan
    std::vector<bool> m_usable;              ///< [scans] whether the pose is right
    std::vector<double> m_path;              ///< [scans] driven distance, metres
    std::optional<std::size_t> m_lastClosed; ///< later scan of the last accepted loop
    RigidTransform m_correction;             ///< correction by the last accepted loop, in the frame of the
                                             ///< graph
    std::vector<PoseEdge> m_edges;           ///< edges between consecutive scans, then loops
    std::vector<std::size_t> m_edgeLoops;    ///< index in AlignOutcome::loops for each loop edge of m_edges
    std::vector<double> m_residuals;         ///< [m_edges]
};

} // namespace

const char* describe(LoopState state) {
    switch (state) {
    case LoopState::closed:
        return "closed";
    case LoopState::unsure:
        return "unsure";
    case LoopState::alone:
        return "alone";
    case LoopState::contradicted:
        return "contradicted";
    }
    return "unknown";
}

std::vector<Revisit> findRevisits(std::span<const Vec3d> positions, const std::vector<bool>& usable,
                                  double resolution) {
    const std::vector<double> path = pathOf(positions);
    std::vector<std::size_t> spaced; // positions with a minimum spacing along the drive
    for (std::size_t i = 0; i < positions.size(); ++i)
        if (usable[i] && (spaced.empty() || path[i] - path[spaced.back()] >= 0.5 * kLoopSpacing * resolution))
            spaced.push_back(i);
    if (!positions.empty() && usable[positions.size() - 1] && !spaced.empty() &&
        spaced.back() != positions.size() - 1)
        spaced.push_back(positions.size() - 1);
    std::vector<Revisit> found;
    for (const std::size_t to : spaced) {
        if (!found.empty() && path[to] - path[found.back().to] < kLoopSpacing * resolution &&
            to + 1 != positions.size())
            continue;
        Revisit best{.to = to, .distance = HUGE_VAL};
        for (const std::size_t from : spaced) {
            const double between = path[to] - path[from];
            if (from >= to || between < kShortestLoop * resolution)
                break;
            const double distance = norm(positions[to] - positions[from]);
            if (distance < best.distance && distance <= kCloseBy * resolution + kDrift * between &&
                distance * kLeastRatio <= between)
                best = {from, to, between, distance};
        }
        if (std::isfinite(best.distance))
            found.push_back(best);
    }
    if (found.size() <= kMaxLoops)
        return found;
    std::vector<Revisit> some;
    for (std::size_t i = 0; i < kMaxLoops; ++i)
        some.push_back(found[i * (found.size() - 1) / (kMaxLoops - 1)]);
    return some;
}

void closeLoops(const AlignJob& job, AlignOutcome& outcome, const std::stop_token& stop) {
    if (outcome.scans.size() > 2 && outcome.params.resolution)
        LoopCloser(job, outcome, stop).run();
}

} // namespace scanloupe
