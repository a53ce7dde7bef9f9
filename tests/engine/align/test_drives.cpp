// Long drives: loop closure, places that must not close a loop, and maps of bounded size.
#include "engine/align/align_scans.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/synth/synthetic_cloud.h"
#include "tests/engine/cli/test_cli_support.h"
#include "tests/support/block_drive.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

using DriveCloudPtr = std::shared_ptr<const PointCloud>;

double metresOff(const RigidTransform& a, const RigidTransform& b) {
    return norm(a.translation - b.translation);
}

/// A sensor with 16 rings, but fewer columns and a shorter range than the real model.
synth::LidarModel smallLidar(int columns, double range) {
    synth::LidarModel lidar = synth::kLidarModels[0];
    lidar.columns = columns;
    lidar.farthest = range;
    return lidar;
}

AlignJob jobOf(const BlockDrive& drive, std::size_t frames) {
    AlignJob job;
    job.scans.resize(frames);
    job.read = [&drive](std::size_t i) {
        return std::make_shared<const PointCloud>(sweepCloud(drive.sweep(i), drive.scene(), false, {}));
    };
    return job;
}

std::vector<RigidTransform> posesOf(const AlignOutcome& outcome) {
    return outcome.trajectory().poses;
}

/// Absolute trajectory error: RMS distance from the true positions, metres.
double trajectoryError(const BlockDrive& drive, const std::vector<RigidTransform>& poses) {
    double squares = 0;
    for (std::size_t i = 0; i < poses.size(); ++i)
        squares += std::pow(metresOff(poses[i], drive.truth(i)), 2);
    return std::sqrt(squares / double(poses.size()));
}

/// Scans of a place on the way along x and back, with the poses of a drive that has drifted.
struct ReturnTrip {
    ReturnTrip(synth::Place place, Vec3d drift) : scene(synth::makePlace(place, 4)) {
        constexpr double step = 1;
        constexpr std::size_t there = 18;
        for (std::size_t i = 0; i <= 2 * there; ++i) {
            const double x = step * double(i <= there ? i : 2 * there - i);
            synth::LidarSweep sweep;
            sweep.lidar = smallLidar(900, 60);
            sweep.pose.translation = {x, i <= there ? 0 : 0.2, synth::usualHeight(place)};
            sweep.frame = i;
            sweeps.push_back(sweep);
            AlignedScan scan;
            scan.alignment.hasPose = true;
            scan.alignment.verdict = {.word = PoseWord::right, .chance = 1, .reason = PoseReason::none};
            scan.alignment.pose = sweeps.front().pose.inverse() * sweep.pose;
            scan.alignment.pose.translation += double(i) / double(2 * there) * drift;
            outcome.scans.push_back(std::make_shared<const AlignedScan>(std::move(scan)));
        }
        outcome.params.resolution = 1;
        outcome.params.thinning = 0.2;
        job.scans.resize(sweeps.size());
        job.read = [this](std::size_t i) {
            return std::make_shared<const PointCloud>(sweepCloud(sweeps[i], scene, false, {}));
        };
    }
    double errorAtEnd() const {
        return metresOff(outcome.scans.back()->alignment.pose,
                         sweeps.front().pose.inverse() * sweeps.back().pose);
    }
    std::size_t countOf(LoopState state) const {
        return std::size_t(std::ranges::count(outcome.loops, state, &LoopEdge::state));
    }
    synth::SolidScene scene;
    std::vector<synth::LidarSweep> sweeps;
    AlignOutcome outcome;
    AlignJob job;
};

} // namespace

class TestDrives : public QObject {
    Q_OBJECT
private slots:
    void revisitsAreFound() {
        std::vector<Vec3d> square;
        for (int i = 0; i <= 400; ++i) { // 400 m around a square, and back to its first corner
            const double along = i % 100;
            const Vec3d corners[] = {
                {along, 0, 0}, {100, along, 0}, {100 - along, 100, 0}, {0, 100 - along, 0}};
            square.push_back(i == 400 ? Vec3d{} : corners[i / 100]);
        }
        std::vector<bool> usable(square.size(), true);
        const std::vector<Revisit> found = findRevisits(square, usable, 2);
        QVERIFY(found.size() >= 2);
        QCOMPARE(found.back().to, std::size_t(400));
        for (const Revisit& revisit : found) {
            QVERIFY(revisit.distance <= 6 + 0.01 * revisit.path);
            QVERIFY(revisit.path > 380 && revisit.from < 12);
        }
        usable.assign(usable.size(), false);
        QVERIFY(findRevisits(square, usable, 2).empty());
        QVERIFY(findRevisits({}, {}, 2).empty());
        // no revisits at a standstill; then a straight line and many laps
        QVERIFY(findRevisits(std::vector<Vec3d>(500), std::vector<bool>(500, true), 2).empty());
        std::vector<Vec3d> straight, laps;
        for (int i = 0; i < 5000; ++i) {
            straight.push_back({0.5 * i, 0, 0});
            laps.push_back({50 * std::cos(0.02 * i), 50 * std::sin(0.02 * i), 0});
        }
        const std::vector<bool> all(5000, true);
        QVERIFY(findRevisits(straight, all, 2).empty());
        const std::vector<Revisit> some = findRevisits(laps, all, 2);
        QVERIFY(some.size() > 50 && some.size() <= 100);
        QVERIFY(some.back().to > 4900);
    }

