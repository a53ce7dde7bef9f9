// A tileset that exceeds the point limit: the part for the current view is read, and ranges that fit are read
// completely.
#include "engine/align/merge_clouds.h"
#include "engine/cloud/point_cloud.h"
#include "engine/compute/memory.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/scan_reader.h"
#include "engine/io/writers.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"
#include "engine/survey/tiles/manifest.h"
#include "engine/survey/tileset/tileset.h"
#include "gui/models/partial_result.h"
#include "tests/engine/survey/tiles/tile_recipes.h"
#include "tests/gui/app/window_fixture.h"
#include "tests/support/generated_survey.h"
#include "tests/support/test_support.h"

#include <QElapsedTimer>
#include <QOpenGLWidget>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

constexpr std::uint64_t kMaxPoints = 8'000; // limit for a survey with some 30,000 vertices

/// Number of shown points within `distance` of `place`, seen from above.
std::size_t pointsAround(WindowFixture& f, Vec3d place, double distance) {
    std::size_t count = 0;
    const PointCloud& cloud = *f.snapshot()->cloud;
    for (std::size_t i = 0; i < cloud.size(); ++i) {
        const Vec3d off = cloud.position(i) - place;
        count += std::abs(off.x) < distance && std::abs(off.y) < distance;
    }
    return count;
}

/// The current camera, moved to look at `place` from `height` metres above it.
Camera lookFromAbove(WindowFixture& f, Vec3d place, double height) {
    Camera camera = f.window.camera().camera();
    camera.target = place;
    camera.eye = place + Vec3d{0, -0.5, height};
    f.window.camera().setCamera(camera);
    return camera;
}

void keepPicture(MainWindow& window, const char* name) {
    if (const QString folder = qEnvironmentVariable("SCANLOUPE_SCREENSHOTS"); !folder.isEmpty())
        window.grab().save(QStringLiteral("%1/%2.png").arg(folder, QLatin1String(name)));
}

} // namespace

