// Pose graphs: exact measurements lead to the true poses, loops correct drift, wrong loops are rejected, and
// the result minimizes the error.
#include "kernels/core/error.h"
#include "kernels/register/pose_graph.h"
#include "tests/kernels/register/ndt_test_support.h"

#include <cmath>
#include <limits>
#include <numbers>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

RigidTransform graphMotion(std::mt19937_64& random, double metres, double radians) {
    std::normal_distribution<double> along(0, 1);
    const auto vector = [&](double scale) {
        return scale * Vec3d{along(random), along(random), along(random)};
    };
    const Vec3d turn = vector(radians);
    return fromRollPitchYaw(turn, vector(metres));
}

/// Poses along a circle of 100 m, and the motions between neighbours.
struct CircularDrive {
    explicit CircularDrive(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            const double angle = 2 * std::numbers::pi * double(i) / double(count);
            truth.push_back(
                fromRollPitchYaw({0, 0, angle}, {50 * std::sin(angle), 50 - 50 * std::cos(angle), 0}));
        }
        for (std::size_t i = 1; i < count; ++i)
            edges.push_back(measured(i - 1, i));
    }
    PoseEdge measured(std::size_t from, std::size_t to) const {
        PoseEdge edge{.from = std::uint32_t(from), .to = std::uint32_t(to)};
        edge.motion = truth[from].inverse() * truth[to];
        return edge;
    }
    /// The poses that result from chaining all motions.
    std::vector<RigidTransform> chained() const {
        std::vector<RigidTransform> poses{truth.front()};
        for (std::size_t i = 1; i < truth.size(); ++i)
            poses.push_back(poses.back() * edges[i - 1].motion);
        return poses;
    }
    std::vector<RigidTransform> truth;
    std::vector<PoseEdge> edges;
};

double farthestFrom(const std::vector<RigidTransform>& truth, const std::vector<RigidTransform>& poses) {
    double most = 0;
    for (std::size_t i = 0; i < truth.size(); ++i)
        most = std::max({most, norm(truth[i].translation - poses[i].translation),
                         rotationAngle(truth[i].inverse() * poses[i])});
    return most;
}

/// Half the sum of squared errors of the non-robust edges, computed independently of the optimizer.
double graphError(const std::vector<RigidTransform>& poses, const std::vector<PoseEdge>& edges) {
    double sum = 0;
    for (const PoseEdge& edge : edges) {
        const RigidTransform off = edge.motion.inverse() * poses[edge.from].inverse() * poses[edge.to];
        const double metres = norm(off.translation) / edge.distanceError,
                     turn = rotationAngle(off) / edge.angleError;
        sum += 0.5 * (metres * metres + turn * turn);
    }
    return sum;
}

} // namespace

class TestPoseGraph : public QObject {
    Q_OBJECT
private slots:
    void exactMotionsLeadToTheTruth() {
        auto random = seededRandom("exactMotionsLeadToTheTruth");
        for (int run = 0; run < 20; ++run) {
            std::vector<RigidTransform> truth{graphMotion(random, 10, 1)}, starts{truth.front()};
            std::vector<PoseEdge> edges;
            for (std::size_t i = 1; i < 30; ++i) {
                truth.push_back(truth.back() * graphMotion(random, 2, 0.5));
                starts.push_back(truth.back() * graphMotion(random, 0.3, 0.1));
            }
            const auto add = [&](std::size_t from, std::size_t to) {
                edges.push_back({.from = std::uint32_t(from),
                                 .to = std::uint32_t(to),
                                 .motion = truth[from].inverse() * truth[to]});
            };
            for (std::size_t i = 1; i < truth.size(); ++i)
                add(i, i - 1);
            for (int k = 0; k < 10; ++k) {
                const std::size_t from = random() % truth.size(), to = random() % truth.size();
                if (from != to)
                    add(from, to);
            }
            const PoseGraphResult result = cpu::optimizePoseGraph(starts, edges, {}, {});
            QVERIFY(result.converged);
            // Steps with exact derivatives converge quadratically.
            QVERIFY2(result.iterations <= 12, qPrintable(QString::number(result.iterations)));
            QVERIFY2(farthestFrom(truth, result.poses) < 1e-8,
                     qPrintable(QString::number(farthestFrom(truth, result.poses))));
            QVERIFY(result.poses.front() == starts.front());
            QVERIFY(result.firstError > 1 && result.lastError < 1e-9);
        }
    }

    void theOptimumIsOne() {
        auto random = seededRandom("theOptimumIsOne");
        CircularDrive drive(40);
        for (PoseEdge& edge : drive.edges)
            edge.motion = edge.motion * graphMotion(random, 0.02, 0.002);
        drive.edges.push_back(drive.measured(0, 39));
        drive.edges.push_back(drive.measured(20, 3));
        drive.edges.back().distanceError = 0.05;
        const PoseGraphResult result = cpu::optimizePoseGraph(drive.chained(), drive.edges, {}, {});
        QVERIFY(result.converged);
        const double least = graphError(result.poses, drive.edges);
        QVERIFY(std::abs(result.lastError - least) < 1e-6 * least);
        double squares = 0;
        for (const double residual : result.residuals)
            squares += 0.5 * residual * residual;
        QVERIFY(std::abs(squares - least) < 1e-6 * least);
        for (int i = 0; i < 200; ++i) {
            std::vector<RigidTransform> near = result.poses;
            RigidTransform& pose = near[1 + random() % (near.size() - 1)];
            pose = pose * graphMotion(random, 1e-3, 1e-4);
            QVERIFY(graphError(near, drive.edges) > least);
        }
    }

