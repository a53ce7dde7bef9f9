// Several files at once in the window: a single question, stepping, playback, and skipping broken files.
#include "engine/cloud/point_cloud.h"
#include "engine/results/snapshot.h"
#include "gui/dialogs/open_as_dialog.h"
#include "gui/models/scan_list_model.h"
#include "gui/panels/parameters/parameter_rows.h"
#include "gui/panels/parameters/position_row.h"
#include "gui/panels/player_bar.h"
#include "gui/panels/scan_list_panel.h"
#include "gui/sliders/number_box.h"
#include "gui/sliders/value_control.h"
#include "gui/views/gl_view.h"
#include "tests/gui/app/window_fixture.h"

#include <QAbstractItemModelTester>
#include <QPushButton>
#include <QSlider>
#include <QTableView>
#include <QToolButton>
#include <cmath>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

/// A wavy sheet whose wave moves from frame to frame. Its number of points identifies the frame: 3000 +
/// frame.
QByteArray frameText(int frame) {
    QByteArray text;
    for (int i = 0; i < 3000 + frame; ++i) {
        const double x = 0.1 * (i % 60), y = 0.1 * (i / 60);
        text += QByteArray::number(x) + ' ' + QByteArray::number(y) + ' ' +
                QByteArray::number(0.5 * std::sin(x + 0.7 * frame)) + '\n';
    }
    return text;
}

/// A file that starts like a scan, but is unreadable.
constexpr const char* kDamaged = "ply\nformat ascii 1.0\nelement vertex 9\nproperty blob x\nend_header\n1\n";

/// A folder of frames; the frames listed in `broken` are damaged.
struct Frames {
    QTemporaryDir folder;
    explicit Frames(int count, QList<int> broken = {}) {
        for (int i = 0; i < count; ++i)
            write(QStringLiteral("frame%1.xyz").arg(i + 1),
                  broken.contains(i) ? QByteArray(kDamaged) : frameText(i));
    }
    void write(const QString& name, const QByteArray& content) const {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }
    QStringList paths(int count) const {
        QStringList list;
        for (int i = count; i > 0; --i) // in arbitrary order, as file managers pass them
            list << folder.filePath(QStringLiteral("frame%1.xyz").arg(i));
        return list;
    }
};

/// The frame whose results are shown, derived from its number of points; -1 before any results.
int frameShown(WindowFixture& f) {
    return f.snapshot() ? int(f.snapshot()->cloud->size()) - 3000 : -1;
}

bool comesTo(WindowFixture& f, int frame) {
    return QTest::qWaitFor([&] { return frameShown(f) == frame && !f.window.isBusy(); }, 20'000);
}

OpenAsDialog* question(WindowFixture& f) {
    OpenAsDialog* dialog = nullptr;
    if (!QTest::qWaitFor(
            [&] { return (dialog = f.window.findChild<OpenAsDialog*>()) && dialog->isVisible(); }, 5000))
        return nullptr;
    return dialog;
}

void answer(WindowFixture& f, const char* choice) {
    OpenAsDialog* dialog = question(f);
    QVERIFY(dialog);
    keepPicture(*dialog, QStringLiteral("open_as"));
    QTest::mouseClick(dialog->findChild<QPushButton*>(QString::fromLatin1(choice)), Qt::LeftButton);
}

} // namespace

class TestWindowSequence : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;

