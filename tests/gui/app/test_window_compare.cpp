// A/B comparison in the window: a second run next to the current one, in a divided picture.
#include "engine/cloud/point_cloud.h"
#include "engine/recipe/parameters.h"
#include "engine/results/snapshot.h"
#include "gui/jobs/compare_runner.h"
#include "gui/panels/compare_bar.h"
#include "gui/panels/parameters/parameter_row.h"
#include "gui/views/raster_view.h"
#include "gui/views/surface/compare_pane.h"
#include "tests/gui/app/window_fixture.h"

#include <QLabel>
#include <QPushButton>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

struct CompareFixture : WindowFixture {
    CompareRunner& runner = *window.findChild<CompareRunner*>();
    RasterView& raster = window.views().rasterView();

    bool open() {
        if (!isShown())
            return false;
        openSample();
        return waitForRest();
    }
    void change(const char* key, const std::string& value) {
        Recipe recipe = window.parameters().recipe();
        setFromText(recipe, parameter(key), value);
        window.parameters().setRecipe(recipe);
        emit window.parameters().recipeChanged(recipe);
    }
    /// Keeps the results as A, and waits until A has been run separately.
    bool keep() {
        action(QStringLiteral("Keep Current Result as A"))->trigger();
        return QTest::qWaitFor([&] { return runner.a() && runner.a()->voxels != snapshot()->voxels; },
                               60'000) &&
               waitForComparison();
    }
    /// Waits until A and B are refined with all samples, and were compared.
    bool waitForComparison() {
        return waitForRest() && QTest::qWaitFor(
                                    [&] {
                                        const SnapshotPtr &a = runner.a(), &b = runner.b();
                                        return a && b == snapshot() && runner.difference() &&
                                               runner.difference()->pixels &&
                                               a->picture->samples == int(a->recipe->samples);
                                    },
                                    60'000);
    }
    QString label(const char* name) { return window.findChild<QLabel*>(QLatin1String(name))->text(); }
    QImage shown() { return raster.shownImage(); }
};

std::vector<std::uint32_t> pixelsOf(const SnapshotPtr& s) {
    const auto span = onHost(s->picture->image).pixels.span();
    return {span.begin(), span.end()};
}

} // namespace

class TestWindowCompare : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;

private slots:
    void aIsKeptWhileBIsChanged() {
        CompareFixture f;
        QVERIFY(f.open());
        auto* bar = f.window.findChild<CompareBar*>();
        QVERIFY(bar && !bar->isVisible() && !f.raster.comparePane());
        for (const char* other : {"Swap A and B", "Restore A", "End Comparison"})
            QVERIFY2(!f.action(QString::fromLatin1(other))->isEnabled(), other);

        QVERIFY(f.keep());
        QVERIFY(bar->isVisible() && f.raster.comparePane());
        QVERIFY2(f.label("compareVerdict").startsWith(QStringLiteral("Identical")),
                 qPrintable(f.label("compareVerdict")));
        const std::size_t voxelsOfA = f.runner.a()->voxels->size();

        f.change("voxel_size", "1");
        f.change("light", "off");
        QVERIFY(f.waitForComparison());
        QVERIFY(!f.runner.difference()->isIdentical());
        QCOMPARE(f.runner.a()->voxels->size(), voxelsOfA);
        QVERIFY2(f.label("compareChanges").contains(QStringLiteral("→ 1 m")),
                 qPrintable(f.label("compareChanges")));
        QVERIFY(f.label("compareVerdict").contains(QStringLiteral("of the pixels differ")));
        keepPicture(f.window, QStringLiteral("compare"));

        // the left part is A's picture, the right one B's
        ComparePane* pane = f.raster.comparePane();
        pane->moveDivider(0.5 * f.raster.width());
        const QImage split = f.shown();
        f.action(QStringLiteral("End Comparison"))->trigger();
        QVERIFY(!bar->isVisible() && !f.raster.comparePane() && !f.runner.isActive());
        QVERIFY(f.waitForRest());
        const QImage ofB = f.shown();
        if (split.size() == ofB.size()) { // the message bar may have changed the size
            const QRect right(split.width() * 3 / 4, split.height() / 4, split.width() / 5,
                              split.height() / 2);
            const QRect left(split.width() / 4, split.height() / 4, split.width() / 5, split.height() / 2);
            QCOMPARE(split.copy(right), ofB.copy(right));
            QVERIFY(split.copy(left) != ofB.copy(left));
        }
    }

