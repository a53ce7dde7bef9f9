// A day's work in the window: scans of one place are opened, aligned, cropped, measured, edited and saved,
// and restored the next morning.
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/scan_reader.h"
#include "engine/io/writers.h"
#include "engine/recipe/parameters.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"
#include "gui/controllers/project_controller.h"
#include "gui/dialogs/export_dialog.h"
#include "gui/dialogs/section_dialog.h"
#include "gui/dialogs/sweep_dialog.h"
#include "gui/panels/align_panel.h"
#include "gui/panels/measures_panel.h"
#include "gui/panels/parameters/parameter_rows.h"
#include "gui/sliders/number_box.h"
#include "gui/views/scene/camera_frame.h"
#include "tests/gui/app/window_fixture.h"

#include <QCheckBox>
#include <QPushButton>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

/// The visible state that undo must restore.
struct Seen {
    Recipe recipe;
    Camera camera;
    std::size_t points, voxels, triangles;
    std::vector<std::uint32_t> pixels;
    MeasureList measures;
    bool operator==(const Seen&) const = default;
};

class DayFixture : public WindowFixture {
public:
    Seen seen() {
        const Snapshot& s = *snapshot();
        const auto pixels = onHost(s.picture->image).pixels.span();
        return {s.recipe,         window.camera().camera(), s.cloud->size(),
                s.voxels->size(), s.mesh->triangleCount(),  {pixels.begin(), pixels.end()},
                measures()};
    }
    const MeasureList& measures() { return window.findChild<MeasuresPanel*>()->model()->measures(); }
    void change(const char* key, const std::string& value) {
        Recipe recipe = window.parameters().recipe();
        setFromText(recipe, parameter(key), value);
        emit window.parameters().row(key)->edited(recipe);
    }
    QAction* actionWith(const QKeySequence& keys) {
        for (QAction* one : window.findChildren<QAction*>())
            if (one->shortcuts().contains(keys))
                return one;
        return nullptr;
    }
    QWidget* view(int i) { return window.views().views()[std::size_t(i)]->widget(); }
    void drag(int v, Vec3d from, Vec3d to) {
        const CameraFrame frame(window.camera().camera(), view(v)->size());
        QTest::mousePress(view(v), Qt::LeftButton, {}, frame.project(from).toPoint());
        QTest::mouseMove(view(v), frame.project(0.5 * (from + to)).toPoint());
        QTest::mouseMove(view(v), frame.project(to).toPoint());
        QTest::mouseRelease(view(v), Qt::LeftButton, {}, frame.project(to).toPoint());
    }
    /// Clicks on something in the rasterized view, near these fractions of its width and height.
    bool click(double x, double y) {

        const QSize size = view(2)->size();
        for (int ring = 0; ring < 40; ++ring)
            for (int turn = 0; turn < 8; ++turn) {
                const double angle = turn * 0.785, reach = 5.0 * ring;
                const QPoint at(int(x * size.width() + reach * std::cos(angle)),
                                int(y * size.height() + reach * std::sin(angle)));
                if (!view(2)->rect().adjusted(8, 8, -8, -8).contains(at) ||
                    !window.views().views()[2]->pick(at))
                    continue;
                QTest::mouseClick(view(2), Qt::LeftButton, {}, at);
                return true;
            }
        return false;
    }
};

} // namespace

class TestWindowDay : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;

