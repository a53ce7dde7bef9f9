// Cutting in the whole window: the range as a box with handles, and the section, by mouse, keys and files.
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/writers.h"
#include "engine/recipe/range_cut.h"
#include "engine/results/snapshot.h"
#include "gui/dialogs/export_dialog.h"
#include "gui/dialogs/section_dialog.h"
#include "gui/panels/measures_panel.h"
#include "gui/panels/parameters/section_row.h"
#include "gui/sliders/number_box.h"
#include "gui/tools/box_handles.h"
#include "gui/tools/section_edits.h"
#include "gui/views/scene/camera_frame.h"
#include "tests/gui/app/window_fixture.h"

#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QImage>
#include <fcntl.h>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

class CutFixture : public WindowFixture {
public:
    using WindowFixture::WindowFixture;

    bool prepare() {
        openSample();
        window.activateWindow();
        return isShown() && QTest::qWaitForWindowActive(&window, 20'000) && waitForRest();
    }
    Recipe recipe() { return window.parameters().recipe(); }
    /// The recipe, with automatic values replaced by those chosen from the data.
    Recipe shown() {
        Recipe shown = recipe();
        const Recipe& resolved = snapshot()->resolved;
        shown.rangeMin = shown.rangeMin ? shown.rangeMin : resolved.rangeMin;
        shown.rangeMax = shown.rangeMax ? shown.rangeMax : resolved.rangeMax;
        shown.up = resolved.up;
        shown.voxelSize = resolved.voxelSize;
        return shown;
    }
    QWidget* view(int i) { return window.views().views()[std::size_t(i)]->widget(); }
    QPoint pixelOf(int v, Vec3d p) {
        return CameraFrame(window.camera().camera(), view(v)->size()).project(p).toPoint();
    }
    /// Drags from one pixel of a view to another, by several moves.
    void drag(int v, QPoint from, QPoint to) {
        QTest::mousePress(view(v), Qt::LeftButton, {}, from);
        for (int i = 1; i <= 5; ++i)
            QTest::mouseMove(view(v), from + (to - from) * i / 5);
        QTest::mouseRelease(view(v), Qt::LeftButton, {}, to);
    }
    void save(const char* name) {
        if (const QString folder = qEnvironmentVariable("SCANLOUPE_SCREENSHOTS"); !folder.isEmpty())
            window.grab().save(QDir(folder).filePath(QLatin1String(name)));
    }
    /// The middle of a face of the range, in the file's frame.
    Vec3d faceOf(int axis, int side) {
        const RangeBox box = rangeBoxOf(shown());
        Vec3d at = box.middle();
        at[axis] = side < 0 ? box.sides.min[axis] : box.sides.max[axis];
        return box.toFile(at);
    }
    std::uint64_t pointsInRange() { return snapshot()->voxels->stats.pointsInRange; }
};

} // namespace

