// Clean-up, live figures of the mesh and its colours by distance, in the whole window.
#include "engine/results/quality.h"
#include "engine/results/snapshot.h"
#include "engine/run/pipeline/pipeline.h"
#include "gui/models/property_model.h"
#include "gui/models/run_history_model.h"
#include "gui/models/stage_timing_model.h"
#include "gui/panels/data_panel.h"
#include "gui/panels/parameters/colour_by_row.h"
#include "gui/panels/parameters/parameter_rows.h"
#include "gui/panels/timings_panel.h"
#include "gui/sliders/number_box.h"
#include "gui/sliders/value_control.h"
#include "gui/views/gl_view.h"
#include "gui/views/surface/colour_legend.h"
#include "tests/gui/app/window_fixture.h"
#include "tests/gui/views/view_scenes.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QSlider>
#include <set>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

/// Waits until the last results have figures of all requested points.
bool waitForFigures(WindowFixture& f) {
    return f.waitForWhole() && QTest::qWaitFor(
                                   [&] {
                                       return f.snapshot()->recipe == f.window.jobs().runner().recipe() &&
                                              isMeasured(*f.snapshot(), QualityEffort::full);
                                   },
                                   60'000);
}

QString figure(WindowFixture& f, const QString& name) {
    for (const Property& p : f.window.findChild<DataPanel*>()->quality()->properties())
        if (p.name == name)
            return p.value;
    return {};
}

void type(WindowFixture& f, const char* row, const char* text) {
    auto* box = f.row<NumberRow>(row)->control()->findChild<QAbstractSpinBox*>();
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, QString::fromLatin1(text));
    QTest::keyClick(box, Qt::Key_Return);
}

void colourBy(WindowFixture& f, const char* key) {
    QComboBox* combo = f.row<ColourByRow>("colour_by")->combo();
    const int index = combo->findData(QString::fromLatin1(key));
    combo->setCurrentIndex(index);
    emit combo->activated(index);
}

} // namespace

class TestWindowQuality : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;

