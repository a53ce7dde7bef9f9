// Deferred NDT maps, to which scans are only added when the map is used, and the memory budget for scans that
// are read ahead.
#include "engine/align/align_scans.h"
#include "engine/align/deferred_ndt_map.h"
#include "engine/align/read_ahead_budget.h"
#include "engine/cloud/error.h"
#include "tests/support/test_support.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <random>
#include <span>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::test;

class TestDeferredNdtMap : public QObject {
    Q_OBJECT
private slots:
    /// A deferred map, when used, equals a map to which every scan was added at once.
    void aDeferredMapIsThatOfEachScanAtOnce() {
        auto random = seededRandom("aDeferredMapIsThatOfEachScanAtOnce");
        std::uniform_real_distribution<float> flat(-20, 20), height(-1, 1);
        NdtMapParams params;
        params.resolution = 1;
        NdtMap expected(params);
        DeferredNdtMap deferred(params);
        std::size_t most = 0;
        for (int i = 0; i < 40; ++i) {
            auto points = Buffer<Vec3f>::host(4000);
            for (Vec3f& p : points.span())
                p = {flat(random), flat(random), height(random)};
            const Vec3d origin{5, 0, 0};
            RigidTransform pose = fromRollPitchYaw({0, 0, 0.1 * i}, {3.0 * i, 0, 0});
            expected.add(points.span(), origin, pose, {});
            deferred.add(std::move(points), {origin - Vec3d{20, 20, 1}, origin + Vec3d{20, 20, 1}}, origin,
                         pose, {});
            if (i % 5 == 4) {
                const Ball ball{pose(origin), 30};
                expected.keepNear(ball.middle, ball.radius);
                deferred.keepNear(ball);
            }
            most = std::max(most, deferred.waiting());
            if (i != 4 && i != 39)
                continue;
            const NdtMap& map = deferred.map({});
            QCOMPARE(map.cells().size(), expected.cells().size());
            QVERIFY(map.origin() == expected.origin());
            for (std::size_t k = 0; k < map.cells().size(); ++k) {
                const NdtCell &here = map.cells()[k], &there = expected.cells()[k];
                QVERIFY(here.mean == there.mean && here.inverse == there.inverse &&
                        here.count == there.count);
            }
            QCOMPARE(deferred.waiting(), std::size_t(0));
        }
        std::printf("%zu steps waited at most\n", most);
        QVERIFY(most <= 34); // scans whose cells are out of sight were dropped
    }

    void aDeferredMapRefusesWhatAMapRefuses() {
        NdtMapParams params;
        params.resolution = 0.01;
        DeferredNdtMap deferred(params);
        const auto add = [&](float x) {
            std::vector<Vec3f> points(20, {x, 0, 0});
            deferred.add(hostCopy(std::span(points)), {{x, 0, 0}, {x, 0, 0}}, {}, {}, {});
        };
        add(0);
        add(1);
        QCOMPARE(deferred.waiting(), std::size_t(2));
        QVERIFY_EXCEPTION_THROWN(add(1e6F), KernelError);
        add(2); // the rejected scan leaves the waiting scans unchanged
        QCOMPARE(deferred.map({}).points(), std::uint64_t(60));
    }

    /// Scans that are too sparse for surfaces are aligned by NDT to the scans added before.
    void scansWithoutSurfacesFindTheirPoseByNdt() {
        auto random = seededRandom("scansWithoutSurfacesFindTheirPoseByNdt");
        std::normal_distribution<float> spread(0, 0.04F);
        std::vector<Vec3f> leaves; // bunches of points, each within one cell: too few cells for surfaces
        for (const Vec3f& bunch : {Vec3f{-4, -5, 1}, Vec3f{5, -3, 2}, Vec3f{3, 6, 3}, Vec3f{-6, 3, 4}})
            for (int i = 0; i < 200; ++i)
                leaves.push_back(bunch + Vec3f{spread(random), spread(random), spread(random)});
        AlignJob job;
        job.scans.resize(3);
        job.starts = {{}, {}, {}};
        job.starts[2].translation = {0.3, 0.2, 0};
        job.params.closeLoops = false;
        job.read = [&](std::size_t) {
            return std::make_shared<const PointCloud>(FloatPositions{hostCopy(std::span(leaves))},
                                                      std::vector<Attribute>{}, std::stop_token{});
        };
        const AlignOutcome found = alignScans(job, {});
        for (std::size_t i = 1; i < job.scans.size(); ++i) {
            const ScanAlignment& scan = found.scans[i]->alignment;
            QVERIFY(scan.ndt.nvtl > 0); // the score is from NDT
            const double off = norm(scan.pose.translation);
            QVERIFY2(off < 0.05, qPrintable(QString("scan %1: %2 m off").arg(i).arg(off)));
        }
    }

    void scansAreReadAheadWithinABudget() {
        ReadAheadBudget budget(4, 1000);
        for (std::size_t i = 0; i < 3; ++i)
            budget.noteFile(i, 100 * i); // the file size of scan 0 is unknown
        QVERIFY(budget.isKnown(2) && !budget.isKnown(3));
        budget.noteScan(0, 50);
        QCOMPARE(budget.forecast(0), std::uint64_t(50));
        QCOMPARE(budget.forecast(1), std::uint64_t(100)); // a forecast is at least the size of the file
        budget.noteScan(1, 400);
        QCOMPARE(budget.forecast(2),
                 std::uint64_t(800));                     // four times its file size, the ratio of scan 1
        QCOMPARE(budget.forecast(3), std::uint64_t(400)); // unknown file size: the largest scan so far
        QVERIFY(budget.fits(2, 200) && !budget.fits(2, 201));
        QVERIFY(budget.fits(3, 600) && !budget.fits(3, 601));
    }
};

SCANLOUPE_TEST(TestDeferredNdtMap)
#include "test_deferred_ndt_map.moc"
