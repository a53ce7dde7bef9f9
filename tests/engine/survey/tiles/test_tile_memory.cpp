// The memory forecast of tile jobs: the sample that it is based on, and how it depends on parameters.
// tests/scripts/check_tile_memory.py compares it with the memory that jobs use.
#include "engine/cloud/error.h"
#include "engine/survey/tiles/manifest.h"
#include "engine/survey/tiles/surface_digest.h"
#include "engine/survey/tiles/tile_memory.h"
#include "tests/engine/survey/tiles/tile_recipes.h"
#include "tests/support/generated_survey.h"
#include "tests/support/test_support.h"

#include <cmath>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

namespace fs = std::filesystem;

Recipe recipeOf(double voxelSize) {
    Recipe recipe = densityRecipe();
    recipe.voxelSize = Vec3d{voxelSize, voxelSize, voxelSize};
    return recipe;
}

TilePlan planOf(const SurveySource& source, double voxelSize, double tileSize) {
    SurveyParams params = surveyParams(recipeOf(voxelSize), boundsOf(source.parts()));
    params.attributes = source.attributes();
    return TilePlan(params, tileSize);
}

/// A survey that cannot be read.
class BrokenSurvey : public GeneratedSurvey {
public:
    using GeneratedSurvey::GeneratedSurvey;
    std::vector<std::string> read(std::size_t, const Use&, const std::stop_token&) const override {
        throw EngineError("the part is broken", "Mend it.");
    }
};

bool isNear(double found, double expected, double share) {
    return std::abs(found - expected) <= share * expected;
}

} // namespace