    void theDividerIsDraggedAndEitherSideIsPicked() {
        CompareFixture f;
        QVERIFY(f.open());
        QVERIFY(f.keep());
        f.change("voxel_size", "1");
        QVERIFY(f.waitForComparison());
        ComparePane* pane = f.raster.comparePane();
        QWidget* divider = pane->divider();
        const double before = pane->dividerAt();
        QCOMPARE(before, std::round(f.raster.width() / 2.0));
        const Camera camera = f.window.camera().camera();
        QTest::mousePress(divider, Qt::LeftButton, {}, divider->rect().center());
        const QPointF to(divider->rect().center() + QPoint(60, 5));
        QMouseEvent move(QEvent::MouseMove, to, divider->mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                         Qt::NoModifier);
        QCoreApplication::sendEvent(divider, &move);
        QTest::mouseRelease(divider, Qt::LeftButton, {}, divider->rect().center());
        QVERIFY(std::abs(pane->dividerAt() - before - 60) < 3);
        QCOMPARE(f.window.camera().camera(), camera); // dragging the divider does not orbit
        keepPicture(f.window, QStringLiteral("compare-dragged"));
        QTest::keyClick(divider, Qt::Key_Left);
        QVERIFY(std::abs(pane->dividerAt() - before - 52) < 3);
        pane->moveDivider(-100); // a part of each side stays visible
        QVERIFY(pane->dividerAt() >= 24);
        pane->moveDivider(1e6);
        QVERIFY(pane->dividerAt() <= f.raster.width() - 24);

        const QPointF middle(f.raster.rect().center());
        pane->moveDivider(0.8 * f.raster.width());
        const auto a = f.raster.pick(middle);
        QVERIFY(a && a->snapshot == f.runner.a());
        pane->moveDivider(0.2 * f.raster.width());
        const auto b = f.raster.pick(middle);
        QVERIFY(b && b->snapshot == f.snapshot());
    }

    void aFollowsTheCameraAndIsDrawnForNothingElse() {
        CompareFixture f;
        QVERIFY(f.open());
        QVERIFY(f.keep());
        f.change("voxel_size", "1");
        QVERIFY(f.waitForComparison());
        const SnapshotPtr before = f.runner.a();
        QSignalSpy drawn(&f.runner, &CompareRunner::runChanged);
        for (const char* size : {"0.9", "0.8", "0.7"}) {
            f.change("voxel_size", size);
            QVERIFY(f.waitForComparison());
        }
        QCOMPARE(drawn.count(), 0);
        QTest::keyClick(&f.raster, Qt::Key_4); // front
        QVERIFY(f.waitForComparison());
        QVERIFY(f.runner.a() != before);
        QCOMPARE(f.runner.a()->picture->camera, f.snapshot()->picture->camera);
        QVERIFY(f.runner.a()->mesh == before->mesh); // only the picture of A is drawn again
        f.window.resize(1300, 800);
        QVERIFY(f.waitForComparison());
        QCOMPARE(f.runner.a()->picture->image->width, f.snapshot()->picture->image->width);
        QVERIFY(f.runner.a()->mesh == before->mesh);
    }

