// Measures in the window: the table under Qt's own tester, texts, marks, and the tool that handles clicks.
#include "engine/cloud/point_cloud.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"
#include "gui/marks/measure_marks.h"
#include "gui/models/measure_model.h"
#include "gui/text/measure_text.h"
#include "gui/tools/measure_tool.h"
#include "gui/tools/section_snap.h"
#include "gui/views/scene/camera_frame.h"
#include "tests/gui/panels/panel_test_support.h"
#include "tests/support/test_support.h"

#include <QAbstractItemModelTester>
#include <QLocale>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

constexpr auto kFatal = QAbstractItemModelTester::FailureReportingMode::QtTest;
constexpr Vec3d kUp{0, 0, 1};

Measure measureOf(MeasureKind kind, const char* name, const std::vector<Vec3d>& points) {
    Measure measure{kind, name, {}, 0xff8000, true};
    for (const Vec3d& p : points)
        measure.points.push_back({p, MeasureSnap::scanPoint});
    return measure;
}

MeasureList someMeasures() {
    return {measureOf(MeasureKind::distance, "wall", {{0, 0, 0}, {3, 4, 12}}),
            measureOf(MeasureKind::angle, "corner", {{1, 0, 0}, {0, 0, 0}, {0, 1, 0}}),
            measureOf(MeasureKind::area, "roof", {{0, 0, 0}, {2, 0, 0}, {2, 3, 0}, {0, 3, 0}})};
}

QString cell(const QAbstractItemModel& model, int row, int column) {
    return model.index(row, column).data().toString();
}

/// A hit of a voxel of the sheet, near one of its points.
Hit hitNear(const SnapshotPtr& snapshot, std::size_t point) {
    return {PrimitiveKind::voxel, snapshot->voxels.host().pointVoxel[point],
            snapshot->cloud->position(point) + Vec3d{0.01, -0.02, 0.01}, snapshot};
}

} // namespace

