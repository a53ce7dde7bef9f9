// The rasterized picture in the whole window: finer at rest.
#include "gui/models/stage_timing_model.h"
#include "gui/panels/colour_by_row.h"
#include "gui/panels/parameter_rows.h"
#include "gui/panels/timings_panel.h"
#include "gui/panels/value_control.h"
#include "gui/views/opengl_probe.h"
#include "gui/views/raster_view.h"
#include "gui/views/view_navigation.h"
#include "tests/gui/window_fixture.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLabel>
#include <set>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

RasterView* rasterView(WindowFixture& f) {
    return static_cast<RasterView*>(f.window.views().views()[2]);
}

bool waitForSamples(WindowFixture& f, int samples) {
    return f.waitForRest() && f.snapshot()->picture->samples == samples;
}

void type(WindowFixture& f, const char* row, const char* text) {
    auto* box = f.row<NumberRow>(row)->control()->findChild<QAbstractSpinBox*>();
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, QString::fromLatin1(text));
    QTest::keyClick(box, Qt::Key_Return);
}

void choose(WindowFixture& f, const char* row, int index) {
    QComboBox* combo = f.row<ChoiceRow>(row)->combo();
    combo->setCurrentIndex(index);
    emit combo->activated(index);
}

void colourBy(WindowFixture& f, const char* key) {
    QComboBox* combo = f.row<ColourByRow>("colour_by")->combo();
    combo->setCurrentIndex(combo->findData(QString::fromLatin1(key)));
    emit combo->activated(combo->currentIndex());
}

/// Neighbours in a row that differ by much: what jagged edges are made of.
int jumps(const QImage& image) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 1; x < image.width(); ++x) {
            const QRgb p = image.pixel(x - 1, y), q = image.pixel(x, y);
            count += std::abs(qRed(p) - qRed(q)) + std::abs(qGreen(p) - qGreen(q)) +
                         std::abs(qBlue(p) - qBlue(q)) >
                     150;
        }
    return count;
}

} // namespace

class TestWindowPicture : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;

