// Unsaved work: the window asks before discarding it, and offers to restore it after a crash.
#include "engine/cloud/point_cloud.h"
#include "engine/edit/edit_list.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/writers.h"
#include "engine/recipe/parameters.h"
#include "engine/results/snapshot.h"
#include "gui/app/end_signals.h"
#include "gui/controllers/project_controller.h"
#include "gui/panels/align_panel.h"
#include "gui/panels/data_panel.h"
#include "gui/panels/log_panel.h"
#include "gui/panels/measures_panel.h"
#include "tests/gui/app/window_fixture.h"
#include "tests/support/pipeline_run.h"

#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <csignal>
#include <stdexcept>
#include <sys/stat.h>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

const Edits& editsOf(WindowFixture& f) {
    return f.window.parameters().recipe().edits;
}

/// Deletes the points on one side of a plane, as a step of the history.
void deleteSome(WindowFixture& f, double x = 5) {
    Recipe recipe = f.window.parameters().recipe();
    recipe.edits.selection.steps = {stepOf(SetOperation::replace, HalfSpaceRegion{{x, 0, 0}, {1, 0, 0}})};
    recipe.edits = withLayer(std::move(recipe.edits), RemoveAction{}, "Delete what lies beyond");
    emit f.window.parameters().row("voxel_size")->edited(recipe);
}

void measure(WindowFixture& f) {
    emit f.window.findChild<MeasuresPanel*>()->edited({{MeasureKind::point, "door", {{{1, 2, 3}}}, 0, true}});
}

/// Completes the next save dialog. An empty path cancels it.
void saveTo(const QString& path) {
    auto* look =
        // a timer, because a nested event loop would keep a dialog that opens within it from returning
        new QTimer(qApp);
    look->setInterval(20);
    QObject::connect(look, &QTimer::timeout, qApp, [look, path, tries = 0]() mutable {
        auto* ask = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (!ask && ++tries < 500)
            return;
        look->stop();
        look->deleteLater();
        QVERIFY(ask);
        if (path.isEmpty())
            return ask->reject();
        ask->findChild<QLineEdit*>("fileNameEdit")->setText(path);
        QMetaObject::invokeMethod(ask, "accept");
    });
    look->start();
}

QString folderOfAutosaves() {
    return ScratchSettings::data().filePath("autosave");
}
QStringList autosaves() {
    return QDir(folderOfAutosaves()).entryList({"*.json"}, QDir::Files, QDir::Name);
}

} // namespace

