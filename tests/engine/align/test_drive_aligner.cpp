// Drives whose steps overlap in time, also on the device: the outcome equals that of sequential steps on the
// CPU.
#include "engine/align/align_scans.h"
#include "engine/align/hidden_time.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/synth/synthetic_cloud.h"
#include "tests/engine/cli/test_cli_support.h"
#include "tests/support/time_limits.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr std::size_t kSteps = 10;
constexpr double kNanometre = 1e-9;

/// A drive in a street. One of its scans shows another place, another one can't be read.
struct RoughDrive {
    static constexpr std::size_t kElsewhere = 4, kUnreadable = 7;
    std::vector<std::shared_ptr<const PointCloud>> clouds;

    RoughDrive() {
        const synth::SolidScene street = synth::makePlace(synth::Place::street, 5);
        for (std::size_t i = 0; i < kSteps; ++i) {
            synth::LidarSweep sweep;
            sweep.lidar.columns = 600;
            sweep.pose.translation = {-20 + 0.8 * double(i), 0, 1.8};
            sweep.frame = i;
            std::vector<Vec3f> points;
            for (const auto& p : synth::generateSweep(sweep, street, {})) {
                const Vec3f x = p.position.as<float>();
                points.push_back(i == kElsewhere ? Vec3f{-1.3F * x.y, 0.7F * x.x, x.z} : x);
            }
            clouds.push_back(std::make_shared<const PointCloud>(FloatPositions{hostCopy(std::span(points))},
                                                                std::vector<Attribute>{}, std::stop_token{}));
        }
    }
    AlignJob job(AlignTo to, AlignMethod method) const {
        AlignJob job;
        job.scans.resize(clouds.size());
        job.params.to = to;
        job.params.method = method;
        job.params.closeLoops = false;
        job.params.ndtFigures = true;
        job.read = [this](std::size_t i) {
            if (i == kUnreadable)
                throw EngineError("'f.ply' is broken", "Take another.");
            return clouds[i];
        };
        return job;
    }
};

double maxEntryDifference(const RigidTransform& a, const RigidTransform& b) {
    double most = 0;
    for (int axis = 0; axis < 3; ++axis) {
        most = std::max(most, std::abs(a.translation[axis] - b.translation[axis]));
        for (int row = 0; row < 3; ++row)
            most = std::max(most, std::abs(a.rows[row][axis] - b.rows[row][axis]));
    }
    return most;
}

/// Aligns the scans one after the other, without threads.
std::vector<ScanAlignment> oneByOne(const AlignJob& job) {
    ScanAligner aligner(job.params, Backend::cpu);
    std::vector<ScanAlignment> found;
    for (std::size_t i = 0; i < job.scans.size(); ++i) {
        PendingScan missing;
        try {
            found.push_back(aligner.add(*job.read(i), {}, {}));
        } catch (const EngineError&) {
            aligner.begin(missing, {});
            aligner.settle(missing, {});
            found.push_back(std::move(missing.alignment));
        }
    }
    return found;
}

} // namespace

class TestDriveAligner : public QObject {
    Q_OBJECT

