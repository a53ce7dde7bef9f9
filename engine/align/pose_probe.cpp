// Finds the unconstrained directions of a pose, and refines rivals on the surfaces.
#include "engine/align/pose_probe.h"

#include "engine/align/surface_correlation.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <cmath>

namespace scanloupe {

namespace {

constexpr std::size_t kTallied = 2000, kTrialTallied = 500; // number of surfels per scan: final, trial
constexpr std::size_t kSettling = 600, kTrialSettling = 300;
constexpr int kSettleSteps = 6, kTrialSteps = 5, kRefineSteps = 3;
// A candidate is first evaluated with few surfels, and rejected if its agreement is lower than the pose's by
// more than kFirstLag. Among 125 valid alternatives in 42 pairs of scans, the largest deficit at this step
// was 0.21.
constexpr std::size_t kFirstSettling = 100, kFirstTallied = 150;
constexpr int kFirstSteps = 3;
constexpr double kFirstLag = 0.25;
constexpr float kLeastHeight = 0.02F; // minimum height of a correlation peak; of 115 alternative
                                      // poses, only one had a lower peak
constexpr double kHolds = 0.25;       // see PoseProber
constexpr double kMinHolding = 8; // minimum number of constraining surfels; a bare corridor has none along
                                  // its axis
constexpr double kHoldingShare = 0.6;  // minimum fraction of agreeing surfels, among those facing along the
                                       // motion
constexpr double kMinHeld = 0.001;     // minimum fraction of all surfels that constrain a motion
constexpr double kMaxError = 0.1;      // maximum standard error, in tolerances; noise tilts the normals of
                                       // open ground
constexpr double kTrialMatches = 0.15; // minimum number of matches of a candidate, as a fraction of the
                                       // pose's matches
constexpr double kSlideDrop = 0.03, kSlideOverlap = 0.2; // end of a slide: drop of the agreement; overlap as
                                                         // a fraction of the pose's
constexpr double kMinContradicting = 12;                 // minimum number of contradicting surfels; fewer are
                                                         // noise of an open field
constexpr double kSureAgreement = 0.93; // minimum agreement of a pose for ignoring a weak direction that is
                                        // bounded by other surfels
constexpr double kFirstSlide = 2, kSlideStep = 1.4; // first motion, in tolerances; factor between successive
                                                    // motions
constexpr double kMinSlides = 5;                    // minimum length of a weak direction (back and forth), in
                                                    // tolerances
constexpr double kMaxSlide = 500, kMaxSlack = 500;  // metres
constexpr double kAlong = 3, kAlongTurn = 0.05;     // maximum deviation from a weak direction: in tolerances;
                                                    // radians

} // namespace

PoseProber::PoseProber(const SurfaceComparison& comparison, const RigidTransform& pose,
                       const std::stop_token& stop)
    : m_comparison(comparison), m_pose(pose), m_stop(stop) {
    m_settled = comparison.settled(pose, kSettleSteps, kSettling, 0, stop).value_or(pose);
    m_base = comparison.tally(pose, kTallied, stop);
    const auto found = comparison.matches(pose, 1, stop);
    const Spread spread = spreadOf(found);
    m_middle = spread.middle;
    m_parallel = spread.count;
    m_equations = PlaneEquations(spread.middle, spread.lever);
    double count = 0, squares = 0;
    for (const SurfaceMatch& match : found)
        if (match.agrees()) {
            m_equations.add(match, 1);
            squares += match.offset * match.offset;
            ++count;
        }
    m_equations.solve();
    m_errors.fill(kMaxSlack);
    if (count == 0)
        return;
    std::array<double, 6> holding{}, information{}, differing{};
    for (const SurfaceMatch& match : found)
        if (match.isParallel())
            for (std::size_t i = 0; i < 6; ++i) {
                const Vec3d velocity = m_equations.velocity(match, int(i));
                const double along = dot(velocity, match.normal);
                if (std::abs(along) < kHolds * norm(velocity))
                    continue;
                if (!match.agrees()) {
                    differing[i] += 1;
                    continue;
                }
                holding[i] += 1;
                information[i] += along * along;
            }
    for (std::size_t i = 0; i < 6; ++i) {
        m_held[i] = holding[i] / count;
        if (holding[i] >= kMinHolding && holding[i] >= kHoldingShare * (holding[i] + differing[i]))
            m_errors[i] = std::min(kMaxSlack, std::sqrt(squares / count / information[i]));
    }
}

RigidTransform PoseProber::movedBy(RigidTransform motion) const {
    const Vec3d base = m_comparison.target().base();
    motion.translation += base - motion.rotate(base);
    return motion * m_pose;
}

RigidTransform PoseProber::moved(int direction, double amount) const {
    return movedBy(m_equations.motion(direction, amount));
}

RigidTransform PoseProber::settledAcross(std::span<const WeakDirection> weak) const {
    const Vec3d base = m_comparison.target().base();
    RigidTransform motion = m_settled * m_pose.inverse();
    motion.translation += motion.rotate(base) - base;
    std::vector<std::array<double, 6>> directions;
    for (const WeakDirection& w : weak)
        directions.push_back(
            {w.translation.x, w.translation.y, w.translation.z, w.rotation.x, w.rotation.y, w.rotation.z});
    return movedBy(m_equations.without(motion, directions));
}

bool PoseProber::isContradicted(int direction, double amount) const {
    const SurfaceTally there = m_comparison.tally(moved(direction, amount), kTallied, m_stop);
    return there.agreement() < m_base.agreement() - kSlideDrop &&
           there.contradictingBeyond(m_base) >= kMinContradicting;
}

double PoseProber::slideEnd(int direction, double sign, bool& isBounded) const {
    double reached = 0;
    for (double amount = kFirstSlide * m_comparison.target().scale().tolerance; amount < kMaxSlide;
         amount *= kSlideStep) {
        const SurfaceTally there = m_comparison.tally(moved(direction, sign * amount), kTrialTallied, m_stop);
        if (there.overlap() < kSlideOverlap * m_base.overlap())
            break;
        if (there.agreement() < m_base.agreement() - kSlideDrop && isContradicted(direction, sign * amount)) {
            isBounded = true;
            break;
        }
        reached = amount;
    }
    return reached;
}

std::vector<WeakDirection> PoseProber::weakDirections() {
    const double tolerance = m_comparison.target().scale().tolerance;
    std::vector<WeakDirection> weak;
    for (int i = 0; i < 6; ++i) {
        const auto at = std::size_t(i);
        if (m_held[at] >= kMinHeld && m_errors[at] < kMaxError * tolerance)
            continue;
        WeakDirection direction;
        const auto d = m_equations.direction(i);
        direction.translation = {d[0], d[1], d[2]};
        direction.rotation = {d[3], d[4], d[5]};
        direction.held = m_held[at];
        direction.back = slideEnd(i, -1, direction.isBounded);
        direction.forth = slideEnd(i, 1, direction.isBounded);
        if (direction.length() > kMinSlides * tolerance || m_base.agreement() < kSureAgreement)
            weak.push_back(direction);
        else // surfels that do not face along the motion still constrain it, e.g. at edges of walls
            m_errors[at] = std::min(m_errors[at], tolerance);
    }
    return weak;
}

bool PoseProber::isAlong(std::span<const WeakDirection> weak, const RigidTransform& pose) const {
    const Vec3d middle = m_pose.inverse()(m_middle + m_comparison.target().base());
    Vec3d shift = pose(middle) - m_pose(middle);
    if (weak.empty() || rotationAngle(m_pose.inverse() * pose) > kAlongTurn)
        return false;
    for (const WeakDirection& w : weak)
        if (!w.isTurn())
            shift = shift - w.translation * (dot(shift, w.translation) / squaredNorm(w.translation));
    return norm(shift) < kAlong * m_comparison.target().scale().tolerance;
}

PoseCandidate PoseProber::candidate(const RigidTransform& start) const {
    const auto least = std::size_t(kTrialMatches * double(m_parallel));
    const auto first = m_comparison.settled(start, kFirstSteps, kFirstSettling, least, m_stop);
    if (!first)
        return {start, {}};
    const SurfaceTally few = m_comparison.tally(*first, kFirstTallied, m_stop);
    if (few.agreement() < m_base.agreement() - kFirstLag)
        return {*first, few};
    const auto pose = m_comparison.settled(*first, kTrialSteps, kTrialSettling, least, m_stop);
    if (!pose)
        return {*first, few};
    return {*pose, m_comparison.tally(*pose, kTrialTallied, m_stop)};
}

PoseCandidate PoseProber::refined(const PoseCandidate& candidate) const {
    const RigidTransform pose =
        m_comparison.settled(candidate.pose, kRefineSteps, kSettling, 0, m_stop).value_or(candidate.pose);
    return {pose, m_comparison.tally(pose, kTallied, m_stop)};
}

std::vector<PoseCandidate> PoseProber::candidates() const {
    const std::vector<CorrelatedPose> starts = correlatedPoses(m_comparison, m_pose, m_stop);
    std::vector<PoseCandidate> found(starts.size());
    parallelFor(starts.size(), 1, m_stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            if (starts[i].height >= kLeastHeight)
                found[i] = candidate(starts[i].pose);
    });
    return found;
}

} // namespace scanloupe