class TestWindowUnsaved : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;
    QString path(const char* name) const { return m_settings.path(QString::fromLatin1(name)); }
    bool open(WindowFixture& f, const char* name) const {
        f.window.open({path(name)});
        return f.isShown() && waitFor(f, name);
    }
    static bool waitFor(WindowFixture& f, const char* name) {
        return QTest::qWaitFor([&] { return f.snapshot() && f.snapshot()->cloud->path.ends_with(name); },
                               20'000) &&
               f.waitForWhole();
    }
    /// Waits for an offer to restore work.
    static bool isOffered(WindowFixture& f) {
        return QTest::qWaitFor([&] { return f.child<QPushButton>("offer")->isVisible(); }, 10'000);
    }
    /// Simulates the crash of a window, which leaves its autosave.
    void leaveBehind(const QString& scans) const {
        WindowFixture f;
        f.window.open({scans}, SeveralAs::clouds);
        QVERIFY(f.isShown() && f.waitForWhole());
        deleteSome(f);
        f.window.project().autosave();
    }
    static bool goTo(WindowFixture& f, int scan) {
        f.window.playlist().show(scan);
        return QTest::qWaitFor([&] { return f.window.playlist().shown() == scan; }, 20'000) &&
               f.waitForWhole();
    }

private slots:
    void initTestCase() {
        QDir().mkpath(path("scans"));
        for (int i = 0; i < 3; ++i) {
            synth::ScanParams params;
            params.points = 20'000;
            params.seed = std::uint64_t(i + 1);
            writeCloud(path("scans").toStdString() + "/" + std::to_string(i) + ".ply",
                       syntheticCloud(params, false, {}, {}), {}, {});
        }
    }
    void cleanup() { ScratchSettings::forgetAutosaves(); }

    void quittingAsksAboutEdits() {
        WindowFixture f;
        QVERIFY(open(f, "scans/0.ply"));
        QVERIFY(!f.window.isWindowModified());
        deleteSome(f);
        QVERIFY(f.window.isWindowModified());
        QString question;
        f.answer(QMessageBox::Cancel, &question);
        QVERIFY(!f.window.close());
        QVERIFY2(question.contains("0.ply has unsaved work: edits."), qPrintable(question));
        QCOMPARE(editsOf(f).layers.size(), std::size_t(1));
        f.answer(QMessageBox::Save);
        QTimer::singleShot(100, qApp, [] { saveTo({}); });
        QVERIFY(!f.window.close()); // without a name, nothing is saved
        f.answer(QMessageBox::Save);
        QTimer::singleShot(100, qApp, [this] { saveTo(path("no such folder/kept.json")); });
        QTimer::singleShot(1500, qApp, [] { // a dialog reports that there is no project
            while (QWidget* dialog = QApplication::activeModalWidget())
                qobject_cast<QDialog*>(dialog)->reject();
        });
        QVERIFY(!f.window.close());
        f.answer(QMessageBox::Save);
        QTimer::singleShot(100, qApp, [this] { saveTo(path("kept.json")); });
        QVERIFY(f.window.close());
        QCOMPARE(readProject(path("kept.json").toStdString()).recipe->edits.layers.size(), std::size_t(1));
        QVERIFY(QTest::qWaitFor([] { return autosaves().isEmpty(); }, 5000));
    }

    void undoneWorkIsNotAskedAbout() {
        WindowFixture f;
        QVERIFY(open(f, "scans/0.ply"));
        deleteSome(f);
        QVERIFY(f.window.isWindowModified());
        f.action("Undo Delete what lies beyond")->trigger();
        QVERIFY(!f.window.isWindowModified());
        QVERIFY(f.window.close());
    }

    void parametersAndMeasuresAreNotAskedAbout() {
        WindowFixture f;
        QVERIFY(open(f, "scans/0.ply"));
        Recipe recipe = f.window.parameters().recipe();
        setFromText(recipe, parameter("voxel_size"), "0.5");
        emit f.window.parameters().row("voxel_size")->edited(recipe);
        measure(f); // stored with the scan
        QVERIFY(!f.window.isWindowModified());
        QVERIFY(f.window.close());
        ScratchSettings::forgetMeasures();
    }

    void otherScansAreOpenedAfterAQuestion_data() {
        QTest::addColumn<QString>("way");
        for (const char* way : {"file", "folder", "project", "sample", "drop", "recent"})
            QTest::newRow(way) << way;
    }
    void otherScansAreOpenedAfterAQuestion() {
        QFETCH(QString, way);
        Project project;
        project.scans = {{path("scans/1.ply").toStdString()}};
        writeProject(path("other.json").toStdString(), project);
        WindowFixture f;
        QVERIFY(open(f, "scans/1.ply")); // added to the recent files
        QVERIFY(open(f, "scans/0.ply"));
        deleteSome(f);
        QVERIFY(f.waitForWhole());
        const auto openOther = [&] {
            if (way == "file")
                f.window.open({path("scans/1.ply")});
            else if (way == "folder")
                f.window.open({path("scans")}, SeveralAs::clouds);
            else if (way == "project")
                f.window.open({path("other.json")});
            else if (way == "sample")
                f.action("Open Sample Scan")->trigger();
            else if (way == "drop")
                f.drop(path("scans/1.ply"));
            else
                f.action(path("scans/1.ply"))->trigger();
        };
        QString question;
        f.answer(QMessageBox::Cancel, &question);
        openOther();
        QVERIFY2(question.contains("unsaved work: edits"), qPrintable(question));
        QVERIFY(!f.window.isBusy());
        QCOMPARE(editsOf(f).layers.size(), std::size_t(1));
        f.answer(QMessageBox::Discard, &question);
        openOther();
        QVERIFY(QTest::qWaitFor([&] { return editsOf(f).layers.empty(); }, 20'000));
        QVERIFY(f.waitForWhole());
        QVERIFY(!f.window.isWindowModified());
        QVERIFY(!f.child<QPushButton>("offer")->isVisible());
        f.window.project().autosave();
        QVERIFY(f.window.close());
        QVERIFY(QTest::qWaitFor([] { return autosaves().isEmpty(); }, 5000)); // the work was discarded
    }

    void aDropIsOverBeforeTheQuestion() {
        WindowFixture f;
        QVERIFY(open(f, "scans/0.ply"));
        deleteSome(f);
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path("scans/1.ply"))});
        QDragEnterEvent enter({700, 400}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&f.window, &enter);
        QDropEvent event({700, 400}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        // without the dialog's answer, this call would not return
        QCoreApplication::sendEvent(&f.window, &event);
        QString question;
        f.answer(QMessageBox::Cancel, &question);
        QCoreApplication::sendPostedEvents(&f.window, QEvent::MetaCall);
        QVERIFY2(question.contains("unsaved work"), qPrintable(question));
        QCOMPARE(editsOf(f).layers.size(), std::size_t(1));
    }

    void editsOfAGeneratedScanAreAskedAbout() {
        WindowFixture f;
        f.openSample();
        QVERIFY(f.isShown() && f.waitForWhole());
        deleteSome(f);
        QVERIFY(f.window.isWindowModified());
        QString question;
        f.answer(QMessageBox::Cancel, &question);
        QVERIFY(!f.window.close());
        QVERIFY2(question.contains("unsaved work: edits"), qPrintable(question));
        f.answer(QMessageBox::Save);
        QTimer::singleShot(100, qApp, [this] { saveTo(path("generated.json")); });
        QVERIFY(f.window.close());
        const Project saved = readProject(path("generated.json").toStdString());
        QVERIFY(saved.scans.front().sample == synth::ScanParams{.points = 100'000});
        QCOMPARE(saved.recipe->edits.layers.size(), std::size_t(1));
    }

    /// Work on a generated scan is stored by the scan's parameters, as work on files is by their paths.
    void unsavedWorkOnAGeneratedScanIsOfferedAgain() {
        {
            WindowFixture f;
            f.openSample(30'000);
            QVERIFY(f.isShown() && f.waitForWhole());
            deleteSome(f);
            f.window.project().autosave();
        } // simulates a crash
        WindowFixture f;
        f.openSample(40'000);
        QVERIFY(f.isShown() && f.waitForWhole());
        QVERIFY(!f.child<QPushButton>("offer")->isVisible());
        f.openSample(30'000);
        QVERIFY(QTest::qWaitFor([&] { return f.snapshot()->cloud->size() == 30'000; }, 20'000));
        QVERIFY(isOffered(f));
        f.child<QPushButton>("offer")->click();
        QVERIFY(QTest::qWaitFor([&] { return editsOf(f).layers.size() == 1; }, 20'000));
        QVERIFY(f.waitForWhole());
        QCOMPARE(f.snapshot()->cloud->size(), std::size_t(30'000));
    }

    void editsInARecipeFileAreNotAskedAbout() {
        const QString file = path("edits.recipe.json");
        {
            WindowFixture f;
            QVERIFY(open(f, "scans/0.ply"));
            deleteSome(f);
            QVERIFY(f.waitForWhole());
            saveTo(file);
            f.action("Save Recipe As…")->trigger();
            QVERIFY(QFile::exists(file));
            QVERIFY(!f.window.isWindowModified());
            QVERIFY(f.window.close());
        }
        WindowFixture f;
        QVERIFY(open(f, "scans/0.ply"));
        f.drop(file);
        QVERIFY(f.waitForWhole());
        QCOMPARE(editsOf(f).layers.size(), std::size_t(1));
        QVERIFY(!f.window.isWindowModified());
        deleteSome(f, 3);
        QVERIFY(f.window.isWindowModified());
    }

    void posesAreAskedAboutUntilAFileHasThem() {
        WindowFixture f;
        f.window.open({path("scans")}, SeveralAs::place);
        QVERIFY(f.isShown() && f.waitForWhole());
        RigidTransform moved;
        moved.translation = {1, 2, 3};
        f.window.playlist().showTogether(Playlist::Poses(3, moved), Playlist::Verdicts(3));
        QVERIFY(f.waitForWhole());
        QVERIFY(f.window.isWindowModified());
        QString question;
        f.answer(QMessageBox::Cancel, &question);
        QVERIFY(!f.window.close());
        QVERIFY2(question.contains("unsaved work: poses"), qPrintable(question));
        QFile file(path("poses.txt"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        for (int i = 0; i < 3; ++i)
            file.write("1 0 0 4 0 1 0 5 0 0 1 6\n");
        file.close();
        f.window.alignment().loadPoses(file.fileName());
        QVERIFY(f.waitForWhole());
        QVERIFY(!f.window.isWindowModified());
        QVERIFY(f.window.close());
    }

    /// The window is destroyed by an exception.
    void anExceptionLeavesTheAutosave() {
        try {
            WindowFixture f;
            QVERIFY(open(f, "scans/0.ply"));
            deleteSome(f);
            f.window.project().autosave();
            throw std::runtime_error("as a fault in an event handler");
        } catch (const std::runtime_error&) {
        }
        QCOMPARE(autosaves().size(), 1);
        {
            WindowFixture f; // work on other scans is not offered
            f.openSample();
            QVERIFY(f.isShown() && f.waitForWhole());
            QVERIFY(!f.child<QPushButton>("offer")->isVisible());
            QVERIFY(open(f, "scans/1.ply"));
            QVERIFY(!f.child<QPushButton>("offer")->isVisible());
            f.window.open({path("scans/0.ply")});
            QVERIFY(waitFor(f, "scans/0.ply"));
            auto* offer = f.child<QPushButton>("offer");
            QVERIFY(isOffered(f));
            QVERIFY2(f.window.messages().text().contains("unsaved work"),
                     qPrintable(f.window.messages().text()));
            keepPicture(f.window, "offer");
            QVERIFY(editsOf(f).layers.empty());
            offer->click();
            QVERIFY(QTest::qWaitFor([&] { return editsOf(f).layers.size() == 1; }, 20'000));
            QVERIFY(f.waitForWhole());
            QVERIFY(f.window.isWindowModified());
            QVERIFY(f.action("Undo Delete what lies beyond"));
            f.answer(QMessageBox::Discard);
            QVERIFY(f.window.close());
        }
        QVERIFY(QTest::qWaitFor([] { return autosaves().isEmpty(); }, 5000));
    }

    void unsavedWorkOnAProjectIsOfferedWithIt() {
        const QString project = path("crashed.json");
        {
            WindowFixture f;
            QVERIFY(open(f, "scans/0.ply"));
            QVERIFY(f.window.project().saveProjectTo(project));
            deleteSome(f);
            f.window.project().autosave();
        } // simulates a crash
        WindowFixture f;
        f.window.open({project});
        QVERIFY(f.isShown() && f.waitForWhole());
        QVERIFY(editsOf(f).layers.empty());
        QVERIFY(isOffered(f));
        f.child<QPushButton>("offer")->click();
        QVERIFY(QTest::qWaitFor([&] { return editsOf(f).layers.size() == 1; }, 20'000));
        QVERIFY(f.waitForWhole());
        QVERIFY(f.window.windowTitle().startsWith("crashed.json: 0.ply"));
        QVERIFY(f.window.isWindowModified());
        f.answer(QMessageBox::Save); // saves the work to the project
        QVERIFY(f.window.close());
        QCOMPARE(readProject(project.toStdString()).recipe->edits.layers.size(), std::size_t(1));
    }

    void restoredWorkDoesNotReplaceAForeignFile_data() {
        QTest::addColumn<bool>("isProject");
        QTest::newRow("no project") << false;
        QTest::newRow("another project") << true;
    }
    void restoredWorkDoesNotReplaceAForeignFile() {
        QFETCH(bool, isProject);
        const QString project = path(isProject ? "other.json" : "foreign.json");
        {
            WindowFixture f;
            QVERIFY(open(f, "scans/0.ply"));
            QVERIFY(f.window.project().saveProjectTo(project));
            deleteSome(f);
            f.window.project().autosave();
        } // simulates a crash
        QFile file(project);
        QVERIFY(file.open(QIODevice::WriteOnly));
        Project other;
        other.scans = {{"/another/place.ply"}};
        const QByteArray content =
            isProject ? QByteArray::fromStdString(toJson(other, "/another")) : QByteArray("no project");
        file.write(content);
        file.close();
        WindowFixture f;
        QVERIFY(open(f, "scans/0.ply") && isOffered(f));
        f.child<QPushButton>("offer")->click();
        QVERIFY(QTest::qWaitFor([&] { return editsOf(f).layers.size() == 1; }, 20'000));
        QVERIFY(f.waitForWhole());
        QVERIFY(f.window.project().store().path().isEmpty());
        QVERIFY(f.window.isWindowModified());
        const QString restored = path(isProject ? "restored_beside.json" : "restored.json");
        saveTo(restored);
        f.action("Save Project")->trigger();
        QTRY_VERIFY(!f.window.project().store().isSaving());
        QCOMPARE(readProject(restored.toStdString()).recipe->edits.layers.size(), std::size_t(1));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), content);
    }

    /// The project's file was replaced by another program or by another project: Save asks for a name first.
    void aFileThatTookTheProjectsPlaceIsNotReplaced() {
        WindowFixture f;
        QVERIFY(open(f, "scans/0.ply"));
        const QString project = path("taken.json"), own = path("own.json");
        QVERIFY(f.window.project().saveProjectTo(project));
        deleteSome(f);
        f.action("Save Project")->trigger(); // the file is unchanged
        QTRY_VERIFY(!f.window.project().store().isSaving());
        QCOMPARE(readProject(project.toStdString()).recipe->edits.layers.size(), std::size_t(1));
        QFile(project).remove();
        QFile other(path("thesis.txt"));
        QVERIFY(other.open(QIODevice::WriteOnly));
        other.write("my thesis");
        other.close();
        QVERIFY(QFile::link(other.fileName(), project));
        saveTo(own);
        f.action("Save Project")->trigger();
        QTRY_VERIFY(!f.window.project().store().isSaving());
        QCOMPARE(readProject(own.toStdString()).recipe->edits.layers.size(), std::size_t(1));
        QVERIFY(other.open(QIODevice::ReadOnly));
        QCOMPARE(other.readAll(), QByteArray("my thesis"));
    }

    void autosavesWithAPipeAsLockAreNotOffered() {
        leaveBehind(path("scans/0.ply"));
        QCOMPARE(autosaves().size(), 1);
        const QString pipe = folderOfAutosaves() + "/." + autosaves().first() + ".lock";
        QCOMPARE(::mkfifo(qPrintable(pipe), 0600), 0);
        bool isFound = false;
        std::size_t found = 0;
        ProjectStore store(folderOfAutosaves());
        store.findLeftBehind([&](const ProjectStore::AllLeftBehind& all) {
            isFound = true;
            found = all.found.size();
        });
        QVERIFY(QTest::qWaitFor([&] { return isFound; }, 5000));
        QCOMPARE(found, std::size_t(0));
        QCOMPARE(autosaves().size(), 1);
    }

    void editsMadeWhileAnotherScanIsReadAreLeftBehind() {
        WindowFixture f;
        QVERIFY(open(f, "scans/0.ply"));
        f.window.open({path("scans/1.ply")}); // opens without a question, because there is no unsaved work
        deleteSome(f);
        QVERIFY(waitFor(f, "scans/1.ply"));
        QVERIFY(editsOf(f).layers.empty());
        QVERIFY2(f.window.messages().text().contains("0.ply had unsaved work: edits"),
                 qPrintable(f.window.messages().text()));
        QVERIFY(QTest::qWaitFor([] { return autosaves().size() == 1; }, 5000));
        f.window.open({path("scans/0.ply")});
        QVERIFY(waitFor(f, "scans/0.ply"));
        QVERIFY(isOffered(f));
        f.child<QPushButton>("offer")->click();
        QVERIFY(QTest::qWaitFor([&] { return editsOf(f).layers.size() == 1; }, 20'000));
    }

    void workOnAFolderIsOfferedWithAnyOfItsScans() {
        QDir().mkpath(path("some"));
        for (const char* name : {"0.ply", "1.ply", "2.ply"})
            QVERIFY(QFile::copy(path("scans/") + name, path("some/") + name));
        leaveBehind(path("some"));
        QVERIFY(QFile::remove(path("some/2.ply"))); // the folder of scans changes
        WindowFixture f;
        QVERIFY(open(f, "some/1.ply") && isOffered(f));
        QVERIFY2(f.window.messages().text().contains("0.ply and 2 more") &&
                     f.window.messages().text().contains("Missing scans: 2.ply"),
                 qPrintable(f.window.messages().text()));
        keepPicture(f.window, "offer_folder");
        f.child<QPushButton>("offerLater")->click();
        QVERIFY(!f.window.messages().isVisible());
        f.window.open({path("some")}, SeveralAs::clouds);
        QVERIFY(isOffered(f)); // the autosave was kept
        f.answer(QMessageBox::Cancel);
        f.child<QPushButton>("offer")->click();
        QVERIFY(isOffered(f));
        f.answer(QMessageBox::Ignore); // opens the existing scans
        f.child<QPushButton>("offer")->click();
        QVERIFY(QTest::qWaitFor([&] { return editsOf(f).layers.size() == 1; }, 20'000));
        QVERIFY(f.waitForWhole());
        QCOMPARE(f.window.playlist().size(), 3);
        f.answer(QMessageBox::Discard);
        QVERIFY(f.window.close());
    }

    void anOfferStaysWhenItsQuestionIsCancelled() {
        leaveBehind(path("scans/0.ply"));
        WindowFixture f;
        QVERIFY(open(f, "scans/0.ply") && isOffered(f));
        deleteSome(f, 3);
        QString question;
        f.answer(QMessageBox::Cancel, &question);
        f.child<QPushButton>("offer")->click();
        QVERIFY2(question.contains("unsaved work"), qPrintable(question));
        QVERIFY(isOffered(f));
    }

    void offersAreDiscardedAfterAQuestion() {
        leaveBehind(path("scans/0.ply"));
        WindowFixture f;
        QVERIFY(open(f, "scans/0.ply") && isOffered(f));
        f.answer(QMessageBox::Cancel);
        f.child<QPushButton>("offerDiscard")->click();
        QVERIFY(isOffered(f));
        f.window.project().offerRestore();
        QTest::qWait(300);
        QCOMPARE(autosaves().size(), 1);
        f.window.open({path("scans/1.ply")});
        QVERIFY(waitFor(f, "scans/1.ply"));
        f.window.open({path("scans/0.ply")});
        QVERIFY(waitFor(f, "scans/0.ply") && isOffered(f));
        QString question;
        f.answer(QMessageBox::Discard, &question);
        f.child<QPushButton>("offerDiscard")->click();
        QVERIFY2(question.contains("0.ply"), qPrintable(question));
        QVERIFY(QTest::qWaitFor([] { return autosaves().isEmpty(); }, 5000));
    }

    void autosavesWithoutWorkAreNeitherWrittenNorOffered() {
        leaveBehind(path("scans/0.ply"));
        {
            WindowFixture f;
            QVERIFY(open(f, "scans/1.ply"));
            f.window.project().autosave();
        }
        QCOMPARE(autosaves().size(), 1);
        Project project; // a project that is newer than the autosave
        project.scans = {{path("scans/2.ply").toStdString()}};
        writeProject((folderOfAutosaves() + "/9-9-9.json").toStdString(), project);
        WindowFixture f;
        f.window.project().offerRestore();
        auto* restore = f.child<QPushButton>("restore");
        QVERIFY(QTest::qWaitFor([&] { return !restore->text().isEmpty(); }, 5000));
        QCOMPARE(restore->text(), QString("Restore 0.ply"));
    }

    void anAutosaveEndsWithTheWork() {
        WindowFixture f;
        QVERIFY(open(f, "scans/0.ply"));
        deleteSome(f);
        f.window.project().autosave();
        QVERIFY(QTest::qWaitFor([] { return autosaves().size() == 1; }, 5000));
        QVERIFY(f.window.project().saveProjectTo(path("ended.json")));
        f.window.project().autosave();
        QVERIFY(QTest::qWaitFor([] { return autosaves().isEmpty(); }, 5000));
    }

    void autosavesThatCannotBeReadStay() {
        QDir().mkpath(folderOfAutosaves());
        Project project;
        project.scans = {{path("scans/0.ply").toStdString()}};
        writeProject((folderOfAutosaves() + "/1-1-3.json").toStdString(), project);
        for (const auto& [name, text] : {std::pair{"1-1-1.json", "{\"scanloupe_project\": 99}"},
                                         {"1-1-2.json", "{\"scanloupe_project\": 1, \"kind\": "}}) {
            QFile file(folderOfAutosaves() + '/' + name);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
        }
        for (const QString& name : autosaves()) {
            QFile file(folderOfAutosaves() + '/' + name);
            QVERIFY(file.open(QIODevice::ReadWrite));
            QVERIFY(file.setFileTime(QDateTime::currentDateTime().addDays(-60), QFile::FileModificationTime));
        }
        WindowFixture f;
        f.window.project().offerRestore();
        QVERIFY(QTest::qWaitFor([&] { return f.window.messages().isError(); }, 5000));
        QCOMPARE(autosaves().size(), 3);
        const QString text = f.window.messages().text();
        QVERIFY2(text.contains("was left in " + folderOfAutosaves()), qPrintable(text));
        QVERIFY2(!text.contains("json.exception"), qPrintable(text));
        const QString log = f.window.findChild<LogPanel*>()->text();
        QVERIFY2(log.contains("1-1-1.json") && log.contains("1-1-2.json"), qPrintable(log));
        f.window.messages().dismiss();
        QVERIFY(open(f, "scans/1.ply")); // the problem is reported once
        QTest::qWait(300);
        QVERIFY2(f.window.messages().isHidden(), qPrintable(f.window.messages().text()));
        WindowFixture other; // another window opens a scan first
        QVERIFY(open(other, "scans/1.ply"));
        QVERIFY(QTest::qWaitFor([&] { return other.window.messages().isError(); }, 5000));
        QVERIFY(other.window.messages().text().contains(".json can't be read"));
    }

    void cloudsOfAProjectKeepWhatWasMade() {
        {
            WindowFixture f;
            f.window.open({path("scans")}, SeveralAs::clouds);
            QVERIFY(f.isShown() && f.waitForWhole());
            deleteSome(f);
            measure(f);
            emit f.window.findChild<DataPanel*>()->referenceEdited({LengthUnit::inch, {}});
            QVERIFY(f.waitForWhole());
            QVERIFY(goTo(f, 1));
            QVERIFY(editsOf(f).layers.empty());
            QVERIFY(f.window.isWindowModified());
            QString question;
            f.answer(QMessageBox::Cancel, &question);
            QVERIFY(!f.window.close());
            QVERIFY2(question.contains("edits, measures, unit and coordinate system"), qPrintable(question));
            QVERIFY(f.window.project().saveProjectTo(path("clouds.json")));
            QVERIFY(!f.window.isWindowModified());
        }
        for (int i = 0; i < 2; ++i) {
            WindowFixture f;
            f.window.open({path("clouds.json")});
            QVERIFY(f.isShown() && f.waitForWhole());
            QCOMPARE(f.window.playlist().shown(), 1);
            QVERIFY(!f.window.isWindowModified());
            // saves without having shown the first scan
            f.window.project().saveProjectTo(path("clouds.json"));
        }
        WindowFixture f;
        f.window.open({path("clouds.json")});
        QVERIFY(f.isShown() && f.waitForWhole());
        QVERIFY(goTo(f, 0));
        QCOMPARE(editsOf(f).layers.size(), std::size_t(1));
        const Project project = readProject(path("clouds.json").toStdString());
        QCOMPARE(project.scans[0].measures.size(), std::size_t(1));
        f.window.project().saveProjectTo(path("clouds.json"));
        const Project again = readProject(path("clouds.json").toStdString());
        QCOMPARE(again.measures, project.scans[0].measures);
        QVERIFY(again.reference.unit == LengthUnit::inch);
    }

    void editsThatAreMadeWhileTheNextCloudIsReadStay() {
        WindowFixture f;
        f.window.open({path("scans")}, SeveralAs::clouds);
        QVERIFY(f.isShown() && f.waitForWhole());
        f.window.playlist().show(1);
        deleteSome(f);
        QVERIFY(QTest::qWaitFor([&] { return f.window.playlist().shown() == 1; }, 20'000));
        QVERIFY(f.waitForWhole() && goTo(f, 0));
        QCOMPARE(editsOf(f).layers.size(), std::size_t(1));
    }

    void framesKeepWhatWasMadeWhileTheyAreShownTogether() {
        const QString project = path("frames.json");
        {
            WindowFixture f;
            f.window.open({path("scans")}, SeveralAs::sequence);
            QVERIFY(f.isShown() && f.waitForWhole());
            deleteSome(f);
            measure(f);
            QVERIFY(f.waitForWhole());
            f.window.playlist().showTogether();
            QVERIFY(QTest::qWaitFor([&] { return f.window.playlist().isTogether(); }, 20'000));
            QVERIFY(f.waitForWhole());
            deleteSome(f, 3);
            deleteSome(f, 4);
            QVERIFY(f.window.project().saveProjectTo(project));
            QVERIFY(goTo(f, 2));
            QCOMPARE(editsOf(f).layers.size(), std::size_t(1));
            QCOMPARE(f.window.findChild<MeasuresPanel*>()->model()->measures().size(), std::size_t(1));
        }
        WindowFixture f;
        f.window.open({project});
        QVERIFY(f.isShown() && f.waitForWhole());
        QVERIFY(f.window.playlist().isTogether());
        QCOMPARE(editsOf(f).layers.size(), std::size_t(2));
        QVERIFY(goTo(f, 1));
        QCOMPARE(editsOf(f).layers.size(), std::size_t(1));
        QVERIFY(f.window.project().saveProjectTo(project));
        QCOMPARE(readProject(project.toStdString()).together->recipe->edits.layers.size(), std::size_t(2));
    }

    void damagedMeasuresAreNotReplaced() {
        {
            WindowFixture f;
            QVERIFY(open(f, "scans/2.ply"));
            measure(f);
        }
        const QDir folder(ScratchSettings::data().filePath("measures"));
        QCOMPARE(folder.entryList({"*.json"}).size(), 1);
        const QString kept = folder.filePath(folder.entryList({"*.json"}).first());
        QFile file(kept);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"scanloupe_project\": 99}");
        file.close();
        WindowFixture f;
        QVERIFY(open(f, "scans/2.ply"));
        QVERIFY2(f.window.messages().text().contains("can't be read; their file"),
                 qPrintable(f.window.messages().text()));
        measure(f);
        QVERIFY(f.window.isWindowModified()); // the measures are in no file
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("{\"scanloupe_project\": 99}"));
        ScratchSettings::forgetMeasures();
    }

    void signalsThatEndProgramsArePassedOn() {
        EndSignals signals_;
        QSignalSpy received(&signals_, &EndSignals::received);
        ::raise(SIGTERM);
        QVERIFY(received.wait(5000));
        QCOMPARE(received[0][0].toInt(), SIGTERM);
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowUnsaved)
#include "test_window_unsaved.moc"