    void aLoopIsClosed() {
        BlockDriveParams params;
        params.half = {22, 16, 0};
        params.frames = 110;
        params.noise = 0.03f;
        // from the end of the drive, the opposite side of the block is out of range
        params.lidar = smallLidar(600, 25);
        const BlockDrive drive(params);
        AlignJob job = jobOf(drive, params.frames);
        job.params.to = AlignTo::previous; // aligning to the previous scan accumulates drift
        std::vector<RigidTransform> open;  // poses before loop closure
        job.onAligned = [&](std::size_t, const AlignedScanPtr& scan) {
            open.push_back(scan->alignment.pose);
        };
        std::size_t moved = 0;
        job.onMoved = [&](std::size_t i, const AlignedScanPtr& scan) {
            QCOMPARE(i, ++moved);
            QVERIFY(scan);
        };
        const AlignOutcome closed = alignScans(job, {});
        const std::size_t last = params.frames - 1;
        const double before = metresOff(open[last], drive.truth(last)),
                     after = metresOff(closed.scans[last]->alignment.pose, drive.truth(last));
        const double errorBefore = trajectoryError(drive, open),
                     errorAfter = trajectoryError(drive, posesOf(closed));
        std::printf(
            "seed %llu, %.1f m: end %.4f m off, %.4f m with %zu loops closed of %zu; ATE %.4f and %.4f m\n",
            static_cast<unsigned long long>(params.seed), drive.length(), before, after, closed.closedLoops(),
            closed.loops.size(), errorBefore, errorAfter);
        QVERIFY(closed.closedLoops() >= 2);
        QCOMPARE(moved, last);
        QVERIFY(after < 1e-3 * drive.length());
        QVERIFY(after < before);
        QVERIFY(errorAfter < errorBefore);
        QVERIFY(closed.scans[0]->alignment.pose == open[0]);
        for (const LoopEdge& loop : closed.loops) {
            const RigidTransform truth = drive.truth(loop.from).inverse() * drive.truth(loop.to);
            if (loop.state == LoopState::closed)
                QVERIFY2(metresOff(loop.motion, truth) < 0.1,
                         qPrintable(QString::number(metresOff(loop.motion, truth))));
        }
    }

    void driftIsTakenAway() {
        ReturnTrip trip(synth::Place::street, {0.25, 0.1, 0});
        closeLoops(trip.job, trip.outcome, {});
        QVERIFY(trip.outcome.loops.size() >= 3);
        std::printf("%zu of %zu loops closed, end %.4f m off\n", trip.outcome.closedLoops(),
                    trip.outcome.loops.size(), trip.errorAtEnd());
        QVERIFY(trip.outcome.closedLoops() >= 2);
        QVERIFY(trip.errorAtEnd() < 0.05);
    }

    void deceptivePlacesCloseNoLoop_data() {
        QTest::addColumn<int>("place");
        QTest::newRow("corridor") << int(synth::Place::corridor);
        QTest::newRow("racks every 4 m") << int(synth::Place::racks);
    }
    void deceptivePlacesCloseNoLoop() {
        QFETCH(int, place);
        ReturnTrip trip(synth::Place(place), {0.9, 0, 0});
        const std::vector<AlignedScanPtr> before = trip.outcome.scans;
        closeLoops(trip.job, trip.outcome, {});
        QVERIFY(trip.outcome.loops.size() >= 3);
        QCOMPARE(trip.outcome.closedLoops(), std::size_t(0));
        QVERIFY(trip.outcome.scans == before); // the scans are not even copied
    }

    void aLoopThatNothingConfirmsMovesNothing() {
        // On the way back, only one scan has a reliable pose: its loop is right, but no second loop confirms
        // it.
        ReturnTrip trip(synth::Place::street, {0.2, 0, 0});
        for (std::size_t i = 19; i < trip.outcome.scans.size() - 1; ++i) {
            auto lost = std::make_shared<AlignedScan>();
            lost->alignment.pose = trip.outcome.scans[i]->alignment.pose;
            lost->alignment.verdict.word = PoseWord::doubtful;
            trip.outcome.scans[i] = lost;
        }
        const std::vector<AlignedScanPtr> before = trip.outcome.scans;
        closeLoops(trip.job, trip.outcome, {});
        QCOMPARE(trip.outcome.loops.size(), std::size_t(1));
        QCOMPARE(trip.countOf(LoopState::alone), std::size_t(1));
        QVERIFY(trip.outcome.scans == before);
    }