private slots:
    void aStillPictureGetsFiner() {
        WindowFixture f;
        QVERIFY(f.isShown());
        std::set<int> seen;
        connect(&f.window.session(), &ScanSession::refined, &f.window,
                [&seen](const SnapshotPtr& s) { seen.insert(s->picture->samples); });
        f.window.openSample();
        QVERIFY(waitForSamples(f, 16));
        QCOMPARE(seen, (std::set<int>{4, 16}));
        QVERIFY(rasterView(f)->isComplete());
        const QImage fine = rasterView(f)->grab().toImage();
        keepPicture(*rasterView(f), "sixteen_samples");
        const auto* stages = f.window.findChild<TimingsPanel*>()->stages();
        QTRY_VERIFY(stages->timings().find("refine"));
        QVERIFY(stages->timings().find("rasterize")); // of the same run, not in the place of it
        // a moved camera starts anew, and ends as fine
        const auto last = f.snapshot()->picture;
        QTest::keyClick(rasterView(f), Qt::Key_Left);
        QVERIFY(QTest::qWaitFor([&] { return f.snapshot()->picture->camera != last->camera; }, 10'000));
        QVERIFY(waitForSamples(f, 16));
        // switched off it stays at the pixels' centres
        type(f, "samples", "1");
        QVERIFY(waitForSamples(f, 1));
        QTest::qWait(300);
        QCOMPARE(f.snapshot()->picture->samples, 1);
        QTest::keyClick(rasterView(f), Qt::Key_Right); // back
        QVERIFY(waitForSamples(f, 1));
        keepPicture(*rasterView(f), "one_sample");
        const int rough = jumps(rasterView(f)->grab().toImage()), smooth = jumps(fine);
        QVERIFY2(smooth * 3 < rough * 2, qPrintable(QString("%1 and %2").arg(smooth).arg(rough)));
    }

    void theWayToTheScreenIsTold() {
        WindowFixture f;
        QVERIFY(f.isShown());
        auto* told = f.child<QLabel>("transfer");
        QVERIFY(told && told->text().isEmpty());
        f.window.openSample();
        QVERIFY(waitForSamples(f, 16));
        QTRY_VERIFY(!told->text().isEmpty());
        const PictureTransfer& transfer = rasterView(f)->transfer();
        QTRY_COMPARE(told->text(), transferText(transfer));
        if (testBackend() == Backend::cpu) {
            QCOMPARE(transfer.path,
                     openGlState().software ? PictureTransfer::Path::painted : PictureTransfer::Path::copied);
            QCOMPARE(transfer.bytesToHost, quint64(0));
        } else if (transfer.path == PictureTransfer::Path::interop) {
            QCOMPARE(transfer.bytesToHost, quint64(0)); // a frame
        } else {
            QVERIFY(!transfer.why.isEmpty());
        }
        QVERIFY(transfer.ms > 0);
        keepPicture(f.window, "transfer");
    }

    void withoutInteropItIsTheSamePicture() {
        WindowFixture f;
        QVERIFY(f.isShown());
        f.window.openSample();
        QVERIFY(waitForSamples(f, 16));
        QTest::qWait(200);
        const QImage before = rasterView(f)->grab().toImage();
        const bool wanted = isInteropWanted();
        setInteropWanted(false);
        QTest::keyClick(rasterView(f), Qt::Key_Left);
        QVERIFY(waitForSamples(f, 16));
        QTest::keyClick(rasterView(f), Qt::Key_Right); // back
        QVERIFY(waitForSamples(f, 16));
        QTest::qWait(200);
        setInteropWanted(wanted);
        QVERIFY(rasterView(f)->transfer().path != PictureTransfer::Path::interop);
        const QImage after = rasterView(f)->grab().toImage();
        int differing = 0; // a turn forth and back may end a rounding beside where it began
        for (int y = 0; y < before.height(); ++y)
            for (int x = 0; x < before.width(); ++x)
                differing += before.pixel(x, y) != after.pixel(x, y);
        QVERIFY2(differing < before.width() * before.height() / 100, qPrintable(QString::number(differing)));
    }

    void movesAreNotHeldUp() {
        WindowFixture f;
        QVERIFY(f.isShown());
        f.window.openSample();
        QVERIFY(f.waitForViews());
        QSignalSpy refined(&f.window.session(), &ScanSession::refined);
        for (int i = 0; i < 30; ++i) { // never at rest
            QTest::keyClick(rasterView(f), i % 2 ? Qt::Key_Left : Qt::Key_Up);
            QTest::qWait(20);
        }
        QCOMPARE(refined.count(), 0);
        QVERIFY(waitForSamples(f, 16));
        QVERIFY(refined.count() >= 2);
    }

    void pointsAreAveraged() {
        WindowFixture f;
        QVERIFY(f.isShown());
        f.window.openSample();
        QVERIFY(f.waitForViews());
        choose(f, "show", 0);
        colourBy(f, "intensity");
        type(f, "point_size", "4");
        type(f, "samples", "1");
        QVERIFY(waitForSamples(f, 1));
        const QImage nearest = rasterView(f)->grab().toImage();
        keepPicture(*rasterView(f), "nearest_points");
        choose(f, "points", 1);
        QVERIFY(waitForSamples(f, 1));
        QCOMPARE(f.snapshot()->resolved.points, PointBlend::averaged);
        const QImage averaged = rasterView(f)->grab().toImage();
        keepPicture(*rasterView(f), "averaged_points");
        QVERIFY(averaged != nearest);
        QVERIFY(jumps(averaged) < jumps(nearest)); // the noise goes
    }

    void pickingStaysThatOfThePixelsCentre() {
        WindowFixture f;
        QVERIFY(f.isShown());
        f.window.openSample();
        QVERIFY(f.waitForViews());
        type(f, "samples", "1");
        QVERIFY(waitForSamples(f, 1));
        RasterView* view = rasterView(f);
        const auto picks = [&] {
            std::vector<std::uint32_t> ids;
            for (int y = 5; y < view->height(); y += 23)
                for (int x = 5; x < view->width(); x += 17) {
                    const auto hit = view->pick(QPointF(x, y));
                    ids.push_back(hit ? hit->index : 0xffffffffu);
                }
            return ids;
        };
        const auto first = picks();
        type(f, "samples", "16");
        QVERIFY(waitForSamples(f, 16));
        QVERIFY(picks() == first);
    }
};

QTEST_MAIN(TestWindowPicture)
#include "test_window_picture.moc"
