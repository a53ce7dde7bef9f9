// Measuring in the whole window, by mouse and keys: values, undo, other voxels, files.
#include "engine/cloud/point_cloud.h"
#include "engine/recipe/parameters.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"
#include "gui/controllers/measure_controller.h"
#include "gui/panels/data_panel.h"
#include "gui/panels/measures_panel.h"
#include "gui/panels/parameters/parameter_rows.h"
#include "gui/text/measure_text.h"
#include "gui/tools/measure_tool.h"
#include "gui/views/scene/camera_frame.h"
#include "tests/gui/app/window_fixture.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QTableView>
#include <fstream>
#include <tuple>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

/// A few distant points on a slope, each in the middle of a separate voxel, so that clicks hit unambiguously.
constexpr int kSide = 6;
Vec3d pointOf(int x, int y) {
    return {652'000.5 + 2 * x, 5'408'000.25 + 2 * y, 100.125 + 0.5 * x + 0.5 * y};
}
// a range of whole voxels around the points
const char* const kRange = "652000.25,5408000,99.875,652011.25,5408011,105.875";

void writeScan(const QString& path) {
    std::ofstream out(path.toStdString());
    out << "x y z intensity\n" << std::fixed;
    for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x) {
            const Vec3d p = pointOf(x, y);
            out << p.x << ' ' << p.y << ' ' << p.z << ' ' << 10 * x + y << '\n';
        }
}

class MeasureFixture : public WindowFixture {
public:
    explicit MeasureFixture(QSize size = {1500, 900}) : WindowFixture(size) {}

    /// Opens a scan of these points, viewed from above.
    bool prepare(const QString& path) {
        writeScan(path);
        open(path.toStdString());
        window.activateWindow(); // only the active window receives keys
        if (!isShown() || !QTest::qWaitForWindowActive(&window, 20'000) || !waitForViews())
            return false;
        change("range", kRange);
        change("voxel_size", "0.5");
        action("Top")->trigger();
        return waitForRest();
    }
    void change(const char* key, const std::string& value) {
        Recipe recipe = window.parameters().recipe();
        setFromText(recipe, parameter(key), value);
        emit window.parameters().row(key)->edited(recipe);
    }
    MeasuresPanel& panel() { return *window.findChild<MeasuresPanel*>(); }
    const MeasureList& measures() { return panel().model()->measures(); }
    QWidget* view(int i) { return window.views().views()[std::size_t(i)]->widget(); }
    QPoint pixelOf(int v, Vec3d p) {
        return CameraFrame(window.camera().camera(), view(v)->size()).project(p).toPoint();
    }
    /// Clicks a point in a view: 0 voxels, 1 mesh, 2 rasterized.
    void click(int v, Vec3d p, Qt::MouseButton button = Qt::LeftButton) {
        QTest::mouseClick(view(v), button, {}, pixelOf(v, p));
    }
    /// Pixels of a view that show something, far apart; possibly fewer than requested.
    QList<QPoint> pixels(int v, int count) {
        QList<QPoint> all, some;
        for (int y = 40; y < view(v)->height() - 40; y += 32)
            for (int x = 30; x < view(v)->width() - 30; x += 32)
                if (window.views().views()[std::size_t(v)]->pick(QPointF(x, y)))
                    all << QPoint(x, y);
        for (int i = 0; i < count && !all.isEmpty(); ++i)
            some << all[(2 * i + 1) * all.size() / (2 * count)];
        return some;
    }
    bool waitForMeasures(std::size_t count) {
        return QTest::qWaitFor([&] { return measures().size() == count; }, 20'000);
    }
    QAction* undo() {
        for (QAction* one : window.findChildren<QAction*>())
            if (one->shortcut() == QKeySequence(QKeySequence::Undo))
                return one;
        return nullptr;
    }
    QImage grab(int v) { return view(v)->grab().toImage(); }
};

/// Number of pixels that are close to a colour.
int countOf(const QImage& image, QColor colour) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QColor seen = image.pixelColor(x, y);
            count += std::abs(seen.red() - colour.red()) + std::abs(seen.green() - colour.green()) +
                         std::abs(seen.blue() - colour.blue()) <
                     24;
        }
    return count;
}

} // namespace