class TestWindowSurvey : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;
    std::filesystem::path m_tileset;
    std::size_t m_all = 0; // number of vertices in the finest meshes

    /// Opens the tileset, and waits for the part for the view.
    bool open(WindowFixture& f) {
        if (!f.isShown())
            return false;
        f.window.jobs().loader().setMaxPoints(kMaxPoints);
        f.open(m_tileset);
        return waitForView(f);
    }
    /// Waits until the views are at rest, and their points have been read and shown.
    bool waitForView(WindowFixture& f) {
        QTest::qWait(400); // a view rests for a quarter of a second before it is read for
        return QTest::qWaitFor(
                   [&] {
                       return f.snapshot() && !f.window.jobs().loader().isBusy() &&
                              (f.snapshot()->cloud->isChosenForView ||
                               f.snapshot()->cloud->subsampledFrom == 0);
                   },
                   60'000) &&
               f.waitForRest();
    }

private slots:
    void initTestCase() {
        SurveyArea area;
        area.corner = {1000, 2000, 50};
        const GeneratedSurvey survey(area);
        const TilePlan plan(surveyParams(densityRecipe(), boundsOf(survey.parts())), 0);
        const std::filesystem::path folder = m_settings.path("survey").toStdString();
        const TileStore store(folder, plan, jobDescription(plan, {".ply"}), {".ply"});
        const auto tiles = runTiles(survey, plan, store, {}, {}).tiles;
        writeTileset(store, plan, tiles, {2, {}}, {});
        m_tileset = folder / "tileset.json";
        m_all = readScan(m_tileset, {}, {})->size();
        QCOMPARE(
            m_all,
            std::size_t(tiles.front().vertices)); // vertices that neighbouring meshes share are counted once
        QVERIFY(m_all > 3 * kMaxPoints);
    }

    void viewsDecideWhatIsRead() {
        WindowFixture f;
        QVERIFY(open(f));
        const PointCloud& whole = *f.snapshot()->cloud;
        QVERIFY(whole.isChosenForView);
        QVERIFY(whole.size() <= kMaxPoints);
        QVERIFY(whole.subsampledFrom == m_all);
        QVERIFY(std::abs(whole.bounds().max.x - whole.bounds().min.x - 32) < 2); // the whole survey
        const std::size_t wholeSize = whole.size();
        const Vec3d farVoxels = *f.snapshot()->resolved->voxelSize;
        keepPicture(f.window, "survey_far");
        const auto nearest = [&](Vec3d to) { // the nearest vertex as seen from above
            Vec3d found;
            double least = HUGE_VAL;
            for (std::size_t i = 0; i < whole.size(); ++i)
                if (const Vec3d p = whole.position(i); std::hypot(p.x - to.x, p.y - to.y) < least) {
                    least = std::hypot(p.x - to.x, p.y - to.y);
                    found = p;
                }
            return found;
        };
        const Vec3d place = nearest({1010, 2010, 0}); // a vertex in the middle of a leaf
        const std::size_t before = pointsAround(f, place, 1.5);
        const Camera camera = lookFromAbove(f, place, 5);
        QVERIFY(waitForView(f));
        QVERIFY(f.window.camera().camera() == camera);
        const std::size_t after = pointsAround(f, place, 1.5);
        qInfo("%zu points around a place, %zu from near by; %zu then %zu of %zu", before, after, wholeSize,
              f.snapshot()->cloud->size(), m_all);
        QVERIFY(after > 3 * before);
        // voxel size follows the level of detail
        QVERIFY(f.snapshot()->resolved->voxelSize->x < 0.7 * farVoxels.x);
        QVERIFY(f.snapshot()->cloud->size() <= kMaxPoints);
        keepPicture(f.window, "survey_near");
        // a note that only a part can be exported
        QVERIFY(!noteOfPart(*f.snapshot(), false, false).isEmpty());
    }

    void rangesThatFitAreReadWhole() {
        WindowFixture f;
        QVERIFY(open(f));
        Recipe recipe = f.window.jobs().runner().recipe();
        // the range is next to the border of a coarse node, whose apron reaches into it
        recipe.rangeMin = Vec3d{1013, 2004, 0};
        recipe.rangeMax = Vec3d{1015.5, 2007, 100};
        emit f.window.parameters().recipeChanged(recipe);
        QVERIFY(waitForView(f));
        QVERIFY(QTest::qWaitFor([&] { return f.snapshot()->cloud->subsampledFrom == 0; }, 60'000));
        QVERIFY(f.waitForRest());
        const auto all = readScan(m_tileset, {}, {});
        const auto inRange = [&](const PointCloud& cloud) {
            std::size_t count = 0;
            for (std::size_t i = 0; i < cloud.size(); ++i) {
                const Vec3d p = cloud.position(i);
                count += p.x >= 1013 && p.x <= 1015.5 && p.y >= 2004 && p.y <= 2007;
            }
            return count;
        };
        QCOMPARE(inRange(*f.snapshot()->cloud), inRange(*all));
        QVERIFY(noteOfPart(*f.snapshot(), false, false).isEmpty());
        keepPicture(f.window, "survey_range");
    }

    void rangesWithoutTilesAreReported() {
        WindowFixture f;
        QVERIFY(open(f));
        ScanLoader& loader = f.window.jobs().loader();
        QString told;
        connect(&loader, &ScanLoader::failed, this, [&](const QString& sentence) { told = sentence; });
        const SnapshotPtr before = f.snapshot();
        Recipe recipe = f.window.jobs().runner().recipe();
        recipe.rangeMin = Vec3d{1004, 2004, 300}; // the range starts above all roofs
        recipe.rangeMax = Vec3d{1010, 2010, 310};
        QVERIFY(loader.hasRead(std::nullopt));
        emit f.window.parameters().recipeChanged(recipe);
        QVERIFY(QTest::qWaitFor([&] { return told.contains("range"); }, 20'000));
        QVERIFY(QTest::qWaitFor([&] { return !loader.isBusy(); }, 20'000));
        QVERIFY(!loader.hasRead(rangeToRead(recipe)));
        QCOMPARE(f.snapshot()->cloud, before->cloud); // the cloud is not replaced
    }

    // A folder of plain LAS files has no levels of detail. The views get samples of the files, which are
    // denser for close files.
    void foldersAreSurveys() {
        const QTemporaryDir folder;
        const GeneratedSurvey survey({});
        const auto write = [&](std::size_t part) {
            std::vector<Vec3d> points;
            survey.read(part,
                        [&](const SurveyPiece& some) {
                            points.insert(points.end(), some.points.begin(), some.points.end());
                        },
                        {});
            DoublePositions positions{Buffer<Vec3d>::host(points.size()), 3};
            std::ranges::copy(points, positions.xyz.data());
            writeCloud(folder.filePath(QString("%1.las").arg(part)).toStdString(),
                       PointCloud(std::move(positions), {}, std::stop_token()), {}, {});
        };
        for (std::size_t part = 0; part < survey.parts().size(); ++part)
            write(part);
        QFile broken(folder.filePath("broken.las"));
        QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("LASF") == 4);
        broken.close();
        WindowFixture f;
        QVERIFY(f.isShown());
        constexpr std::uint64_t most = 60'000, all = 240'000;
        f.window.jobs().loader().setMaxPoints(most);
        f.window.open({folder.path()}, SeveralAs::survey);
        QVERIFY(waitForView(f));
        const PointCloud& whole = *f.snapshot()->cloud;
        QVERIFY(whole.isChosenForView);
        QVERIFY2(whole.size() <= most && whole.size() > most / 8, qPrintable(QString::number(whole.size())));
        QCOMPARE(whole.subsampledFrom, all);
        QVERIFY(std::abs(whole.bounds().max.x - whole.bounds().min.x - 32) < 2);
        QCOMPARE(whole.attribute(kScanAttribute)->max(), 11.0);
        QVERIFY(std::ranges::any_of(whole.warnings, [](const std::string& one) {
            return one.starts_with("Incomplete: 'broken.las'");
        }));
        keepPicture(f.window, "folder_far");
        const Vec3d place{20, 12, 2}; // a position in the middle of a file
        const std::size_t before = pointsAround(f, place, 2);
        lookFromAbove(f, place, 6);
        QVERIFY(waitForView(f));
        const std::size_t after = pointsAround(f, place, 2);
        qInfo("%zu points around a place, %zu from near by", before, after);
        QVERIFY(after > 2 * before);
        QVERIFY(f.snapshot()->cloud->size() <= most);
        keepPicture(f.window, "folder_near");
        // the range intersects one file, which fits the limit of points: all points of it are read
        Recipe recipe = f.window.jobs().runner().recipe();
        recipe.rangeMin = Vec3d{18, 10, -10};
        recipe.rangeMax = Vec3d{22, 14, 50};
        emit f.window.parameters().recipeChanged(recipe);
        QVERIFY(QTest::qWaitFor([&] { return f.snapshot()->cloud->subsampledFrom == 0; }, 60'000));
        QCOMPARE(f.snapshot()->cloud->size(), std::size_t(20'000));
        // a survey that fits the limit is read completely
        f.window.jobs().loader().setMaxPoints(std::uint64_t{1} << 40);
        f.window.open({folder.path()}, SeveralAs::survey);
        QVERIFY(QTest::qWaitFor([&] { return f.snapshot()->cloud->size() == all; }, 60'000));
    }

    // A file with levels of detail that exceeds the memory; $SCANLOUPE_LARGE_SCAN names it
    // (tests/scripts/make_copc.py).
    void largeScansOpenAtOnce() {
        const QString path = qEnvironmentVariable("SCANLOUPE_LARGE_SCAN");
        if (path.isEmpty())
            QSKIP("$SCANLOUPE_LARGE_SCAN names no scan that is larger than memory");
        returnFreedMemory(); // the program calls this function, too
        WindowFixture f;
        QVERIFY(f.isShown());
        f.window.jobs().loader().setMaxPoints(20'000'000);
        QTest::qWait(1000); // users don't click before the window has drawn itself
        QElapsedTimer timer;
        timer.start();
        f.window.open({path});
        QVERIFY(QTest::qWaitFor([&] { return f.snapshot() && f.snapshot()->picture; }, 60'000));
        QString stages = QStringLiteral("rasterized after %1 ms;").arg(timer.elapsed());
        for (const StageTiming& stage : f.snapshot()->timings.stages)
            stages += QStringLiteral(" %1 %2")
                          .arg(QString::fromStdString(stage.stage))
                          .arg(stage.wallMs, 0, 'f', 0);
        QVERIFY(QTest::qWaitFor(
            [&] {
                return std::ranges::all_of(f.window.views().views(),
                                           [](ScanView* view) { return view->isComplete(); });
            },
            60'000));
        const qint64 first = timer.elapsed();
        const std::size_t firstPoints = f.snapshot()->cloud->size();
        keepPicture(f.window, "large_first");
        QVERIFY(waitForView(f));
        const std::uint64_t all = f.snapshot()->cloud->subsampledFrom;
        qInfo("%llu points: first picture of %zu points in all views after %lld ms; %s", qulonglong(all),
              firstPoints, first, qPrintable(stages));
        const Vec3d middle = (f.snapshot()->cloud->bounds().min + f.snapshot()->cloud->bounds().max) / 2.0;
        for (int level = 1; level <= 4; ++level) { // approaches the point in several steps
            Camera camera = f.window.camera().camera();
            camera.target = camera.target + (middle - camera.target) * 0.9;
            camera.eye = camera.target + (camera.eye - camera.target) * 0.25;
            timer.restart();
            f.window.camera().setCamera(camera);
            QVERIFY(waitForView(f));
            const PointCloud& cloud = *f.snapshot()->cloud;
            qInfo("level %d: %zu points, voxels of %.3g m, complete after %lld ms", level, cloud.size(),
                  f.snapshot()->resolved->voxelSize->x, timer.elapsed());
            keepPicture(f.window, qPrintable(QStringLiteral("large_%1").arg(level)));
        }
        int pictures = 0, frames = 0;
        connect(&f.window.jobs().runner(), &PipelineRunner::snapshotReady, &f.window,
                [&](const SnapshotPtr& s) { pictures += bool(s->picture); });
        const auto surfaces = f.window.findChildren<QOpenGLWidget*>();
        for (QOpenGLWidget* surface : surfaces)
            connect(surface, &QOpenGLWidget::frameSwapped, &f.window, [&] { ++frames; });
        timer.restart();
        const Camera from = f.window.camera().camera();
        while (timer.elapsed() < 4000) { // moves without a pause
            Camera camera = from;
            const double turn = double(timer.elapsed()) / 4000;
            const Vec3d way = from.eye - from.target;
            camera.eye = from.target + Vec3d{way.x * std::cos(turn) - way.y * std::sin(turn),
                                             way.x * std::sin(turn) + way.y * std::cos(turn), way.z};
            f.window.camera().setCamera(camera);
            QTest::qWait(1);
        }
        const double seconds = double(timer.elapsed()) / 1000;
        std::ifstream status("/proc/self/status");
        std::string line, peak;
        while (std::getline(status, line))
            if (line.starts_with("VmHWM"))
                peak = line;
        qInfo(
            "flying: %.1f frames a second of each of %d views by OpenGL, %.1f pictures of the rasterizer; %s",
            frames / seconds / double(std::max<qsizetype>(surfaces.size(), 1)), int(surfaces.size()),
            pictures / seconds, peak.c_str());
        QVERIFY(waitForView(f));
    }

    void anotherScanEndsIt() {
        WindowFixture f;
        QVERIFY(open(f));
        f.window.jobs().loader().setMaxPoints(std::uint64_t{1} << 40);
        f.open(m_tileset);
        QVERIFY(QTest::qWaitFor([&] { return f.snapshot()->cloud->subsampledFrom == 0; }, 60'000));
        QVERIFY(f.waitForRest());
        QCOMPARE(f.snapshot()->cloud->size(), m_all);
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowSurvey)
#include "test_window_survey.moc"