private slots:
    void everythingIsAsItWas() {
        SCANLOUPE_REAL_SCAN(first, "ndt/room_scan1.pcd");
        SCANLOUPE_REAL_SCAN(second, "ndt/room_scan2.pcd");
        const QString third = m_settings.path("third.ply"); // the second scan is in another format
        writeCloud(third.toStdString(), *readScan(second, {}, {}), {}, {});
        const QString project = m_settings.path("day.json");
        Seen evening;
        {
            DayFixture f;
            f.window.open({rawText(first.string()), rawText(second.string()), third}, SeveralAs::place);
            f.window.activateWindow();
            QVERIFY(f.isShown() && QTest::qWaitForWindowActive(&f.window, 20'000));
            QVERIFY(f.waitForRest());
            const Seen morning = f.seen();

            f.action("Align Scans…")->trigger();
            f.window.alignment().findChild<NumberBox*>("search")->setValue(3);
            f.window.alignment().findChild<QPushButton*>("align")->click();
            QVERIFY(QTest::qWaitFor([&] { return f.window.playlist().showsAligned(); }, 60'000));
            QVERIFY(f.waitForRest());
            f.window.playlist().setVisible({true, true, false});
            QVERIFY(QTest::qWaitFor([&] { return f.snapshot()->cloud->size() < morning.points; }, 20'000));
            QVERIFY(f.waitForRest());

            f.action("Show Range Box")->trigger(); // crop a part
            f.action("Top")->trigger();
            QVERIFY(f.waitForRest());
            const auto whole = f.snapshot()->voxels->stats.pointsInRange;
            const Vec3d low = *f.snapshot()->resolved->rangeMin, high = *f.snapshot()->resolved->rangeMax;
            const Vec3d face{high.x, (low.y + high.y) / 2, (low.z + high.z) / 2};
            f.drag(2, face, face - Vec3d{0.25 * (high.x - low.x), 0, 0});
            QVERIFY(f.waitForRest());
            QVERIFY(f.snapshot()->voxels->stats.pointsInRange < whole);
            f.action("Show Range Box")->trigger();

            f.action("Zoom to Fit")->trigger();
            QVERIFY(f.waitForRest());
            f.actionWith(QKeySequence("D"))->trigger();
            QVERIFY(f.click(0.4, 0.5) && f.click(0.6, 0.5));
            QVERIFY(QTest::qWaitFor([&] { return f.measures().size() == 1; }, 20'000));
            f.actionWith(QKeySequence("D"))->trigger();
            const Seen cropped = f.seen();

            const std::pair<const char*, std::vector<std::string>> choices[] = {
                {"voxel_size", {"0.06", "0.1", "auto"}}, {"field", {"occupancy", "distance", "auto"}},
                {"colour_map", {"turbo", "viridis"}},    {"colour_by", {"height", "scan"}},
                {"show", {"points", "voxels", "mesh"}},  {"light", {"off", "on"}}};
            auto random = seededRandom("everythingIsAsItWas");
            QAction* undo = f.actionWith(QKeySequence::Undo);
            int steps = 0;
            for (QString before; steps < 30; before = undo->text()) {
                const auto& [key, values] = choices[random() % std::size(choices)];
                f.change(key, values[random() % values.size()]);
                steps += undo->text() != before;
                QTest::qWait(int(random() % 40));
            }
            while (f.measures() != cropped.measures || !undo->text().endsWith("added")) {
                QVERIFY(undo->isEnabled());
                undo->trigger();
                QVERIFY(steps-- > -5); // some changes were merged with the previous ones
            }
            QVERIFY(f.waitForRest());
            QVERIFY(f.seen() == cropped);

            const QString points = m_settings.path("cropped.bin"); // the crop leaves the window as points
            const auto inRange = f.snapshot()->voxels->stats.pointsInRange;
            QTimer::singleShot(0, &f.window, [&] {
                auto* dialog = f.window.findChild<ExportDialog*>();
                dialog->setPath(points);
                dialog->accept();
            });
            QSignalSpy written(&f.window.jobs().exporter(), &ExportRunner::exported);
            f.action("Save Points As…")->trigger();
            QVERIFY(written.count() > 0 || written.wait(30'000));
            QCOMPARE(QFileInfo(points).size(), qint64(inRange * 16)); // x, y, z, intensity

            f.action("Section Normal to y")->trigger();
            QVERIFY(f.waitForRest());
            QVERIFY(f.snapshot()->section && f.snapshot()->section->length() > 1);
            const QString lines = m_settings.path("section.dxf");
            QTimer::singleShot(0, &f.window, [&] {
                auto* dialog = f.window.findChild<SectionDialog*>();
                dialog->setPath(lines);
                dialog->accept();
            });
            f.action("Save Section As…")->trigger();
            QVERIFY(written.count() > 1 || written.wait(30'000));
            QVERIFY(QFileInfo(lines).size() > 1000);

            f.action("Parameter Sweep…")->trigger();
            auto* sweep = f.window.findChild<SweepDialog*>();
            sweep->findChild<QPushButton*>("runSweep")->click();
            QTRY_VERIFY_WITH_TIMEOUT(!sweep->runner().isBusy() && !sweep->cells().empty(), 120'000);
            for (const auto& cell : sweep->cells())
                QVERIFY2(cell->problem.empty(), cell->problem.c_str());
            sweep->close();

            f.window.camera().show(StandardView::top, 1);
            f.change("voxel_size", "0.08");
            f.window.messages().dismiss(); // without the message bar, the views are larger
            QVERIFY(f.waitForRest());
            evening = f.seen();
            QVERIFY(f.window.project().saveProjectTo(project));
        }
        DayFixture f;
        f.window.open({project});
        QVERIFY(f.isShown());
        f.window.messages().dismiss();
        QVERIFY(f.waitForRest());
        const Seen again = f.seen();
        QCOMPARE(again.points, evening.points);
        QCOMPARE(again.voxels, evening.voxels);
        QCOMPARE(again.triangles, evening.triangles);
        QVERIFY(again.camera == evening.camera);
        QVERIFY(again.measures == evening.measures);
        QCOMPARE(again.recipe.imageWidth, evening.recipe.imageWidth);
        QCOMPARE(again.recipe.imageHeight, evening.recipe.imageHeight);
        QVERIFY(again.recipe == evening.recipe);
        QVERIFY(again == evening);
        QVERIFY(f.window.playlist().showsAligned() && !f.window.playlist().isVisible(2));
        keepPicture(f.window, "day");

        // undoes all steps back to the start of the day
        QAction* undo = f.actionWith(QKeySequence::Undo);
        while (undo->isEnabled())
            undo->trigger();
        QVERIFY(f.measures().empty());
        QVERIFY(QTest::qWaitFor([&] { return !f.window.playlist().showsAligned(); }, 20'000));
        QVERIFY(f.waitForRest());
        QVERIFY(f.window.playlist().isVisible(2));
        QVERIFY(!f.window.parameters().recipe().section);
        QVERIFY(!f.window.parameters().recipe().rangeMin && !f.window.parameters().recipe().voxelSize);
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowDay)
#include "test_window_day.moc"
