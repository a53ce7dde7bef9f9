// Signals of the window's Work after new results.
#include "engine/io/volume/read_volume.h"
#include "engine/recipe/recipe.h"
#include "gui/jobs/playlist.h"
#include "gui/jobs/scan_jobs.h"
#include "gui/work/work.h"
#include "tests/support/test_support.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>
#include <memory>

using namespace scanloupe;
using namespace scanloupe::gui;

class TestWork : public QObject {
    Q_OBJECT
private slots:
    /// Camera changes don't react to pictures that they have caused, because these would request new ones.
    void anotherPictureIsNoOtherContent() {
        ScanJobs jobs(Backend::cpu);
        Playlist playlist(jobs.loader(), jobs.runner());
        Work work(playlist);
        work.open({}, true);
        const QSignalSpy content(&work, &Work::contentChanged), results(&work, &Work::resultsChanged);
        Snapshot snapshot;
        snapshot.volume = std::make_shared<Volume>();
        const auto give = [&] { work.setResults(std::make_shared<const Snapshot>(snapshot)); };
        give();
        QCOMPARE(content.size(), 1);
        snapshot.recipe->camera = Camera{};
        snapshot.recipe->imageWidth = 321;
        snapshot.recipe->imageHeight = 123;
        give();
        QCOMPARE(content.size(), 1);
        QCOMPARE(results.size(), 2);
        snapshot.recipe->pointSize = 7;
        give();
        QCOMPARE(content.size(), 2);
        snapshot.preview = true;
        give();
        QCOMPARE(content.size(), 3);
        snapshot.volume = std::make_shared<Volume>();
        give();
        QCOMPARE(content.size(), 4);
        QCOMPARE(results.size(), 5);
    }
    void editedRecipesAreSteps() {
        ScanJobs jobs(Backend::cpu);
        Playlist playlist(jobs.loader(), jobs.runner());
        Work work(playlist);
        work.open({}, true);
        const std::size_t before = work.history().steps().size();
        work.editRecipe([](Recipe& recipe) { recipe.pointSize = 7; });
        QCOMPARE(work.recipe().pointSize, 7.0);
        QCOMPARE(work.history().steps().size(), before + 1);
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWork)
#include "test_work.moc"