    void aLoopBeyondAllDriftIsContradicted() {
        // The poses are off by 2.5 m after 36 m, more than the drift of any working odometry.
        ReturnTrip trip(synth::Place::street, {0, 0, 2.5});
        closeLoops(trip.job, trip.outcome, {});
        QCOMPARE(trip.outcome.closedLoops(), std::size_t(0));
    }

    void scansThatCantBeReadAgainCloseNoLoop() {
        ReturnTrip trip(synth::Place::street, {0.2, 0, 0});
        trip.job.read = [](std::size_t) -> DriveCloudPtr {
            throw EngineError("It is a pipe.", "Name a file.");
        };
        const std::vector<AlignedScanPtr> before = trip.outcome.scans;
        closeLoops(trip.job, trip.outcome, {});
        QVERIFY(trip.outcome.loops.empty());
        QVERIFY(trip.outcome.scans == before);
    }

    void mapsOfDrivesDoNotGrow() {
        // On a straight drive of 270 m with a range of 20 m, the map is no larger in the second half than in
        // the first.
        const synth::SolidScene street = synth::makePlace(synth::Place::street, 5);
        AlignParams params;
        params.method = AlignMethod::ndt;
        ScanAligner aligner(params, Backend::cpu);
        std::uint64_t half = 0, most = 0;
        constexpr int frames = 80;
        for (int i = 0; i < frames; ++i) {
            synth::LidarSweep sweep;
            sweep.lidar = smallLidar(200, 20);
            sweep.pose.translation = {-140 + 3.4 * i, 0, 1.8};
            sweep.frame = std::uint64_t(i);
            RigidTransform start;
            start.translation.x = 3.4 * i;
            aligner.add(sweepCloud(sweep, street, false, {}), start, {});
            most = std::max(most, aligner.map().bytes());
            if (i < frames / 2)
                half = most;
        }
        std::printf("map of at most %llu and %llu bytes\n", static_cast<unsigned long long>(half),
                    static_cast<unsigned long long>(most));
        QVERIFY(double(most) < 1.3 * double(half));
    }

    /// A realistic job: 400 frames around a block. Takes several minutes.
    void fourHundredFramesEndWhereTheyBegan() {
        SCANLOUPE_LONG_TEST();
        for (const std::uint64_t seed : {11U, 12U}) {
            BlockDriveParams params;
            params.seed = seed;
            const BlockDrive drive(params);
            const AlignOutcome outcome = alignScans(jobOf(drive, params.frames), {});
            const std::size_t last = params.frames - 1;
            const double end = metresOff(outcome.scans[last]->alignment.pose, drive.truth(last));
            std::printf("seed %llu: %.1f m, end %.4f m off (%.4f %%), ATE %.4f m, %zu loops of %zu\n",
                        static_cast<unsigned long long>(seed), drive.length(), end,
                        100 * end / drive.length(), trajectoryError(drive, posesOf(outcome)),
                        outcome.closedLoops(), outcome.loops.size());
            QVERIFY(outcome.closedLoops() >= 2);
            QVERIFY(end < 1e-3 * drive.length());
        }
    }

    /// Memory and time per scan stay constant. Takes several minutes.
    void tenThousandFramesAreAligned() {
        SCANLOUPE_LONG_TEST();
        BlockDriveParams params;
        params.half = {60, 40, 0};
        params.frames = 10'000;
        params.laps = 10;
        params.lidar = smallLidar(80, 30);
        const BlockDrive drive(params);
        double firstMs = 0, lastMs = 0;
        AlignJob job = jobOf(drive, params.frames);
        job.onAligned = [&](std::size_t i, const AlignedScanPtr& scan) {
            const ScanAlignment& a = scan->alignment;
            const double ms = a.alignMs + a.evidenceMs + a.mapMs;
            if (i < 1000)
                firstMs += ms;
            else if (i >= 9000)
                lastMs += ms;
        };
        const AlignOutcome outcome = alignScans(job, {});
        std::printf("%.2f ms a scan at first, %.2f at the end; %zu right; end %.3f m off %.1f m\n",
                    firstMs / 1000, lastMs / 1000, outcome.countOf(PoseWord::right),
                    metresOff(outcome.scans.back()->alignment.pose, drive.truth(params.frames - 1)),
                    drive.length());
        QCOMPARE(outcome.scans.size(), params.frames);
        QVERIFY(lastMs < 2 * firstMs);
    }
};

SCANLOUPE_TEST(TestDrives)
#include "test_drives.moc"
