// Saving work during concurrent events: other openings, windows and dialogs.
#include "engine/cloud/point_cloud.h"
#include "engine/edit/edit_list.h"
#include "engine/io/common/input_file.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/writers.h"
#include "engine/recipe/recipe_file.h"
#include "engine/results/snapshot.h"
#include "gui/controllers/measure_controller.h"
#include "gui/controllers/project_controller.h"
#include "gui/jobs/store/project_store.h"
#include "gui/panels/log_panel.h"
#include "gui/panels/measures_panel.h"
#include "tests/gui/app/slow_file.h"
#include "tests/gui/app/window_fixture.h"
#include "tests/support/pipeline_run.h"

#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

const Edits& editsOf(WindowFixture& f) {
    return f.window.parameters().recipe().edits;
}

/// Deletes the points on one side of a plane, as a step of the history.
void deleteSome(WindowFixture& f) {
    Recipe recipe = f.window.parameters().recipe();
    recipe.edits.selection.steps = {stepOf(SetOperation::replace, HalfSpaceRegion{{5, 0, 0}, {1, 0, 0}})};
    recipe.edits = withLayer(std::move(recipe.edits), RemoveAction{}, "Delete what lies beyond");
    emit f.window.parameters().row("voxel_size")->edited(recipe);
}

/// Sets the measures to points with these names.
void measure(WindowFixture& f, const std::vector<std::string>& names, bool areVisible = true) {
    MeasureList measures;
    for (const std::string& name : names)
        measures.push_back({MeasureKind::point, name, {{{1, 2, 3}}}, 0, areVisible});
    emit f.window.findChild<MeasuresPanel*>()->edited(measures);
}

