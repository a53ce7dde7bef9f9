// Work that can't be written: nothing is lost without a question, and the window never blocks indefinitely.
#include "engine/cloud/point_cloud.h"
#include "engine/edit/edit_list.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/writers.h"
#include "engine/results/snapshot.h"
#include "gui/controllers/measure_controller.h"
#include "gui/controllers/project_controller.h"
#include "gui/panels/measures_panel.h"
#include "tests/gui/app/slow_file.h"
#include "tests/gui/app/window_fixture.h"
#include "tests/support/pipeline_run.h"

#include <QElapsedTimer>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <csignal>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

std::size_t layersOf(WindowFixture& f) {
    return f.window.parameters().recipe().edits.layers.size();
}

void deleteBeyond(WindowFixture& f, double x = 5) {
    Recipe recipe = f.window.parameters().recipe();
    recipe.edits.selection.steps = {stepOf(SetOperation::replace, HalfSpaceRegion{{x, 0, 0}, {1, 0, 0}})};
    recipe.edits = withLayer(std::move(recipe.edits), RemoveAction{}, "Delete what lies beyond");
    emit f.window.parameters().row("voxel_size")->edited(recipe);
}

/// Enters a path into the next save dialog. @param shown receives the folder that the dialog shows
void enterPath(const QString& path, QDir* shown = nullptr) {
    auto* look = new QTimer(qApp);
    QObject::connect(look, &QTimer::timeout, qApp, [look, path, shown, tries = 0]() mutable {
        auto* ask = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (!ask && ++tries < 1000)
            return;
        look->stop();
        look->deleteLater();
        QVERIFY(ask);
        if (shown)
            *shown = ask->directory();
        ask->findChild<QLineEdit*>("fileNameEdit")->setText(path);
        QMetaObject::invokeMethod(ask, "accept");
    });
    look->start(10);
}

QString folderOf(const char* name) {
    return ScratchSettings::data().filePath(QString::fromLatin1(name));
}
QStringList filesIn(const char* name) {
    return QDir(folderOf(name)).entryList({"*.json"}, QDir::Files, QDir::Name);
}

/// A file in place of a folder of the program's data, so that nothing can be written there.
class BlockedFolder {
public:
    explicit BlockedFolder(const char* name) : m_file(folderOf(name)) {
        QDir(m_file.fileName()).removeRecursively();
        m_isBlocked = ScratchSettings::data().mkpath(".") && m_file.open(QIODevice::WriteOnly);
    }
    ~BlockedFolder() { m_file.remove(); }
    bool isBlocked() const { return m_isBlocked; }
    bool release() { return m_file.remove(); }

private:
    QFile m_file;
    bool m_isBlocked = false;
};

} // namespace

