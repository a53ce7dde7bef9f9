// Ambiguities of an alignment's verdict, shown in the views: the sliding distance of a scan in a corridor,
// and alternative poses of a scan in a hall with racks.
#include "engine/io/trajectory.h"
#include "engine/results/kernel_points.h"
#include "gui/jobs/align_runner.h"
#include "gui/models/align_model.h"
#include "gui/panels/align_panel.h"
#include "gui/views/scene/camera_frame.h"
#include "tests/gui/app/doubtful_scans.h"
#include "tests/gui/app/window_fixture.h"

#include <QCheckBox>
#include <QDockWidget>
#include <QTableView>
#include <cmath>
#include <optional>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

/// A window with both scans of a place, and the panel in front.
struct DoubtFixture : WindowFixture {
    QTemporaryDir folder;
    explicit DoubtFixture(synth::Place place) {
        writeDoubtfulScans(folder.path(), place);
        window.open({folder.path()}, SeveralAs::place);
        action(QStringLiteral("Align Scans…"))->trigger();
    }
    AlignPanel& panel() { return window.alignment(); }
    const std::vector<SceneMark>& marks() { return panel().marks(); }
    const ScanAlignment& alignment() { return panel().model().result(1)->alignment; }
    QTableView* table() { return panel().findChild<QTableView*>(); }
    /// Aligns the scans, and waits until the views show them at their poses.
    bool align() {
        if (!isShown() || !waitForViews())
            return false;
        const auto before = snapshot()->cloud;
        panel().align();
        return QTest::qWaitFor([&] { return snapshot()->cloud != before && !panel().runner().isBusy(); },
                               60'000) &&
               waitForViews();
    }
    /// Number of views that show a colour within some pixels of a position.
    int viewsWith(QColor colour, Vec3d place) {
        int count = 0;
        for (ScanView* view : window.views().views()) {
            const QImage image = view->shownImage();
            const QPointF at = CameraFrame(window.camera().camera(), view->widget()->size()).project(place) *
                               image.devicePixelRatio();
            count += hasColourNear(image, at.toPoint(), colour);
        }
        return count;
    }

private:
    static bool hasColourNear(const QImage& image, QPoint at, QColor colour) {
        constexpr int kReach = 3, kDifference = 40;
        for (int y = at.y() - kReach; y <= at.y() + kReach; ++y)
            for (int x = at.x() - kReach; x <= at.x() + kReach; ++x) {
                if (!image.valid(x, y))
                    continue;
                const QColor seen = image.pixelColor(x, y);
                if (std::abs(seen.red() - colour.red()) < kDifference &&
                    std::abs(seen.green() - colour.green()) < kDifference &&
                    std::abs(seen.blue() - colour.blue()) < kDifference)
                    return true;
            }
        return false;
    }
};

Vec3d meanOfAll(const std::vector<Vec3d>& points) {
    Vec3d mean;
    for (const Vec3d& point : points)
        mean += point / double(points.size());
    return mean;
}

/// Vector from the scan's centre to that of an alternative.
Vec3d shiftOf(const SceneMark& mark) {
    return mark.dashedLines.front().back() - mark.dashedLines.front().front();
}

/// True pose of the second scan of a place in the frame of the first.
RigidTransform trueDoubtfulPose() {
    const auto& [first, second] = kDoubtfulStands;
    return fromRollPitchYaw({0, 0, first.yaw}, first.at).inverse() *
           fromRollPitchYaw({0, 0, second.yaw}, second.at);
}

} // namespace

class TestWindowAlignDoubts : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;

