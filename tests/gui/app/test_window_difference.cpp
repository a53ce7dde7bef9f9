// The difference view: the mesh drawn by OpenGL compared with the software rasterizer.
#include "engine/graph/stage_cache.h"
#include "engine/results/snapshot.h"
#include "gui/dialogs/difference_dialog.h"
#include "gui/opengl/opengl_probe.h"
#include "gui/views/gl_view.h"
#include "tests/gui/app/window_fixture.h"

#include <QComboBox>
#include <QSpinBox>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

class TestWindowDifference : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;

private slots:
    void differingPixelsAreCounted() {
        QImage a(40, 30, QImage::Format_RGB32), b(40, 30, QImage::Format_RGB32);
        a.fill(qRgb(100, 150, 200));
        b.fill(qRgb(100, 150, 200));
        PictureDifference difference = differenceOf(a, b, 0);
        QCOMPARE(difference.pixels, qint64(1200));
        QCOMPARE(difference.differing, qint64(0));
        QCOMPARE(difference.largest, 0);
        b.setPixel(3, 4, qRgb(100, 150, 208));
        b.setPixel(5, 6, qRgb(91, 150, 200));
        b.setPixel(7, 8, qRgb(0, 150, 200));
        difference = differenceOf(a, b, 8); // differences of up to 8 levels are within the tolerance
        QCOMPARE(difference.differing, qint64(2));
        QCOMPARE(difference.largest, 100);
        QVERIFY(qAbs(difference.share() - 2.0 / 1200) < 1e-12);
        QVERIFY(qRed(difference.image.pixel(5, 6)) == 255 && qRed(difference.image.pixel(7, 8)) == 255);
        QVERIFY(qGreen(difference.image.pixel(5, 6)) > qGreen(difference.image.pixel(7, 8)));
        QVERIFY(qRed(difference.image.pixel(3, 4)) < 100);
        QCOMPARE(differenceOf(a, b, 100).differing, qint64(0));
        QCOMPARE(differenceOf(a, b.scaled(20, 20), 0).pixels, qint64(0));
        QCOMPARE(differenceOf({}, {}, 0).pixels, qint64(0));
    }

    void bothWaysDrawTheSameMesh() {
        if (!openGlState().usable)
            QSKIP(qPrintable(openGlState().problem));
        WindowFixture f;
        QVERIFY(f.isShown());
        f.openSample();
        QVERIFY(f.waitForViews());
        f.action("Compare OpenGL and Rasterizer…")->trigger();
        auto* dialog = f.window.findChild<DifferenceDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        QSignalSpy compared(dialog, &DifferenceDialog::compared);
        QVERIFY(compared.count() > 0 || compared.wait(30'000));
        const auto look = [&](const char* name) {
            const PictureDifference& d = dialog->difference();
            qInfo("%s: %lld of %lld pixels, largest %d", name, d.differing, d.pixels, d.largest);
            keepPicture(*dialog, name);
            return d.share();
        };
        QVERIFY(dialog->difference().pixels > 50'000);
        QVERIFY2(look("difference") < 0.01, qPrintable(dialog->sentence()));
        QVERIFY(dialog->sentence().contains("pixels"));
        // the difference follows the camera
        const qint64 before = dialog->difference().differing;
        compared.clear();
        QTest::keyClick(f.window.views().views()[1]->widget(), Qt::Key_4);
        QVERIFY(f.waitForViews());
        QVERIFY(compared.count() > 0 || compared.wait(30'000));
        QVERIFY2(look("difference_front") < 0.01, qPrintable(dialog->sentence()));
        QVERIFY(dialog->difference().differing != before);
        // without tolerance, more pixels differ; with the largest tolerance, none do
        auto* tolerance = dialog->findChild<QSpinBox*>();
        const qint64 some = dialog->difference().differing;
        tolerance->setValue(0);
        QVERIFY(dialog->difference().differing > some);
        tolerance->setValue(254);
        QVERIFY(dialog->difference().differing <= some);
        tolerance->setValue(8);
        auto* shown = dialog->findChild<QComboBox*>();
        for (int i = 0; i < 3; ++i) {
            shown->setCurrentIndex(i);
            keepPicture(*dialog, QString("difference_shown_%1").arg(i));
        }
    }

    void anotherMeshIsAnotherPicture() {
        if (!openGlState().usable)
            QSKIP(qPrintable(openGlState().problem));
        WindowFixture f;
        QVERIFY(f.isShown());
        f.openSample();
        QVERIFY(f.waitForViews());
        auto& mesh = f.window.views().meshView();
        DifferenceDialog dialog(mesh, f.window.camera());
        auto other = std::make_shared<Snapshot>(*f.snapshot());
        other->resolved->light = !other->resolved->light; // the software rasterizer draws without light
        dialog.setSnapshot(other);
        dialog.show();
        QSignalSpy compared(&dialog, &DifferenceDialog::compared);
        QVERIFY(compared.wait(30'000));
        QVERIFY2(dialog.difference().share() > 0.05, qPrintable(dialog.sentence()));
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowDifference)
#include "test_window_difference.moc"