    static void compare(const AlignOutcome& outcome, const std::vector<ScanAlignment>& expected) {
        QCOMPARE(outcome.scans.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const ScanAlignment &here = outcome.scans[i]->alignment, &there = expected[i];
            const double off = maxEntryDifference(here.pose, there.pose);
            QVERIFY2(off <= kNanometre, qPrintable(QString("scan %1: %2 m").arg(i).arg(off)));
            QCOMPARE(outcome.scans[i]->failed, i == RoughDrive::kUnreadable);
            QCOMPARE(int(here.verdict.word), int(there.verdict.word));
            QCOMPARE(int(here.verdict.reason), int(there.verdict.reason));
            QCOMPARE(here.ndt.iterations, there.ndt.iterations);
            QVERIFY(std::abs(here.ndt.nvtl - there.ndt.nvtl) <= 1e-6);
            QVERIFY(std::abs(here.overlap() - there.overlap()) <= 1e-3);
            QVERIFY(std::abs(here.evidence.agreement - there.evidence.agreement) <= 1e-6);
        }
    }
    static void addRows() {
        QTest::addColumn<int>("to");
        QTest::addColumn<int>("method");
        QTest::newRow("map") << int(AlignTo::map) << int(AlignMethod::gicp);
        QTest::newRow("map, planes") << int(AlignTo::map) << int(AlignMethod::plane);
        QTest::newRow("previous") << int(AlignTo::previous) << int(AlignMethod::vgicp);
        QTest::newRow("first") << int(AlignTo::first) << int(AlignMethod::gicp);
    }
private slots:
    void readingAheadChangesNothing_data() {
        addRows();
        QTest::newRow("map, NDT") << int(AlignTo::map) << int(AlignMethod::ndt);
    }
    void readingAheadChangesNothing() {
        QFETCH(int, to);
        QFETCH(int, method);
        const RoughDrive drive;
        const AlignJob job = drive.job(AlignTo(to), AlignMethod(method));
        const std::vector<ScanAlignment> expected = oneByOne(job);
        QVERIFY(!expected[RoughDrive::kElsewhere].placed());
        QVERIFY(AlignMethod(method) == AlignMethod::ndt || expected.back().placed());
        compare(alignScans(job, {}), expected);
    }

    void theDeviceFindsThePosesOfTheCpu_data() { addRows(); }
    void theDeviceFindsThePosesOfTheCpu() {
        SCANLOUPE_NEEDS_CUDA();
        QFETCH(int, to);
        QFETCH(int, method);
        const RoughDrive drive;
        AlignJob job = drive.job(AlignTo(to), AlignMethod(method));
        const std::vector<ScanAlignment> expected = oneByOne(job);
        job.backend = Backend::cuda;
        const AlignOutcome outcome = alignScans(job, {});
        compare(outcome, expected);
        std::printf("%zu rewinds, %.3f of %.3f ms of uploads hidden\n", outcome.times.rewinds,
                    outcome.times.uploadHiddenMs, outcome.times.uploadMs);
        QVERIFY(outcome.times.uploadMs > 0);
        QVERIFY(outcome.times.uploadHiddenMs >= 0);
        QVERIFY(outcome.times.uploadHiddenMs <= outcome.times.uploadMs * 1.001);
        compare(alignScans(job, {}), expected);
    }

