// Generates right and wrong poses of the pairs, and counts their verdicts.
#include "tests/support/sweep_verdicts.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <numbers>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace scanloupe::test {

namespace {

// Limits of the error of a right pose, and a tenth of a cell: see PoseWord
constexpr double kRightDegrees = 1, kRightMetres = 0.1;
constexpr double kDegree = std::numbers::pi / 180;

double offBy(double low, double high, std::mt19937& random) {
    return std::uniform_real_distribution<double>(low, high)(random) * (random() % 2 == 0 ? 1 : -1);
}

RigidTransform shiftBy(double x, double y) {
    RigidTransform shift;
    shift.translation = {x, y, 0};
    return shift;
}

/// A motion about the sensor, by up to these angles and lengths.
RigidTransform motionBy(double yaw, Vec3d most, std::mt19937& random) {
    const double turn = offBy(0, yaw, random), x = offBy(0, most.x, random), y = offBy(0, most.y, random);
    return fromRollPitchYaw({0, 0, turn}, {x, y, offBy(0, most.z, random)});
}

bool isRight(const SweepPair& pair, const RigidTransform& pose) {
    return norm(pose.translation - pair.truth.translation) < std::min(kRightMetres, pair.resolution / 10) &&
           rotationAngle(pair.truth.inverse() * pose) < kRightDegrees * kDegree;
}

void add(VerdictCounts& counts, const SweepPair& pair, const char* pose, const SweepJudge::Judged& judged,
         bool isExpected) {
    const auto& [evidence, verdict] = judged;
    ++counts.words[std::size_t(verdict.word)];
    if (!isExpected)
        std::printf("  %s %u, %s: %s (%.3f), reason %d; agreement %.3f, settling %.3f m, seen through %.4f, "
                    "%zu weak, %zu alternatives\n",
                    nameOf(pair.scene), pair.seed, pose, describe(verdict.word), verdict.chance,
                    int(verdict.reason), evidence.agreement, evidence.settleDistance, evidence.seenThrough,
                    evidence.weak.size(), evidence.rivals.size());
}

void print(const char* name, const VerdictCounts& counts) {
    std::printf("%-50s right %5d, doubtful %5d, wrong %5d\n", name, counts.words[0], counts.words[1],
                counts.words[2]);
}

/// Judges the poses of one pair after another.
class VerdictCounter {
public:
    /// @param right receives the counts of right poses
    /// @param expected verdict that right poses should get; none: any but `wrong`
    void judgePoses(SweepPair pair, VerdictCounts& right, std::optional<PoseWord> expected,
                    std::mt19937& random) {
        const SweepJudge judge(pair);
        VerdictCounts& wrong = pair.scene == SweepScene::field ? m_found.openWrong : m_found.wrong;
        Poses poses = truePoses(pair, judge, random);
        std::ranges::move(wrongPoses(pair, judge, random), std::back_inserter(poses));
        for (const auto& [name, pose] : poses) {
            const auto judged = judge.judge(pose);
            if (!isRight(pair, pose))
                add(wrong, pair, name, judged, judged.verdict.word != PoseWord::right);
            else
                add(right, pair, name, judged,
                    expected ? judged.verdict.word == *expected : judged.verdict.word != PoseWord::wrong);
        }
        if (m_last) {
            const SweepJudge other(*m_last, pair);
            const auto judged = other.judge(other.settled(motionBy(3, {1, 1, 0}, random)));
            add(m_found.mismatched, pair, "another place", judged, judged.verdict.word != PoseWord::right);
        }
        m_last = std::move(pair);
    }
    SweepVerdicts& found() { return m_found; }

private:
    using Poses = std::vector<std::pair<const char*, RigidTransform>>;

    /// True poses, off by some millimetres and a tenth of a degree, and results of GICP from farther off,
    /// which may be wrong, too.
    static Poses truePoses(const SweepPair& pair, const SweepJudge& judge, std::mt19937& random) {
        Poses poses{{"truth", pair.truth * motionBy(0.002, {0.008, 0.008, 0.008}, random)}};
        if (const auto pose = judge.registered(pair.truth * motionBy(0.1, {0.5, 0.5, 0.05}, random)))
            poses.emplace_back("found", *pose);
        return poses;
    }
    static Poses wrongPoses(const SweepPair& pair, const SweepJudge& judge, std::mt19937& random) {
        Poses poses;
        const double x = offBy(0.15, 1.5, random), y = offBy(0.15, 1.5, random);
        poses.emplace_back("off", pair.moved(shiftBy(x, y)));
        poses.emplace_back("along x", pair.moved(shiftBy(offBy(0.2, 1.5, random), 0)));
        if (pair.scene == SweepScene::racks)
            poses.emplace_back("a pitch away", pair.moved(shiftBy(random() % 2 == 0 ? 4 : -4, 0)));
        if (pair.scene != SweepScene::street)
            poses.emplace_back("turned",
                               judge.settled(pair.moved(fromRollPitchYaw({0, 0, std::numbers::pi}, {}))));
        return poses;
    }

    SweepVerdicts m_found;
    std::optional<SweepPair> m_last;
};

} // namespace

bool SweepVerdicts::hold() const {
    return wrong.of(PoseWord::right) == 0 && mismatched.of(PoseWord::right) == 0 &&
           20 * (right.all() - right.of(PoseWord::right)) <= right.all() + 40 &&
           100 * ambiguous.of(PoseWord::doubtful) >= 99 * ambiguous.all() &&
           100 * openWrong.of(PoseWord::right) <= openWrong.all() + 100;
}

void SweepVerdicts::print() const {
    test::print("right poses", right);
    test::print("true poses of places that look alike elsewhere", ambiguous);
    test::print("wrong poses", wrong);
    test::print("poses in other places", mismatched);
    test::print("right poses in open places", open);
    test::print("wrong poses in open places", openWrong);
}

SweepVerdicts judgeSweeps(std::uint32_t first, std::uint32_t seeds) {
    std::printf("seeds %u to %u\n", first, first + seeds - 1);
    VerdictCounter counter;
    for (std::uint32_t seed = first; seed < first + seeds; ++seed) {
        std::mt19937 random(seed);
        for (const SweepScene scene : kUniqueScenes)
            counter.judgePoses(makeSweepPair(scene, seed), counter.found().right, PoseWord::right, random);
        for (const SweepScene scene : kAmbiguousScenes)
            counter.judgePoses(makeSweepPair(scene, seed), counter.found().ambiguous, PoseWord::doubtful,
                               random);
        for (const SweepScene scene : kOpenScenes)
            counter.judgePoses(makeSweepPair(scene, seed), counter.found().open, std::nullopt, random);
    }
    return counter.found();
}

} // namespace scanloupe::test
