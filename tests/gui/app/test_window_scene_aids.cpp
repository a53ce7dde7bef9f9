// Grids, trajectories, pictures of points, and colour limits of a sequence, in the window.
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/trajectory.h"
#include "engine/results/snapshot.h"
#include "engine/run/sweep/frame_limits.h"
#include "gui/marks/scene_aids.h"
#include "gui/panels/align_panel.h"
#include "tests/gui/app/drive_folder.h"
#include "tests/gui/app/window_fixture.h"

#include <QToolBar>
#include <cmath>
#include <limits>
#include <numbers>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

/// Pixels near a colour.
int pixelsOf(const QImage& image, QColor colour) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QColor at = image.pixelColor(x, y);
            count += std::abs(at.red() - colour.red()) < 25 && std::abs(at.green() - colour.green()) < 25 &&
                     std::abs(at.blue() - colour.blue()) < 25;
        }
    return count;
}

std::shared_ptr<const PointCloud> cloudOf(const std::vector<Vec3f>& points) {
    return std::make_shared<const PointCloud>(FloatPositions{hostCopy(std::span<const Vec3f>(points))},
                                              std::vector<Attribute>{}, std::stop_token{});
}

} // namespace

class TestWindowSceneAids : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;

private slots:
    void theGroundIsFound() {
        std::vector<Vec3f> points; // a plane at -1.5 near the sensor, at 4 farther away, with a wall
        for (int i = -50; i <= 50; ++i)
            for (int j = -50; j <= 50; ++j)
                points.push_back({float(i), float(j), std::hypot(i, j) < 30 ? -1.5f : 4.0f});
        for (int i = 0; i < 1000; ++i)
            points.push_back({10, 3, float(i) * 0.01f});
        points.push_back({0, 0, NAN});
        const std::shared_ptr<const PointCloud> cloud = cloudOf(points);
        const Vec3d up{0, 0, 1};
        QCOMPARE(groundHeight(*cloud, up, {}, 20), -1.5);
        QCOMPARE(groundHeight(*cloud, up, {45, 45, 0}, 10), 4.0);
        QCOMPARE(groundHeight(*cloud, up, {900, 0, 0}, 10), -1.5); // without points nearby, all points count
        GroundHeight kept;
        QCOMPARE(kept.of(cloud, up, 10, {}), -1.5);
        QCOMPARE(kept.of(cloud, up, 10, {45, 45, 0}), 4.0);
        QCOMPARE(kept.of(cloud, up, std::numeric_limits<double>::infinity(), {45, 45, 0}), -1.5);
        QCOMPARE(sensorPosition(*cloud), std::optional(Vec3d{}));
        QCOMPARE(sensorPosition(*cloudOf({{1, 1, 1}, {2, 2, 2}})), std::nullopt);
    }

    void gridsHaveKnownDistances() {
        const Bounds bounds{{-12, -3, 0}, {31, 8, 5}};
        const auto ground = groundGrid(bounds, {0, 0, 1}, -1, LengthUnit::metre);
        QCOMPARE(ground.size(), std::size_t(1));
        QCOMPARE(ground[0].text, QStringLiteral("5 m")); // squares of 5 m for an extent of 43 m
        QCOMPARE(ground[0].lines.size(), std::size_t(11 + 4));
        for (const auto& line : ground[0].lines)
            for (const Vec3d& p : line) {
                QCOMPARE(p.z, -1.0);
                QCOMPARE(std::remainder(p.x, 5), 0.0);
                QCOMPARE(std::remainder(p.y, 5), 0.0);
            }
        const auto rings = sensorGrid(bounds, {1, 2, 9}, {0, 0, 1}, -1, LengthUnit::foot);
        QCOMPARE(rings[0].text, QStringLiteral("5 ft"));
        for (const Vec3d& p : rings[1].lines[0]) {
            QVERIFY(std::abs(std::hypot(p.x - 1, p.y - 2) - 10) < 1e-9);
            QCOMPARE(p.z, -1.0);
        }
        QVERIFY(groundGrid({{1, 1, 1}, {1, 1, 1}}, {0, 0, 1}, 0, LengthUnit::metre).empty());
        // y is up
        const auto yUp = groundGrid(bounds, {0, 1, 0}, 2, LengthUnit::metre);
        for (const Vec3d& p : yUp[0].lines[0])
            QCOMPARE(p.y, 2.0);
    }

    void aTrajectoryLiesAmidTheScans() {
        const Bounds bounds{{0, 0, 0}, {10, 10, 10}};
        std::vector<std::optional<RigidTransform>> poses;
        for (int i = 0; i < 5; ++i)
            poses.push_back(fromRollPitchYaw({}, {double(i), 2, 1}));
        poses[2] = std::nullopt;
        const auto way = trajectoryMark(poses, bounds);
        QVERIFY(way && way->lines[0].size() == 4 && way->markers.size() == 4);
        for (auto& pose : poses)
            if (pose)
                pose->translation.x += 1e5; // nearly no rotation, but a distant origin
        QVERIFY(!trajectoryMark(poses, bounds));
        QVERIFY(!trajectoryMark({}, bounds));
    }

    void gridAndTrajectoryAreShown() {
        const DriveFolder drive(6);
        WindowFixture f;
        f.window.open({drive.folder.path()}, SeveralAs::sequence);
        QVERIFY(f.isShown());
        QVERIFY(f.waitForViews());
        ScanView* const view = f.window.views().views()[0];
        const QImage plain = view->shownImage();
        f.action(QStringLiteral("Around the Sensor"))->trigger();
        QVERIFY(f.waitForViews());
        keepPicture(f.window, "sensor_grid");
        for (ScanView* each : f.window.views().views())
            QVERIFY(each->shownImage() != plain);
        const QImage rings = view->shownImage();
        f.action(QStringLiteral("On the Ground"))->trigger();
        QVERIFY(f.waitForViews());
        keepPicture(f.window, "ground_grid");
        QVERIFY(view->shownImage() != rings);
        f.action(QStringLiteral("None"))->trigger();
        QVERIFY(f.waitForViews());
        QCOMPARE(view->shownImage(), plain);

        const QTemporaryDir folder;
        const QString path = folder.filePath("poses.txt");
        std::vector<RigidTransform> poses = drive.truth;
        for (std::size_t i = 0; i < poses.size(); ++i)
            // moves that are large enough to be visible
            poses[i].translation = poses[i].translation + Vec3d{4.0 * double(i), 0, 0};
        writeTrajectory(path.toStdString(), {poses, {}}, PoseFormat::kitti);
        f.window.alignment().loadPoses(path);
        QVERIFY(QTest::qWaitFor([&] { return f.window.playlist().isTogether(); }, 20'000));
        QVERIFY(f.waitForViews());
        keepPicture(f.window, "trajectory");
        const QColor orange(255, 140, 40);
        QVERIFY(pixelsOf(view->shownImage(), orange) > 20);
        f.action(QStringLiteral("Sensor Trajectory"))->trigger();
        QVERIFY(f.waitForViews());
        QCOMPARE(pixelsOf(view->shownImage(), orange), 0);
        f.action(QStringLiteral("Sensor Trajectory"))->trigger();
    }

    void pointsAreOneClickAway() {
        const DriveFolder drive(1);
        WindowFixture f;
        f.open(drive.path(0).toStdString());
        f.window.activateWindow(); // only the active window receives keys
        QVERIFY(f.isShown() && QTest::qWaitForWindowActive(&f.window, 20'000));
        QVERIFY(f.waitForViews());
        auto* bar = f.child<QToolBar>("pictureOf");
        QWidget* view = f.window.views().views()[0]->widget();
        QVERIFY(bar && bar->isVisible());
        QAction* points = bar->actions()[0];
        QVERIFY(!points->isChecked());
        QTest::mouseClick(bar->widgetForAction(points), Qt::LeftButton);
        QVERIFY(f.waitForViews());
        QCOMPARE(int(f.snapshot()->recipe->show), int(PictureContent::points));
        QVERIFY(points->isChecked());
        keepPicture(f.window, "points");
        for (const auto& [key, content] :
             {std::pair(Qt::Key_V, PictureContent::voxels), std::pair(Qt::Key_P, PictureContent::points)}) {
            QTest::keyClick(view, key, Qt::ControlModifier | Qt::AltModifier);
            QVERIFY(f.waitForViews());
            QCOMPARE(int(f.snapshot()->recipe->show), int(content));
        }
        bar->actions()[2]->trigger();
        QVERIFY(f.waitForViews());
        QCOMPARE(int(f.snapshot()->recipe->show), int(PictureContent::mesh));
    }

    void coloursOfASequenceHaveCommonLimits() {
        const DriveFolder drive(3);
        std::vector<std::filesystem::path> frames;
        for (int i = 0; i < 3; ++i)
            frames.emplace_back(drive.path(i).toStdString());
        WindowFixture f;
        f.window.open({drive.folder.path()}, SeveralAs::sequence);
        QVERIFY(f.isShown());
        QVERIFY(f.waitForViews());
        const float low = f.snapshot()->picture->low, high = f.snapshot()->picture->high;
        f.action(QStringLiteral("Use This Frame's Limits for All"))->trigger();
        QVERIFY(f.waitForViews());
        f.window.playlist().step(1);
        QVERIFY(QTest::qWaitFor([&] { return f.window.playlist().shown() == 1; }, 20'000));
        QVERIFY(f.waitForViews());
        QCOMPARE(f.snapshot()->picture->low, low);
        QCOMPARE(f.snapshot()->picture->high, high);

        f.action(QStringLiteral("Separate for Each Frame"))->trigger();
        QVERIFY(f.waitForViews());
        QVERIFY(!f.snapshot()->recipe->colourLow);
        QVERIFY(f.snapshot()->picture->high != high);

        const FrameLimits expected =
            limitsOfFrames(frames, f.window.jobs().runner().recipe(), f.window.jobs().runner().backend(),
                           nullptr, [](std::size_t) {}, {});
        QCOMPARE(expected.frames, std::size_t(3));
        QVERIFY(expected.low <= double(low) && expected.high >= double(high));
        f.action(QStringLiteral("Use Limits of All Frames"))->trigger();
        QVERIFY(
            QTest::qWaitFor([&] { return f.window.jobs().runner().recipe().colourLow.has_value(); }, 30'000));
        QVERIFY(f.waitForViews());
        QCOMPARE(f.snapshot()->recipe->colourLow, std::optional(expected.low));
        QCOMPARE(f.snapshot()->recipe->colourHigh, std::optional(expected.high));
        QVERIFY(!f.window.messages().isError());

        Recipe byPlain = f.snapshot()->recipe;
        byPlain.colourBy = "none";
        QVERIFY_EXCEPTION_THROWN(limitsOfFrames(frames, byPlain, f.window.jobs().runner().backend(), nullptr,
                                                [](std::size_t) {}, {}),
                                 EngineError);
        // if the colours were changed meanwhile, the limits are discarded
        f.action(QStringLiteral("Separate for Each Frame"))->trigger();
        f.action(QStringLiteral("Use Limits of All Frames"))->trigger();
        Recipe other = f.window.parameters().recipe();
        other.colourBy = "intensity";
        f.window.parameters().setRecipe(other);
        emit f.window.parameters().recipeChanged(other);
        QVERIFY(QTest::qWaitFor(
            [&] { return f.window.messages().text().contains("The colour limits were discarded"); }, 30'000));
        QVERIFY(!f.window.parameters().recipe().colourLow);

        drive.write("frame1.ply", "ply\n");
        const FrameLimits others =
            limitsOfFrames(frames, f.snapshot()->recipe, f.window.jobs().runner().backend(), nullptr,
                           [](std::size_t) {}, {});
        QCOMPARE(others.failures, std::size_t(1));
        QCOMPARE(others.frames, std::size_t(2));
        // a frame without points in range is skipped
        writeCloud(frames[0], *cloudOf({{1e4f, 1e4f, 1e4f}, {1e4f + 1, 1e4f, 1e4f}}), {}, {});
        Recipe near = f.snapshot()->resolved;
        near.colourBy = "height";
        QCOMPARE(
            limitsOfFrames(frames, near, f.window.jobs().runner().backend(), nullptr, [](std::size_t) {}, {})
                .frames,
            std::size_t(2));
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowSceneAids)
#include "test_window_scene_aids.moc"