    void loopRemovesTheDrift() {
        CircularDrive drive(200);
        for (PoseEdge& edge : drive.edges) // motions that are 0.5 % too long and turn 0.01 degrees to the
                                           // left
            edge.motion.translation = 1.005 * edge.motion.translation;
        for (PoseEdge& edge : drive.edges)
            edge.motion = edge.motion * fromRollPitchYaw({0, 0, 1.7e-4}, {});
        const std::vector<RigidTransform> drifted = drive.chained();
        const double before = farthestFrom(drive.truth, drifted);
        drive.edges.push_back(drive.measured(0, 199));
        drive.edges.back().isRobust = true;
        const PoseGraphResult result = cpu::optimizePoseGraph(drifted, drive.edges, {}, {});
        QVERIFY(result.converged);
        const double after = farthestFrom(drive.truth, result.poses);
        const double end = norm(result.poses.back().translation - drive.truth.back().translation);
        std::printf("farthest %.3f m before, %.3f m after; end %.4f m\n", before, after, end);
        QVERIFY(before > 1.5);
        QVERIFY(end < 0.02);
        QVERIFY(after < 0.3 * before);
    }

    void aWrongLoopMovesNothing() {
        CircularDrive drive(200);
        for (const std::size_t i : {190, 193, 196, 199}) {
            drive.edges.push_back(drive.measured(i - 190, i));
            drive.edges.back().isRobust = true;
        }
        PoseEdge wrong = drive.measured(100, 180);
        wrong.motion.translation += Vec3d{3, 2, 0};
        wrong.isRobust = true;
        drive.edges.push_back(wrong);
        const PoseGraphResult result = cpu::optimizePoseGraph(drive.truth, drive.edges, {}, {});
        QVERIFY(result.converged);
        QVERIFY2(farthestFrom(drive.truth, result.poses) < 0.01,
                 qPrintable(QString::number(farthestFrom(drive.truth, result.poses))));
        QVERIFY(result.residuals.back() > 100);
        drive.edges.back().isRobust = false; // without robustness, the wrong loop would distort the graph
        const PoseGraphResult trusted = cpu::optimizePoseGraph(drive.truth, drive.edges, {}, {});
        QVERIFY(farthestFrom(drive.truth, trusted.poses) > 0.3);
    }

    void longDrivesTakeLittleTimeAndTheSameBits() {
        auto random = seededRandom("longDrives");
        CircularDrive drive(10'000);
        for (PoseEdge& edge : drive.edges)
            edge.motion = edge.motion * graphMotion(random, 1e-4, 1e-6);
        for (std::size_t i = 0; i < 100; ++i) {
            drive.edges.push_back(drive.measured(i * 20, 9900 + i));
            drive.edges.back().isRobust = true;
        }
        const PoseGraphResult first = cpu::optimizePoseGraph(drive.chained(), drive.edges, {}, {});
        const PoseGraphResult second = cpu::optimizePoseGraph(drive.chained(), drive.edges, {}, {});
        QVERIFY(first.converged);
        QVERIFY(first.poses == second.poses);
        QVERIFY(first.residuals == second.residuals);
    }

    void badGraphsAreRejected() {
        const auto sentence = [](const std::vector<RigidTransform>& poses, const std::vector<PoseEdge>& edges,
                                 const PoseGraphParams& params = {}) -> std::string {
            try {
                cpu::optimizePoseGraph(poses, edges, params, {});
            } catch (const KernelError& error) {
                return error.nextStep().empty() ? "no next step" : error.what();
            }
            return "";
        };
        const auto has = [](const std::string& text, const char* words) {
            return text.find(words) != std::string::npos;
        };
        const std::vector<RigidTransform> three(3);
        const PoseEdge first{.from = 0, .to = 1}, second{.from = 1, .to = 2};
        QCOMPARE(sentence(three, {first, second}), std::string());
        QCOMPARE(sentence({}, {}), std::string());
        QCOMPARE(sentence({{}}, {}), std::string());
        QVERIFY(has(sentence(three, {first}), "pose 2"));
        QVERIFY(has(sentence(three, {first, second, {.from = 1, .to = 3}}), "does not connect two"));
        QVERIFY(has(sentence(three, {first, second, {.from = 1, .to = 1}}), "does not connect two"));
        PoseEdge bad = second;
        bad.distanceError = 0;
        QVERIFY(has(sentence(three, {first, bad}), "must be positive numbers"));
        bad = second;
        bad.motion.translation.x = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(has(sentence(three, {first, bad}), "is not finite"));
        std::vector<RigidTransform> poses = three;
        poses[1].translation.y = std::numeric_limits<double>::infinity();
        QVERIFY(has(sentence(poses, {first, second}), "is not finite"));
        QVERIFY(has(sentence(three, {first, second}, {.maxIterations = 0}), "at least 1 iteration (got "));
        std::stop_source stop;
        stop.request_stop();
        std::vector<RigidTransform> moved = three;
        moved[2].translation.x = 1;
        const std::vector<PoseEdge> edges{first, second};
        QVERIFY_EXCEPTION_THROWN(cpu::optimizePoseGraph(moved, edges, {}, stop.get_token()), Cancelled);
    }
};

SCANLOUPE_TEST(TestPoseGraph)
#include "test_pose_graph.moc"