class TestWindowCut : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_settings.emplace(); }
    void facesFollowTheCursor() {
        CutFixture f;
        QVERIFY(f.prepare());
        f.action("Show Range Box")->trigger();
        const Recipe before = f.shown();
        const std::uint64_t all = f.pointsInRange();
        const Camera camera = f.window.camera().camera();
        // a face moves along its axis alone, by as much as the cursor shows
        const Vec3d face = f.faceOf(0, 1), to = face - Vec3d{4, 0, 0};
        f.drag(1, f.pixelOf(1, face), f.pixelOf(1, to));
        QCOMPARE(f.window.camera().camera(), camera); // the drag did not orbit
        const Recipe moved = f.recipe();
        QVERIFY(moved.rangeMax);
        QVERIFY2(std::abs(moved.rangeMax->x - to.x) < 0.3,
                 qPrintable(QString::number(moved.rangeMax->x - to.x)));
        QCOMPARE(moved.rangeMin->x, before.rangeMin->x);
        QCOMPARE(moved.rangeMax->y, before.rangeMax->y);
        QVERIFY(f.waitForRest());
        QVERIFY(f.pointsInRange() < all);
        f.save("cut_face.png");
        // the cursor shows the direction of the face, and the status shows its value
        const QPoint side = f.pixelOf(1, f.faceOf(1, -1));
        QTest::mousePress(f.view(1), Qt::LeftButton, {}, side);
        QTest::mouseMove(f.view(1), side + QPoint(-15, -10));
        QTest::mouseMove(f.view(1), side + QPoint(-30, -20));
        QVERIFY(f.waitForViews());
        f.save("cut_dragging.png");
        QTest::mouseRelease(f.view(1), Qt::LeftButton, {}, side + QPoint(-30, -20));
        QVERIFY(f.waitForRest());
        // a corner moves three sides; the drag is one step
        const RangeBox box = rangeBoxOf(f.shown());
        f.drag(0, f.pixelOf(0, box.sides.min), f.pixelOf(0, box.sides.min) + QPoint(30, -25));
        QVERIFY(!(f.recipe().rangeMin->x == moved.rangeMin->x));
        QVERIFY(f.waitForRest());
        QTest::qWait(1100); // makes the next change a separate step
        f.action("Undo Range")->trigger();
        QVERIFY(f.waitForRest());
        // outside all handles the view still orbits
        f.drag(1, {40, 40}, {80, 60});
        QVERIFY(!(f.window.camera().camera() == camera));
    }
    void thicknessIsMeasuredBetweenLines() {
        // a wall 0.24 m thick, seen from both sides, at an angle to the axes
        const Vec3d along{std::cos(0.4), std::sin(0.4), 0}, across{-along.y, along.x, 0};
        std::mt19937 random(7);
        std::uniform_real_distribution<double> unit(0, 1);
        std::vector<Vec3f> points;
        for (int i = 0; i < 60'000; ++i) {
            const double side = i % 2 ? 0.24 : 0, width = 4 * unit(random), height = 3 * unit(random);
            points.push_back((along * width + across * side + Vec3d{6, 2, height}).as<float>());
        }
        const PointCloud wall(FloatPositions{hostCopy(std::span(points))}, {}, std::stop_token());
        const std::string path = m_settings->path("wall.ply").toStdString();
        writeCloud(path, wall, {}, {});
        CutFixture f;
        QVERIFY(f.isShown());
        f.open(path);
        f.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&f.window, 20'000) && f.waitForRest());
        Recipe recipe = f.recipe();
        recipe.voxelSize = Vec3d{0.05, 0.05, 0.05};
        recipe.field = FieldKind::signedDistance;
        recipe.up = UpAxis::z;
        emit f.window.parameters().recipeChanged(recipe);
        f.window.parameters().setRecipe(recipe);
        QVERIFY(f.waitForRest());
        f.action("Section Normal to z")->trigger();
        QVERIFY(f.waitForRest());
        f.action("Look at Section")->trigger();
        QVERIFY(f.waitForRest());
        f.window.views().choose(f.window.views().views()[2]);
        f.action("Distance")->trigger();
        // two pixels just outside of the outer lines, not opposite each other, with no other point nearby
        const Vec3d middle = Vec3d{6, 2, 1.5} + along * 2;
        const QPoint first = f.pixelOf(2, middle - across * 0.03),
                     second = f.pixelOf(2, middle + across * 0.27 + along * 0.05);
        QTest::mouseMove(f.view(2), first);
        f.save("cut_snap.png");
        QTest::mouseClick(f.view(2), Qt::LeftButton, {}, first);
        QTest::mouseMove(f.view(2), second);
        QVERIFY(f.waitForViews());
        f.save("cut_perpendicular.png");
        QTest::mouseClick(f.view(2), Qt::LeftButton, {}, second);
        const MeasureList& measures = f.window.findChild<MeasuresPanel*>()->model()->measures();
        QTRY_COMPARE(measures.size(), std::size_t(1));
        const Measure& measure = measures.front();
        QCOMPARE(measure.points[0].snap, MeasureSnap::sectionLine);
        const double thick = valuesOf(measure, {0, 0, 1}).distance;
        std::printf("thickness: %.4f m\n", thick);
        QVERIFY2(std::abs(thick - 0.24) < 0.005, qPrintable(QString::number(thick)));
        QVERIFY(std::abs(dot(measure.points[1].position - measure.points[0].position, along)) < 0.03);
        f.action("Distance")->trigger(); // switches the tool off
        // with three voxels per wall and unknown sides, the surface has parts halfway between the walls,
        // where there are no points; the lines leave these parts out
        recipe = f.recipe();
        recipe.voxelSize = Vec3d{0.08, 0.08, 0.08};
        emit f.window.parameters().recipeChanged(recipe);
        f.window.parameters().setRecipe(recipe);
        QVERIFY(f.waitForRest());
        std::size_t onFaces = 0;
        for (const Polyline& line : f.snapshot()->section->lines)
            for (const Vec3f p : line.points) {
                const double off = dot(p.as<double>() + f.snapshot()->origin() - Vec3d{6, 2, 0}, across);
                QVERIFY2(std::min(std::abs(off), std::abs(off - 0.24)) < 0.04,
                         qPrintable(QString::number(off)));
                ++onFaces;
            }
        QVERIFY2(onFaces > 80, qPrintable(QString::number(onFaces)));
    }
    void escapeGivesADragUp() {
        CutFixture f;
        QVERIFY(f.prepare());
        f.action("Show Range Box")->trigger();
        const QPoint from = f.pixelOf(1, f.faceOf(0, 1));
        QTest::mousePress(f.view(1), Qt::LeftButton, {}, from);
        QTest::mouseMove(f.view(1), from + QPoint(-40, 10));
        QVERIFY(f.recipe().rangeMax);
        QTest::keyClick(f.view(1), Qt::Key_Escape);
        QVERIFY(!f.recipe().rangeMax);
        QTest::mouseRelease(f.view(1), Qt::LeftButton, {}, from);
        QVERIFY(f.waitForRest());
    }
    void rangesTurnAndInvert() {
        CutFixture f;
        QVERIFY(f.prepare());
        Recipe recipe = f.recipe();
        recipe.rangeMin = Vec3d{-6, -4, -3};
        recipe.rangeMax = Vec3d{6, 4, 4};
        emit f.window.parameters().row("range")->edited(recipe);
        f.action("Show Range Box")->trigger();
        f.action("Top")->trigger();
        QVERIFY(f.waitForRest());
        const std::uint64_t inside = f.pointsInRange();
        // the rotation handle is beyond the face of the axis after the vertical one: x
        const RangeBox box = rangeBoxOf(f.shown());
        const Vec3d handle = box.middle() + Vec3d{1.15 * 6, 0, 0},
                    turned{1.15 * 6 * std::cos(0.5), 1.15 * 6 * std::sin(0.5), 0.5};
        f.drag(2, f.pixelOf(2, handle), f.pixelOf(2, turned));
        QVERIFY2(std::abs(f.recipe().rangeRotation - 0.5 * 180 / 3.14159265) < 2,
                 qPrintable(QString::number(f.recipe().rangeRotation)));
        QVERIFY(f.waitForRest());
        QVERIFY(f.pointsInRange() != inside);
        f.save("cut_turned.png");
        // in a turned box, the opposite face stays where it is
        const Vec3d opposite = f.faceOf(0, -1);
        f.drag(2, f.pixelOf(2, f.faceOf(0, 1)), f.pixelOf(2, f.faceOf(0, 1)) + QPoint(-20, 10));
        QVERIFY(norm(f.faceOf(0, -1) - opposite) < 1e-9);
        QVERIFY(f.waitForRest());
        const std::uint64_t now = f.pointsInRange();
        f.action("Keep Outside of Range")->trigger();
        QVERIFY(f.waitForRest());
        QVERIFY(f.pointsInRange() > now);
        f.save("cut_inverted.png");
        f.action("Reset Crop and Section")->trigger();
        QVERIFY(f.waitForRest());
        QVERIFY(!f.recipe().rangeInverted && f.recipe().rangeRotation == 0 && !f.recipe().rangeMin);
    }
    void sectionsAreSteppedAndSaved() {
        CutFixture f;
        QVERIFY(f.prepare());
        const QString folder = QFileInfo(m_settings->path("x")).path();
        f.action("Section Normal to x")->trigger();
        QVERIFY(f.recipe().section);
        QVERIFY(f.waitForRest());
        QVERIFY(f.snapshot()->section && !f.snapshot()->section->lines.empty());
        auto* row = f.row<SectionRow>("section");
        QCOMPARE(row->direction()->currentIndex(), 1);
        const double at = f.recipe().section->at.x, thick = f.recipe().section->thickness;
        f.view(1)->setFocus();
        QTest::keyClick(f.view(1), Qt::Key_PageUp);
        QCOMPARE(f.recipe().section->at.x, at + thick);
        QTest::keyClick(f.view(1), Qt::Key_PageDown, Qt::ShiftModifier);
        QVERIFY(std::abs(f.recipe().section->at.x - (at + 0.9 * thick)) < 1e-9);
        row->thickness()->setValue(1.5);
        QCOMPARE(f.recipe().section->thickness, 1.5);
        f.action("Show Range Box")->trigger();
        QVERIFY(f.waitForRest());
        f.save("section.png");
        // the middle handle moves the section along its normal
        const double before = f.recipe().section->at.x;
        const RangeBox range = rangeBoxOf(f.shown());
        const Vec3d middle{before, range.middle().y, range.middle().z};
        f.drag(1, f.pixelOf(1, middle), f.pixelOf(1, middle + Vec3d{3, 0, 0}));
        QVERIFY2(std::abs(f.recipe().section->at.x - before - 3) < 0.3,
                 qPrintable(QString::number(f.recipe().section->at.x - before)));
        f.action("Look at Section")->trigger();
        QVERIFY(f.window.camera().camera().orthographic);
        QVERIFY(f.waitForRest());
        f.save("section_looked_at.png");
        QSettings().setValue("exportFolder", folder); // the folder of the previous export
        QCOMPARE(QFileInfo(SectionDialog(f.snapshot(), {0, 0, 1}, LengthUnit::metre, {}).path()).path(),
                 folder);
        QSettings().remove("exportFolder");
        for (const char* ending : {"dxf", "svg", "png"}) {
            SectionDialog dialog(f.snapshot(), {0, 0, 1}, LengthUnit::metre, {}, &f.window);
            const QString path = QDir(folder).filePath(QStringLiteral("cut.") + QLatin1String(ending));
            dialog.setPath(path);
            dialog.resolution()->setValue(72);
            f.window.jobs().exporter().start(dialog.job());
            QVERIFY(QTest::qWaitFor([&] { return !f.window.jobs().exporter().isBusy(); }, 30'000));
            QFile file(path);
            QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(path));
            const QByteArray bytes = file.readAll();
            QVERIFY(bytes.size() > 500);
            if (qEnvironmentVariableIsSet("SCANLOUPE_SCREENSHOTS"))
                QFile::copy(
                    path,
                    QDir(qEnvironmentVariable("SCANLOUPE_SCREENSHOTS")).filePath(QFileInfo(path).fileName()));
        }
        QImage picture(QDir(folder).filePath("cut.png"));
        QCOMPARE(picture.dotsPerMeterX(), int(std::lround(72 / 0.0254)));
        f.action("Remove Section")->trigger();
        QVERIFY(!f.recipe().section);
        QVERIFY(f.waitForRest());
        QVERIFY(!f.snapshot()->section);
    }
    /// An export into a pipe runs until the pipe is read.
    void aSectionIsSavedWhileAnotherExportRuns() {
        CutFixture f;
        QVERIFY(f.prepare());
        f.action("Section Normal to x")->trigger();
        QVERIFY(f.waitForRest());
        const QTemporaryDir folder;
        const QString pipe = folder.filePath("busy.ply"), section = folder.filePath("cut.dxf");
        QCOMPARE(::mkfifo(pipe.toLocal8Bit().constData(), 0600), 0);
        const auto accept = [&](const QString& path) {
            QTimer::singleShot(0, &f.window, [path] {
                QWidget* dialog = QApplication::activeModalWidget();
                if (auto* exporting = qobject_cast<ExportDialog*>(dialog))
                    exporting->setPath(path);
                else if (auto* saving = qobject_cast<SectionDialog*>(dialog))
                    saving->setPath(path);
                QVERIFY(dialog && QMetaObject::invokeMethod(dialog, "accept"));
            });
        };
        accept(pipe);
        f.action("Export…")->trigger();
        QVERIFY(f.window.jobs().exporter().isBusy());
        accept(section);
        f.action("Save Section As…")->trigger();
        const QString message = f.window.messages().text();
        const int reader = ::open(pipe.toLocal8Bit().constData(), O_RDONLY | O_NONBLOCK);
        std::vector<char> bytes(1 << 16);
        const bool isDone = QTest::qWaitFor(
            [&] {
                while (::read(reader, bytes.data(), bytes.size()) > 0) {
                }
                return !f.window.jobs().exporter().isBusy();
            },
            20'000);
        ::close(reader);
        QVERIFY(isDone);
        QVERIFY(QFileInfo(section).size() > 500);
        QVERIFY2(message.contains("Queued: section to cut.dxf"), qPrintable(message));
        QVERIFY2(f.window.messages().text().contains("cut.dxf"), qPrintable(f.window.messages().text()));
    }
    void twoClicksPlaceASection() {
        CutFixture f;
        QVERIFY(f.prepare());
        f.action("Top")->trigger();
        QVERIFY(f.waitForRest());
        f.action("Vertical Section Through Two Points…")->trigger();
        QList<QPoint> hits; // two pixels on the scan, far apart
        for (int x = 20; x < f.view(2)->width() && hits.size() < 2; x += 4)
            for (int y = 20; y < f.view(2)->height() && hits.size() < 2; y += 4)
                if ((hits.isEmpty() || x > hits.first().x() + 100) &&
                    f.window.views().views()[2]->pick(QPointF(x, y)))
                    hits << QPoint(x, y);
        QCOMPARE(hits.size(), 2);
        for (const QPoint& hit : hits)
            QTest::mouseClick(f.view(2), Qt::LeftButton, {}, hit);
        QVERIFY(QTest::qWaitFor([&] { return f.recipe().section.has_value(); }, 20'000));
        const Vec3d direction = f.recipe().section->direction;
        QCOMPARE(direction.z, 0.0);
        QVERIFY(std::abs(direction.y) > 0.5);
        QCOMPARE(f.row<SectionRow>("section")->direction()->currentIndex(), 4);
        QVERIFY(f.waitForRest());
        f.save("section_two_points.png");
    }

private:
    std::optional<ScratchSettings> m_settings;
};

SCANLOUPE_TEST_IN(QApplication, TestWindowCut)
#include "test_window_cut.moc"