class TestWindowLosses : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;
    QString path(const char* name) const { return m_settings.path(QString::fromLatin1(name)); }
    static bool waitFor(WindowFixture& f, const char* name) {
        return QTest::qWaitFor([&] { return f.snapshot() && f.snapshot()->cloud->path.ends_with(name); },
                               20'000) &&
               f.waitForWhole();
    }
    bool open(WindowFixture& f, const char* name) const {
        f.window.open({path(name)});
        return f.isShown() && waitFor(f, name);
    }
    /// Edits the open scan while another one is read, which replaces it without a question.
    bool leaveWork(WindowFixture& f, const char* next, double x) const {
        f.window.open({path(next)});
        deleteBeyond(f, x);
        return waitFor(f, next);
    }

private slots:
    void initTestCase() {
        std::signal(SIGPIPE, SIG_IGN); // the reader of a slow file may close it before its writer ends
        for (int i = 0; i < 3; ++i) {
            synth::ScanParams params;
            params.points = 20'000;
            params.seed = std::uint64_t(i + 1);
            writeCloud(path("").toStdString() + "/" + std::to_string(i) + ".ply",
                       syntheticCloud(params, false, {}, {}), {}, {});
        }
    }
    void cleanup() {
        ScratchSettings::forgetAutosaves();
        ScratchSettings::forgetMeasures();
    }

    void workLeftTwiceIsOfferedTwice() {
        BlockedFolder blocked("autosave");
        QVERIFY(blocked.isBlocked());
        WindowFixture f;
        QVERIFY(open(f, "0.ply") && leaveWork(f, "1.ply", 5));
        QTRY_COMPARE(f.window.project().store().unstored().size(), std::size_t(1));
        QVERIFY(leaveWork(f, "2.ply", 3));
        QTRY_COMPARE(f.window.project().store().unstored().size(), std::size_t(2));
        QTRY_VERIFY(!f.window.project().store().isStoring());
        auto* offer = f.child<QPushButton>("offer");
        QTRY_VERIFY(offer->isVisible() && f.window.messages().text().contains("1.ply"));
        offer->click(); // restores the newest work
        QVERIFY(waitFor(f, "1.ply"));
        QTRY_COMPARE(layersOf(f), std::size_t(1));
        QTRY_COMPARE(f.window.project().store().unstored().size(), std::size_t(1));
        QTRY_VERIFY2(offer->isVisible() && f.window.messages().text().contains("0.ply"),
                     qPrintable(f.window.messages().text()));
        f.answer(QMessageBox::Discard); // discards the restored work
        offer->click();
        QVERIFY(waitFor(f, "0.ply"));
        QTRY_COMPARE(layersOf(f), std::size_t(1));
        QTRY_VERIFY(f.window.project().store().unstored().empty());
        f.answer(QMessageBox::Discard);
        QVERIFY(f.window.close()); // only asks about the open scan
    }

    void unstoredWorkIsAskedAboutOnClose() {
        const QString saved = path("left.json");
        BlockedFolder blocked("autosave");
        QVERIFY(blocked.isBlocked());
        WindowFixture f;
        QVERIFY(open(f, "0.ply") && leaveWork(f, "1.ply", 5));
        QVERIFY(leaveWork(f, "2.ply", 3));
        QTRY_COMPARE(f.window.project().store().unstored().size(), std::size_t(2));
        QVERIFY(!f.window.isWindowModified()); // the open scan has no unsaved work
        QString question;
        f.answer(QMessageBox::Cancel, &question);
        QVERIFY(!f.window.close());
        QVERIFY2(question.contains("0.ply could not be stored"), qPrintable(question));
        QCOMPARE(f.window.project().store().unstored().size(), std::size_t(2));

        f.answer(QMessageBox::Save);
        enterPath(saved);
        QTimer next; // then answers the question about the other scan
        connect(&next, &QTimer::timeout, this, [&] {
            if (QFile::exists(saved) && f.window.project().store().unstored().size() == 1) {
                next.stop();
                f.answer(QMessageBox::Discard, &question);
            }
        });
        next.start(10);
        QVERIFY(f.window.close());
        QVERIFY2(question.contains("1.ply could not be stored"), qPrintable(question));
        // saving the other scan's work does not change the current project
        QCOMPARE(f.window.project().store().path(), QString());
        const Project project = readProject(saved.toStdString());
        QCOMPARE(project.scans.front().path.filename().string(), std::string("0.ply"));
        QCOMPARE(project.recipe->edits.layers.size(), std::size_t(1));
    }

    void workThatCanBeStoredOnCloseIsNotAskedAbout() {
        BlockedFolder blocked("autosave");
        QVERIFY(blocked.isBlocked());
        WindowFixture f;
        QVERIFY(open(f, "0.ply") && leaveWork(f, "1.ply", 5));
        QTRY_VERIFY(f.window.project().store().newestUnstored() != nullptr);
        QVERIFY(blocked.release());
        QVERIFY(f.window.close());
        QTRY_COMPARE(filesIn("autosave").size(), 1); // stored as an offer for the next window
    }

    /// The autosave was written while its work was offered. After restoring, no copy is left.
    void restoredWorkIsStoredOnce() {
        BlockedFolder blocked("autosave");
        QVERIFY(blocked.isBlocked());
        WindowFixture f;
        QVERIFY(open(f, "0.ply") && leaveWork(f, "1.ply", 5));
        auto* offer = f.child<QPushButton>("offer");
        QTRY_VERIFY(offer->isVisible());
        QVERIFY(blocked.release());
        f.window.project().autosave();
        QTRY_COMPARE(filesIn("autosave").size(), 1);
        QTRY_VERIFY(f.window.project().store().unstored().empty());
        offer->click();
        QVERIFY(waitFor(f, "0.ply"));
        QTRY_COMPARE(layersOf(f), std::size_t(1));
        QTRY_COMPARE(filesIn("autosave").size(), 1);
        f.answer(QMessageBox::Discard);
        QVERIFY(f.window.close());
        QTRY_VERIFY(filesIn("autosave").isEmpty());
    }

    /// A write that blocks, as on a disconnected network drive.
    void aProjectThatIsNotWrittenIsSavedElsewhere() {
        SlowFile slow(path("hung.json"));
        WindowFixture f;
        QVERIFY(open(f, "0.ply"));
        deleteBeyond(f);
        QVERIFY(f.waitForWhole());
        QString said;
        f.losePatience(true, &said);
        QVERIFY(!f.window.project().saveProjectTo(slow.path));
        QVERIFY2(said.contains("hung.json"), qPrintable(said));
        QVERIFY(!f.window.project().store().isSaving() &&
                f.window.project().store().isBeingWritten(slow.path));
        QVERIFY(f.window.isWindowModified());
        QVERIFY(!f.window.project().saveProjectTo(slow.path)); // two writers would overwrite each other
        QVERIFY2(f.window.messages().isError(), qPrintable(f.window.messages().text()));
        f.answer(QMessageBox::Save);
        enterPath(path("elsewhere.json"));
        QVERIFY(f.window.close());
        QCOMPARE(readProject(path("elsewhere.json").toStdString()).recipe->edits.layers.size(),
                 std::size_t(1));
        slow.goOn();
        QTRY_VERIFY_WITH_TIMEOUT(!f.window.project().store().isBeingWritten(slow.path), 20'000);
    }

    /// Showing the folder of such a project would block, too.
    void anotherPlaceIsNotAskedForWhereNothingAnswers() {
        QVERIFY(QDir(path("")).mkpath("gone"));
        SlowFile slow(path("gone/open.json"));
        WindowFixture f;
        QVERIFY(open(f, "0.ply"));
        deleteBeyond(f);
        QVERIFY(f.waitForWhole());
        f.window.project().store().take(slow.path, {});
        f.losePatience(false);
        QVERIFY(!f.window.project().saveProjectTo(slow.path));
        QVERIFY(f.window.project().store().isSaving());
        QDir shown(path("gone"));
        enterPath(path("other.json"), &shown);
        f.action("Save Project As…")->trigger(); // the write is still pending
        QVERIFY2(shown != QDir(path("gone")), qPrintable(shown.path()));
        QVERIFY(!QFile::exists(path("other.json")));

        f.losePatience(true);
        f.answer(QMessageBox::Save);
        shown.setPath(path("gone"));
        enterPath(path("other.json"), &shown);
        QVERIFY(f.window.close()); // the write has ended by now
        QVERIFY2(shown != QDir(path("gone")), qPrintable(shown.path()));
        QCOMPARE(f.window.project().store().path(), path("other.json"));
        slow.goOn();
        QTRY_VERIFY_WITH_TIMEOUT(!f.window.project().store().isBeingWritten(slow.path), 20'000);
    }

    void aWindowIsClosedWithoutAProjectThatIsNotWritten() {
        SlowFile slow(path("never.json"));
        QElapsedTimer time;
        {
            WindowFixture f;
            QVERIFY(open(f, "0.ply"));
            deleteBeyond(f);
            QVERIFY(f.waitForWhole());
            f.losePatience(true);
            QVERIFY(!f.window.project().saveProjectTo(slow.path));
            f.answer(QMessageBox::Discard);
            QVERIFY(f.window.close());
            time.start();
        }
        QVERIFY2(time.elapsed() < 20'000, "the end has waited for it"); // the write takes two minutes
    }

    /// The user did not request the write, and the autosave contains the work.
    void aWindowThatEndsWaitsForAWhile() {
        SlowFile slow(path("ended.json"));
        QElapsedTimer time;
        {
            WindowFixture f;
            QVERIFY(open(f, "0.ply"));
            deleteBeyond(f);
            QVERIFY(f.waitForWhole());
            f.losePatience(false);
            QVERIFY(!f.window.project().saveProjectTo(slow.path));
            QVERIFY(f.window.project().store().isSaving());
            f.window.project().autosave();
            time.start();
        }
        QVERIFY2(time.elapsed() < 40'000, "the end has waited for it");
        QCOMPARE(filesIn("autosave").size(), 1);
    }

    void measuresThatCannotBeKeptAreUnsaved() {
        WindowFixture f;
        QVERIFY(open(f, "0.ply"));
        BlockedFolder blocked("measures");
        QVERIFY(blocked.isBlocked());
        emit f.window.findChild<MeasuresPanel*>()->edited(
            {{MeasureKind::point, "door", {{{1, 2, 3}}}, 0, true}});
        QTRY_VERIFY(f.window.isWindowModified());
        QVERIFY2(f.window.messages().text().contains("can't be stored"),
                 qPrintable(f.window.messages().text()));
        QString question;
        f.answer(QMessageBox::Discard, &question);
        QVERIFY(f.window.close());
        QVERIFY2(question.contains("unsaved work: measures"), qPrintable(question));
    }

    /// Measures of another window that could not be stored are newer than the stored ones.
    void measuresThatWereNotKeptAreOffered() {
        WindowFixture a;
        QVERIFY(open(a, "1.ply"));
        const auto measure = [](WindowFixture& f, const char* name) {
            emit f.window.findChild<MeasuresPanel*>()->edited(
                {{MeasureKind::point, name, {{{1, 2, 3}}}, 0, true}});
        };
        {
            WindowFixture b;
            QVERIFY(open(b, "1.ply"));
            measure(a, "door");
            QTRY_VERIFY(!a.window.measuring().store().isKeeping());
            QTest::qWait(50); // waits until the file gets a later time
            measure(b, "roof");
            QTRY_VERIFY(b.window.isWindowModified());
            b.window.project().autosave();
        } // simulates a crash
        QCOMPARE(filesIn("autosave").size(), 1);
        WindowFixture f;
        QVERIFY(open(f, "1.ply"));
        auto* offer = f.child<QPushButton>("offer");
        QTRY_VERIFY(offer->isVisible());
        offer->click();
        QTRY_VERIFY(!f.window.findChild<MeasuresPanel*>()->model()->measures().empty() &&
                    f.window.findChild<MeasuresPanel*>()->model()->measures()[0].name == "roof");
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowLosses)
#include "test_window_losses.moc"