private slots:
    void anArrowShowsHowFarAScanMaySlide() {
        DoubtFixture f(synth::Place::corridor);
        QVERIFY(f.align());
        QCOMPARE(int(f.alignment().verdict.reason), int(PoseReason::weakDirections));
        QCOMPARE(f.marks().size(), f.alignment().evidence.weak.size());
        const WeakDirection weak = f.alignment().evidence.weak.front();
        const SceneMark mark = f.marks().front();
        QVERIFY(mark.arrows && mark.lines.size() == 1 && mark.lines.front().size() == 2);
        const Vec3d from = mark.lines.front().front(), to = mark.lines.front().back();
        QVERIFY(std::abs(normalized(to - from).x) > 0.999);
        QVERIFY(std::abs(norm(to - from) - weak.length() * norm(weak.translation)) < 1e-9);
        QVERIFY2(weak.length() > 2, qPrintable(QString::number(weak.length())));
        QVERIFY2(mark.text.startsWith("may slide by ") && mark.text.endsWith(weak.isBounded ? " m" : " more"),
                 qPrintable(mark.text));
        // the corridor is about as long to both sides, and 2.4 m wide
        QVERIFY(norm(mark.textAt - f.alignment().pose.translation) < 1);
        QCOMPARE(f.viewsWith(mark.colour, mark.textAt + (to - mark.textAt) * 0.3), 3);
        QCOMPARE(f.viewsWith(mark.colour, mark.textAt + (from - mark.textAt) * 0.3), 3);
        keepPicture(f.window, "doubt-weak");
        f.window.camera().show(StandardView::top, f.window.views().aspect());
        QVERIFY(f.waitForViews());
        keepPicture(f.window, "doubt-weak-top");
        f.window.camera().zoom(mark.textAt, 0.15); // both ends of the arrow are outside of the view
        QVERIFY(f.waitForViews());
        keepPicture(f.window, "doubt-weak-near");
    }

    void alternativesAreShownWhereTheyFit() {
        DoubtFixture f(synth::Place::racks);
        QVERIFY(f.align());
        QCOMPARE(int(f.alignment().verdict.reason), int(PoseReason::rival));
        QVERIFY(f.marks().size() > 1);
        const RigidTransform truth = trueDoubtfulPose();
        std::optional<SceneMark> pitch; // the alternative pose that is shifted by one rack
        for (const SceneMark& mark : f.marks()) {
            QVERIFY(mark.points && mark.points->size() > 5000);
            QVERIFY(mark.text.startsWith("also fits "));
            QCOMPARE(mark.markers.size(), std::size_t(1));
            QVERIFY(norm(meanOfAll(*mark.points) - mark.markers.front()) < 1e-6);
            QCOMPARE(f.viewsWith(mark.colour, mark.markers.front()), 3);
            if (std::abs(norm(shiftOf(mark)) - 4) < 0.1)
                pitch = mark;
        }
        QVERIFY(pitch);
        QVERIFY2(pitch->text.contains(" m along "), qPrintable(pitch->text));
        const Vec3d shift = shiftOf(*pitch);
        QVERIFY2(std::abs(std::abs(shift.x) - 4) < 0.05 && std::hypot(shift.y, shift.z) < 0.05,
                 qPrintable(pitch->text));
        // the shifted pose is the true one, or off by a whole number of rack pitches
        const double off = std::remainder(f.alignment().pose.translation.x - truth.translation.x, 4);
        QVERIFY2(std::abs(off) < 0.05, qPrintable(QString::number(off)));
        keepPicture(f.window, "doubt-alternatives");
        f.window.camera().show(StandardView::top, f.window.views().aspect());
        QVERIFY(f.waitForViews());
        QCOMPARE(f.viewsWith(pitch->colour, pitch->markers.front()), 3);
        keepPicture(f.window, "doubt-alternatives-top");
        f.window.camera().zoom(pitch->markers.front(), 0.3);
        QVERIFY(f.waitForViews());
        keepPicture(f.window, "doubt-alternatives-near");
    }

    void marksFollowThePanel() {
        DoubtFixture f(synth::Place::racks);
        QVERIFY(f.align());
        const std::size_t all = f.marks().size();
        QVERIFY(all > 0);
        const Vec3d place = f.marks().front().markers.front();
        const QColor colour = f.marks().front().colour;
        f.table()->selectRow(0); // the first scan, which the alignment does not move
        QVERIFY(f.marks().empty());
        QCOMPARE(f.viewsWith(colour, place), 0);
        f.table()->selectRow(1);
        QCOMPARE(f.marks().size(), all);
        QCOMPARE(f.viewsWith(colour, place), 3);

        auto* dock = f.child<QDockWidget>("align");
        f.child<QDockWidget>("measures")->raise();
        QVERIFY(QTest::qWaitFor([&] { return f.marks().empty(); }, 5000));
        dock->raise();
        QVERIFY(QTest::qWaitFor([&] { return f.marks().size() == all; }, 5000));
        dock->close();
        QVERIFY(QTest::qWaitFor([&] { return f.marks().empty(); }, 5000));
        f.action(QStringLiteral("Align Scans…"))->trigger();
        QVERIFY(QTest::qWaitFor([&] { return f.marks().size() == all; }, 5000));
    }

    void marksGoWithTheAlignment() {
        DoubtFixture f(synth::Place::racks);
        QVERIFY(f.align());
        const std::size_t all = f.marks().size();
        QVERIFY(all > 0);
        f.panel().findChild<QCheckBox*>("aligned")->click();
        QVERIFY(f.marks().empty());
        QVERIFY(f.waitForViews());
        f.action("Undo Scans at their file positions")->trigger();
        QCOMPARE(f.marks().size(), all);
        QVERIFY(f.waitForViews());
        f.action("Redo Scans at their file positions")->trigger();
        QVERIFY(f.marks().empty());
        QVERIFY(f.waitForViews());
        f.window.playlist().setAligned(true);
        QCOMPARE(f.marks().size(), all);
        f.window.playlist().setVisible({true, false}); // the scan of the mark is hidden
        QVERIFY(f.marks().empty());
        f.window.playlist().setVisible({true, true});
        QCOMPARE(f.marks().size(), all);
        QVERIFY(f.waitForViews());

        f.panel().align();
        QVERIFY(f.panel().runner().isBusy() && f.marks().empty());
        f.panel().runner().cancel();
        QVERIFY(f.marks().empty());
        const QString poses = f.folder.filePath("poses.txt");
        QVERIFY(f.align());
        QCOMPARE(f.marks().size(), all);
        writeTrajectory(poses.toStdString(), f.panel().runner().outcome()->trajectory(), PoseFormat::kitti);
        f.panel().loadPoses(poses); // loaded poses have no evidence
        QVERIFY(f.marks().empty());
        QVERIFY(f.waitForViews());
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowAlignDoubts)
#include "test_window_align_doubts.moc"