Q_DECLARE_METATYPE(scanloupe::Vec3d)

class TestWindowMeasure : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;

private slots:
    void init() { ScratchSettings::forgetMeasures(); }
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void aDistanceIsThatOfTheScansPoints() {
        MeasureFixture f;
        QVERIFY(!f.action("Distance")->isEnabled()); // without a scan, nothing can be measured
        QVERIFY(f.prepare(m_settings.path("slope.txt")));
        const Vec3d a = pointOf(1, 1), b = pointOf(4, 5);
        f.action("Distance")->trigger();
        QVERIFY(f.action("Distance")->isChecked());
        f.click(0, a);
        QVERIFY(QTest::qWaitFor([&] { return f.view(0)->hasMouseTracking(); }));
        QTest::mouseMove(f.view(0), f.pixelOf(0, pointOf(2, 3))); // the rubber line follows
        QTest::qWait(50);
        keepPicture(f.window, "measure_rubber");
        f.click(0, b);
        QVERIFY(f.waitForMeasures(1));
        const Measure& measure = f.measures()[0];
        QVERIFY(measure.points[0].position == a && measure.points[1].position == b);
        const MeasureValues values = valuesOf(measure, {0, 0, 1});
        QVERIFY(std::abs(values.distance - norm(b - a)) < 1e-12);
        QVERIFY(std::abs(values.height - 3.5) < 1e-9 && std::abs(values.horizontal - 10) < 1e-9);
        QCOMPARE(f.panel().model()->index(0, MeasureModel::value).data().toString(),
                 QStringLiteral("10.595 m (horizontal 10.000 m, height 3.500 m)"));
        QCOMPARE(f.panel().model()->index(0, MeasureModel::snap).data().toString(),
                 QStringLiteral("scan points"));
        keepPicture(f.window, "measure_distance");
        for (int v = 0; v < 3; ++v) // the measure is drawn in all views
            QVERIFY2(countOf(f.grab(v), QColor::fromRgb(measure.colour)) > 50,
                     qPrintable(QString::number(v)));

        const Measure before = measure;
        f.change("voxel_size", "0.9"); // other voxels do not change the measured points
        QVERIFY(f.waitForRest());
        QVERIFY(f.measures() == MeasureList{before});
        QVERIFY(f.undo()->text().contains("0.9 m"));
        f.undo()->trigger();
        f.undo()->trigger();
        QVERIFY(f.measures().empty());
        QVERIFY(f.waitForRest());
        for (int v = 0; v < 3; ++v)
            QVERIFY(countOf(f.grab(v), QColor::fromRgb(before.colour)) < 20);
        f.action("Redo Distance 10.595 m added")->trigger();
        QVERIFY(f.measures() == MeasureList{before});
    }

    void pointsFromAllViews() {
        MeasureFixture f;
        QVERIFY(f.prepare(m_settings.path("slope.txt")));
        f.change("show", "points");
        f.change("point_size", "9");
        QVERIFY(f.waitForRest());
        f.action("Point with Label")->trigger();
        for (const int v : {0, 2}) {
            f.click(v, pointOf(3, 2));
            QVERIFY(f.waitForMeasures(v == 0 ? 1 : 2));
            QVERIFY(f.measures().back().points[0].position == pointOf(3, 2));
        }
        f.click(0, pointOf(0, 0) + Vec3d{1, 1, 0}); // clicks between the voxels
        QTest::qWait(100);
        QCOMPARE(f.measures().size(), std::size_t(2));
        QCOMPARE(f.measures()[1].name, std::string("Point 2"));
    }

    /// Drags orbit during a measurement and add no points; marks follow the camera.
    void dragsOrbitMeanwhile() {
        MeasureFixture f;
        QVERIFY(f.prepare(m_settings.path("slope.txt")));
        f.action("Distance")->trigger();
        f.click(0, pointOf(1, 1));
        const Camera before = f.window.camera().camera();
        const QPoint at = f.pixelOf(0, pointOf(2, 2));
        QTest::mousePress(f.view(0), Qt::LeftButton, {}, at);
        for (int i = 1; i <= 10; ++i)
            QTest::mouseMove(f.view(0), at + QPoint(4 * i, -3 * i));
        QTest::mouseRelease(f.view(0), Qt::LeftButton, {}, at + QPoint(40, -30));
        QVERIFY(!(f.window.camera().camera() == before));
        QVERIFY(f.measures().empty());
        QVERIFY(f.waitForRest());
        f.click(0, pointOf(4, 1));
        QVERIFY(f.waitForMeasures(1));
        QVERIFY(f.measures()[0].points[1].position == pointOf(4, 1));
    }

    void anAreaEndsByDoubleClickRightClickAndEnter() {
        MeasureFixture f;
        QVERIFY(f.prepare(m_settings.path("slope.txt")));
        f.action("Area")->trigger();
        const Vec3d corners[] = {pointOf(0, 0), pointOf(3, 0), pointOf(3, 2), pointOf(0, 2)};
        for (std::size_t round = 0; round < 3; ++round) {
            for (const Vec3d& corner : corners)
                f.click(0, corner);
            if (round == 0) // the previous click is the first half of the double click
                QTest::mouseDClick(f.view(0), Qt::LeftButton, {}, f.pixelOf(0, corners[3]));
            else if (round == 1)
                f.click(0, corners[3], Qt::RightButton);
            else
                QTest::keyClick(f.view(0), Qt::Key_Return);
            QVERIFY(f.waitForMeasures(round + 1));
            QCOMPARE(f.measures().back().points.size(), std::size_t(4));
        }
        QVERIFY(!f.view(1)->isHidden()); // the double click has not filled the window
        const double area = norm(cross(corners[1] - corners[0], corners[3] - corners[0]));
        const MeasureValues values = valuesOf(f.measures()[0], {0, 0, 1});
        QVERIFY(std::abs(values.area - area) < 1e-9 && values.deviation < 1e-9);
        keepPicture(f.window, "measure_area");
    }

    void keysRemovePointsAndCancel() {
        MeasureFixture f;
        QVERIFY(f.prepare(m_settings.path("slope.txt")));
        QTest::keyClick(f.view(0), Qt::Key_A);
        QVERIFY(f.action("Area")->isChecked());
        f.click(0, pointOf(0, 0));
        f.click(0, pointOf(3, 0));
        QTest::keyClick(f.view(0), Qt::Key_Return); // too few points for a measure
        QVERIFY(f.panel().findChild<QLabel*>()->text().contains("three corners"));
        f.click(0, pointOf(5, 5));
        QTest::keyClick(f.view(0), Qt::Key_Backspace);
        f.click(0, pointOf(3, 3));
        QTest::keyClick(f.view(0), Qt::Key_Enter);
        QVERIFY(f.waitForMeasures(1));
        QVERIFY(f.measures()[0].points[2].position == pointOf(3, 3));
        f.click(0, pointOf(0, 0));
        QTest::keyClick(f.view(0), Qt::Key_Escape); // cancels the unfinished measure
        QVERIFY(f.action("Area")->isChecked());
        QTest::keyClick(f.view(0), Qt::Key_Escape); // leaves the tool
        QVERIFY(!f.action("Area")->isChecked());
        QCOMPARE(f.measures().size(), std::size_t(1));
        f.click(0, pointOf(2, 2)); // a click picks again
        auto* data = f.window.findChild<DataPanel*>();
        QVERIFY(QTest::qWaitFor([&] { return data->picked()->text().contains("Nearest point"); }));
        QVERIFY(data->picked()->text().contains("intensity\t22"));
        QCOMPARE(f.measures().size(), std::size_t(1));
        QTest::mouseMove(f.view(1), {5, 5});
        QTest::qWait(50);
        for (int v = 0; v < 3; ++v) { // the picked point keeps a marker
            const QPoint middle = f.pixelOf(v, pointOf(2, 2));
            const QImage around = f.grab(v).copy(QRect(middle - QPoint(10, 10), QSize(21, 21)));
            QVERIFY(countOf(around, Qt::white) > 10);
        }
        keepPicture(f.window, "picked");
        f.change("voxel_size", "5"); // the point is still the same, in another voxel
        QVERIFY(f.waitForRest());
        QVERIFY(QTest::qWaitFor([&] { return data->picked()->text().contains("Points in voxel\t9"); }));
        QVERIFY(data->picked()->text().contains("intensity\t22"));
    }

    void theListIsEditedAndSaved() {
        MeasureFixture f;
        QVERIFY(f.prepare(m_settings.path("slope.txt")));
        f.action("Height")->trigger();
        f.click(0, pointOf(0, 0));
        f.click(0, pointOf(5, 5));
        QVERIFY(f.waitForMeasures(1));
        f.action("Angle")->trigger();
        for (const Vec3d& p : {pointOf(4, 0), pointOf(0, 0), pointOf(0, 4)})
            f.click(0, p);
        QVERIFY(f.waitForMeasures(2));
        MeasureModel& model = *f.panel().model();
        QVERIFY(model.setData(model.index(0, MeasureModel::name), "roof, \"east\"", Qt::EditRole));
        QVERIFY(model.setData(model.index(1, MeasureModel::name), Qt::Unchecked, Qt::CheckStateRole));
        QVERIFY(f.undo()->text().contains("hidden"));
        QVERIFY(countOf(f.grab(1), QColor::fromRgb(f.measures()[1].colour)) < 20);
        QVERIFY(countOf(f.grab(1), QColor::fromRgb(f.measures()[0].colour)) > 20);

        f.panel().table()->selectRow(0);
        f.panel().copyValues();
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("5.000 m"));
        MeasuresPanel saving([&](auto&&...) { return m_settings.path("measures.csv"); },
                             [](QWidget*, const QColor&) { return QColor(1, 2, 3); });
        saving.setMeasures(f.measures(), {0, 0, 1}, LengthUnit::metre);
        QSignalSpy saved(&saving, &MeasuresPanel::saved);
        saving.saveCsv();
        QCOMPARE(saved.count(), 1);
        std::ifstream in(m_settings.path("measures.csv").toStdString());
        std::string header, first;
        std::getline(in, header);
        std::getline(in, first);
        QVERIFY2(first.starts_with("1,\"roof, \"\"east\"\"\",height,,,5,") &&
                     first.ends_with(",1,1,652000.5,5408000.25,100.125,scan point"),
                 first.c_str());
        QSignalSpy edited(&saving, &MeasuresPanel::edited);
        saving.table()->selectRow(1);
        saving.chooseColour();
        QCOMPARE(edited.count(), 1);
        QCOMPARE(edited[0][0].value<MeasureList>()[1].colour, 0x010203u);

        f.panel().table()->setFocus();
        f.panel().table()->selectRow(0);
        QTest::keyClick(f.panel().table(), Qt::Key_Delete);
        QCOMPARE(f.measures().size(), std::size_t(1));
        f.panel().removeAll();
        QVERIFY(f.measures().empty());
        while (f.undo()->isEnabled() && !f.undo()->text().contains("Height 5.000 m added"))
            f.undo()->trigger();
        QCOMPARE(f.measures().size(), std::size_t(1));
        QCOMPARE(f.measures()[0].name, std::string("Height 1"));
    }

    /// All kinds on the sample, from every view, in both themes: for visual inspection.
    void allKindsInBothThemes() {
        MeasureFixture f;
        f.openSample();
        QVERIFY(f.isShown() && f.waitForRest());
        f.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&f.window, 20'000));
        const std::tuple<const char*, int, int> steps[] = {{"Point with Label", 0, 1},
                                                           {"Distance", 1, 2},
                                                           {"Height", 2, 2},
                                                           {"Angle", 0, 3},
                                                           {"Area", 1, 4}};
        std::size_t made = 0;
        for (const auto& [name, v, count] : steps) {
            f.action(QString::fromLatin1(name))->trigger();
            for (const QPoint& pixel : f.pixels(v, count))
                QTest::mouseClick(f.view(v), Qt::LeftButton, {}, pixel);
            if (count == 4)
                QTest::keyClick(f.view(v), Qt::Key_Return);
            QVERIFY2(f.waitForMeasures(++made), name);
        }
        // voxels are smaller than pixels here: only exact hits are close to a point of the scan
        for (const Measure& measure : f.measures())
            for (const MeasurePoint& point : measure.points)
                QVERIFY2(point.snap == MeasureSnap::scanPoint, measure.name.c_str());
        keepPicture(f.window, "measures_light");
        f.theme.choose(ThemeChoice::dark);
        QTest::qWait(100);
        keepPicture(f.window, "measures_dark");
        f.theme.choose(ThemeChoice::system);
    }

    /// A survey in map coordinates, an object with y up, and a volume, which has no points.
    void realScans_data() {
        QTest::addColumn<QString>("scan");
        QTest::addColumn<Vec3d>("up");
        QTest::newRow("survey") << "las/laspy_vegetation_1_3.las" << Vec3d{0, 0, 1};
        QTest::newRow("object") << "ply/stanford_bun000.ply" << Vec3d{0, 1, 0};
        QTest::newRow("volume") << "volume/Bucky.raw" << Vec3d{0, 0, 1};
    }
    void realScans() {
        QFETCH(QString, scan);
        QFETCH(Vec3d, up);
        SCANLOUPE_REAL_SCAN(path, scan.toStdString());
        MeasureFixture f;
        f.open(path);
        QVERIFY(f.isShown() && f.waitForRest());
        f.action("Distance")->trigger();
        const QList<QPoint> pixels = f.pixels(1, 2);
        QCOMPARE(pixels.size(), qsizetype(2));
        for (const QPoint& pixel : pixels)
            QTest::mouseClick(f.view(1), Qt::LeftButton, {}, pixel);
        QVERIFY(f.waitForMeasures(1));
        const Measure& measure = f.measures()[0];
        const auto& cloud = f.snapshot()->cloud;
        for (const MeasurePoint& point : measure.points) {
            bool isOfTheScan = false;
            for (std::size_t i = 0; cloud && i < cloud->size(); ++i)
                isOfTheScan = isOfTheScan || cloud->position(i) == point.position;
            QCOMPARE(isOfTheScan, point.snap == MeasureSnap::scanPoint);
            QCOMPARE(isOfTheScan, cloud != nullptr);
        }
        const Vec3d way = measure.points[1].position - measure.points[0].position;
        const MeasureValues values = valuesOf(measure, up);
        QCOMPARE(values.distance, norm(way));
        QVERIFY(f.panel().model()->up() == up);
        QVERIFY(f.panel()
                    .model()
                    ->index(0, MeasureModel::value)
                    .data()
                    .toString()
                    .endsWith(QStringLiteral("height %1)")
                                  .arg(valueText({MeasureKind::height, {}, measure.points, 0, true}, up,
                                                 LengthUnit::metre))));
        keepPicture(f.window, QStringLiteral("measure_%1").arg(QTest::currentDataTag()));
    }

    void anotherScanBeginsWithoutMeasures() {
        MeasureFixture f;
        QVERIFY(f.prepare(m_settings.path("slope.txt")));
        f.action("Point with Label")->trigger();
        f.click(0, pointOf(1, 1));
        QVERIFY(f.waitForMeasures(1));
        writeScan(m_settings.path("again.txt"));
        f.open(m_settings.path("again.txt").toStdString());
        QVERIFY(f.waitForMeasures(0));
        QVERIFY(f.waitForViews());
        QVERIFY(!f.undo()->isEnabled());
        // the first scan restores them, also in another window; without measures none are stored
        f.open(m_settings.path("slope.txt").toStdString());
        QVERIFY(f.waitForMeasures(1));
        QVERIFY(f.measures()[0].points[0].position == pointOf(1, 1));
        QVERIFY(f.window.messages().text().contains("last session: 1"));
        QVERIFY(f.waitForViews());
        MeasureFixture other;
        QVERIFY(other.prepare(m_settings.path("slope.txt")));
        QCOMPARE(other.measures().size(), std::size_t(1));
        emit other.panel().edited({});
        QVERIFY(other.measures().empty());
        QTRY_VERIFY(!other.window.measuring().store().isKeeping());
        MeasureFixture third;
        QVERIFY(third.prepare(m_settings.path("slope.txt")));
        QVERIFY(third.measures().empty());
    }
    void cloudsOfAListHaveTheirOwn() {
        MeasureFixture f;
        for (const char* name : {"cloud1.txt", "cloud2.txt"})
            writeScan(m_settings.path(name));
        f.window.open({m_settings.path("cloud1.txt"), m_settings.path("cloud2.txt")}, SeveralAs::clouds);
        QVERIFY(f.isShown() && f.waitForViews());
        const auto goTo = [&](int cloud) {
            if (f.window.playlist().shown() != cloud)
                f.window.playlist().show(cloud);
            return QTest::qWaitFor([&] { return f.window.playlist().shown() == cloud; }, 20'000) &&
                   f.waitForViews();
        };
        const auto measure = [&](int x) {
            f.change("range", kRange);
            f.change("voxel_size", "0.5");
            f.action("Top")->trigger();
            if (!f.waitForRest())
                return false;
            if (!f.action("Point with Label")->isChecked())
                f.action("Point with Label")->trigger();
            f.click(0, pointOf(x, 1));
            return f.waitForMeasures(1);
        };
        QVERIFY(measure(1));
        QVERIFY(goTo(1));
        QVERIFY(f.measures().empty());
        QVERIFY(measure(2));
        QVERIFY(goTo(0));
        QCOMPARE(f.measures().size(), std::size_t(1));
        QVERIFY(f.measures()[0].points[0].position == pointOf(1, 1));
        QVERIFY(goTo(1));
        QVERIFY(f.measures()[0].points[0].position == pointOf(2, 1));
        f.answer(QMessageBox::Discard);
        // stored measures were deleted, so that the scan starts without any
        f.open(m_settings.path("cloud2.txt").toStdString());
        QVERIFY(f.waitForMeasures(0));
    }
    void framesOfASequenceKeepThem() {
        MeasureFixture f;
        for (const char* name : {"frame1.txt", "frame2.txt"})
            writeScan(m_settings.path(name));
        f.window.open({m_settings.path("frame1.txt"), m_settings.path("frame2.txt")}, SeveralAs::sequence);
        QVERIFY(f.isShown() && f.waitForViews());
        f.change("range", kRange);
        f.change("voxel_size", "0.5");
        f.action("Top")->trigger();
        QVERIFY(f.waitForRest());
        f.action("Point with Label")->trigger();
        f.click(0, pointOf(1, 1));
        QVERIFY(f.waitForMeasures(1));
        f.window.playlist().step(1);
        QVERIFY(QTest::qWaitFor([&] { return f.window.playlist().shown() == 1; }, 20'000));
        QVERIFY(f.waitForViews());
        QCOMPARE(f.measures().size(), std::size_t(1));
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowMeasure)
#include "test_window_measure.moc"
