// Projects and measures that are written on a worker while the window stays responsive.
#include "engine/recipe/recipe.h"
#include "gui/jobs/store/measure_store.h"
#include "gui/jobs/store/project_store.h"
#include "tests/support/test_support.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <sys/stat.h>

using namespace scanloupe;
using namespace scanloupe::gui;

class TestProjectStore : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    QString at(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    /// A project with one scan, as if a window had opened it from this path.
    static Project projectOf(const QString& path, double voxelSize) {
        Project project;
        project.scans = {{"/no/such/scan.ply"}};
        project.recipe->voxelSize = Vec3d{voxelSize, voxelSize, voxelSize};
        project.window = QStringLiteral(R"({"%1":"%2"})").arg(kProjectFile, path).toStdString();
        return project;
    }
    /// Starts to save a project, which becomes the open one.
    static void save(ProjectStore& store, const QString& path, const Project& project) {
        store.save({path, project, std::nullopt},
                   [&store, path](const SavedProject& saved) { store.takeSaved(path, saved); });
    }

private slots:
    // folder of the measures
    void initTestCase() { qputenv("XDG_DATA_HOME", QFile::encodeName(m_folder.path())); }

    /// Changes made while a project is being written are autosaved. The restored autosave may replace this
    /// project.
    void anAutosaveIsOfTheProjectThatWasSavedLast() {
        const QString path = at("kept.json"), autosaves = at("autosaves");
        const Project later = projectOf(path, 3);
        {
            ProjectStore store(autosaves);
            save(store, path, projectOf(path, 1));
            QTRY_VERIFY(!store.isSaving());
            save(store, path, projectOf(path, 2));
            store.autosave(later);
            QTRY_VERIFY(!store.isSaving());
            store.autosave(later);
        } // the destructor waits until the autosave is written
        const QStringList files = QDir(autosaves).entryList({"*.json"}, QDir::Files);
        QCOMPARE(files.size(), 1);
        const Project autosaved = ProjectStore::read(QDir(autosaves).filePath(files.front()));
        QCOMPARE(ProjectStore::fileOf(autosaved), path);
        QVERIFY(!ProjectStore::isForeign(autosaved));
    }

    /// The user did not wait until the project was written.
    void anAutosaveIsOfTheProjectThatWasLeft() {
        const QString path = at("later.json"), autosaves = at("autosaves of a left one");
        const Project now = projectOf(path, 3);
        {
            ProjectStore store(autosaves);
            save(store, path, projectOf(path, 1));
            QTRY_VERIFY(!store.isSaving());
            store.autosave(now);
            store.save({path, projectOf(path, 2), std::nullopt}, [](const SavedProject&) {});
            store.stopWaiting();
            QTRY_VERIFY(!store.isBeingWritten(path));
            store.autosave(now);
        }
        const QStringList files = QDir(autosaves).entryList({"*.json"}, QDir::Files);
        QCOMPARE(files.size(), 1);
        QVERIFY(!ProjectStore::isForeign(ProjectStore::read(QDir(autosaves).filePath(files.front()))));
    }

    void aProjectStaysLockedUntilItIsWritten() {
        const QString pipe = at("pipe.json"); // writing waits two seconds for its reader
        QCOMPARE(::mkfifo(qPrintable(pipe), 0600), 0);
        ProjectStore store(at("autosaves")), other(at("others")), next(at("others"));
        store.take(pipe, {});
        QVERIFY(!store.isLocked());
        bool hasFailed = false;
        store.save({pipe, projectOf(pipe, 1), std::nullopt},
                   [&](const SavedProject& saved) { hasFailed = saved.error != nullptr; });
        store.close(); // another scan was opened
        other.take(pipe, {});
        QVERIFY(store.isSaving() && other.isLocked());
        QTRY_VERIFY_WITH_TIMEOUT(hasFailed, 20'000);
        QTRY_VERIFY((next.take(pipe, {}), !next.isLocked()));
    }

    /// The project is on a drive that does not respond.
    void abandonedWritesDoNotBlockOthers() {
        const QString pipe = at("left.json"), other = at("other.json"); // two seconds for a reader
        QCOMPARE(::mkfifo(qPrintable(pipe), 0600), 0);
        ProjectStore store(at("autosaves of one"));
        bool isCalled = false, isWritten = false;
        store.save({pipe, projectOf(pipe, 1), std::nullopt}, [&](const SavedProject&) { isCalled = true; });
        QCOMPARE(store.savedPath(), pipe);
        QVERIFY(!store.isBeingWritten(pipe)); // the write is still pending
        store.stopWaiting();
        QVERIFY(!store.isSaving() && store.isBeingWritten(pipe));
        store.save({other, projectOf(other, 2), std::nullopt},
                   [&](const SavedProject& saved) { isWritten = !saved.error; });
        QTRY_VERIFY(isWritten);
        QVERIFY(store.isBeingWritten(pipe) && !store.isBeingWritten(other));
        QTRY_VERIFY_WITH_TIMEOUT(!store.isBeingWritten(pipe), 20'000);
        QVERIFY(!isCalled);
    }

    void leftWorkStaysInMemoryUntilItIsStored() {
        QFile blocked(at("blocked")); // a file in place of the folder
        QVERIFY(blocked.open(QIODevice::WriteOnly));
        ProjectStore store(blocked.fileName());
        const Project first = projectOf({}, 1), second = projectOf({}, 2), third = projectOf({}, 3);
        store.leaveBehind(first);
        store.leaveAutosaveBehind(second);
        store.leaveBehind(third);
        QCOMPARE(store.unstored().size(), std::size_t(3));
        QTRY_VERIFY(!store.isStoring());
        QCOMPARE(store.unstored().size(), std::size_t(3));
        QVERIFY(store.newestUnstored()->project == third);
        const ProjectStore::LeftBehindPtr offered = store.unstored()[0].left,
                                          discarded = store.unstored()[1].left;
        QVERIFY(!store.unstored()[0].failure.sentence.isEmpty() && offered->file.isEmpty());
        QVERIFY(blocked.remove());
        store.storeAgain();
        store.discard(discarded); // discards the autosave while it is being written
        QTRY_VERIFY(store.unstored().empty());
        QVERIFY(QFile::exists(offered->file)); // the window that offers the autosave removes it later
        QVERIFY(ProjectStore::read(offered->file) == first);
        QTRY_VERIFY(!discarded->file.isEmpty() && !QFile::exists(discarded->file));
        QTRY_COMPARE(QDir(blocked.fileName()).entryList({"*.json"}, QDir::Files).size(), 2);
    }

    /// Measures of two windows, and several states of one window in quick succession.
    void theLastMeasuresAreKept() {
        const auto named = [](const char* name) {
            return MeasureList{{MeasureKind::point, name, {{{1, 2, 3}}}, 0, true}};
        };
        const QString scan = at("measured.ply");
        MeasureStore one, other;
        QVERIFY(one.of(scan).empty() && other.of(scan).empty() && !one.when().isValid());
        int kept = 0;
        for (const char* name : {"a", "b", "c"})
            one.keep(scan, named(name), [&](bool isKept) { kept += isKept ? 1 : 10; });
        QVERIFY(one.isKeeping());
        QTRY_VERIFY(!one.isKeeping());
        // at least one; "a" and "b" may have been superseded
        QVERIFY2(kept >= 1 && kept <= 3, qPrintable(QString::number(kept)));
        bool isRefused = false;
        other.keep(scan, named("d"), [&](bool isKept) { isRefused = !isKept; });
        QTRY_VERIFY(isRefused);
        const MeasureList read = other.of(scan);
        QVERIFY(read == named("c") && other.when().isValid());
        one.keep(scan, {}, [](bool) {});
        one.settle();
        QTRY_VERIFY(!one.isKeeping());
        QVERIFY(one.of(scan).empty());
    }
};

SCANLOUPE_TEST_IN(QApplication, TestProjectStore)
#include "test_project_store.moc"
