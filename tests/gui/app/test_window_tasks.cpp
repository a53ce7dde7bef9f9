// Whole tasks in the window, as a user performs them.
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/scan_reader.h"
#include "engine/io/synth/synthetic_cloud.h"
#include "engine/io/writers.h"
#include "gui/controllers/project_controller.h"
#include "gui/dialogs/edit_dialogs.h"
#include "gui/dialogs/new_grid_dialog.h"
#include "gui/sliders/number_box.h"
#include "gui/views/scene/camera_frame.h"
#include "kernels/synth/scene_street.h"
#include "tests/gui/app/edit_fixture.h"

#include <QComboBox>
#include <QFile>
#include <QTextStream>
#include <QWheelEvent>
#include <algorithm>
#include <memory>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

/// A house with a gable roof whose eaves hang below the tops of the walls, as text: x, y, z, is_roof. Its
/// ridge runs along y. Returns the number of points of the roof.
int writeHouse(const QString& path) {
    auto random = seededRandom("house");
    const auto uniform = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random);
    };
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Text))
        return 0;
    QTextStream out(&file);
    out << "x y z is_roof\n";
    const auto add = [&](double x, double y, double z, int isRoof) {
        out << x << ' ' << y << ' ' << z + uniform(-0.01, 0.01) << ' ' << isRoof << '\n';
    };
    // the roof is 2.2 m high at its eaves, below the walls of 2.8 m
    const auto roofAt = [](double x) { return 5.2 - 0.6 * std::abs(x); };
    int roof = 0;
    for (int i = 0; i < 30'000; ++i, ++roof) {
        const double x = uniform(-5, 5);
        add(x, uniform(-7, 7), roofAt(x), 1);
    }
    for (int i = 0; i < 30'000; ++i) {
        const double across = uniform(-4, 4), along = uniform(-6, 6);
        if (i % 2)
            add(i % 4 == 1 ? -4 : 4, along, uniform(0, roofAt(4) - 0.1), 0);
        else
            add(across, i % 4 == 0 ? -6 : 6, uniform(0, roofAt(across) - 0.1), 0);
    }
    for (int i = 0; i < 30'000; ++i)
        add(uniform(-12, 12), uniform(-12, 12), 0, 0);
    return roof;
}

} // namespace