class TestTileMemory : public QObject {
    Q_OBJECT
private slots:
    void sampleIsAsTheSurface_data() {
        // points of a part; above some 131,000, the sample uses a fraction of them
        QTest::addColumn<int>("points");
        QTest::addColumn<double>("edge");
        QTest::addColumn<double>("voxelSize");
        for (const double size : {0.6, 0.25, 0.1}) {
            QTest::addRow("whole parts, %g m", size) << 60'000 << 12.0 << size;
            QTest::addRow("a share of a part, %g m", size) << 900'000 << 40.0 << size;
        }
    }
    void sampleIsAsTheSurface() {
        QFETCH(int, points);
        QFETCH(double, edge);
        QFETCH(double, voxelSize);
        SurveyArea area;
        area.blocksX = 2;
        area.blocksY = 1;
        area.edge = edge;
        area.pointsPerBlock = std::uint64_t(points);
        const GeneratedSurvey survey(area);
        const TilePlan plan = planOf(survey, voxelSize, 0);
        const SurfaceSample taken = sampleTiles(survey, plan, {});
        const SurfacePerPoint& sample = taken.perPoint;
        // a small part is a single tile; for a large one, tiles contain a fraction plus the points around
        // them
        QVERIFY(taken.pointsOfLargest > 0 && taken.pointsOfLargest <= taken.points);
        QCOMPARE(taken.points == std::uint64_t(points), points < 100'000);
        QCOMPARE(taken.pointsOfLargest == taken.points, points < 100'000);
        const QTemporaryDir folder;
        const TileStore store(fs::path(folder.path().toStdString()) / "job", plan,
                              jobDescription(plan, {".ply"}), {".ply"});
        const TileRunReport report = runTiles(survey, plan, store, {}, {});
        QCOMPARE(report.tiles.size(), std::size_t{1});
        const TileRecord& whole = report.tiles.front();
        const auto perPoint = [&](std::uint64_t count) { return double(count) / double(whole.points); };
        constexpr double share = 0.25;
        QVERIFY2(isNear(sample.voxels, perPoint(whole.voxels), share),
                 qPrintable(QString::number(sample.voxels)));
        QVERIFY2(isNear(sample.vertices, perPoint(whole.vertices), share),
                 qPrintable(QString::number(sample.vertices)));
        QVERIFY2(isNear(sample.triangles, perPoint(whole.triangles), share),
                 qPrintable(QString::number(sample.triangles)));
        const double active = perPoint(store.bricksOf(whole.tile).size());
        QVERIFY2(isNear(sample.surfaceBricks, active, share),
                 qPrintable(QString::number(sample.surfaceBricks)));
        // the field has more bricks than the surface, but not many times as many
        QVERIFY2(sample.bricks > (1 - share) * active && sample.bricks < 6 * active,
                 qPrintable(QString("%1, with surface %2").arg(sample.bricks).arg(active)));
    }

    void memoryFollowsTheJob() {
        SurveyArea area;
        area.blocksX = 6;
        area.blocksY = 2;
        area.pointsPerBlock = 100'000;
        const GeneratedSurvey survey(area), withValues(area, true);
        const auto memoryOf = [](const SurveySource& source, double voxelSize, double tileSize,
                                 bool keepsVoxels = false, int ranks = 0) {
            const TilePlan plan = planOf(source, voxelSize, tileSize);
            return forecastMemory(source.parts(), plan, {},
                                  {sampleTiles(source, plan, {}), keepsVoxels, ranks});
        };
        const TileMemory usual = memoryOf(survey, 0.2, 0);
        const std::uint64_t points = 12 * area.pointsPerBlock;
        QVERIFY(usual.waiting >= points * sizeof(Vec3f) && usual.waiting < 2 * points * sizeof(Vec3f));
        QVERIFY(usual.reading >= area.pointsPerBlock * (sizeof(Vec3f) + sizeof(Vec3d)));
        // finer voxels make a larger surface of the same points
        const TileMemory fine = memoryOf(survey, 0.05, 0);
        QVERIFY2(fine.computing > 3 * usual.computing && fine.waiting == usual.waiting,
                 qPrintable(QString("%1 and %2 bytes").arg(fine.computing).arg(usual.computing)));
        // a tile computes its part only, and few points wait while others are read
        const TileMemory tiles = memoryOf(survey, 0.05, 8);
        QVERIFY(tiles.computing < fine.computing / 4 && tiles.waiting < fine.waiting * 3 / 4);
        QCOMPARE(tiles.sampling, fine.sampling);
        QVERIFY(memoryOf(survey, 0.2, 8).waiting > tiles.waiting); // more voxels around a tile are needed
        // each process has only its own tiles
        const TileMemory ranked = memoryOf(survey, 0.05, 8, false, 3);
        QVERIFY(ranked.waiting <= tiles.waiting && ranked.computing == tiles.computing);
        QVERIFY(ranked.program > tiles.program);
        // writing voxels needs more memory
        QVERIFY(memoryOf(survey, 0.05, 0, true).computing > fine.computing);
        const TileMemory valued = memoryOf(withValues, 0.05, 0);
        QVERIFY(valued.computing > fine.computing && valued.waiting > fine.waiting);
        // before the job, memory holds the sampled part and the sample's tiles
        QVERIFY(usual.sampling > usual.reading + area.pointsPerBlock * sizeof(Vec3f));
        TileMemory sampled = usual;
        sampled.sampling = 2 * usual.all();
        QCOMPARE(sampled.all(), usual.program + sampled.sampling);
        QCOMPARE(usual.all(),
                 usual.program + usual.waiting + usual.reading + usual.computing + usual.summing);
        // the checksum takes a fixed number of bytes for each brick, up to a limit
        QVERIFY(fine.summing > 2 * usual.summing && usual.summing > 1000 &&
                fine.summing < SurfaceDigest::kMaxBricks * SurfaceDigest::kBytesOfBrick);
        // waiting points are limited
        const TilePlan plan = planOf(survey, 0.2, 0);
        TileRunOptions options;
        options.memory = 1'000'000;
        QCOMPARE(forecastMemory(survey.parts(), plan, options, {}).waiting, options.memory);
    }

    void whatCannotBeReadHasAVoxelForEachPoint() {
        const BrokenSurvey survey{SurveyArea()};
        const SurfacePerPoint assumed = sampleTiles(survey, planOf(survey, 0.25, 0), {}).perPoint;
        QCOMPARE(assumed.voxels, 1.0);
        QVERIFY(assumed.bricks > 0 && assumed.triangles > 0);
        std::stop_source stop;
        stop.request_stop();
        const GeneratedSurvey whole{SurveyArea()};
        QVERIFY_EXCEPTION_THROWN(sampleTiles(whole, planOf(whole, 0.25, 0), stop.get_token()), Cancelled);
    }
};

SCANLOUPE_TEST(TestTileMemory)
#include "test_tile_memory.moc"
