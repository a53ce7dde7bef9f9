// Projects in the window: after reopening, everything is in its previous state.
#include "engine/cloud/point_cloud.h"
#include "engine/edit/edit_list.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/writers.h"
#include "engine/recipe/parameters.h"
#include "engine/results/snapshot.h"
#include "gui/controllers/project_controller.h"
#include "gui/panels/welcome_pane.h"
#include "tests/gui/app/window_fixture.h"
#include "tests/support/pipeline_run.h"

#include <QDockWidget>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPushButton>
#include <QStandardPaths>
#include <sys/stat.h>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

/// The visible state.
struct Seen {
    Recipe recipe;
    Camera camera;
    std::size_t points, voxels, triangles;
    std::vector<std::uint32_t> pixels;
    bool operator==(const Seen&) const = default;
};

Seen seen(WindowFixture& f) {
    const Snapshot& s = *f.snapshot();
    const auto pixels = onHost(s.picture->image).pixels.span();
    return {s.recipe,         f.window.camera().camera(), s.cloud->size(),
            s.voxels->size(), s.mesh->triangleCount(),    {pixels.begin(), pixels.end()}};
}

void change(WindowFixture& f, const char* key, const std::string& value) {
    Recipe recipe = f.window.parameters().recipe();
    setFromText(recipe, parameter(key), value);
    emit f.window.parameters().row(key)->edited(recipe);
}

QStringList closedDocks(const WindowFixture& f) {
    QStringList names;
    for (const QDockWidget* dock : f.window.findChildren<QDockWidget*>())
        if (dock->isHidden())
            names << dock->objectName();
    return names;
}

} // namespace

class TestWindowProject : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;
    QString path(const char* name) const { return m_settings.path(QString::fromLatin1(name)); }

