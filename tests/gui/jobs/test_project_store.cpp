// Projects that are written on a worker, while their window goes on.
#include "gui/jobs/project_store.h"
#include "tests/support/test_support.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <sys/stat.h>

using namespace scanloupe;
using namespace scanloupe::gui;

class TestProjectStore : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    QString at(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    /// A project of one scan, of a window that has it open under this path.
    static Project projectOf(const QString& path, double voxelSize) {
        Project project;
        project.scans = {{"/no/such/scan.ply"}};
        project.recipe.voxelSize = Vec3d{voxelSize, voxelSize, voxelSize};
        project.window = QStringLiteral(R"({"%1":"%2"})").arg(kProjectFile, path).toStdString();
        return project;
    }
    /// Starts to save a project, which becomes the open one.
    static void save(ProjectStore& store, const QString& path, const Project& project) {
        store.save({path, project, std::nullopt},
                   [&store, path](const SavedProject& saved) { store.takeSaved(path, saved); });
    }

private slots:
    /// What is changed while the project is written is autosaved; restored, it may replace that project.
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
        } // waits until it is written
        const QStringList files = QDir(autosaves).entryList({"*.json"}, QDir::Files);
        QCOMPARE(files.size(), 1);
        const Project autosaved = ProjectStore::read(QDir(autosaves).filePath(files.front()));
        QCOMPARE(ProjectStore::fileOf(autosaved), path);
        QVERIFY(!ProjectStore::isForeign(autosaved));
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
        store.close(); // another scan has come
        other.take(pipe, {});
        QVERIFY(store.isSaving() && other.isLocked());
        QTRY_VERIFY_WITH_TIMEOUT(hasFailed, 20'000);
        QTRY_VERIFY((next.take(pipe, {}), !next.isLocked()));
    }
};

SCANLOUPE_TEST_IN(QApplication, TestProjectStore)
#include "test_project_store.moc"