private slots:
    void aDroppedFolderIsAskedForOnceAndPlays() {
        const Frames frames(12);
        WindowFixture f;
        QVERIFY(f.isShown());
        auto* bar = f.window.findChild<PlayerBar*>();
        QVERIFY(!bar->isVisible());
        f.drop(frames.folder.path());
        answer(f, "sequence");
        QVERIFY(comesTo(f, 0));
        QVERIFY(!f.window.findChild<OpenAsDialog*>() || !f.window.findChild<OpenAsDialog*>()->isVisible());
        QVERIFY(bar->isVisible());
        QCOMPARE(bar->text(), QString("1 of 12"));
        // in natural order, frame10 is last and does not follow frame1
        QCOMPARE(f.window.playlist().nameOf(9), QString("frame10.xyz"));
        QVERIFY(f.window.windowTitle().startsWith("frame1.xyz"));
        // plays one complete frame after the other, then starts again with the first
        QList<int> seen;
        connect(&f.window.jobs().runner(), &PipelineRunner::snapshotReady, this, [&](const SnapshotPtr& s) {
            const int frame = int(s->cloud->size()) - 3000;
            if (seen.isEmpty() || seen.last() != frame)
                seen << frame;
        });
        f.window.playlist().setRate(30);
        QTest::mouseClick(bar->playButton(), Qt::LeftButton);
        QVERIFY(f.window.playlist().isPlaying());
        QVERIFY(QTest::qWaitFor([&] { return seen.size() >= 14; }, 60'000));
        QTest::mouseClick(bar->playButton(), Qt::LeftButton);
        for (int i = 0; i + 1 < seen.size(); ++i)
            QCOMPARE(seen[i + 1], (seen[i] + 1) % 12);
        QVERIFY(QTest::qWaitFor([&] { return !f.window.isBusy(); }, 10'000));
        const int rests = frameShown(f);
        QTest::qWait(300);
        QCOMPARE(frameShown(f), rests);
        QVERIFY(f.waitForViews());
        keepPicture(f.window, "sequence");
    }
    void recipeAndCameraStayFromFrameToFrame() {
        const Frames frames(5);
        WindowFixture f;
        QVERIFY(f.isShown());
        f.window.open(frames.paths(5), SeveralAs::sequence);
        QVERIFY(comesTo(f, 0));
        f.row<VoxelSizeRow>("voxel_size")->control(0)->box()->setValue(0.25);
        f.row<NumberRow>("eye_dome_strength")->control()->box()->setValue(2.5);
        QTest::keyClick(f.window.views().views()[1]->widget(), Qt::Key_2); // shows the view from the top
        QVERIFY(f.waitForViews());
        const Camera camera = *f.window.jobs().runner().recipe().camera;
        auto* slider = f.window.findChild<PlayerBar*>()->slider();
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Right);
        QTest::keyClick(slider, Qt::Key_Right);
        QVERIFY(comesTo(f, 2));
        QCOMPARE(f.snapshot()->resolved->voxelSize->x, 0.25);
        QCOMPARE(f.snapshot()->recipe->eyeDomeStrength, 2.5);
        QVERIFY(*f.window.jobs().runner().recipe().camera == camera);
        QTest::keyClick(slider, Qt::Key_Left);
        QVERIFY(comesTo(f, 1));
        QTest::keyClick(slider, Qt::Key_End);
        QVERIFY(comesTo(f, 4));
        f.action("Next Scan")->trigger(); // the next frame after the last is the first
        QVERIFY(comesTo(f, 0));
        // a slider moves while the next frame is being read
        f.action("Next Scan")->trigger();
        f.row<NumberRow>("eye_dome_strength")->control()->box()->setValue(1.5);
        QVERIFY(comesTo(f, 1));
        QVERIFY(f.waitForWhole());
        QCOMPARE(f.snapshot()->recipe->eyeDomeStrength, 1.5);
    }
    void aDraggedSliderEndsWhereItWasLetGo() {
        const Frames frames(20);
        WindowFixture f;
        f.window.open(frames.paths(20), SeveralAs::sequence);
        QVERIFY(comesTo(f, 0));
        auto* slider = f.window.findChild<PlayerBar*>()->slider();
        QSignalSpy advanced(&f.window.jobs().runner(), &PipelineRunner::advanced);
        for (int frame = 1; frame < 20; ++frame) {
            slider->setValue(frame);
            QTest::qWait(20);
        }
        QVERIFY(comesTo(f, 19));
        QVERIFY2(advanced.count() >= 2,
                 qPrintable(QString::number(advanced.count()))); // some intermediate frames are shown, too
        QCOMPARE(f.window.playlist().shown(), 19);
        QTest::qWait(200);
        QCOMPARE(frameShown(f), 19);
    }
    void nextFrameIsReadAhead() {
        const Frames frames(6);
        WindowFixture f;
        f.window.open(frames.paths(6), SeveralAs::sequence);
        QVERIFY(comesTo(f, 0));
        const auto& playlist = f.window.playlist();
        QVERIFY(QTest::qWaitFor([&] { return playlist.at(1).held && playlist.at(5).held; }, 10'000));
        QVERIFY(QFile::remove(frames.folder.filePath("frame2.xyz")));
        f.window.playlist().step(1);
        QVERIFY(comesTo(f, 1)); // cached, though its file was deleted
    }
    void severalCloudsHaveEachTheirOwnRecipe() {
        const Frames frames(3);
        WindowFixture f;
        QVERIFY(f.isShown());
        f.drop(frames.paths(3));
        answer(f, "clouds");
        QVERIFY(comesTo(f, 0));
        QVERIFY(!f.window.findChild<PlayerBar*>()->isVisible());
        auto* panel = f.window.findChild<ScanListPanel*>();
        QVERIFY(panel->isVisible());
        const QAbstractItemModelTester tester(panel->table()->model(),
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto cell = [&](int row, int column) {
            return panel->table()->model()->index(row, column).data().toString();
        };
        QCOMPARE(panel->table()->model()->rowCount(), 3);
        QCOMPARE(cell(1, ScanListModel::name), QString("frame2.xyz"));
        QVERIFY(QTest::qWaitFor([&] { return cell(2, ScanListModel::points).contains("3"); }, 10'000));
        f.row<VoxelSizeRow>("voxel_size")->control(0)->box()->setValue(0.25);
        QTest::keyClick(f.window.views().views()[1]->widget(), Qt::Key_2);
        QVERIFY(f.waitForViews());
        const Camera camera = *f.window.jobs().runner().recipe().camera;
        const auto click = [&](int row) {
            const QRect place = panel->table()->visualRect(panel->table()->model()->index(row, 0));
            QTest::mouseClick(panel->table()->viewport(), Qt::LeftButton, {}, place.center());
        };
        click(2);
        QVERIFY(comesTo(f, 2));
        QVERIFY(f.waitForViews());
        keepPicture(f.window, "clouds");
        // the voxel size is automatic, from the frame's own data
        QVERIFY(!f.window.jobs().runner().recipe().voxelSize);
        QVERIFY(!(*f.window.jobs().runner().recipe().camera == camera));
        click(0);
        QVERIFY(comesTo(f, 0));
        QVERIFY(f.waitForViews());
        QCOMPARE(f.snapshot()->resolved->voxelSize->x, 0.25);
        QVERIFY(*f.window.jobs().runner().recipe().camera == camera);
    }
    void brokenFilesAreNamedInOneMessageAndTheRestOpens() {
        const Frames frames(6, {0, 3});
        frames.write("notes.md", "words\n");
        frames.write("empty.ply", {});
        WindowFixture f;
        QVERIFY(f.isShown());
        f.window.open({frames.folder.path()}, SeveralAs::sequence);
        QVERIFY(comesTo(f, 1)); // skips the first frame, which is broken
        const auto text = [&] { return f.window.messages().text(); };
        QVERIFY(QTest::qWaitFor([&] { return text().startsWith("4 of 8 files can't be opened"); }, 10'000));
        for (const char* name : {"notes.md", "empty.ply", "frame1.xyz", "frame4.xyz"})
            QVERIFY2(text().contains(name), qPrintable(text()));
        QVERIFY(f.waitForViews());
        keepPicture(f.window, "sequence_broken");
        QSignalSpy told(&f.window.playlist(), &Playlist::problemsFound);
        auto* slider = f.window.findChild<PlayerBar*>()->slider();
        QTest::keyClick(slider, Qt::Key_Right);
        QVERIFY(comesTo(f, 2));
        QTest::keyClick(slider, Qt::Key_Right); // skips the fourth frame
        QVERIFY(comesTo(f, 4));
        QCOMPARE(told.count(), 0);
        // a broken frame that is chosen explicitly: the reason is shown, and the previous frame stays
        slider->setValue(3);
        QVERIFY(told.count() > 0 || told.wait(10'000));
        QVERIFY2(text().contains("frame4.xyz"), qPrintable(text()));
        QVERIFY(QTest::qWaitFor([&] { return slider->value() == 4; }, 5000));
        QCOMPARE(frameShown(f), 4);
    }
    void openingOnlyUnreadableFilesChangesNothing() {
        const Frames good(2), bad(2, {0, 1});
        const QTemporaryDir empty;
        WindowFixture f;
        f.window.open(good.paths(2), SeveralAs::sequence);
        QVERIFY(comesTo(f, 0));
        f.window.open(bad.paths(2), SeveralAs::sequence);
        const auto text = [&] { return f.window.messages().text(); };
        QVERIFY(
            QTest::qWaitFor([&] { return text().contains("None of the 2 files can be opened"); }, 10'000));
        QCOMPARE(f.window.playlist().size(), 2);
        QCOMPARE(f.window.playlist().nameOf(0), QString("frame1.xyz"));
        f.window.open({empty.path()});
        QVERIFY(QTest::qWaitFor([&] { return text().startsWith("There are no files in"); }, 10'000));
        f.window.playlist().step(1);
        QVERIFY(comesTo(f, 1)); // stepping still works for intact frames
    }
    void anotherScanClosesTheSequence() {
        const Frames frames(4);
        const QString single = m_settings.path("single.xyz");
        QFile file(single);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(frameText(77));
        file.close();
        WindowFixture f;
        QVERIFY(f.isShown());
        f.window.open({frames.folder.path()}, SeveralAs::sequence);
        QVERIFY(comesTo(f, 0));
        f.row<PositionRow>("sensor")->box(0)->setValue(5);
        QVERIFY(f.window.parameters().recipe().sensor == (Vec3d{5, 0, 0}));
        f.window.playlist().setRate(30);
        f.window.playlist().setPlaying(true);
        QTest::qWait(100);
        f.drop(single); // opens another file while playing
        QVERIFY(comesTo(f, 77));
        QVERIFY(!f.window.parameters().recipe().sensor); // the sensor position belonged to the other scan
        QTest::qWait(300);
        QCOMPARE(frameShown(f), 77);
        QCOMPARE(f.window.playlist().size(), 0);
        QVERIFY(!f.window.findChild<PlayerBar*>()->isVisible());
        QVERIFY(!f.window.findChild<ScanListPanel*>()->isVisible());
        QVERIFY(!f.action("Next Scan")->isEnabled());
        QVERIFY(f.action(frames.folder.path()) != nullptr); // the folder is listed among the recent files
    }
    void aFolderOfOneScanAsksNothing() {
        const Frames frames(1);
        WindowFixture f;
        f.drop(frames.folder.path());
        QVERIFY(comesTo(f, 0));
        QVERIFY(!f.window.findChild<OpenAsDialog*>());
    }
    void aQuestionThatIsLeftOpensNothing() {
        const Frames frames(3);
        WindowFixture f;
        QVERIFY(f.isShown());
        f.drop(frames.paths(3));
        OpenAsDialog* dialog = question(f);
        QVERIFY(dialog);
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTest::qWait(200);
        QVERIFY(!f.snapshot() && f.window.playlist().size() == 0);
    }
    void closingWhileItPlaysEnds() {
        const Frames frames(8);
        for (const int wait : {0, 50, 300}) {
            WindowFixture f;
            f.window.open(frames.paths(8), SeveralAs::sequence);
            f.window.playlist().setRate(30);
            QTest::qWait(wait);
            f.window.playlist().setPlaying(true);
            QTest::qWait(wait);
            f.window.close();
        }
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowSequence)
#include "test_window_sequence.moc"