    void hiddenTimeIsCountedOnce() {
        const std::vector<DeviceSpan> uploads{{0, 10}, {20, 24}, {30, 31}};
        QCOMPARE(hiddenMs(uploads, {}), 0.0);
        QCOMPARE(hiddenMs(uploads, {{-5, 50}}), 15.0);
        // overlapping spans in any order; hidden are 2 to 5, 6 to 7, and 23 to 24
        QCOMPARE(hiddenMs(uploads, {{6, 7}, {3, 5}, {2, 4}, {11, 19}, {23, 29}}), 5.0);
        QCOMPARE(hiddenMs({}, {{0, 1}}), 0.0);
    }
    void hiddenTimeOfLongDrivesIsCountedQuickly() {
        std::vector<DeviceSpan> uploads, works;
        for (int i = 0; i < 100'000; ++i) {
            uploads.push_back({2.0 * i, 2.0 * i + 1});
            works.push_back({2.0 * i + 0.5, 2.0 * i + 1.5});
        }
        const WallTimer timer;
        QCOMPARE(hiddenMs(uploads, works), 50'000.0);
        QVERIFY(timer.elapsedMs() < 500 * kSanitizerFactor); // 10 s where each is compared with each
    }

    void scansThatAreBegunAheadEndAlike() {
        const RoughDrive drive;
        const AlignJob job = drive.job(AlignTo::map, AlignMethod::gicp);
        const std::vector<ScanAlignment> expected = oneByOne(job);
        ScanAligner aligner(job.params, Backend::cpu);
        aligner.add(*drive.clouds[0], {}, {});
        std::vector<PendingScan> pending(RoughDrive::kElsewhere + 2);
        for (std::size_t i = 1; i < pending.size(); ++i) {
            pending[i].scan = aligner.prepare(*drive.clouds[i], {});
            pending[i].isAhead = true;
            QVERIFY(aligner.begin(pending[i], {}));
        }
        for (std::size_t i = pending.size() - 1; i > 0; --i)
            aligner.judge(pending[i], {});
        for (std::size_t i = 1; i < RoughDrive::kElsewhere; ++i)
            QVERIFY(aligner.settle(pending[i], {}));
        QVERIFY(!aligner.settle(pending[RoughDrive::kElsewhere], {}));
        aligner.rewind();
        PendingScan& last = pending.back();
        QVERIFY(aligner.begin(last, {}));
        aligner.judge(last, {});
        QVERIFY(aligner.settle(last, {}));
        for (std::size_t i = 1; i < pending.size(); ++i) {
            QVERIFY(maxEntryDifference(pending[i].alignment.pose, expected[i].pose) == 0);
            QVERIFY(pending[i].alignment.verdict == expected[i].verdict);
            QVERIFY(pending[i].alignment.ndt.nvtl == expected[i].ndt.nvtl);
        }
    }

    void figuresOfNdtChangeNoPose_data() {
        addRows();
        QTest::newRow("search") << int(AlignTo::map) << -1;
    }
    void figuresOfNdtChangeNoPose() {
        QFETCH(int, to);
        QFETCH(int, method);
        const RoughDrive drive;
        AlignJob job = drive.job(AlignTo(to), AlignMethod(std::max(method, 0)));
        if (method < 0)
            job.params.searchRadius = 3;
        const AlignOutcome with = alignScans(job, {});
        job.params.ndtFigures = false;
        const AlignOutcome without = alignScans(job, {});
        for (std::size_t i = 1; i < kSteps; ++i) {
            const ScanAlignment &here = with.scans[i]->alignment, &there = without.scans[i]->alignment;
            QVERIFY(here.pose == there.pose);
            QVERIFY(here.verdict == there.verdict);
            QCOMPARE(here.ndt.iterations, there.ndt.iterations);
            QCOMPARE(here.ndt.nvtl > 0, i != RoughDrive::kUnreadable);
            QCOMPARE(there.ndt.nvtl, 0.0);
            QCOMPARE(there.overlap(), 0.0);
        }
    }

    /// When each scan needs the map of all scans before it, only one file is read ahead.
    void oneScanIsReadAhead() {
        const RoughDrive drive;
        AlignJob job = drive.job(AlignTo::map, AlignMethod::ndt);
        std::atomic<std::size_t> read = 0, aligned = 0;
        std::atomic<bool> isFar = false;
        job.read = [&, of = job.read](std::size_t i) {
            isFar = isFar || ++read > aligned + 2; // one scan is being aligned, one is being read
            return of(i);
        };
        job.onAligned = [&](std::size_t i, const AlignedScanPtr&) {
            QCOMPARE(i, aligned.load());
            ++aligned;
        };
        alignScans(job, {});
        QCOMPARE(aligned.load(), kSteps);
        QVERIFY(!isFar);
    }

    /// Several files of any duration are read at once, but not more than allowed; warnings keep their order.
    void severalScansAreReadAtATime() {
        const RoughDrive drive;
        AlignJob job = drive.job(AlignTo::map, AlignMethod::gicp);
        const AlignOutcome expected = alignScans(job, {});
        job.reads = 3;
        std::size_t reading = 0, most = 0;
        std::mutex mutex;
        std::condition_variable changed;
        job.read = [&, of = job.read](std::size_t i) {
            std::unique_lock lock(mutex);
            most = std::max(most, ++reading);
            changed.notify_all();
            if (i > 0) // each read waits until three run at the same time
                changed.wait_for(lock, std::chrono::seconds(10), [&] { return most >= 3; });
            --reading;
            return of(i);
        };
        std::vector<std::size_t> accepted, aligned;
        job.onRead = [&](std::size_t i, const PointCloud&) { accepted.push_back(i); };
        job.onAligned = [&](std::size_t i, const AlignedScanPtr&) { aligned.push_back(i); };
        const AlignOutcome found = alignScans(job, {});
        QCOMPARE(most, std::size_t(3));
        QVERIFY(std::ranges::is_sorted(accepted) && std::ranges::is_sorted(aligned));
        QCOMPARE(accepted.size(), kSteps - 1); // all scans but the unreadable one
        QCOMPARE(aligned.size(), kSteps);
        for (std::size_t i = 0; i < kSteps; ++i) {
            QVERIFY(found.scans[i]->alignment.pose == expected.scans[i]->alignment.pose);
            QVERIFY(found.scans[i]->alignment.verdict == expected.scans[i]->alignment.verdict);
            QCOMPARE(found.scans[i]->problem, expected.scans[i]->problem);
        }
    }

    void aScanThatIsNotAcceptedIsLeftOut() {
        const RoughDrive drive;
        AlignJob job = drive.job(AlignTo::map, AlignMethod::gicp);
        job.reads = 3;
        job.onRead = [](std::size_t i, const PointCloud&) {
            if (i == 2)
                throw EngineError("2 of 3 points are missing", "Copy it again.");
        };
        const AlignOutcome found = alignScans(job, {});
        QCOMPARE(found.failedCount(), std::size_t(2));
        QVERIFY(found.scans[2]->failed);
        QCOMPARE(QString::fromStdString(found.scans[2]->problem), QString("2 of 3 points are missing"));
        QVERIFY(found.scans[3]->alignment.placed());
    }

    /// While one file is read slowly, the other threads wait. A stop ends all of them soon.
    void aSlowFileCanBeCancelled() {
        const RoughDrive drive;
        for (const std::size_t slow : {std::size_t(1), std::size_t(3)}) {
            AlignJob job = drive.job(AlignTo::map, AlignMethod::gicp);
            job.reads = 3;
            std::stop_source stop;
            std::atomic<bool> isSlow = false;
            job.read = [&, of = job.read](std::size_t i) {
                isSlow = isSlow || i == slow;
                while (i == slow && !stop.stop_requested())
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                if (stop.stop_requested())
                    throw Cancelled();
                return of(i);
            };
            std::chrono::steady_clock::time_point stopped;
            std::jthread user([&] {
                while (!isSlow)
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                std::this_thread::sleep_for(std::chrono::milliseconds(300)); // by now, the other threads wait
                stopped = std::chrono::steady_clock::now();
                stop.request_stop();
            });
            QVERIFY_EXCEPTION_THROWN(alignScans(job, stop.get_token()), Cancelled);
            user.join();
            const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - stopped;
            std::printf("ended %.0f ms after the stop\n", took.count());
            QVERIFY(took.count() < kStopMs);
        }
    }

    void anyStepCanBeCancelled() {
        const RoughDrive drive;
        for (std::size_t last = 1; last < kSteps - 1; last += 3) {
            AlignJob job = drive.job(AlignTo::map, AlignMethod::gicp);
            std::stop_source stop;
            job.read = [&, of = job.read](std::size_t i) {
                if (i == last)
                    stop.request_stop();
                return of(i);
            };
            QVERIFY_EXCEPTION_THROWN(alignScans(job, stop.get_token()), Cancelled);
        }
        AlignJob job = drive.job(AlignTo::map, AlignMethod::gicp);
        job.onAligned = [](std::size_t i, const AlignedScanPtr&) {
            if (i == 3)
                throw Fault("of a caller");
        };
        QVERIFY_EXCEPTION_THROWN(alignScans(job, {}), Fault);
    }
};

SCANLOUPE_TEST(TestDriveAligner)
#include "test_drive_aligner.moc"
