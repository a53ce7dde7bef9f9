// Points waiting for tiles: maxima for given orders of parts, and the limit in a job.
#include "engine/survey/tiles/manifest.h"
#include "engine/survey/tiles/tile_run.h"
#include "engine/survey/tiles/waiting_points.h"
#include "tests/engine/survey/tiles/tile_recipes.h"
#include "tests/support/generated_survey.h"
#include "tests/support/test_support.h"

#include <chrono>
#include <limits>
#include <thread>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

} // namespace

class TestWaitingPoints : public QObject {
    Q_OBJECT
private slots:
    void waitingPointsFollowTheOrder() {
        QCOMPARE(maxWaitingPoints({}, kNoLimit), 0.0);
        QCOMPARE(maxWaitingPoints({{}, {}}, kNoLimit), 0.0);
        // a single tile needs all parts
        QCOMPARE(maxWaitingPoints({{{0, 5}}, {{0, 7}}, {{0, 1}}}, 0), 13.0);
        // one tile per part: the limit of the queue, plus the points of the part that is being read
        const std::vector<std::vector<TileShare>> apart{{{3, 4}}, {{1, 4}}, {{2, 4}}, {{0, 4}}};
        QCOMPARE(maxWaitingPoints(apart, 0), 4.0);
        QCOMPARE(maxWaitingPoints(apart, 4), 8.0);
        QCOMPARE(maxWaitingPoints(apart, 6), 10.0);
        QCOMPARE(maxWaitingPoints(apart, kNoLimit), 16.0);
        // tile 0 stays incomplete until the last part; the other tiles are complete earlier
        const std::vector<std::vector<TileShare>> open{{{0, 10}, {1, 1}}, {{2, 3}}, {{3, 2}}, {{0, 1}}};
        QCOMPARE(maxWaitingPoints(open, 0), 13.0);
        QCOMPARE(maxWaitingPoints(open, 2), 14.0);
        // points that several tiles need count for each of them
        QCOMPARE(maxWaitingPoints({{{0, 6}, {1, 6}}, {{1, 6}, {2, 6}}}, 0), 18.0);
        // the same parts in another order, which completes no tile early
        QCOMPARE(maxWaitingPoints({{{0, 1}}, {{1, 1}}, {{0, 1}}, {{1, 1}}}, 0), 3.0);
        QCOMPARE(maxWaitingPoints({{{0, 1}}, {{0, 1}}, {{1, 1}}, {{1, 1}}}, 0), 2.0);
    }

    /// A group of tiles needs its share of each part, and skips distant parts.
    void groupsHaveTheirShares() {
        SurveyArea area;
        area.blocksX = 5;
        area.blocksY = 1;
        area.edge = 100; // metres; all points lie in one layer of tiles
        const std::vector<SurveyPart> parts = GeneratedSurvey(area).parts();
        const TilePlan plan(surveyParams(densityRecipe(), boundsOf(parts)), area.edge);
        const auto order = sharesInOrder(parts, plan);
        const auto sumOf = [](const std::vector<std::vector<TileShare>>& shares) {
            double sum = 0;
            for (const std::vector<TileShare>& part : shares)
                for (const TileShare& share : part)
                    sum += share.points;
            return sum;
        };
        const double points = 5 * double(area.pointsPerBlock), whole = sumOf(order);
        QVERIFY2(whole > 1.02 * points && whole < 1.1 * points, // points near borders count for both tiles
                 qPrintable(QString::number(whole)));
        const Vec3i tiles = plan.tiles();
        const IndexBox first{{}, {2, tiles.y, tiles.z}}, others{{2, 0, 0}, tiles};
        const auto ofFirst = sharesOfGroup(order, plan, first), ofOthers = sharesOfGroup(order, plan, others);
        QCOMPARE(ofFirst.size(), std::size_t{3}); // these include points at the border of the next group
        QCOMPARE(ofOthers.size(), std::size_t{4});
        QCOMPARE(sumOf(ofFirst) + sumOf(ofOthers), whole);
        QVERIFY(maxWaitingPoints(ofFirst, kNoLimit) < maxWaitingPoints(order, kNoLimit) / 2);
    }

    /// A reader that is faster than the worker leaves most points of a long survey on the disk.
    void jobsReadAPartAhead() {
        const QTemporaryDir folder;
        SurveyArea area;
        area.blocksX = 16;
        area.blocksY = 1;
        area.edge = 100; // metres; all points lie in one layer of tiles
        area.pointsPerBlock = 3000;
        const GeneratedSurvey survey(area);
        const TilePlan plan(surveyParams(densityRecipe(), boundsOf(survey.parts())), area.edge);
        const TileStore store(std::filesystem::path(folder.path().toStdString()) / "job", plan,
                              jobDescription(plan, {".ply"}), {".ply"});
        TileRunOptions options;
        options.beforeTile = [](const ComputeWorker&, std::size_t) {
            std::this_thread::sleep_for(std::chrono::milliseconds(30));
        };
        const TileRunReport report = runTiles(survey, plan, store, options, {});
        const auto order = sharesInOrder(survey.parts(), plan);
        QCOMPARE(order.size(), std::size_t{16});
        const double most = maxWaitingPoints(order, double(area.pointsPerBlock)) * sizeof(Vec3f);
        QVERIFY2(double(report.maxPointBytes) < 1.1 * most,
                 qPrintable(QString("%1 bytes of up to %2").arg(report.maxPointBytes).arg(most)));
        QVERIFY(report.maxPointBytes < 16 * area.pointsPerBlock * sizeof(Vec3f) / 2);
        QVERIFY(report.waitMs > 100);
        QCOMPARE(report.points.read, 16 * area.pointsPerBlock);
    }
};

SCANLOUPE_TEST(TestWaitingPoints)
#include "test_waiting_points.moc"