private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void figuresFollowTheResults() {
        WindowFixture f;
        QVERIFY(f.isShown());
        const QSignalSpy measured(&f.window.jobs().runner(), &PipelineRunner::measured);
        const QSignalSpy results(&f.window.jobs().runner(), &PipelineRunner::snapshotReady);
        f.openSample(1'000'000);
        QVERIFY(waitForFigures(f));
        QVERIFY(measured.count() >= 1);
        const Snapshot s = *f.snapshot();
        const MeshTopology topology = analyseTopology(onHost(s.mesh));
        QCOMPARE(figure(f, "Triangles"), QLocale().toString(qulonglong(s.mesh->triangleCount())));
        QCOMPARE(figure(f, "Parts"), QLocale().toString(qulonglong(topology.components)));
        QCOMPARE(figure(f, "Euler number"), QLocale().toString(qlonglong(topology.euler)));
        // the sensor of the sample is known, so that the surface is open
        QCOMPARE(figure(f, "Surface"), QString("open sheet"));
        QCOMPARE(figure(f, "Holes"), QLocale().toString(qulonglong(topology.gaps + topology.tunnels)));
        QCOMPARE(figure(f, "Boundary loops"), QLocale().toString(qulonglong(topology.rims.count)));
        QVERIFY(figure(f, "Points to mesh, mean").endsWith("mm"));
        QVERIFY(figure(f, "Measured points")
                    .startsWith(QLocale().toString(qulonglong(s.voxels->stats.pointsInRange))));
        auto* timings = f.window.findChild<TimingsPanel*>();
        QVERIFY(timings->history()->rowCount() <= results.count()); // figures add no run to the history
        QVERIFY(timings->counts()->text().contains("holes"));
        QVERIFY(f.waitForViews());
        keepPicture(f.window, "quality");
        // a change of display parameters keeps the figures
        const int before = measured.count();
        QTest::keyClick(f.window.views().views()[1]->widget(), Qt::Key_2);
        QVERIFY(f.waitForViews());
        QVERIFY(f.snapshot()->quality == s.quality);
        QTest::qWait(200);
        QCOMPARE(measured.count(), before);
    }

    void crustsAreReportedAsCrusts() {
        WindowFixture f;
        QVERIFY(f.isShown());
        f.openSample(1'000'000);
        QVERIFY(f.waitForWhole());
        QComboBox* combo = f.row<ChoiceRow>("field")->combo();
        const int occupancy = combo->findText("occupancy");
        combo->setCurrentIndex(occupancy);
        emit combo->activated(occupancy);
        QVERIFY(waitForFigures(f));
        QVERIFY2(figure(f, "Surface").startsWith("two-sided crust, "), qPrintable(figure(f, "Surface")));
        QCOMPARE(figure(f, "Boundary edges"), QString("0"));
        const MeshTopology topology = analyseTopology(onHost(f.snapshot()->mesh));
        QVERIFY(topology.tunnels > 0);
        QCOMPARE(figure(f, "Holes"), QLocale().toString(qulonglong(topology.tunnels)));
    }

    void figuresAreLiveWhileTheIsoValueMoves() {
        WindowFixture f;
        QVERIFY(f.isShown());
        f.openSample(1'000'000);
        QVERIFY(waitForFigures(f));
        QSlider* slider = f.row<NumberRow>("iso")->control()->slider();
        const QSignalSpy measured(&f.window.jobs().runner(), &PipelineRunner::measured);
        const QSignalSpy results(&f.window.jobs().runner(), &PipelineRunner::snapshotReady);
        std::set<QString> areas;
        const auto moved = connect(&f.window.jobs().runner(), &PipelineRunner::measured, &f.window,
                                   [&] { areas.insert(figure(f, "Area")); });
        QElapsedTimer clock;
        clock.start();
        const int start = slider->value();
        // continuous changes; some seconds more on a busy machine
        for (int i = 1; clock.elapsed() < 2000 || (areas.size() < 4 && clock.elapsed() < 20'000); ++i) {
            slider->setValue(start + 2 * (i % 60));
            QTest::qWait(20);
        }
        disconnect(moved);
        std::printf("%d results and %d figures in %.1f s\n", int(results.count()), int(measured.count()),
                    double(clock.elapsed()) / 1000);
        QVERIFY(areas.size() >= 4);
        QVERIFY(measured.count() < results.count()); // computing figures doesn't delay results
        QVERIFY(waitForFigures(f));                  // the last figures belong to the last mesh
        QCOMPARE(f.snapshot()->quality->triangles, std::uint64_t(f.snapshot()->mesh->triangleCount()));
        QVERIFY(*f.snapshot()->recipe->iso == *f.window.parameters().recipe().iso);
    }

    void partsAreRemovedAndTrianglesReduced() {
        WindowFixture f;
        QVERIFY(f.isShown());
        f.openSample(1'000'000);
        QVERIFY(waitForFigures(f));
        const std::uint64_t parts = f.snapshot()->quality->topology.components;
        type(f, "min_component_triangles", "300");
        QVERIFY(waitForFigures(f));
        QVERIFY(f.snapshot()->cleanUp->removedComponents > 0);
        QCOMPARE(f.snapshot()->quality->topology.components,
                 parts - f.snapshot()->cleanUp->removedComponents);
        type(f, "decimate_to", "20000");
        QVERIFY(waitForFigures(f));
        QVERIFY(f.snapshot()->mesh->triangleCount() <= 20'000);
        QVERIFY(f.snapshot()->mesh->triangleCount() > 15'000);
        auto* timings = f.window.findChild<TimingsPanel*>();
        QVERIFY(timings->stages()->timings().find("clean"));
        QVERIFY(f.waitForViews());
        keepPicture(f.window, "decimated");
        const auto notes = f.window.findChild<DataPanel*>()->sentences().join(' ');
        QVERIFY2(notes.contains("Decimated from"), qPrintable(notes));
        f.window.parameters().resetAll();
        QVERIFY(f.waitForWhole());
        QVERIFY(!f.snapshot()->cleanUp);
    }

    void theMeshIsColouredByDistance() {
        WindowFixture f;
        QVERIFY(f.isShown());
        f.openSample(1'000'000);
        QVERIFY(f.waitForViews());
        auto* mesh = static_cast<GlView*>(f.window.views().views()[1]);
        if (!mesh->canvas())
            QSKIP("OpenGL can't be had here");
        const QImage before = mesh->canvas()->grabPicture();
        colourBy(f, "point_distance");
        QVERIFY(f.waitForViews());
        QVERIFY(f.snapshot()->vertexDistances);
        QVERIFY(f.snapshot()->picture->mapped);
        QCOMPARE(f.snapshot()->picture->low, 0.0f);
        QVERIFY(mesh->canvas()->grabPicture() != before);
        // voxels follow when their points have been measured
        QVERIFY(waitForFigures(f));
        QVERIFY(f.waitForViews());
        QTest::qWait(100);
        keepPicture(f.window, "distance");
        QTest::mouseDClick(mesh, Qt::LeftButton, {}, mesh->rect().center());
        QTest::qWait(100); // the view has its new size
        QVERIFY(f.waitForViews());
        QTest::qWait(100);
        keepPicture(f.window, "distance_mesh");
        // the iso-value moves, and the colours with it
        const auto last = f.snapshot()->vertexDistances;
        QSlider* slider = f.row<NumberRow>("iso")->control()->slider();
        slider->setValue(slider->value() + 100);
        QVERIFY(f.waitForViews());
        QVERIFY(f.snapshot()->vertexDistances && f.snapshot()->vertexDistances != last);
    }

    void aLegendNamesTheMap() {
        Recipe recipe;
        recipe.colourBy = "point_distance";
        const ColourLegend ofMesh = legendOf(recipe, 0, 0.0125f, true, LengthUnit::metre);
        QCOMPARE(ofMesh.title, QStringLiteral("Distance to points, m"));
        QCOMPARE(legendOf(recipe, 0, 1, false, LengthUnit::metre).title,
                 QStringLiteral("Distance to mesh, m"));
        recipe.colourBy = "intensity";
        QCOMPARE(legendOf(recipe, 0, 1, true, LengthUnit::metre).title, QStringLiteral("intensity"));
        const QFont font;
        QVERIFY(legendImage(std::nullopt, font, 1).isNull());
        const QImage image = legendImage(ofMesh, font, 1), large = legendImage(ofMesh, font, 2);
        QVERIFY(std::abs(large.width() - 2 * image.width()) <= 2);
        // the map's last colour is at the top of the legend
        const auto colourAt = [&](int y) {
            return image.pixelColor(image.width() - 4 - 6, y).rgb() & 0xffffff;
        };
        const auto expected = [&](std::size_t i) {
            const std::uint32_t c = ofMesh.map[i];
            return qRgb(int(c & 255), int(c >> 8 & 255), int(c >> 16 & 255)) & 0xffffff;
        };
        const auto near = [](QRgb a, QRgb b) {
            return std::abs(qRed(a) - qRed(b)) + std::abs(qGreen(a) - qGreen(b)) +
                       std::abs(qBlue(a) - qBlue(b)) <
                   40;
        };
        QVERIFY(near(colourAt(image.height() - 4 - 3), expected(4)));
        QVERIFY(near(colourAt(image.height() - 4 - 93), expected(250)));
    }

    void measuringCanBeOff() {
        WindowFixture f;
        QVERIFY(f.isShown());
        f.openSample(1'000'000);
        QVERIFY(waitForFigures(f));
        QComboBox* combo = f.row<ChoiceRow>("quality")->combo();
        combo->setCurrentIndex(1);
        emit combo->activated(1);
        QVERIFY(f.waitForWhole());
        QVERIFY(!f.snapshot()->quality);
        QVERIFY(figure(f, "Parts").isEmpty());
        const QSignalSpy measured(&f.window.jobs().runner(), &PipelineRunner::measured);
        QSlider* slider = f.row<NumberRow>("iso")->control()->slider();
        slider->setValue(slider->value() + 50);
        QVERIFY(f.waitForWhole());
        QTest::qWait(300);
        QCOMPARE(measured.count(), 0);
    }

    void measuringStopsAtOnce() {
        auto f = std::make_unique<WindowFixture>();
        QVERIFY(f->isShown());
        f->openSample(1'000'000);
        QVERIFY(f->waitForWhole());
        for (const int delay : {0, 20, 150, 300}) {
            QSlider* slider = f->row<NumberRow>("iso")->control()->slider();
            slider->setValue(slider->value() + 20);
            QVERIFY(f->waitForWhole());
            QTest::qWait(delay); // while figures are being computed
            f->window.jobs().cancel();
            slider->setValue(slider->value() + 20);
            QVERIFY(f->waitForWhole());
        }
        QElapsedTimer clock;
        clock.start();
        f.reset(); // the runner waits for its worker
        QVERIFY2(clock.elapsed() < 1000, qPrintable(QString::number(clock.elapsed())));
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowQuality)
#include "test_window_quality.moc"