    void swappedAndTakenBackInOneStep() {
        CompareFixture f;
        QVERIFY(f.open());
        const std::size_t voxelsOfA = f.snapshot()->voxels->size();
        const Recipe first = f.window.parameters().recipe();
        QVERIFY(f.keep());
        f.change("voxel_size", "1");
        f.change("light", "off");
        QVERIFY(f.waitForComparison());
        const std::size_t voxelsOfB = f.snapshot()->voxels->size();
        QVERIFY(voxelsOfA != voxelsOfB);
        const auto pictureOfB = pixelsOf(f.snapshot());

        f.action(QStringLiteral("Swap A and B"))->trigger();
        QVERIFY(f.waitForComparison());
        QCOMPARE(f.snapshot()->voxels->size(), voxelsOfA);
        QCOMPARE(f.runner.a()->voxels->size(), voxelsOfB);
        QVERIFY(pixelsOf(f.runner.a()) == pictureOfB);

        f.action(QStringLiteral("Restore A"))->trigger();
        QVERIFY(f.waitForComparison());
        QCOMPARE(f.snapshot()->voxels->size(), voxelsOfB);
        QVERIFY2(f.runner.difference()->isIdentical(), qPrintable(f.label("compareVerdict")));
        QVERIFY(!f.window.parameters().recipe().light);
        for (QAction* action : f.window.findChildren<QAction*>())
            if (action->isEnabled() && action->text().startsWith(QStringLiteral("&Undo"))) {
                action->trigger(); // undo restores both parameters at once
                break;
            }
        QCOMPARE(f.window.parameters().recipe().light, first.light);
        QCOMPARE(f.window.parameters().recipe().voxelSize, first.voxelSize);

        // for another scan, there is nothing to compare with
        f.openSample();
        QTRY_VERIFY_WITH_TIMEOUT(!f.runner.isActive(), 30'000);
        QVERIFY(!f.raster.comparePane());
        QVERIFY(f.waitForViews());
    }

    void aFollowsTheFramesOfASequence() {
        QTemporaryDir folder;
        for (int frame = 0; frame < 2; ++frame) {
            QFile file(folder.filePath(QStringLiteral("frame%1.xyz").arg(frame)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            for (int i = 0; i < 3000 + frame; ++i)
                file.write(QByteArray::number(0.1 * (i % 60)) + ' ' + QByteArray::number(0.1 * (i / 60)) +
                           ' ' + QByteArray::number(0.1 * ((i % 60 + frame) % 9)) + '\n');
        }
        CompareFixture f;
        QVERIFY(f.isShown());
        f.window.open({folder.path()}, SeveralAs::sequence);
        QVERIFY(f.waitForRest());
        QVERIFY(f.keep());
        f.change("voxel_size", "0.5");
        QVERIFY(f.waitForComparison());
        f.action(QStringLiteral("Next Scan"))->trigger();
        QVERIFY(QTest::qWaitFor(
            [&] { return f.snapshot()->cloud->size() == 3001 && f.runner.a()->cloud == f.snapshot()->cloud; },
            20'000));
        QVERIFY(f.waitForComparison());
        QVERIFY(!f.runner.difference()->isIdentical() &&
                f.runner.a()->recipe->voxelSize != f.snapshot()->recipe->voxelSize);
        f.action(QStringLiteral("Restore A"))->trigger();
        QVERIFY(f.waitForComparison());
        QVERIFY2(f.runner.difference()->isIdentical(), qPrintable(f.label("compareVerdict")));
    }

    void aSmallWindowShowsBoth() {
        CompareFixture f;
        QVERIFY(f.open());
        f.window.resize(800, 600);
        QVERIFY(f.waitForRest());
        const int least = f.window.minimumSizeHint().width();
        QVERIFY(f.keep());
        f.change("voxel_size", "1");
        QVERIFY(f.waitForComparison());
        QCOMPARE(f.window.width(), 800);
        QVERIFY(f.window.minimumSizeHint().width() <= std::max(least, 760));
        keepPicture(f.window, QStringLiteral("compare-small"));
        f.window.views().arrange(ViewLayout::alone);
        QVERIFY(f.waitForComparison());
        keepPicture(f.window, QStringLiteral("compare-alone"));
    }

    void theOtherBackendIsComparedOrMissedInASentence() {
        CompareFixture f;
        QVERIFY(f.open());
        // SYCL devices may have to be tested first
        f.action(QStringLiteral("Compare with Other Backend"))->trigger();
        QVERIFY(
            QTest::qWaitFor([&] { return f.runner.isActive() || f.window.messages().isError(); }, 120'000));
        if (!f.runner.isActive()) {
            QVERIFY(f.window.messages().isError());
            keepPicture(f.window, QStringLiteral("compare-no-device"));
            bool has = true;
            try {
                chooseBackend(Backend::cuda);
            } catch (const Error&) {
                has = false;
            }
            QVERIFY(!has);
            return;
        }
        QVERIFY(f.waitForComparison());
        QVERIFY2(f.runner.difference()->isIdentical(), qPrintable(f.label("compareVerdict")));
        f.change("voxel_size", "1");
        QVERIFY(QTest::qWaitFor([&] { return f.runner.a()->recipe->voxelSize == Vec3d{1, 1, 1}; }, 30'000));
        QVERIFY(f.waitForComparison());
        QVERIFY2(f.runner.difference()->isIdentical(), qPrintable(f.label("compareVerdict")));
        QVERIFY(!f.action(QStringLiteral("Restore A"))->isEnabled());
        keepPicture(f.window, QStringLiteral("compare-backends"));
    }

    void aRunOnAnotherRunnerFollowsTheRecipe() {
        // compares a backend with itself, which needs no device
        CompareFixture f;
        QVERIFY(f.open());
        f.runner.runOn(testBackend(), f.snapshot());
        QVERIFY(f.runner.isOfBackends());
        QVERIFY(f.waitForComparison());
        QVERIFY(f.runner.difference()->isIdentical());
        f.change("voxel_size", "1");
        QVERIFY(QTest::qWaitFor([&] { return f.runner.a()->recipe->voxelSize == Vec3d{1, 1, 1}; }, 30'000));
        QVERIFY(f.waitForComparison());
        QVERIFY2(f.runner.difference()->isIdentical(), qPrintable(f.label("compareVerdict")));
        QVERIFY(f.runner.a()->voxels != f.snapshot()->voxels);
        keepPicture(f.window, QStringLiteral("compare-same"));
        QVERIFY(f.keep()); // replaces the comparison of backends
        QVERIFY(!f.runner.isOfBackends());
        QVERIFY(f.runner.difference()->isIdentical());
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowCompare)
#include "test_window_compare.moc"