class TestWindowTasks : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_settings.emplace(); }

    /// "Export only the roof": one polygon along it, seen along its ridge.
    void exportsOnlyTheRoof() {
        const QString scan = m_settings->path("house.txt"), out = m_settings->path("roof.ply");
        const int roof = writeHouse(scan);
        QVERIFY(roof > 0);
        EditFixture f;
        f.open(scan.toStdString());
        f.window.activateWindow();
        QVERIFY(f.isShown() && QTest::qWaitForWindowActive(&f.window, 20'000) && f.waitForRest());
        f.action("Front")->trigger();        // looks along the ridge
        f.action("Orthographic")->trigger(); // a parallel projection, in which the eaves coincide
        const QPointF at(f.middle(1));
        QWheelEvent closer(at, f.view(1)->mapToGlobal(at), {}, {0, 480}, Qt::NoButton, {}, Qt::NoScrollPhase,
                           false);
        QCoreApplication::sendEvent(f.view(1), &closer);
        QVERIFY(f.waitForRest());
        f.press(Qt::Key_S, Qt::ShiftModifier);
        QVERIFY(f.tool().kind() == EditToolKind::polygon);
        const CameraFrame frame(f.window.camera().camera(), f.view(1)->size());
        for (const Vec3d corner : {Vec3d{-5.2, 0, 2.0}, Vec3d{-5.2, 0, 2.2}, Vec3d{0, 0, 5.4},
                                   Vec3d{5.2, 0, 2.2}, Vec3d{5.2, 0, 2.0}, Vec3d{0, 0, 5.15}})
            QTest::mouseClick(f.view(1), Qt::LeftButton, {}, frame.project(corner).toPoint());
        f.press(Qt::Key_Return);
        QVERIFY(f.waitForRest());
        keepPicture(f.window, "task_roof");
        f.saveTo(out);
        f.action("Save Selected Points As…")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return !f.window.isBusy() && QFile::exists(out); }, 20'000));
        const auto written = readScan(out.toStdString(), {}, {});
        const Attribute* truth = written->attribute("is_roof");
        QVERIFY(truth);
        int right = 0;
        for (std::size_t i = 0; i < written->size(); ++i)
            right += truth->value(i) == 1;
        std::printf("%zu points written, %d of %d of the roof\n", written->size(), right, roof);
        QVERIFY(right >= roof * 0.998);
        QVERIFY(double(written->size()) - right <= 0.002 * roof);
    }

    /// Brushes change the surface in all views, step by step, with a layer for each; undo restores the first
    /// picture.
    void brushesChangeTheSurface() {
        EditFixture f;
        QVERIFY(f.prepare());
        f.action("Oblique")->trigger();
        QVERIFY(f.waitForRest());
        const std::uint64_t before = f.snapshot()->mesh->triangleCount();
        const QPoint at = f.middle(1);
        struct Kind {
            Qt::Key key;
            EditToolKind kind;
            const char* layer;
        };
        for (const Kind& one : {Kind{Qt::Key_V, kindOf(SculptTool::fill), "Fill"},
                                Kind{Qt::Key_U, kindOf(SculptTool::smooth), "Smooth"},
                                Kind{Qt::Key_N, kindOf(SculptTool::raise), "Raise"},
                                Kind{Qt::Key_T, kindOf(SculptTool::flatten), "Flatten"},
                                Kind{Qt::Key_C, kindOf(SculptTool::carve), "Carve"}}) {
            f.press(one.key);
            QVERIFY(f.tool().kind() == one.kind);
            f.tool().setRadius(1.5);
            const auto mesh = f.snapshot()->mesh;
            const std::size_t layers = f.edits().layers.size();
            f.dragThrough(1, {at, at + QPoint(12, 4), at + QPoint(24, 8)});
            QVERIFY(f.waitForRest());
            QCOMPARE(f.edits().layers.size(), layers + 1);
            QCOMPARE(QString::fromStdString(f.edits().layers.back()->name), QString(one.layer));
            QVERIFY(!(f.snapshot()->mesh == mesh));
            QVERIFY(f.snapshot()->voxels->size() > 0);
            keepPicture(f.window, QString("sculpt_%1").arg(one.layer));
            f.press(one.key); // pressing the key again leaves the tool
        }
        for (int i = 0; i < 5; ++i)
            f.undo()->trigger();
        QVERIFY(f.waitForRest());
        QCOMPARE(f.snapshot()->mesh->triangleCount(), before);
        QVERIFY(f.edits().layers.empty());
    }

    /// A part of the surface is copied to another position, mirrored; cloning without a source has no effect.
    void clonesAndMirrors() {
        EditFixture f;
        QVERIFY(f.prepare());
        f.press(Qt::Key_Y);
        QVERIFY(f.tool().kind() == kindOf(SculptTool::clone));
        f.tool().setRadius(1.5);
        const QPoint at = f.middle(1), from = at + QPoint(40, 60);
        QVERIFY(f.tool().hint().contains("Ctrl"));
        f.dragThrough(1, {at, at + QPoint(10, 0)});
        QVERIFY(f.window.messages().text().contains("has no source yet"));
        QVERIFY(f.edits().layers.empty());
        QTest::mouseClick(f.view(1), Qt::LeftButton, Qt::ControlModifier, from);
        QVERIFY(f.edits().layers.empty());
        f.action("Plane Normal to x")->trigger();
        QVERIFY(f.tool().mirror());
        QCOMPARE(f.tool().mirror()->normal, (Vec3d{1, 0, 0}));
        const auto mesh = f.snapshot()->mesh;
        f.dragThrough(1, {at, at + QPoint(12, 4)});
        QVERIFY(f.waitForRest());
        QCOMPARE(f.edits().layers.size(), std::size_t(1));
        QCOMPARE(f.edits().layers.back()->name, std::string("Clone"));
        const auto& action = std::get<SculptAction>(f.edits().layers.back()->action);
        QVERIFY(action.mirror == f.tool().mirror());
        QVERIFY(norm(action.cloneFrom) > 1);
        QVERIFY(!(f.snapshot()->mesh == mesh));
        // shows the outlines of the brush, of its mirror image, and of the source
        QTest::mouseMove(f.view(1), at + QPoint(30, 10));
        keepPicture(f.window, "sculpt_clone");
        f.action("Off")->trigger();
        QVERIFY(!f.tool().mirror());
        f.undo()->trigger();
        QVERIFY(f.waitForRest());
        QVERIFY(f.edits().layers.empty());
    }

    /// Paints in an empty grid, saves it as a project, and exports it.
    void paintsInAnEmptyGrid() {
        const QString path = m_settings->path("painting.raw"), mesh = m_settings->path("painting.ply");
        auto opened = std::make_unique<EditFixture>();
        EditFixture& f = *opened;
        f.window.activateWindow();
        QVERIFY(f.isShown() && QTest::qWaitForWindowActive(&f.window, 20'000));
        f.inDialog([&](QDialog* dialog) {
            QVERIFY(qobject_cast<NewGridDialog*>(dialog));
            f.saveTo(path);
            dialog->accept();
        });
        f.action("New Empty Volume…")->trigger();
        QVERIFY(f.waitForRest());
        QCOMPARE(f.snapshot()->mesh->triangleCount(), std::size_t{0});
        f.press(Qt::Key_V);
        QVERIFY(f.tool().kind() == kindOf(SculptTool::fill));
        f.tool().setRadius(1.5);
        const QPoint at = f.middle(1);
        f.dragThrough(1, {at, at + QPoint(30, 0), at + QPoint(60, 20)});
        QVERIFY(f.waitForRest());
        const std::size_t painted = f.snapshot()->mesh->triangleCount();
        QVERIFY(painted > 1000);
        QCOMPARE(analyseTopology(onHost(f.snapshot()->mesh)).boundaryEdges, std::uint64_t{0});
        f.press(Qt::Key_C);
        f.tool().setRadius(0.8);
        f.dragThrough(1, {at + QPoint(20, -10), at + QPoint(30, 10)});
        QVERIFY(f.waitForRest());
        QVERIFY(f.snapshot()->mesh->triangleCount() != painted);
        keepPicture(f.window, "task_painting");
        const QString project = m_settings->path("painting.scanloupe");
        QVERIFY(f.window.project().saveProjectTo(project));
        const auto before = onHost(f.snapshot()->mesh).positions.span();
        const std::vector<Vec3f> positions(before.begin(), before.end());
        f.window.close();
        opened.reset(); // a program has one window at a time
        reopen(project, 2, positions);
    }

    /// The ending is added before asking whether to replace a file. Files that are open are never replaced.
    void aNewGridReplacesNothingUnasked() {
        const QString volume = m_settings->path("brain.raw"), named = m_settings->path("brain");
        const QByteArray content(128 * 1024, '\1');
        const auto write = [](const QString& path, const QByteArray& bytes) {
            QFile file(path);
            return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
        };
        const auto contentOf = [](const QString& path) {
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QVERIFY(write(volume, content));
        EditFixture f;
        f.window.activateWindow();
        QVERIFY(f.isShown() && QTest::qWaitForWindowActive(&f.window, 20'000));
        const auto makeGrid = [&] {
            f.inDialog([&](QDialog* dialog) {
                f.saveTo(named);
                dialog->accept();
            });
        };
        QString question;
        makeGrid();
        f.refuse(question);
        f.action("New Empty Volume…")->trigger();
        QVERIFY2(question.contains("brain.raw"), qPrintable(question));
        QVERIFY(contentOf(volume) == content);

        const QString sidecar = m_settings->path("brain.json");
        QVERIFY(write(sidecar, R"({"dims": [64, 64, 32], "type": "uint8"})"));
        f.open(volume.toStdString());
        QVERIFY(f.waitForWhole());
        QVERIFY(QFile::remove(sidecar)); // open files are protected even if the user agrees
        makeGrid();
        QTimer agree;
        connect(&agree, &QTimer::timeout, &f.window, [] {
            if (auto* asked = qobject_cast<QMessageBox*>(QApplication::activeModalWidget()))
                asked->button(QMessageBox::Save)->click();
        });
        agree.start(20);
        f.action("New Empty Volume…")->trigger();
        QVERIFY2(f.window.messages().text().contains("would overwrite an input file"),
                 qPrintable(f.window.messages().text()));
        QVERIFY(contentOf(volume) == content);
        QVERIFY(!QFile::exists(sidecar));
    }

    /// "Remove the parked cars, fill the holes they left, paint a class, export, undo half of it, save,
    /// reopen."
    void removesTheParkedCars() {
        const QString points = m_settings->path("cleared.ply"),
                      project = m_settings->path("cleared.scanloupe");
        const QString scan = m_settings->path("street.ply");
        synth::ScanParams params;
        params.points = 400'000;
        writeCloud(scan.toStdString(), syntheticCloud(params, false, {}, {}), {}, {});
        auto opened = std::make_unique<EditFixture>();
        EditFixture& f = *opened;
        f.open(scan.toStdString());
        f.window.activateWindow();
        QVERIFY(f.isShown() && QTest::qWaitForWindowActive(&f.window, 20'000) && f.waitForRest());
        const std::uint64_t all = f.snapshot()->cloud->size();
        // outlines a car, seen from above
        const synth::StreetLayout street = synth::makeStreetLayout();
        const synth::Car& car =
            *std::ranges::min_element(street.cars, street.cars + street.carCount, {},
                                      [](const synth::Car& one) { return std::abs(one.x - 12); });
        f.action("Top")->trigger();
        Camera camera = f.window.camera().camera();
        camera.target = {car.x, car.y, 0};
        camera.eye = {car.x, car.y, 14};
        f.window.camera().setCamera(camera);
        QVERIFY(f.waitForRest());
        const CameraFrame frame(f.window.camera().camera(), f.view(1)->size());
        const auto pixel = [&](double x, double y) {
            return frame.project({car.x + x, car.y + y, 0}).toPoint();
        };
        f.press(Qt::Key_R);
        f.dragThrough(1, {pixel(-2.7, 1.4), pixel(2.7, -1.4)});
        QVERIFY(f.waitForRest());
        const std::uint64_t outlined = f.chosen();
        f.inDialog([&](QDialog* dialog) { // keeps the selected points above the ground
            auto* ask = qobject_cast<SelectByDialog*>(dialog);
            QVERIFY(ask);
            ask->quantity()->setCurrentIndex(ask->quantity()->findText("Height"));
            ask->low()->setValue(0.12);
            ask->high()->setValue(3);
            auto* operation = dialog->findChildren<QComboBox*>().last();
            operation->setCurrentIndex(operation->findText("Intersect with the selection"));
            dialog->accept();
        });
        f.action("By Class, Height, Attribute…")->trigger();
        QVERIFY(f.waitForRest());
        QVERIFY(f.chosen() > 50 && f.chosen() < outlined);
        keepPicture(f.window, "task_cars_selected");
        QTest::keyClick(f.view(1), Qt::Key_Delete);
        QVERIFY(f.waitForRest());
        const std::uint64_t left = all - f.snapshot()->voxels->stats.pointsInRange;
        QVERIFY(left > 50);
        // the hole that the car has left in the scan of the ground is filled by the plane of the ground
        const std::size_t rims = analyseTopology(onHost(f.snapshot()->mesh)).boundaryEdges;
        f.press(Qt::Key_T);
        f.tool().setRadius(2.5);
        f.dragThrough(1, {pixel(0, 0), pixel(1, 0), pixel(-1, 0)});
        QVERIFY(f.waitForRest());
        keepPicture(f.window, "task_cars_closed");
        QVERIFY(analyseTopology(onHost(f.snapshot()->mesh)).boundaryEdges < rims);
        f.press(Qt::Key_T);
        keepPicture(f.window, "task_cars_closed");
        // a class, painted by the brush
        f.press(Qt::Key_B);
        f.tool().setRadius(1);
        f.dragThrough(1, {pixel(0, 3), pixel(2, 3)});
        QVERIFY(f.waitForRest());
        const std::uint64_t painted = f.chosen();
        QVERIFY(painted > 0);
        f.inDialog([](QDialog* dialog) {
            qobject_cast<SetClassDialog*>(dialog)->choice()->setCurrentText("11 Road surface");
            dialog->accept();
        });
        f.action("Set Class…")->trigger();
        QVERIFY(f.waitForRest());
        QCOMPARE(f.edits().layers.size(), std::size_t{3});
        // exports the remaining points with their classes
        if (f.chosen() > 0)
            f.action("Deselect All")->trigger();
        f.action("Invert Selection")->trigger();
        QVERIFY(f.waitForRest());
        f.saveTo(points);
        f.action("Save Selected Points As…")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return !f.window.isBusy() && QFile::exists(points); }, 20'000));
        const auto written = readScan(points.toStdString(), {}, {});
        std::uint64_t roads = 0;
        const Attribute* classes = written->attribute(kClassAttribute);
        QVERIFY(classes);
        for (std::size_t i = 0; i < written->size(); ++i)
            roads += classes->value(i) == 11;
        QCOMPARE(roads, painted);
        QVERIFY(written->attribute("intensity") && written->size() < all);
        // undoes half of the layers, and saves
        while (f.edits().layers.size() > 1)
            f.undo()->trigger();
        QVERIFY(f.waitForRest());
        QVERIFY(f.window.project().saveProjectTo(project));
        const auto mesh = onHost(f.snapshot()->mesh).positions.span();
        const std::vector<Vec3f> positions(mesh.begin(), mesh.end());
        f.window.close();
        opened.reset(); // a program has one window at a time
        reopen(project, 1, positions);
    }

private:
    /// The project shows the same surface in another window.
    static void reopen(const QString& project, std::size_t layers, const std::vector<Vec3f>& positions) {
        EditFixture again;
        again.window.project().openProject(project);
        QVERIFY(again.isShown() && again.waitForRest());
        QCOMPARE(again.edits().layers.size(), layers);
        QVERIFY(std::ranges::equal(onHost(again.snapshot()->mesh).positions.span(), positions));
    }
    std::optional<ScratchSettings> m_settings;
};

SCANLOUPE_TEST_IN(QApplication, TestWindowTasks)
#include "test_window_tasks.moc"
