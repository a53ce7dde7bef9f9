#include "engine/pipeline/parameters.h"
#include "gui/app/export_dialog.h"
#include "gui/app/main_window.h"
#include "gui/app/view_area.h"
#include "gui/panels/message_bar.h"
#include "gui/panels/parameter_panel.h"
#include "gui/panels/theme.h"
#include "tests/support/test_support.h"

#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace scanloupe;
using namespace scanloupe::gui;

namespace {

/// Waits until results arrive that are whole and of the session's own recipe.
bool waitForWhole(ScanSession& session) {
    return QTest::qWaitFor(
        [&] {
            const SnapshotPtr& s = session.snapshot();
            return s && !s->preview && s->recipe == session.recipe() && !session.isBusy();
        },
        60'000);
}

void saveScreenshot(QWidget& window, const char* name) {
    if (const QByteArray folder = qgetenv("SCANLOUPE_SCREENSHOTS"); !folder.isEmpty())
        window.grab().save(QString::fromUtf8(folder) + "/" + name + ".png");
}

struct Fixture {
    Fixture() : window(Backend::cpu, theme) {
        window.show();
        window.resize(1500, 900);
    }
    Theme theme;
    MainWindow window;
};

} // namespace

class TestMainWindow : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QCoreApplication::setOrganizationName("ScanloupeTest");
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QVERIFY(m_settings.isValid());
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_settings.path());
    }
    void openingARealScanFillsTheViews_data() {
        QTest::addColumn<QString>("file");
        QTest::newRow("KITTI") << "sweeps/kitti_training_000000.bin";
        QTest::newRow("bunny") << "ply/stanford_bun000.ply";
        QTest::newRow("office") << "pcd/office1.pcd";
        QTest::newRow("room") << "ndt/room_scan1.pcd";
    }
    void openingARealScanFillsTheViews() {
        QFETCH(QString, file);
        SCANLOUPE_REAL_SCAN(path, file.toStdString());
        Fixture f;
        QVERIFY(QTest::qWaitForWindowExposed(&f.window));
        f.window.open(QString::fromStdString(path.string()));
        QVERIFY(waitForWhole(f.window.session()));
        for (ScanView* view : f.window.views().views())
            QVERIFY2(QTest::qWaitFor([&] { return view->isComplete(); }, 20'000), qPrintable(view->title()));
        QTest::qWait(100);
        saveScreenshot(f.window, QTest::currentDataTag());
        QVERIFY(f.window.session().snapshot()->picture->stats.drawnPixels > 1000);
    }
    void aSliderIsFollowed() {
        Fixture f;
        f.window.openSample();
        QVERIFY(waitForWhole(f.window.session()));
        QSignalSpy results(&f.window.session(), &ScanSession::snapshotReady);
        Recipe recipe = f.window.parameters().recipe();
        setFromText(recipe, parameter("voxel_size"), "0.3");
        f.window.parameters().setRecipe(recipe);
        emit f.window.parameters().recipeChanged(recipe);
        QVERIFY(waitForWhole(f.window.session()));
        QVERIFY(results.count() > 0);
        QCOMPARE(f.window.session().snapshot()->resolved.voxelSize->x, 0.3);
        saveScreenshot(f.window, "sample");
    }
    void aFileThatFailsIsToldAndNothingIsLost() {
        Fixture f;
        f.window.openSample();
        QVERIFY(waitForWhole(f.window.session()));
        const auto cloud = f.window.session().snapshot()->cloud;
        QSignalSpy failures(&f.window.session(), &ScanSession::failed);
        f.window.open("there/is/none.ply");
        QVERIFY(failures.wait(10'000));
        QVERIFY(f.window.messages().isVisible());
        saveScreenshot(f.window, "error");
        QCOMPARE(f.window.session().snapshot()->cloud, cloud);
    }
    void exportWritesTheMesh() {
        Fixture f;
        f.window.openSample();
        QVERIFY(waitForWhole(f.window.session()));
        ExportDialog dialog(f.window.session().snapshot(), &f.window);
        QTemporaryDir folder;
        dialog.setPath(folder.filePath("street.glb"));
        dialog.show();
        saveScreenshot(dialog, "export");
        QSignalSpy written(&f.window.session(), &ScanSession::exported);
        f.window.session().exportFile(dialog.description(), dialog.job());
        QVERIFY(written.wait(20'000));
        QVERIFY(QFileInfo(dialog.path()).size() > 1'000'000);
    }
    void closingInMidRunEnds() {
        Fixture f;
        f.window.openSample();
        QTest::qWait(400);
        f.window.close();
    }
    void emptyWindow() {
        Fixture f;
        QVERIFY(QTest::qWaitForWindowExposed(&f.window));
        saveScreenshot(f.window, "empty");
        f.theme.choose(ThemeChoice::light);
        saveScreenshot(f.window, "empty_light");
        f.theme.choose(ThemeChoice::dark);
        saveScreenshot(f.window, "empty_dark");
    }

private:
    QTemporaryDir m_settings;
};

QTEST_MAIN(TestMainWindow)
#include "test_main_window.moc"