private slots:
    void initTestCase() {
        QDir().mkpath(path("scans"));
        for (int i = 0; i < 3; ++i) {
            synth::ScanParams params;
            params.points = 30'000;
            params.seed = std::uint64_t(i + 1);
            writeCloud(path("scans").toStdString() + "/" + std::to_string(i) + ".ply",
                       syntheticCloud(params, false, {}, {}), {}, {});
        }
    }

    void singleScanIsRestored() {
        const QString project = path("one.json");
        Seen before;
        {
            WindowFixture f;
            f.window.open({path("scans/0.ply")});
            QVERIFY(f.waitForRest());
            change(f, "voxel_size", "0.4");
            change(f, "colour_map", "turbo");
            QVERIFY(f.waitForRest());
            f.window.camera().orbit({0, 0, 0}, {120, 40}, {400, 400});
            QVERIFY(f.waitForRest());
            before = seen(f);
            f.window.project().saveProjectTo(project);
            QVERIFY(f.window.windowTitle().startsWith("one.json: 0.ply"));
            QVERIFY(!f.window.isWindowModified());
        }
        WindowFixture f;
        f.window.open({project});
        QVERIFY(f.waitForRest());
        QVERIFY(f.isShown());
        QVERIFY(seen(f).camera == before.camera);
        QVERIFY(seen(f) == before);
        QVERIFY(f.window.windowTitle().startsWith("one.json: 0.ply"));
        QAction* undo = f.action("Undo Colour map: viridis → turbo");
        QVERIFY(undo && undo->isEnabled()); // the start of the restored history
        undo->trigger();
        QVERIFY(f.waitForRest());
        QCOMPARE(toText(f.window.parameters().recipe(), parameter("colour_map")), std::string("viridis"));

        QString question;
        f.answer(QMessageBox::Cancel, &question);
        QVERIFY(!f.window.close());
        QVERIFY2(question.contains("has changed"), qPrintable(question));
        f.answer(QMessageBox::Discard, &question);
        QVERIFY(f.window.close());
    }

    void scansOfOnePlaceAreRestored() {
        const QString project = path("place.json");
        Seen before;
        {
            WindowFixture f;
            f.window.open({path("scans")}, SeveralAs::place);
            QVERIFY(f.waitForRest());
            f.window.playlist().setVisible({true, false, true});
            QVERIFY(QTest::qWaitFor([&] { return f.snapshot()->cloud->size() == 60'000; }, 20'000));
            QVERIFY(f.waitForRest());
            before = seen(f);
            f.window.project().saveProjectTo(project);
        }
        WindowFixture f;
        f.window.open({project});
        QVERIFY(f.waitForRest());
        QCOMPARE(f.window.playlist().size(), 3);
        QVERIFY(f.window.playlist().kind() == Playlist::Kind::place);
        QVERIFY(!f.window.playlist().isVisible(1));
        QVERIFY(seen(f) == before);
    }

    void frameOfASequenceIsShownAgain() {
        const QString project = path("sequence.json");
        {
            WindowFixture f;
            f.window.open({path("scans")}, SeveralAs::sequence);
            QVERIFY(f.waitForRest());
            f.window.playlist().show(2);
            QVERIFY(QTest::qWaitFor([&] { return f.window.playlist().shown() == 2; }, 20'000));
            QVERIFY(f.waitForRest());
            change(f, "voxel_size", "0.6");
            QVERIFY(f.waitForRest());
            f.window.project().saveProjectTo(project);
        }
        WindowFixture f;
        f.window.open({project});
        QVERIFY(f.waitForRest());
        QCOMPARE(f.window.playlist().shown(), 2);
        f.window.playlist().show(0); // the recipe stays from frame to frame
        QVERIFY(QTest::qWaitFor([&] { return f.window.playlist().shown() == 0; }, 20'000));
        change(f, "voxel_size", "0.7");
        f.window.playlist().show(2);
        QVERIFY(QTest::qWaitFor([&] { return f.window.playlist().shown() == 2; }, 20'000));
        QCOMPARE(toText(f.window.parameters().recipe(), parameter("voxel_size")), std::string("0.7"));
    }

    void twoWindowsDoNotOverwriteEachOther() {
        const QString project = path("one.json");
        WindowFixture first, second;
        first.window.open({project});
        QVERIFY(first.waitForWhole());
        second.window.open({project});
        QVERIFY(second.waitForWhole());
        QVERIFY(QTest::qWaitFor([&] { return second.window.messages().isError(); }, 5000));
        QVERIFY2(second.window.messages().text().contains("Another window"),
                 qPrintable(second.window.messages().text()));
        second.window.project().saveProjectTo(project);
        QVERIFY(second.window.messages().text().contains("Another window"));
        second.window.project().saveProjectTo(path("other.json"));
        QVERIFY(!second.window.messages().isError());
        QVERIFY(QFile::exists(path("other.json")));
    }

    void shownPanelsAreRestored() {
        const std::string file = path("panels.json").toStdString();
        QStringList closed;
        {
            WindowFixture f;
            f.window.open({path("scans/0.ply")});
            QVERIFY(f.waitForWhole());
            f.child<QDockWidget>("log")->hide();
            closed = closedDocks(f);
            QVERIFY(f.window.project().saveProjectTo(path("panels.json")));
        }
        QVERIFY(!QByteArray::fromStdString(readProject(file).window).contains("docks"));
        WindowFixture f;
        QVERIFY(!f.child<QDockWidget>("log")->isHidden());
        f.window.open({path("panels.json")});
        QVERIFY(f.waitForWhole());
        QVERIFY(closed.contains("log"));
        QCOMPARE(closedDocks(f), closed);
    }

    void aGeneratedScanIsGeneratedAgain() {
        const synth::ScanParams params{.scene = synth::Scene::room, .points = 20'000, .seed = 7};
        Vec3d first;
        {
            WindowFixture f;
            f.window.openSample(params);
            QVERIFY(f.waitForWhole());
            Recipe recipe = f.window.parameters().recipe();
            setFromText(recipe, parameter("voxel_size"), "0.5");
            emit f.window.parameters().row("voxel_size")->edited(recipe);
            QVERIFY(f.waitForWhole());
            first = f.snapshot()->cloud->position(0);
            QVERIFY(f.window.project().saveProjectTo(path("room.json")));
            QVERIFY(!f.window.isWindowModified());
        }
        WindowFixture f;
        f.window.open({path("room.json")});
        QVERIFY(f.waitForWhole());
        QVERIFY(f.window.windowTitle().startsWith("room.json"));
        QVERIFY(f.snapshot()->cloud->generated == params);
        QVERIFY(f.snapshot()->cloud->size() == params.points && f.snapshot()->cloud->position(0) == first);
        QCOMPARE(f.window.parameters().recipe().voxelSize->x, 0.5);
        QVERIFY(!f.window.isWindowModified());
    }

    void aPresentationNeitherHidesNorShowsPanelsOfProjects() {
        const QString project = path("presented.json");
        QStringList closed;
        {
            WindowFixture f;
            f.window.open({path("scans/0.ply")});
            QVERIFY(f.waitForWhole());
            f.child<QDockWidget>("log")->hide();
            closed = closedDocks(f);
            f.action("Presentation Mode")->trigger();
            QVERIFY(f.child<QDockWidget>("data")->isHidden());
            QVERIFY(f.window.project().saveProjectTo(project)); // includes panels that are restored later
        }
        WindowFixture f;
        f.action("Presentation Mode")->trigger();
        f.window.open({project});
        QVERIFY(f.waitForWhole());
        QVERIFY(f.child<QDockWidget>("data")->isHidden());
        f.action("Presentation Mode")->trigger();
        QVERIFY(closed.contains("log"));
        QCOMPARE(closedDocks(f), closed);
    }

    void damagedLayoutsOfProjectsAreIgnored() {
        Project project;
        project.scans = {{path("scans/0.ply").toStdString()}};
        const auto open = [&](WindowFixture& f, const QJsonObject& window) {
            project.window = QJsonDocument(window).toJson().toStdString();
            writeProject(path("layout.json").toStdString(), project);
            f.window.open({path("layout.json")});
            return f.waitForWhole() && f.window.windowTitle().startsWith("layout.json");
        };
        QString text;
        {
            WindowFixture f;
            QByteArray docks = f.window.saveState(); // the state as projects of earlier versions store it
            docks[14] = char(0xff);
            text = QString::fromLatin1(docks.toBase64());
            f.child<QDockWidget>("log")->hide();
            const QStringList closed = closedDocks(f);
            QVERIFY(open(f, {{"docks", text}}));
            QVERIFY(closed.contains("log"));
            QCOMPARE(closedDocks(f), closed); // the docks are in their previous state
        }
        WindowFixture f;
        QVERIFY(open(f, {{"docks", text}, {"panels", QJsonArray{"edits", "no such panel", 7}}}));
        for (const QDockWidget* dock : f.window.findChildren<QDockWidget*>())
            QCOMPARE(dock->isHidden(), dock->objectName() != "edits");
    }

    void pipesAndFoldersAreNotReadAsLocks() {
        Project project;
        project.scans = {{path("scans/0.ply").toStdString()}};
        const QString lock = path(".blocked.json.lock");
        writeProject(path("blocked.json").toStdString(), project);
        for (const bool isPipe : {true, false}) {
            if (isPipe)
                QCOMPARE(::mkfifo(qPrintable(lock), 0600), 0);
            else
                QVERIFY(QFile::link("/dev/zero", lock));
            WindowFixture f;
            f.window.open({path("blocked.json")});
            QVERIFY(f.waitForWhole());
            QVERIFY(f.window.project().store().isLocked());
            QVERIFY(!f.window.project().saveProjectTo(path("blocked.json")));
            QVERIFY(QFile::remove(lock));
        }
    }

    void longWordsOfAHistoryAreShortened() {
        Project project;
        project.scans = {{path("scans/0.ply").toStdString()}};
        project.steps.resize(2);
        project.steps[1].recipe->pointSize = 3;
        project.steps[1].words = std::string(5'000'000, 'x');
        project.step = 1;
        project.recipe = project.steps[1].recipe;
        writeProject(path("words.json").toStdString(), project);
        QVERIFY(readProject(path("words.json").toStdString()).steps[1].words.size() < 2000);
        WindowFixture f;
        f.window.open({path("words.json")});
        QVERIFY(f.waitForWhole());
        const auto undo = [&] {
            for (const QAction* action : f.window.findChildren<QAction*>())
                if (action->text().startsWith("&Undo x"))
                    return action->text();
            return QString();
        };
        QTRY_VERIFY(!undo().isEmpty());
        QVERIFY2(undo().size() < 120, qPrintable(undo()));
        QVERIFY(undo().contains(QChar(0x2026)));
    }

    void missingScansAreAskedFor() {
        QDir().mkpath(path("gone"));
        QFile::copy(path("scans/1.ply"), path("gone/only.ply"));
        Project project;
        project.scans = {{path("gone/only.ply").toStdString()}};
        writeProject(path("gone.json").toStdString(), project);
        QFile::remove(path("gone/only.ply"));
        WindowFixture f;
        QString question;
        f.answer(QMessageBox::Cancel, &question);
        f.window.open({path("gone.json")});
        QVERIFY2(question.contains("only.ply"), qPrintable(question));
        QVERIFY(!f.window.isBusy()); // no scan is opened
    }

    void damagedAndNewerProjectsAreRefused() {
        WindowFixture f;
        f.window.open({path("scans/0.ply")});
        QVERIFY(f.waitForWhole());
        const auto cloud = f.snapshot()->cloud;
        for (const auto& [text, words] :
             {std::pair{"{\"scanloupe_project\": 99}", "newer version of Scanloupe"},
              {"{\"scanloupe_project\": 1, \"kind\": ", "project"}}) {
            QFile file(path("bad.json"));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
            file.close();
            f.window.open({path("bad.json")});
            QVERIFY(f.window.messages().isError());
            QVERIFY2(f.window.messages().text().contains(words), qPrintable(f.window.messages().text()));
        }
        QCOMPARE(f.snapshot()->cloud, cloud);
    }

    void openWorkIsOfferedAfterACrash() {
        const QString folder =
            QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + "/autosave";
        {
            WindowFixture f;
            f.window.project().offerRestore();
            QVERIFY(!f.child<QPushButton>("restore")->isVisible());
            f.window.open({path("scans/2.ply")});
            QVERIFY(f.waitForRest());
            change(f, "voxel_size", "0.3");
            QVERIFY(f.waitForRest());
            Recipe recipe = f.window.parameters().recipe();
            recipe.edits.selection.steps = {
                stepOf(SetOperation::replace, HalfSpaceRegion{{5, 0, 0}, {1, 0, 0}})};
            recipe.edits = withLayer(std::move(recipe.edits), RemoveAction{}, "Delete what lies beyond");
            emit f.window.parameters().row("voxel_size")->edited(recipe);
            QVERIFY(f.waitForRest());
            f.window.project().autosave();
            QVERIFY(QTest::qWaitFor([&] { return !QDir(folder).entryList({"*.json"}).isEmpty(); }, 5000));
            const QString file = folder + '/' + QDir(folder).entryList({"*.json"}).first();
            QVERIFY(QTest::qWaitFor([&] { return isProjectFile(file.toStdString()); }, 5000));
            WindowFixture other; // the window of the autosave is still open: nothing is offered
            other.window.project().offerRestore();
            QTest::qWait(300);
            QVERIFY(!other.child<QPushButton>("restore")->isVisible());
            QVERIFY(QFile::copy(file, folder + "/1-1-1.json")); // the file that a crashed window leaves
            WindowFixture::answer(QMessageBox::Discard);
            QVERIFY(f.window.close());
        }
        // a window that is closed removes its own autosave
        QCOMPARE(QDir(folder).entryList({"*.json"}), QStringList{"1-1-1.json"});
        WindowFixture f;
        QVERIFY(f.isShown());
        f.window.project().offerRestore();
        auto* restore = f.child<QPushButton>("restore");
        QVERIFY(QTest::qWaitFor([&] { return restore->isVisible(); }, 10'000));
        QVERIFY2(restore->text().contains("2.ply"), qPrintable(restore->text()));
        keepPicture(f.window, "restore");
        restore->click();
        QVERIFY(f.waitForRest());
        QCOMPARE(toText(f.window.parameters().recipe(), parameter("voxel_size")), std::string("0.3"));
        QVERIFY(f.action("Undo Delete what lies beyond"));
        // the restored work continues as the autosave of this window
        QCOMPARE(QDir(folder).entryList({"*.json"}), QStringList{"1-1-1.json"});
        WindowFixture::answer(QMessageBox::Discard);
        QVERIFY(f.window.close());
        QVERIFY(QTest::qWaitFor([&] { return QDir(folder).entryList({"*.json"}).isEmpty(); }, 5000));
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowProject)
#include "test_window_project.moc"
