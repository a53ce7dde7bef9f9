// The window while it opens a large scan: first a subsample, then the whole scan.
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/writers.h"
#include "engine/results/snapshot.h"
#include "gui/panels/parameters/parameter_rows.h"
#include "tests/gui/app/window_fixture.h"
#include "tests/support/pipeline_run.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <cstdio>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

bool isFirstLook(const Snapshot& snapshot) {
    return snapshot.cloud->subsampledFrom > 0;
}

/// Whether all views show these results.
bool isShown(WindowFixture& f, const SnapshotPtr& snapshot) {
    if (f.snapshot() != snapshot)
        return false;
    for (ScanView* view : f.window.views().views())
        if (!view->widget()->isHidden() && !view->isComplete())
            return false;
    return true;
}

} // namespace

class TestWindowOpening : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;

private slots:
    /// $SCANLOUPE_OPEN: a scan instead of the generated one; $SCANLOUPE_GRABS: a folder for pictures of the
    /// window after a quarter of a second, half a second and a second.
    void aFirstLookAndThenTheWhole() {
        std::filesystem::path path = qEnvironmentVariable("SCANLOUPE_OPEN").toStdString();
        if (path.empty()) {
            path = m_settings.path("street.las").toStdString();
            writeCloud(path, *bumpyCloud(2'000'000), {}, {});
        }
        const QString grabs = qEnvironmentVariable("SCANLOUPE_GRABS");
        WindowFixture f;
        QVERIFY(f.isShown());
        if (!grabs.isEmpty())
            QTest::qWait(2000); // waits like a user who chooses a file
        SnapshotPtr first, whole;
        qint64 firstPicture = -1, firstShown = -1, wholePicture = -1, wholeShown = -1;
        QElapsedTimer timer;
        connect(&f.window.jobs().runner(), &PipelineRunner::snapshotReady, this, [&](const SnapshotPtr& s) {
            if (isFirstLook(*s) && !std::exchange(first, s))
                firstPicture = timer.elapsed();
            else if (!isFirstLook(*s) && !std::exchange(whole, s))
                wholePicture = timer.elapsed();
        });
        const auto grabAt = [&](int ms) {
            if (!grabs.isEmpty())
                QTimer::singleShot(ms, Qt::PreciseTimer, &f.window, [&f, &timer, grabs, ms] {
                    f.window.grab().save(QStringLiteral("%1/open_%2.png").arg(grabs).arg(ms));
                    std::printf("picture of the window after %lld ms\n", timer.elapsed());
                });
        };
        timer.start();
        f.open(path);
        for (const int ms : {250, 500, 1000})
            grabAt(ms);
        QVERIFY(QTest::qWaitFor(
            [&] {
                if (first && firstShown < 0 && isFirstLook(*f.snapshot()) && isShown(f, f.snapshot()))
                    firstShown = timer.elapsed();
                if (whole && isShown(f, f.snapshot()) && !isFirstLook(*f.snapshot()))
                    wholeShown = timer.elapsed();
                return wholeShown >= 0;
            },
            120'000));
        std::printf(
            "%zu points: first picture after %lld ms, complete in all views after %lld ms (-1: not before "
            "the whole); picture of the whole after %lld ms, all views after %lld ms\n",
            whole->cloud->size(), firstPicture, firstShown, wholePicture, wholeShown);
        std::fflush(stdout);
        QVERIFY(first && first->cloud->size() < whole->cloud->size());
        const auto shapeOf = [](const SnapshotPtr& s) {
            return double(s->picture->image->width) / double(s->picture->image->height);
        };
        // both pictures have the same aspect ratio
        QVERIFY(std::abs(shapeOf(first) / shapeOf(f.snapshot()) - 1) < 0.2);
        QCOMPARE(first->cloud->subsampledFrom, std::uint64_t(whole->cloud->size()));
        if (!grabs.isEmpty())
            QTest::qWait(int(std::max<qint64>(0, 1200 - timer.elapsed())));
    }

    /// Settings changed while the subsample is shown are kept when the whole scan is loaded.
    void settingsDuringTheFirstLookStay() {
        const std::filesystem::path path = m_settings.path("large.las").toStdString();
        writeCloud(path, *bumpyCloud(3'000'000), {}, {});
        WindowFixture f;
        QVERIFY(f.isShown());
        bool isSet = false;
        connect(&f.window.jobs().runner(), &PipelineRunner::snapshotReady, this, [&](const SnapshotPtr& s) {
            if (!isFirstLook(*s) || std::exchange(isSet, true))
                return;
            QComboBox* combo = f.row<ChoiceRow>("field")->combo();
            combo->setCurrentIndex(combo->findText("density"));
            emit combo->activated(combo->currentIndex());
        });
        f.open(path);
        QVERIFY(QTest::qWaitFor([&] { return f.snapshot() && !isFirstLook(*f.snapshot()); }, 60'000));
        QVERIFY(f.waitForWhole());
        QVERIFY(isSet);
        QCOMPARE(f.snapshot()->cloud->size(), std::size_t(3'000'000));
        QVERIFY(f.snapshot()->resolved->field == FieldKind::density);
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowOpening)
#include "test_window_opening.moc"
