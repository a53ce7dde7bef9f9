// Alignments of scenes with a known truth, and failures to align.
#include "tests/kernels/register/ndt_backends.h"
#include "tests/kernels/register/ndt_test_support.h"
#include "tests/support/street_drive.h"
#include "tests/support/time_limits.h"

#include <thread>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

NdtBackend& backend() {
    return NdtBackend::current();
}

/// A map of the yard and a scan of other points of it, with its true pose.
struct Yard {
    NdtMap map;
    std::vector<Vec3f> scan;
    RigidTransform truth;
};
Yard makeYard(std::mt19937_64& random, double noise, std::size_t scanPoints = 4000, Vec3d far = {}) {
    NdtMapParams params;
    params.resolution = 1;
    NdtMap map(params);
    map.add(toFloat(sample(yard(), 120'000, noise, random)), far, {}, {});
    const RigidTransform truth = fromRollPitchYaw({0.02, -0.03, 0.7}, {3, -2, 1.6});
    std::vector<Vec3f> scan = seenFrom(truth, sample(yard(), scanPoints, noise, random), 30);
    RigidTransform shifted = truth;
    shifted.translation += far;
    return {std::move(map), std::move(scan), shifted};
}
/// The pose with an error of 0.58 m and 2 degrees.
RigidTransform off(const RigidTransform& truth) {
    RigidTransform start = fromRollPitchYaw({0.006, -0.007, 0.035}, {}) * truth;
    start.translation = truth.translation + Vec3d{0.45, -0.35, 0.12};
    return start;
}

} // namespace

class TestNdtAlign : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { SKIP_WITHOUT_NDT_BACKEND(); }
    void truthWithNoise_data() {
        QTest::addColumn<double>("noise");
        QTest::addColumn<double>("millimetres");
        QTest::addColumn<double>("degrees");
        QTest::newRow("none") << 0.0 << 5.0 << 0.02;
        QTest::newRow("1 cm") << 0.01 << 6.0 << 0.03;
        QTest::newRow("2 cm") << 0.02 << 8.0 << 0.04;
    }
    void truthWithNoise() {
        QFETCH(double, noise);
        QFETCH(double, millimetres);
        QFETCH(double, degrees);
        auto random = seededRandom("truthWithNoise");
        double worst = 0, worstDegrees = 0;
        for (int round = 0; round < 6; ++round) {
            const Yard yard = makeYard(random, noise);
            NdtParams params;
            params.neighbours = NdtNeighbours(round % 3);
            // a point that leaves its only cell loses its score: with one cell per point, start closer
            RigidTransform start = off(yard.truth);
            if (params.neighbours == NdtNeighbours::direct1)
                start.translation = yard.truth.translation + Vec3d{0.1, -0.1, 0.05};
            const NdtResult result = backend().align(yard.map, {yard.scan, {}}, start, params);
            QVERIFY(result.converged());
            QCOMPARE(result.geometry.degenerate, 0);
            worst = std::max(worst, errorOf(result.pose, yard.truth).metres * 1000);
            worstDegrees = std::max(worstDegrees, errorOf(result.pose, yard.truth).degrees);
            VERIFY_POSE(result.pose, yard.truth, millimetres, degrees);
        }
        std::printf("worst: %.2f mm, %.4f degrees\n", worst, worstDegrees);
    }
    void samePoseFromEverywhereInTheBasin() {
        auto random = seededRandom("samePoseFromEverywhereInTheBasin");
        NdtMapParams mapParams;
        mapParams.resolution = 2;
        NdtMap map(mapParams);
        map.add(toFloat(sample(yard(), 120'000, 0.01, random)), {}, {}, {});
        const RigidTransform truth = fromRollPitchYaw({0.02, -0.03, 0.7}, {3, -2, 1.6});
        const std::vector<Vec3f> scan = seenFrom(truth, sample(yard(), 2500, 0.01, random), 30);
        NdtParams params;
        params.neighbours = NdtNeighbours::direct27;
        params.maxStep = 0.5;
        params.pointScores = false;
        const NdtScan scans[] = {{scan, {}}};
        std::vector<NdtJob> jobs;
        std::vector<bool> near;
        const double degree = 3.14159265358979323846 / 180;
        for (const double x : {-3.0, -1.0, 0.0, 1.0, 3.0})
            for (const double y : {-3.0, -1.0, 0.0, 1.0, 3.0})
                for (const double yaw : {-30.0, -10.0, 0.0, 10.0, 30.0})
                    for (const double tilt : {-5.0, 0.0, 5.0}) {
                        RigidTransform start = fromRollPitchYaw(Vec3d{tilt, -tilt, yaw} * degree, {}) * truth;
                        start.translation = truth.translation + Vec3d{x, y, 0.02 * tilt};
                        jobs.push_back({0, start});
                        near.push_back(std::max(std::abs(x), std::abs(y)) <= 1 && std::abs(yaw) <= 10);
                    }
        const auto results = backend().alignBatch(map, scans, jobs, params);
        int found = 0, foundNear = 0, allNear = 0;
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            const PoseError error = errorOf(results[i].pose, truth);
            const bool good = error.metres < 0.02 && error.degrees < 0.1;
            found += good;
            foundNear += good && near[i];
            allNear += near[i];
        }
        std::printf("%d of %zu starts found their place; %d of %d within 1 m and 10 degrees\n", found,
                    jobs.size(), foundNear, allNear);
        QVERIFY(foundNear >= allNear * 95 / 100);
        QVERIFY(found >= int(jobs.size()) / 2);
    }
    void farFromTheOrigin() {
        auto random = seededRandom("farFromTheOrigin");
        auto again = random;
        const Yard near = makeYard(random, 0.01);
        const Vec3d offset{90000, -90000, 300};
        const Yard there = makeYard(again, 0.01, 4000, offset);
        NdtParams params;
        params.epsilon = 1e-8;
        const NdtResult a = backend().align(near.map, {near.scan, {}}, off(near.truth), params);
        const NdtResult b = backend().align(there.map, {there.scan, {}}, off(there.truth), params);
        RigidTransform back = b.pose;
        back.translation = back.translation - offset;
        const PoseError error = errorOf(a.pose, back);
        // coordinates are rounded to 4 nm at this distance
        const double most = backend().isCuda() ? 1e-6 : 1e-8;
        QVERIFY2(error.metres < most && error.degrees < 10 * most, text(error).c_str());
        QCOMPARE(a.pointsWithCell, b.pointsWithCell);
        // a scan that is itself far from the origin, like clouds in map coordinates
        RigidTransform unshift;
        unshift.translation = Vec3d{} - offset;
        const NdtResult c =
            backend().align(there.map, {there.scan, offset}, off(there.truth) * unshift, params);
        const PoseError error2 =
            errorOf(c.pose * RigidTransform{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, offset}, b.pose);
        QVERIFY2(error2.metres < most && error2.degrees < 10 * most, text(error2).c_str());
    }
    void anyAttitude() { // a scanner on its side, or one whose z points forward: pitch 90 degrees
        auto random = seededRandom("anyAttitude");
        for (const Vec3d angles : {Vec3d{1.5707963, 0, 0}, Vec3d{0.3, 1.5707963267948966, 0},
                                   Vec3d{3.1, 0.2, 2}, Vec3d{-1, -1.5, 0.5}}) {
            Yard yard = makeYard(random, 0.01);
            const RigidTransform turned = fromRollPitchYaw(angles, {});
            for (Vec3f& p : yard.scan)
                p = turned.inverse()(p.as<double>()).as<float>();
            const RigidTransform truth = yard.truth * turned;
            const NdtResult result = backend().align(yard.map, {yard.scan, {}}, off(truth), {});
            QVERIFY(result.converged());
            VERIFY_POSE(result.pose, truth, 6, 0.03);
        }
    }
    void yardIsNotFlagged() {
        auto random = seededRandom("yardIsNotFlagged");
        const Yard yard = makeYard(random, 0.01);
        const NdtResult result = backend().align(yard.map, {yard.scan, {}}, off(yard.truth), {});
        QCOMPARE(result.geometry.degenerate, 0);
        // the covariance is the inverse of -H
        for (std::size_t i = 0; i < 6; ++i)
            for (std::size_t j = 0; j < 6; ++j) {
                double sum = 0;
                for (std::size_t k = 0; k < 6; ++k)
                    sum -= result.geometry.hessian[6 * i + k] * result.geometry.covariance[6 * k + j];
                QVERIFY(std::abs(sum - (i == j)) < 1e-6);
            }
        QVERIFY(norm(result.geometry.middle - result.pose(Vec3d{})) < 10);
    }
    void cleanEnds() {
        auto random = seededRandom("cleanEnds");
        const Yard yard = makeYard(random, 0.01, 1000);
        const auto scan = std::span<const Vec3f>(yard.scan);
        const RigidTransform start = off(yard.truth);
        const auto end = [&](const NdtMap& map, std::span<const Vec3f> points, const RigidTransform& from) {
            const NdtResult result = backend().align(map, {points, {}}, from, {});
            const bool finite =
                isFinite(result.pose) && std::isfinite(result.score) && std::isfinite(result.nvtl);
            const bool sizes =
                result.pointScores.size() == points.size() && result.pointCells.size() == points.size();
            if (!finite || !sizes)
                qWarning("not finite, or not a score for each point");
            return std::pair(result.end, finite && sizes);
        };
        using End = std::pair<NdtEnd, bool>;
        QVERIFY(end(yard.map, {}, start) == End(NdtEnd::noPoints, true));
        const std::vector<Vec3f> bad(100, Vec3f{kNan, 1, 2});
        QVERIFY(end(yard.map, bad, start) == End(NdtEnd::noPoints, true));
        NdtMapParams params;
        QVERIFY(end(NdtMap(params), scan, start) == End(NdtEnd::noCells, true));
        params.minPoints = 1'000'000;
        QVERIFY(end(mapOf(yard.scan, params), scan, start) == End(NdtEnd::noCells, true));
        RigidTransform away = start;
        away.translation.x += 1000;
        QVERIFY(end(yard.map, scan, away) == End(NdtEnd::noOverlap, true));
        away.translation.x = 1e12; // outside of all cells that keys can express
        QVERIFY(end(yard.map, scan, away) == End(NdtEnd::noOverlap, true));
        for (const std::size_t few : {1, 2, 3, 5}) {
            const auto [how, good] = end(yard.map, scan.first(few), yard.truth);
            QVERIFY(good &&
                    (how == NdtEnd::converged || how == NdtEnd::maxIterations || how == NdtEnd::noOverlap));
        }
    }
    void singleCell() {
        auto random = seededRandom("singleCell");
        std::uniform_real_distribution<float> along(0.1f, 1.9f);
        std::vector<Vec3f> points;
        for (int i = 0; i < 200; ++i)
            points.push_back({along(random), along(random), 1 + 0.1f * along(random)});
        const NdtMap map = mapOf(points);
        QCOMPARE(map.cells().size(), std::size_t{1});
        RigidTransform start;
        start.translation = {0.1, 0.05, 0.2};
        const NdtResult result = backend().align(map, {points, {}}, start, {});
        QVERIFY(result.end == NdtEnd::converged || result.end == NdtEnd::maxIterations);
        QVERIFY(isFinite(result.pose) && norm(result.pose.translation) < 0.5);
        QCOMPARE(result.pointsWithCell, std::uint64_t{200});
    }
    void noNumbersAmongPoints() {
        auto random = seededRandom("noNumbersAmongPoints");
        const Yard yard = makeYard(random, 0.01);
        std::vector<Vec3f> mixed;
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < yard.scan.size(); ++i) {
            if (i % 5 == 0)
                mixed.push_back({1, kNan, 2});
            if (i % 11 == 0)
                mixed.push_back({HUGE_VALF, 0, 0});
            places.push_back(mixed.size());
            mixed.push_back(yard.scan[i]);
        }
        const NdtResult clean = backend().align(yard.map, {yard.scan, {}}, off(yard.truth), {});
        const NdtResult found = backend().align(yard.map, {mixed, {}}, off(yard.truth), {});
        QCOMPARE(found.pointsNotFinite, mixed.size() - yard.scan.size());
        QCOMPARE(found.pointsWithCell, clean.pointsWithCell);
        const double most = backend().isCuda() ? 1e-3 : 1e-6;
        VERIFY_POSE(found.pose, clean.pose, most, most);
        std::size_t next = 0;
        for (std::size_t i = 0; i < mixed.size(); ++i) {
            if (next < places.size() && places[next] == i) {
                QCOMPARE(found.pointCells[i], clean.pointCells[next]);
                ++next;
            } else {
                QVERIFY(std::isnan(found.pointScores[i]) && found.pointCells[i] == kNoCell);
            }
        }
    }
    void maximumIsNotConverged() {
        auto random = seededRandom("maximumIsNotConverged");
        const Yard yard = makeYard(random, 0.01);
        NdtParams params;
        params.maxIterations = 3;
        const NdtResult stopped = backend().align(yard.map, {yard.scan, {}}, off(yard.truth), params);
        QCOMPARE(int(stopped.end), int(NdtEnd::maxIterations));
        QVERIFY(!stopped.converged());
        QCOMPARE(stopped.iterations, 3);
        QCOMPARE(stopped.trace.size(), std::size_t{3});
        // starting at the maximum, the first step is short: it is accepted, and not enlarged to the minimum
        // step
        params = {};
        params.epsilon = 1e-6;
        const NdtResult done = backend().align(yard.map, {yard.scan, {}}, off(yard.truth), params);
        QVERIFY(done.converged());
        const NdtResult again = backend().align(yard.map, {yard.scan, {}}, done.pose, params);
        QVERIFY(again.converged());
        QVERIFY(again.iterations <= 2);
        QVERIFY(norm(again.pose.translation - done.pose.translation) < 1e-6);
        params.epsilon = 0.05;
        const NdtResult coarse = backend().align(yard.map, {yard.scan, {}}, done.pose, params);
        QVERIFY(norm(coarse.pose.translation - done.pose.translation) < 1e-6);
    }
    void traceStartsAtTheStartPose() {
        auto random = seededRandom("traceStartsAtTheStartPose");
        const Yard yard = makeYard(random, 0.01);
        NdtParams params;
        const RigidTransform start = off(yard.truth);
        const NdtResult result = backend().align(yard.map, {yard.scan, {}}, start, params);
        QCOMPARE(result.trace.size(), std::size_t(result.iterations));
        VERIFY_POSE(result.trace.front().pose, start, 1e-6, 1e-6);
        for (std::size_t i = 0; i < result.trace.size(); ++i) {
            const NdtIteration& at = result.trace[i];
            QVERIFY(at.step <= params.maxStep * (1 + 1e-9) && at.pairs > 0 && at.gradient > 0);
            if (i > 0) // line search never decreases the score
                QVERIFY(at.score >= result.trace[i - 1].score * (1 - 1e-6));
        }
        QVERIFY(result.score >= result.trace.back().score * (1 - 1e-6));
        QVERIFY(result.nvtl > 0.8 && result.nvtl < 2.22);
        // the mean is that of the points' scores
        double sum = 0;
        std::uint64_t with = 0;
        for (std::size_t i = 0; i < result.pointScores.size(); ++i) {
            const bool any = result.pointCells[i] != kNoCell;
            QCOMPARE(std::isnan(result.pointScores[i]), !any);
            if (!any)
                continue;
            QVERIFY(result.pointScores[i] > 0 && result.pointScores[i] <= 1);
            QVERIFY(result.pointCells[i] < yard.map.cells().size());
            sum += double(result.pointScores[i]);
            ++with;
        }
        QCOMPARE(with, result.pointsWithCell);
        QVERIFY(std::abs(sum / double(with) * 2.217225 - result.nvtl) < 1e-5);
    }
    void neighboursAgree() {
        auto random = seededRandom("neighboursAgree");
        const Yard yard = makeYard(random, 0.02);
        NdtParams params;
        RigidTransform start = off(yard.truth);
        start.translation = yard.truth.translation + Vec3d{0.1, -0.1, 0.05};
        const auto run = [&](NdtNeighbours neighbours) {
            params.neighbours = neighbours;
            return backend().align(yard.map, {yard.scan, {}}, start, params).pose;
        };
        const RigidTransform seven = run(NdtNeighbours::direct7);
        VERIFY_POSE(run(NdtNeighbours::direct1), seven, 10, 0.2);
        VERIFY_POSE(run(NdtNeighbours::direct27), seven, 10, 0.2);
    }
    void repeatsBitByBit() {
        auto random = seededRandom("repeatsBitByBit");
        const Yard yard = makeYard(random, 0.02);
        const NdtResult first = backend().align(yard.map, {yard.scan, {}}, off(yard.truth), {});
        for (int round = 0; round < 20; ++round)
            QVERIFY(sameBits(first, backend().align(yard.map, {yard.scan, {}}, off(yard.truth), {})));
    }
    void aloneAndInABatch() {
        auto random = seededRandom("aloneAndInABatch");
        const Yard yard = makeYard(random, 0.02, 1500);
        const std::vector<Vec3f> half(yard.scan.begin(), yard.scan.begin() + 700), none;
        const NdtScan scans[] = {{yard.scan, {}}, {half, {}}, {none, {}}};
        std::vector<NdtJob> jobs;
        for (std::uint32_t i = 0; i < 200; ++i) {
            RigidTransform start = randomPose(random, 0.1, 0.01) * off(yard.truth);
            jobs.push_back({i % 3, start});
        }
        const auto batch = backend().alignBatch(yard.map, scans, jobs, {});
        QCOMPARE(batch.size(), jobs.size());
        for (std::size_t i = 0; i < jobs.size(); i += 7) {
            QVERIFY(sameBits(batch[i], backend().align(yard.map, scans[jobs[i].scan], jobs[i].start, {})));
            const auto one = backend().alignBatch(yard.map, scans, std::span(jobs).subspan(i, 1), {});
            QVERIFY(sameBits(batch[i], one.front()));
        }
        QVERIFY(backend().alignBatch(yard.map, scans, {}, {}).empty());
    }
    void poseFromManyStarts() {
        auto random = seededRandom("poseFromManyStarts");
        const Yard yard = makeYard(random, 0.01);
        NdtMapParams mapParams; // large cells: the starts are 3 m apart
        const NdtMap map = mapOf(toFloat(sample(scanloupe::test::yard(), 120'000, 0.01, random)), mapParams);
        std::vector<RigidTransform> starts;
        for (double x = -9; x <= 9; x += 3)
            for (double y = -9; y <= 9; y += 3)
                for (double yaw = -3; yaw <= 3; yaw += 0.5)
                    starts.push_back(fromRollPitchYaw({0, 0, yaw}, {x, y, 1.6}));
        NdtSearch search;
        search.points = 500;
        const NdtFound found = backend().findPose(map, {yard.scan, {}}, starts, {}, search);
        QVERIFY(found.best.converged());
        VERIFY_POSE(found.best.pose, yard.truth, 6, 0.03);
        QCOMPARE(found.trialScores.size(), starts.size());
        QVERIFY(found.start < starts.size());
        QVERIFY(errorOf(starts[found.start], yard.truth).degrees < 60);
        QVERIFY_THROWS_EXCEPTION(KernelError, backend().findPose(map, {yard.scan, {}}, {}, {}, search));
        const std::vector<Vec3f> none;
        QCOMPARE(int(backend().findPose(map, {none, {}}, starts, {}, search).best.end),
                 int(NdtEnd::noPoints));
    }
    void street() { // the scene of the published figures
        NdtMap map{NdtMapParams{}};
        map.add(streetMap(), {}, {}, {});
        QCOMPARE(map.cells().size(), kStreetCells);
        QVERIFY(errorOf(streetStart(), streetPose()).metres > 0.58);
        for (const std::size_t points : {1000, 5000}) {
            const std::vector<Vec3f> scan = streetScan(points);
            for (int n = 0; n < 3; ++n) {
                NdtParams params;
                params.neighbours = NdtNeighbours(n);
                const NdtResult result = backend().align(map, {scan, {}}, streetStart(), params);
                QVERIFY(result.converged());
                QCOMPARE(result.geometry.degenerate, 0);
                VERIFY_POSE(result.pose, streetPose(), 6, 0.03);
            }
        }
    }
    void startsThatAreNoRotation() {
        auto random = seededRandom("startsThatAreNoRotation");
        const Yard yard = makeYard(random, 0.01, 500);
        const auto refused = [&](const RigidTransform& start, const NdtParams& params) {
            try {
                backend().align(yard.map, {yard.scan, {}}, start, params);
            } catch (const KernelError& error) {
                return !error.nextStep().empty();
            }
            return false;
        };
        RigidTransform scaled = yard.truth, mirrored = yard.truth, bad = yard.truth;
        scaled.rows[0] = scaled.rows[0] * 1.1;
        mirrored.rows[2] = Vec3d{} - mirrored.rows[2];
        bad.rows[1].x = double(kNan);
        QVERIFY(refused(scaled, {}) && refused(mirrored, {}) && refused(bad, {}));
        RigidTransform digits = yard.truth; // a rotation rounded to six digits, as in a text file
        for (Vec3d& row : digits.rows)
            for (int i = 0; i < 3; ++i)
                row[i] = std::round(row[i] * 1e6) / 1e6;
        QVERIFY(!refused(digits, {}));
        const NdtResult result = backend().align(yard.map, {yard.scan, {}}, digits, {});
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                QVERIFY(std::abs(dot(result.pose.rows[i], result.pose.rows[j]) - (i == j)) < 1e-12);
        NdtParams params;
        params.outlierRatio = 1;
        QVERIFY(refused(yard.truth, params));
        params = {};
        params.epsilon = 0;
        QVERIFY(refused(yard.truth, params));
        params = {};
        params.maxStep = double(kNan);
        QVERIFY(refused(yard.truth, params));
        params = {};
        params.maxIterations = 0;
        QVERIFY(refused(yard.truth, params));
    }
    void stopsWhenAsked() {
        auto random = seededRandom("stopsWhenAsked");
        const Yard yard = makeYard(random, 0.01, 4000);
        std::vector<NdtJob> jobs(100'000, NdtJob{0, off(yard.truth)});
        const NdtScan scans[] = {{yard.scan, {}}};
        NdtParams params;
        params.pointScores = false;
        std::array<double, 5> stops; // takes the shortest time, because other programs may use the processors
        for (double& ms : stops) {
            std::stop_source source;
            WallTimer sinceAsked;
            std::jthread asker([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
                sinceAsked = WallTimer();
                source.request_stop();
            });
            QVERIFY_THROWS_EXCEPTION(Cancelled,
                                     backend().alignBatch(yard.map, scans, jobs, params, source.get_token()));
            asker.join();
            ms = sinceAsked.elapsedMs();
        }
        const double shortest = *std::ranges::min_element(stops);
        QVERIFY2(shortest < kStopMs, qPrintable(QString::number(shortest)));
    }
    void thinning() {
        auto random = seededRandom("thinning");
        std::vector<Vec3f> points = toFloat(sample(yard(), 50'000, 0.01, random));
        points.push_back({kNan, 0, 0});
        const auto thin = cpu::thinScan(points, 0.5, {});
        QVERIFY(thin.size() > 1000 && thin.size() < 20'000);
        for (const Vec3f p : thin)
            QVERIFY(isFinite(p));
        QVERIFY(cpu::thinScan(points, 0.5, {}) == thin);
        const auto all = cpu::thinScan(points, 1e-4, {});
        QVERIFY(all.size() > 49'900 && all.size() <= 50'000);
        QCOMPARE(cpu::thinScan(points, 1000, {}).size(), std::size_t{1});
        QVERIFY(cpu::thinScan(std::vector<Vec3f>{{kNan, 0, 0}}, 1, {}).empty());
        QVERIFY_THROWS_EXCEPTION(KernelError, cpu::thinScan(points, 0, {}));
    }
};

NDT_TEST(TestNdtAlign)
#include "test_ndt_align.moc"