class TestMeasures : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    /// In perspective, the visible middle of a line that leads away is closer to its near end.
    void snappedPointsLieUnderTheCursor() {
        SectionLines lines;
        lines.lines.push_back({{{-1, 1, 0}, {3, 20, 1}}, false});
        LinkedCamera camera;
        for (const bool isOrthographic : {false, true}) {
            Camera view;
            view.eye = {0, -5, 3};
            view.target = {0, 5, 0};
            view.orthographic = isOrthographic;
            view.orthographicHeight = 30;
            camera.setCamera(view);
            const QSizeF size(800, 600);
            const CameraFrame frame(camera.camera(), size);
            const QPointF near = frame.project({-1, 1, 0}), far = frame.project({3, 20, 1});
            for (const double part : {0.2, 0.5, 0.8}) {
                const QPointF cursor = near + part * (far - near);
                const auto found = snapToLines(lines, {}, cursor, camera, size, std::nullopt);
                QVERIFY(found);
                const QPointF off = frame.project(found->position) - cursor;
                QVERIFY2(std::hypot(off.x(), off.y()) < 1e-3, qPrintable(QString::number(off.x())));
            }
        }
    }

    void measuresAsRows() {
        MeasureModel model;
        const QAbstractItemModelTester tester(&model, kFatal);
        model.setMeasures(someMeasures(), kUp, LengthUnit::metre);
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(cell(model, 0, MeasureModel::name), QStringLiteral("wall"));
        QCOMPARE(cell(model, 0, MeasureModel::kind), QStringLiteral("Distance"));
        QCOMPARE(cell(model, 0, MeasureModel::value),
                 QStringLiteral("13.000 m (horizontal 5.000 m, height 12.000 m)"));
        QCOMPARE(cell(model, 0, MeasureModel::snap), QStringLiteral("scan points"));
        QCOMPARE(cell(model, 1, MeasureModel::value), QStringLiteral("90.00°"));
        QCOMPARE(cell(model, 2, MeasureModel::value),
                 QStringLiteral("6.000 m² (perimeter 10.000 m, corners within 0.000 m of the plane)"));
        model.setMeasures(someMeasures(), {0, 1, 0}, LengthUnit::metre);
        QCOMPARE(cell(model, 0, MeasureModel::value),
                 QStringLiteral("13.000 m (horizontal 12.369 m, height 4.000 m)"));
    }

    void edits() {
        MeasureModel model;
        const QAbstractItemModelTester tester(&model, kFatal);
        model.setMeasures(someMeasures(), kUp, LengthUnit::metre);
        std::vector<MeasureList> lists;
        connect(&model, &MeasureModel::edited, &model, [&](const MeasureList& list) {
            lists.push_back(list);
            model.setMeasures(list, kUp, LengthUnit::metre); // the window sets measures in this way
        });
        const auto at = [&](int row, int column) { return model.index(row, column); };
        QVERIFY(model.setData(at(0, MeasureModel::name), " façade ", Qt::EditRole));
        QCOMPARE(cell(model, 0, MeasureModel::name), QStringLiteral("façade"));
        QVERIFY(!model.setData(at(0, MeasureModel::name), "  ", Qt::EditRole)); // an empty name is rejected
        QVERIFY(!model.setData(at(0, MeasureModel::name), "façade", Qt::EditRole));
        QVERIFY(!model.setData(at(0, MeasureModel::value), "7", Qt::EditRole));
        QVERIFY(model.setData(at(1, MeasureModel::name), Qt::Unchecked, Qt::CheckStateRole));
        QVERIFY(model.setData(at(2, MeasureModel::colour), QColor(1, 2, 3), Qt::EditRole));
        QCOMPARE(lists.size(), std::size_t(3));
        QVERIFY(!lists.back()[1].visible && lists.back()[2].colour == 0x010203);
        QCOMPARE(at(2, MeasureModel::colour).data(Qt::DecorationRole).value<QColor>(), QColor(1, 2, 3));
        model.removeMeasures({0, 2});
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(cell(model, 0, MeasureModel::name), QStringLiteral("corner"));
        model.removeMeasures({5});
        QCOMPARE(lists.size(), std::size_t(4));
    }

    /// For any sequence of lists, the rows of the model are right.
    void randomLists() {
        auto random = seededRandom("randomLists");
        MeasureModel model;
        const QAbstractItemModelTester tester(&model, kFatal);
        const MeasureList some = someMeasures();
        for (int i = 0; i < 300; ++i) {
            MeasureList list;
            for (std::size_t k = random() % 6; k > 0; --k)
                list.push_back(some[random() % some.size()]);
            model.setMeasures(list, kUp, LengthUnit::metre);
            QCOMPARE(model.rowCount(), int(list.size()));
            for (int row = 0; row < model.rowCount(); ++row)
                QCOMPARE(cell(model, row, MeasureModel::name).toStdString(), list[std::size_t(row)].name);
        }
    }

    void texts() {
        MeasureList list = someMeasures();
        QCOMPARE(freeName(MeasureKind::distance, list), QStringLiteral("Distance 1"));
        list[0].name = "Distance 1";
        list[1].name = "Distance 3";
        QCOMPARE(freeName(MeasureKind::distance, list), QStringLiteral("Distance 2"));
        list[1].points[2] = list[1].points[1];
        QCOMPARE(valueText(list[1], kUp, LengthUnit::metre), QStringLiteral("undefined"));
        std::swap(list[2].points[1], list[2].points[2]);
        QCOMPARE(valueText(list[2], kUp, LengthUnit::metre), QStringLiteral("edges cross"));
        list[2].points[1].snap = MeasureSnap::surface;
        QCOMPARE(snapText(list[2]), QStringLiteral("3 of 4 scan points"));
        QVERIFY(freeColour({}) != freeColour({measureOf(MeasureKind::point, "p", {{}})}) ||
                freeColour({}) != 0xff8000);
    }

    void marks() {
        const MeasureList list = someMeasures();
        SceneMark area = markOf(list[2], kUp, LengthUnit::metre);
        QCOMPARE(area.area.size(), std::size_t(4));
        QCOMPARE(area.lines.front().size(), std::size_t(5)); // the outline is closed
        QCOMPARE(area.text, QStringLiteral("6.000 m²"));
        QVERIFY(area.textAt == (Vec3d{1, 1.5, 0}));
        Measure begun = list[2];
        begun.points.resize(2);
        area = markOf(begun, kUp, LengthUnit::metre);
        QVERIFY(area.area.empty() && area.text.isEmpty() && area.lines.front().size() == 2);
        const SceneMark height =
            markOf(measureOf(MeasureKind::height, "h", {{0, 0, 0}, {3, 4, 5}}), kUp, LengthUnit::metre);
        QVERIFY(height.lines == (std::vector<std::vector<Vec3d>>{{{0, 0, 0}, {0, 0, 5}}}));
        QVERIFY(height.dashedLines == (std::vector<std::vector<Vec3d>>{{{0, 0, 5}, {3, 4, 5}}}));
    }

    /// No click is lost, however fast they are, and all are snapped.
    void clicksAreSnappedToScanPoints() {
        const SnapshotPtr snapshot = sheetSnapshot(Held::texts);
        MeasureTool tool;
        std::vector<Measure> made;
        connect(&tool, &MeasureTool::finished, &tool, [&](const Measure& m) { made.push_back(m); });
        tool.add(hitNear(snapshot, 3)); // clicks are ignored while the tool is off
        QVERIFY(!tool.draft());
        tool.setKind(MeasureKind::distance);
        for (const std::size_t point : {43, 900, 1200, 1999})
            tool.add(hitNear(snapshot, point));
        QTRY_COMPARE(made.size(), std::size_t(2));
        const std::size_t expected[] = {43, 900, 1200, 1999};
        for (std::size_t i = 0; i < 4; ++i) {
            const MeasurePoint& point = made[i / 2].points[i % 2];
            QVERIFY(point.position == snapshot->cloud->position(expected[i]));
            QVERIFY(point.snap == MeasureSnap::scanPoint);
        }
        QVERIFY(!tool.draft());
    }
    void surfaceWithoutScanPoints() {
        const SnapshotPtr volume = volumeSnapshot();
        const SnapshotPtr sheet = sheetSnapshot();
        MeasureTool tool;
        std::vector<Measure> made;
        connect(&tool, &MeasureTool::finished, &tool, [&](const Measure& m) { made.push_back(m); });
        tool.setKind(MeasureKind::point);
        tool.add({PrimitiveKind::triangle, 0, {1, 2, 3}, volume});
        tool.add({PrimitiveKind::triangle, 0, {4, 5, 300}, sheet}); // the hit is far from all points
        // a hit without coordinates
        tool.add({PrimitiveKind::triangle, 0, {4, MeasureValues::kNone, 300}, sheet});
        QTRY_COMPARE(made.size(), std::size_t(2));
        QVERIFY(made[0].points[0] == (MeasurePoint{{1, 2, 3}, MeasureSnap::surface}));
        QVERIFY(made[1].points[0] == (MeasurePoint{{4, 5, 300}, MeasureSnap::surface}));
    }
    void polygonsEndOnRequest() {
        const SnapshotPtr snapshot = sheetSnapshot();
        MeasureTool tool;
        std::vector<Measure> made;
        connect(&tool, &MeasureTool::finished, &tool, [&](const Measure& m) { made.push_back(m); });
        tool.setKind(MeasureKind::area);
        QVERIFY(tool.finish()); // there is nothing to finish
        tool.add(hitNear(snapshot, 0));
        tool.add(hitNear(snapshot, 5));
        QVERIFY(!tool.finish());
        tool.add(hitNear(snapshot, 800));
        tool.add(hitNear(snapshot, 900));
        tool.removeLast();
        QVERIFY(tool.finish());          // finishes the measure before its points are snapped
        tool.add(hitNear(snapshot, 10)); // the click belongs to the next measure
        QTRY_COMPARE(made.size(), std::size_t(1));
        QCOMPARE(made[0].points.size(), std::size_t(3));
        QVERIFY(made[0].points[2].position == snapshot->cloud->position(800));
        QCOMPARE(tool.draft()->points.size(), std::size_t(1));
        tool.cancel();
        QVERIFY(!tool.draft() && tool.kind());
        tool.removeLast();
        tool.cancel();
        QVERIFY(!tool.kind());
    }
    void otherKindsAndScansDropWhatIsBegun() {
        const SnapshotPtr snapshot = sheetSnapshot();
        MeasureTool tool;
        QSignalSpy finished(&tool, &MeasureTool::finished);
        tool.setKind(MeasureKind::distance);
        tool.add(hitNear(snapshot, 0));
        tool.setKind(MeasureKind::angle);
        QVERIFY(!tool.draft());
        tool.add(hitNear(snapshot, 0));
        tool.add(hitNear(snapshot, 5));
        tool.add(hitNear(snapshot, 8));
        tool.drop(); // drops the measure before its points are snapped
        QTest::qWait(100);
        QCOMPARE(finished.count(), 0);
        QVERIFY(tool.kind() == MeasureKind::angle && !tool.draft());
    }
};

SCANLOUPE_TEST_IN(QCoreApplication, TestMeasures)
#include "test_measures.moc"