bool shows(WindowFixture& f, const char* name) {
    return f.snapshot() && f.snapshot()->cloud->path.ends_with(name) && f.snapshot()->cloud->size() > 0;
}
bool waitFor(WindowFixture& f, const char* name) {
    return QTest::qWaitFor([&] { return shows(f, name); }, 20'000) && f.waitForWhole();
}

QString folderOfAutosaves() {
    return ScratchSettings::data().filePath("autosave");
}
QStringList autosaves() {
    return QDir(folderOfAutosaves()).entryList({"*.json"}, QDir::Files, QDir::Name);
}

/// Enters a path into the dialog for saving, after `first`.
void saveTo(const QString& path, const std::function<void()>& first = nullptr) {
    QTimer::singleShot(0, qApp, [path, first] {
        QVERIFY(QTest::qWaitFor(
            [] { return qobject_cast<QFileDialog*>(QApplication::activeModalWidget()) != nullptr; }, 10'000));
        auto* ask = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (first)
            first();
        ask->findChild<QLineEdit*>("fileNameEdit")->setText(path);
        QMetaObject::invokeMethod(ask, "accept");
    });
}

} // namespace

class TestWindowSaving : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;
    QString path(const char* name) const { return m_settings.path(QString::fromLatin1(name)); }
    bool open(WindowFixture& f, const char* name) const {
        f.window.open({path(name)});
        return f.isShown() && waitFor(f, name);
    }

private slots:
    void initTestCase() {
        for (int i = 0; i < 2; ++i) {
            synth::ScanParams params;
            params.points = 20'000;
            params.seed = std::uint64_t(i + 1);
            writeCloud(path("").toStdString() + "/" + std::to_string(i) + ".ply",
                       syntheticCloud(params, false, {}, {}), {}, {});
        }
    }

    /// An opened scan is visible and its edits can be undone, even if they removed everything.
    void emptiedScansAreOpenedAgain() {
        const QString project = path("emptied.json");
        {
            WindowFixture f;
            QVERIFY(open(f, "0.ply"));
            Recipe recipe = f.window.parameters().recipe();
            recipe.edits.selection.steps = {stepOf(SetOperation::replace, InvertRegion{})};
            recipe.edits = withLayer(std::move(recipe.edits), RemoveAction{}, "Delete all");
            recipe.edits.selection = {};
            emit f.window.parameters().row("voxel_size")->edited(recipe);
            QVERIFY(QTest::qWaitFor([&] { return f.window.messages().text().contains("removed all points"); },
                                    20'000));
            QVERIFY(f.window.project().saveProjectTo(project));
        }
        WindowFixture f;
        f.window.open({project});
        QVERIFY(waitFor(f, "0.ply"));
        QCOMPARE(editsOf(f).layers.size(), std::size_t(1));
        QVERIFY(QTest::qWaitFor([&] { return f.window.messages().text().contains("are hidden"); }, 5'000));
        QVERIFY(editsOf(f).layers[0]->isHidden);
        QVERIFY(f.window.findChild<LogPanel*>()->text().contains("are hidden"));
    }

    void cleanup() {
        ScratchSettings::forgetAutosaves();
        ScratchSettings::forgetMeasures();
    }

    void aProjectThatIsOpenedAgainIsReadAfterItWasSaved() {
        WindowFixture f;
        QVERIFY(open(f, "0.ply"));
        QVERIFY(f.window.project().saveProjectTo(path("again.json")));
        deleteSome(f);
        QVERIFY(f.waitForWhole());
        const auto before = f.snapshot()->input;
        f.answer(QMessageBox::Save);
        f.window.open({path("again.json")});
        QVERIFY(QTest::qWaitFor([&] { return f.snapshot()->input != before; }, 20'000));
        QVERIFY(f.waitForWhole());
        QCOMPARE(editsOf(f).layers.size(), std::size_t(1));
        QVERIFY(!f.window.isWindowModified());
    }

    void aScanThatIsOpenedWhileItsProjectIsReadIsNoProject() {
        {
            WindowFixture f;
            QVERIFY(open(f, "0.ply"));
            deleteSome(f);
            QVERIFY(f.waitForWhole() && f.window.project().saveProjectTo(path("slow.json")));
        }
        WindowFixture f;
        f.window.open({path("slow.json")});
        QVERIFY(open(f, "0.ply"));
        QVERIFY(editsOf(f).layers.empty());
        QCOMPARE(f.window.project().store().path(), QString());
        f.window.open({path("slow.json")});
        QVERIFY(QTest::qWaitFor([&] { return editsOf(f).layers.size() == 1; }, 20'000));
        QVERIFY(f.waitForWhole());
        QCOMPARE(f.window.project().store().path(), path("slow.json"));
    }

    void pathsOfProjectsOutliveTheWorkingDirectory() {
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(path("")));
        {
            WindowFixture f;
            QVERIFY(open(f, "0.ply"));
            QVERIFY(f.window.project().saveProjectTo("named.json"));
            QCOMPARE(f.window.project().store().path(), path("named.json"));
        }
        WindowFixture f;
        f.window.project().openProject("named.json");
        QVERIFY(f.isShown() && waitFor(f, "0.ply"));
        QCOMPARE(f.window.project().store().path(), path("named.json"));
        QVERIFY(QDir::setCurrent(before));
    }

    void aScanThatComesDuringTheQuestionIsNotSavedInsteadOfTheOther() {
        WindowFixture f;
        QVERIFY(open(f, "0.ply"));
        f.window.open({path("1.ply")});
        deleteSome(f);
        QTimer::singleShot(0, qApp, [&] {
            QVERIFY(QTest::qWaitFor([&] { return shows(f, "1.ply"); }, 20'000));
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            QVERIFY(box);
            saveTo(path("asked.json"));
            box->button(QMessageBox::Save)->click();
        });
        QVERIFY(f.window.close());
        const Project saved = readProject(path("asked.json").toStdString());
        QCOMPARE(saved.scans.front().path.filename().string(), std::string("0.ply"));
        QCOMPARE(saved.recipe->edits.layers.size(), std::size_t(1));
    }

    void aScanThatComesWhileARecipeIsSavedIsUnchanged() {
        WindowFixture f;
        QVERIFY(open(f, "0.ply"));
        deleteSome(f);
        QVERIFY(f.waitForWhole());
        saveTo(path("asked.recipe.json"), [&] {
            f.answer(QMessageBox::Discard);
            f.window.open({path("1.ply")});
            QVERIFY(QTest::qWaitFor([&] { return shows(f, "1.ply"); }, 20'000));
        });
        f.action("Save Recipe As…")->trigger();
        QVERIFY(QFile::exists(path("asked.recipe.json")));
        QVERIFY(waitFor(f, "1.ply"));
        QVERIFY(!f.window.isWindowModified());
        QVERIFY(f.window.close());
    }

    void noOutputReplacesTheRecipesFileOrAScanThroughALink() {
        const QString recipe = path("used.json"), link = path("report.log");
        WindowFixture f;
        QVERIFY(open(f, "0.ply"));
        writeRecipe(recipe.toStdString(), f.window.parameters().recipe());
        f.drop(recipe);
        QVERIFY(f.waitForWhole());
        for (const QString& file : {recipe, path("0.ply")}) {
            const std::string before = readSmallFile(rawPath(file), 1 << 24);
            QFile::remove(link);
            QVERIFY(QFile::link(file, link));
            saveTo(link, [] { WindowFixture::answer(QMessageBox::Save); });
            f.window.findChild<LogPanel*>()->save(); // saves the log
            QVERIFY2(f.window.messages().text().contains("would overwrite an input file"),
                     qPrintable(f.window.messages().text()));
            QVERIFY(readSmallFile(rawPath(file), 1 << 24) == before);
            QVERIFY(QFileInfo(link).isSymLink());
        }
        saveTo(recipe, [] { WindowFixture::answer(QMessageBox::Save); });
        f.action("Save Recipe As…")->trigger(); // the recipe's own file may be replaced
        QVERIFY2(f.window.messages().text().startsWith("Written"), qPrintable(f.window.messages().text()));
    }

    void aRecipeWithEditsThatIsUndoneLeavesNoUnsavedWork() {
        WindowFixture f;
        QVERIFY(open(f, "0.ply"));
        deleteSome(f);
        QVERIFY(f.waitForWhole());
        saveTo(path("undone.recipe.json"));
        f.action("Save Recipe As…")->trigger();
        QVERIFY(!f.window.isWindowModified());
        QVERIFY(open(f, "1.ply"));
        f.drop(path("undone.recipe.json"));
        QVERIFY(f.waitForWhole());
        QCOMPARE(editsOf(f).layers.size(), std::size_t(1));
        QVERIFY(!f.window.isWindowModified());
        for (QAction* action : f.window.findChildren<QAction*>())
            if (action->shortcuts().contains(QKeySequence(QKeySequence::Undo)))
                action->trigger();
        QVERIFY(f.waitForWhole());
        QVERIFY(editsOf(f).layers.empty());
        QVERIFY(!f.window.isWindowModified());
    }

    void measuresOfAnotherWindowAreNotReplaced() {
        WindowFixture a;
        QVERIFY(open(a, "0.ply"));
        measure(a, {"door"});
        QTRY_VERIFY(!a.window.measuring().store().isKeeping());
        {
            WindowFixture b;
            QVERIFY(open(b, "0.ply"));
            measure(a, {"door", "wall"});
            QTRY_VERIFY(!a.window.measuring().store().isKeeping());
            QVERIFY(!b.window.isWindowModified());
            measure(b, {"door", "roof"});
            QTRY_VERIFY(b.window.isWindowModified()); // the measures of b are in no file
            QVERIFY2(b.window.messages().text().contains("another window"),
                     qPrintable(b.window.messages().text()));
            measure(b, {}); // does not remove the measures of the other window
        }
        measure(a, {"door", "wall", "gate"});
        QTRY_VERIFY(!a.window.measuring().store().isKeeping());
        QVERIFY(!a.window.isWindowModified());
        WindowFixture c;
        QVERIFY(open(c, "0.ply"));
        QCOMPARE(c.window.findChild<MeasuresPanel*>()->model()->measures().size(), std::size_t(3));
    }

    void measuresMadeAfterTheProjectWasSavedAreUnsaved() {
        WindowFixture f;
        QVERIFY(open(f, "0.ply"));
        measure(f, {"door"});
        QVERIFY(f.window.project().saveProjectTo(path("measures.json")));
        QVERIFY(!f.window.isWindowModified());
        f.window.open({path("1.ply")});
        measure(f, {"door", "wall"});
        QVERIFY(waitFor(f, "1.ply"));
        QVERIFY2(f.window.messages().text().contains("had unsaved work: measures"),
                 qPrintable(f.window.messages().text()));
    }

    void workThatCannotBeLeftBehindIsOfferedFromTheMemory() {
        WindowFixture f;
        QVERIFY(open(f, "0.ply"));
        ScratchSettings::forgetAutosaves();
        QFile blocked(folderOfAutosaves()); // a file in place of the folder for autosaves
        QVERIFY(blocked.open(QIODevice::WriteOnly));
        f.window.open({path("1.ply")});
        deleteSome(f);
        QVERIFY(waitFor(f, "1.ply"));
        auto* offer = f.child<QPushButton>("offer");
        QVERIFY2(QTest::qWaitFor(
                     [&] {
                         return offer->isVisible() &&
                                f.window.messages().text().contains("could not be stored");
                     },
                     5000),
                 qPrintable(f.window.messages().text()));
        QVERIFY(blocked.remove());
        f.window.project().autosave(); // tries to save again
        QVERIFY(QTest::qWaitFor([] { return autosaves().size() == 1; },
                                5000)); // there is no autosave for 1.ply, which has no unsaved work
        offer->click();
        QVERIFY(QTest::qWaitFor([&] { return editsOf(f).layers.size() == 1; }, 20'000));
        QVERIFY(waitFor(f, "0.ply"));
        QVERIFY(f.window.isWindowModified());
    }

    void workThatIsOlderThanItsProjectSaysSo() {
        {
            WindowFixture f;
            QVERIFY(open(f, "0.ply"));
            QVERIFY(f.window.project().saveProjectTo(path("later.json")));
            deleteSome(f);
            f.window.project().autosave();
        } // simulates a crash
        QCOMPARE(autosaves().size(), 1);
        QFile file(folderOfAutosaves() + '/' + autosaves().first());
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.setFileTime(QDateTime::currentDateTime().addDays(-1), QFile::FileModificationTime));
        file.close();
        WindowFixture f;
        f.window.open({path("later.json")});
        QVERIFY(f.isShown() && waitFor(f, "0.ply"));
        QVERIFY2(
            QTest::qWaitFor([&] { return f.window.messages().text().contains("saved again later"); }, 10'000),
            qPrintable(f.window.messages().text()));
    }

    void anOfferComesBackAfterOtherMessages() {
        WindowFixture f;
        QVERIFY(open(f, "0.ply"));
        auto* offer = f.child<QPushButton>("offer");
        MessageBar& messages = f.window.messages();
        int taken = 0;
        messages.showOffer("There is older work.", "Restore", [&] { ++taken; });
        messages.showNote("Written.");
        messages.showError("It failed.", "Try again.");
        QVERIFY(!offer->isVisible());
        messages.dismiss();
        QVERIFY(offer->isVisible());
        QCOMPARE(messages.text(), QString("There is older work."));
        offer->click();
        QCOMPARE(taken, 1);
        messages.showNote("Written.");
        messages.dismiss();
        QVERIFY(!messages.isVisible());
    }

    void discardedWorkHasNoAutosaveWhileAGeneratedScanIsOpen() {
        WindowFixture f;
        QVERIFY(open(f, "0.ply"));
        deleteSome(f);
        f.window.project().autosave();
        QVERIFY(QTest::qWaitFor([] { return autosaves().size() == 1; }, 5000));
        f.answer(QMessageBox::Discard);
        f.openSample();
        QVERIFY(QTest::qWaitFor([&] { return editsOf(f).layers.empty(); }, 20'000) && f.waitForWhole());
        QVERIFY(QTest::qWaitFor([] { return autosaves().isEmpty(); }, 5000));
    }

    void editsOfAGeneratedScanThatAreDroppedAreNamed() {
        WindowFixture f;
        f.openSample();
        QVERIFY(f.isShown() && f.waitForWhole());
        f.window.open({path("0.ply")});
        deleteSome(f);
        QVERIFY(waitFor(f, "0.ply"));
        QVERIFY2(f.window.messages().text().contains("had unsaved work: edits"),
                 qPrintable(f.window.messages().text()));
    }

    void theWindowAnswersWhileAProjectIsWritten() {
        SlowFile slow(path("slow pipe.json"));
        WindowFixture f;
        QVERIFY(open(f, "0.ply"));
        deleteSome(f);
        QVERIFY(f.waitForWhole());
        QString said;
        QTimer wait; // polls for the "please wait" dialog of the window
        connect(&wait, &QTimer::timeout, this, [&] {
            if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
                said = box->text();
                wait.stop();
                slow.goOn();
            }
        });
        wait.start(20);
        QVERIFY(f.window.project().saveProjectTo(slow.path));
        QVERIFY2(said.contains("still being written"), qPrintable(said));
        QVERIFY(!f.window.isWindowModified());
        QCOMPARE(projectFromJson(slow.written(), rawPath(path(""))).recipe->edits.layers.size(),
                 std::size_t(1));

        deleteSome(f);
        QVERIFY(f.waitForWhole() && f.window.isWindowModified());
        f.action("Save Project")->trigger();
        QVERIFY(f.window.project().store().isSaving() && f.window.isWindowModified());
        said.clear();
        f.losePatience(false, &said);
        QVERIFY(!f.window.close()); // closing is refused while the project is being written
        QVERIFY2(said.contains("still being written"), qPrintable(said));
        slow.goOn();
        QVERIFY(f.window.close()); // closes without a question, because everything is saved
        QVERIFY(!f.window.isWindowModified());
        QCOMPARE(projectFromJson(slow.written(), rawPath(path(""))).recipe->edits.layers.size(),
                 std::size_t(2));
    }

    void failedSavesLeaveTheWorkUnsaved() {
        WindowFixture f;
        QVERIFY(open(f, "0.ply"));
        deleteSome(f);
        QVERIFY(f.waitForWhole());
        QVERIFY(!f.window.project().saveProjectTo(path("no such folder/kept.json")));
        QVERIFY(f.window.messages().isError() && f.window.isWindowModified());
        QCOMPARE(f.window.project().store().path(), QString());
        f.answer(QMessageBox::Discard);
        QVERIFY(f.window.close());
    }

    void aWindowThatIsClosedTellsThatItsProjectCannotBeWritten() {
        const QString folder = path("gone");
        QVERIFY(QDir().mkpath(folder));
        WindowFixture f;
        QVERIFY(open(f, "0.ply"));
        QVERIFY(f.window.project().saveProjectTo(folder + "/kept.json"));
        QVERIFY(QDir(folder).removeRecursively());
        f.action("Save Project")->trigger();
        QVERIFY(f.window.project().store().isSaving() && !f.window.isWindowModified());
        QVERIFY(!f.window.close());
        QVERIFY2(f.window.messages().isError(), qPrintable(f.window.messages().text()));
        // closes without a question: the problem was shown, and the work is unchanged
        QVERIFY(f.window.close());
    }

    void aProjectIsLockedUnderEachOfItsNames() {
        WindowFixture f;
        QVERIFY(open(f, "0.ply"));
        QVERIFY(f.window.project().saveProjectTo(path("locked.json")));
        QVERIFY(QFile::link(path("locked.json"), path("link.json")));
        ProjectStore other(folderOfAutosaves());
        other.take(path("link.json"), {});
        QVERIFY(other.isLocked());
    }

    void aProjectKeepsFewerStepsWithManyMeasures() {
        WindowFixture f;
        QVERIFY(open(f, "0.ply"));
        std::vector<std::string> names(4000, "point");
        for (int i = 0; i < 40; ++i) {
            names.push_back("point");
            measure(f, names, false);
        }
        QVERIFY(f.window.project().saveProjectTo(path("many.json")));
        const Project saved = readProject(path("many.json").toStdString());
        QCOMPARE(saved.measures.size(), names.size());
        QVERIFY2(saved.steps.size() > 5 && saved.steps.size() < 30,
                 qPrintable(QString::number(saved.steps.size())));
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowSaving)
#include "test_window_saving.moc"
