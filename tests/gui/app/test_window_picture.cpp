// The rasterized picture in the whole window: finer at rest.
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/synth/synthetic_cloud.h"
#include "engine/io/writers.h"
#include "engine/picture/view.h"
#include "engine/results/kernel_points.h"
#include "engine/results/snapshot.h"
#include "gui/interop/interop_choice.h"
#include "gui/models/run_history_model.h"
#include "gui/models/stage_timing_model.h"
#include "gui/opengl/opengl_probe.h"
#include "gui/panels/parameters/colour_by_row.h"
#include "gui/panels/parameters/parameter_rows.h"
#include "gui/panels/timings_panel.h"
#include "gui/sliders/value_control.h"
#include "gui/views/gl_view.h"
#include "gui/views/raster_view.h"
#include "gui/views/scene/camera_frame.h"
#include "gui/views/view_navigation.h"
#include "tests/gui/app/window_fixture.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QScopeGuard>
#include <algorithm>
#include <array>
#include <cstdio>
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

void type(ValueControl* control, const char* text) {
    auto* box = control->findChild<QAbstractSpinBox*>();
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, QString::fromLatin1(text));
    QTest::keyClick(box, Qt::Key_Return);
}

void type(WindowFixture& f, const char* row, const char* text) {
    type(f.row<NumberRow>(row)->control(), text);
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

/// Whether CUDA writes directly to the views' buffers.
bool devicePath() {
    static const bool written = InteropChoice().problem().isEmpty();
    return testBackend() == Backend::cuda && written;
}

/// Refinement starts 100 ms after the last move, see LatestWins; a key press takes some time.
constexpr qint64 kRestMs = 80;
/// Maximum number of attempts, because the machine may be busy during one of them.
constexpr int kAttempts = 5;

int drawn(const QImage& image) {
    const QRgb nothing = image.pixel(0, 0);
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            count += image.pixel(x, y) != nothing;
    return count;
}

/// Number of large differences between horizontally adjacent pixels, as at jagged edges.
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
        connect(&f.window.jobs().runner(), &PipelineRunner::refined, &f.window,
                [&seen](const SnapshotPtr& s) { seen.insert(s->picture->samples); });
        f.openSample(1'000'000); // a surface with enough edges
        QVERIFY(waitForSamples(f, 16));
        QCOMPARE(seen, (std::set<int>{4, 16}));
        QVERIFY(rasterView(f)->isComplete());
        const QImage fine = rasterView(f)->grab().toImage();
        keepPicture(*rasterView(f), "sixteen_samples");
        const auto* stages = f.window.findChild<TimingsPanel*>()->stages();
        QTRY_VERIFY(stages->timings().find("refine"));
        QVERIFY(stages->timings().find("rasterize")); // listed in addition to the run's stages
        // moving the camera restarts the refinement, which ends with the same number of samples
        const auto last = f.snapshot()->picture;
        QTest::keyClick(rasterView(f), Qt::Key_Left);
        QVERIFY(QTest::qWaitFor([&] { return f.snapshot()->picture->camera != last->camera; }, 10'000));
        QVERIFY(waitForSamples(f, 16));
        // without refinement, the picture is sampled at the pixels' centres
        type(f, "samples", "1");
        QVERIFY(waitForSamples(f, 1));
        QTest::qWait(300);
        QCOMPARE(f.snapshot()->picture->samples, 1);
        QTest::keyClick(rasterView(f), Qt::Key_Right); // moves the camera back
        QVERIFY(waitForSamples(f, 1));
        keepPicture(*rasterView(f), "one_sample");
        const int rough = jumps(rasterView(f)->grab().toImage()), smooth = jumps(fine);
        QVERIFY2(smooth * 3 < rough * 2, qPrintable(QString("%1 and %2").arg(smooth).arg(rough)));
    }

    void theTransferToTheScreenIsShown() {
        WindowFixture f;
        QVERIFY(f.isShown());
        auto* told = f.child<QLabel>("transfer");
        QVERIFY(told && told->text().isEmpty());
        f.openSample();
        QVERIFY(waitForSamples(f, 16));
        QTRY_VERIFY(!told->text().isEmpty());
        const auto transfers = [&] { return f.window.views().transfers(); };
        QTRY_COMPARE(told->text(), transferText(transfers()));
        QCOMPARE(told->toolTip(), transferDetails(transfers()));
        const Transfer picture = transfers().picture;
        for (const Transfer& transfer : {transfers().voxels, transfers().mesh, picture}) {
            QVERIFY(transfer.path != Transfer::Path::none);
            QVERIFY(transfer.copyMs > 0 || transfer.path == Transfer::Path::painted);
            QCOMPARE(transfer.path == Transfer::Path::interop, devicePath());
            if (testBackend() == Backend::cpu || devicePath())
                QCOMPARE(transfer.bytesToHost, quint64(0)); // bytes per frame
            else
                QVERIFY(!transfer.why.isEmpty());
        }
        if (!devicePath())
            QCOMPARE(picture.path, openGlState().software ? Transfer::Path::painted : Transfer::Path::copied);
        QVERIFY(picture.waitedMs > 0 && picture.presentedMs >= picture.waitedMs + picture.copyMs);
        QVERIFY(f.window.findChild<MessageBar*>()->isHidden()); // a missing transfer path is no error
        std::printf("%s\n%s\n", qPrintable(told->text()), qPrintable(told->toolTip()));
        keepPicture(f.window, "transfer");
    }

    void movingTheIsoValueCopiesNothingToTheHost_data() {
        QTest::addColumn<bool>("interop");
        QTest::newRow("CUDA to OpenGL") << true;
        QTest::newRow("through the host") << false;
    }
    void movingTheIsoValueCopiesNothingToTheHost() {
        QFETCH(bool, interop);
        const bool onDevice = testBackend() == Backend::cuda;
        if (interop && !devicePath())
            QSKIP("CUDA does not write into OpenGL here");
        WindowFixture f;
        f.window.interop().setEnabled(interop);
        QVERIFY(f.isShown());
        choose(f, "quality", int(QualityChoice::off)); // quality figures read voxels and mesh on the host
        f.openSample();
        QVERIFY(f.waitForViews());
        type(f, "samples", "1");
        QVERIFY(f.waitForViews());
        QVERIFY(!f.snapshot()->quality);
        std::vector<Transfer> meshes, pictures;
        for (const char* iso : {"0.1", "0.05", "-0.05", "-0.1", "0.02", "0.04", "-0.02", "0.06", "-0.06"}) {
            type(f, "iso", iso);
            QVERIFY(f.waitForViews());
            QTest::qWait(50); // until it is on the screen, too
            QCOMPARE(*f.snapshot()->resolved->iso, QString(iso).toDouble());
            QCOMPARE(f.snapshot()->mesh.onDevice(), onDevice);
            QVERIFY(f.snapshot()->mesh->triangleCount() > 1000);
            QCOMPARE(f.snapshot()->mesh.hasHost(), !interop); // nothing has requested a copy
            const Transfers all = f.window.views().transfers();
            for (const Transfer& transfer : {all.voxels, all.mesh, all.picture}) {
                QCOMPARE(transfer.path == Transfer::Path::interop, interop);
                QVERIFY(!interop || transfer.bytesToHost == 0);
            }
            QVERIFY(interop || !onDevice || all.mesh.bytesToHost >= f.snapshot()->mesh->bytes());
            meshes.push_back(all.mesh);
            pictures.push_back(all.picture);
        }
        if (interop)
            QVERIFY(!f.snapshot()->voxels.hasHost());
        const auto tell = [&](const char* what, std::vector<Transfer>& all, double Transfer::*ms) {
            std::sort(all.begin(), all.end(),
                      [ms](const Transfer& a, const Transfer& b) { return a.*ms < b.*ms; });
            std::printf("  %s: %.2f ms, at most %.2f\n", what, all[all.size() / 2].*ms, all.back().*ms);
        };
        std::printf("%s, %zu triangles, %zu voxels\n%s\n", QTest::currentDataTag(),
                    f.snapshot()->mesh->triangleCount(), f.snapshot()->voxels->size(),
                    qPrintable(transferDetails(f.window.views().transfers())));
        tell("mesh, waited", meshes, &Transfer::waitedMs);
        tell("mesh, copied", meshes, &Transfer::copyMs);
        tell("mesh, on the screen", meshes, &Transfer::presentedMs);
        tell("picture, waited", pictures, &Transfer::waitedMs);
        tell("picture, copied", pictures, &Transfer::copyMs);
        tell("picture, on the screen", pictures, &Transfer::presentedMs);
        const int made = f.window.views().meshView().canvas()->pool().made();
        QVERIFY2(made <= 8, qPrintable(QString::number(made))); // buffers are created once for each size
        keepPicture(f.window, interop ? "moved_iso" : "moved_iso_host");
    }

    void anotherScreenGetsAPictureOfItsOwn() {
        WindowFixture f;
        QVERIFY(f.isShown());
        f.openSample();
        QVERIFY(f.waitForRest());
        const QSignalSpy wanted(rasterView(f), &RasterView::pictureWanted);
        QEvent moved(QEvent::ScreenChangeInternal);
        QCoreApplication::sendEvent(rasterView(f), &moved);
        QTRY_COMPARE(wanted.count(), 1); // the scale of the other screen may differ
    }

    /// The whole chain after a moved slider, by the timings that the window shows.
    void tenMillionPointsFollowASlider() {
        if (!devicePath())
            QSKIP("a computer without CUDA in OpenGL takes seconds for ten million points");
        QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("street.ply").toStdString();
        synth::ScanParams params;
        params.points = 10'000'000;
        writeCloud(path, syntheticCloud(params, false, {}, {}), {}, {});
        WindowFixture f;
        QVERIFY(f.isShown());
        choose(f, "quality", int(QualityChoice::off));
        f.open(path);
        QVERIFY(QTest::qWaitFor([&] { return f.snapshot() && f.snapshot()->cloud->size() == params.points; },
                                60'000));
        type(f, "samples", "1");
        ValueControl* voxelSize = f.row<VoxelSizeRow>("voxel_size")->control(0);
        type(voxelSize, "0.1");
        QVERIFY(f.waitForViews());
        std::vector<double> times;
        // history() brings the panel up to date, which otherwise lags behind fast runs
        auto* panel = f.window.findChild<TimingsPanel*>();
        const auto newest = [panel] { return panel->history()->records().front(); };
        auto number = newest().number;
        // each size is used once, because kept results would not be a run
        for (const char* size :
             {"0.101", "0.1015", "0.102", "0.1025", "0.103", "0.1035", "0.104", "0.1045", "0.1005"}) {
            type(voxelSize, size);
            QVERIFY(f.waitForViews());
            QVERIFY(newest().number > number); // waits for another run
            number = newest().number;
            times.push_back(newest().timings.totalMs);
            QCOMPARE(times.back(), f.snapshot()->timings.totalMs);
            QCOMPARE(f.snapshot()->resolved->voxelSize->x, QString(size).toDouble());
        }
        std::sort(times.begin(), times.end());
        std::printf("10 M points, %zu voxels, %zu triangles: %.2f ms, %.2f to %.2f\n",
                    f.snapshot()->voxels->size(), f.snapshot()->mesh->triangleCount(),
                    times[times.size() / 2], times.front(), times.back());
        QVERIFY(times[times.size() / 2] < 100); // some milliseconds on a large GPU
        keepPicture(f.window, "ten_million");
    }

    void withoutInteropItIsTheSamePicture() {
        WindowFixture f;
        QVERIFY(f.isShown());
        f.openSample();
        QVERIFY(waitForSamples(f, 16));
        QTest::qWait(200);
        const auto pictures = [&] {
            std::array<QImage, 3> all;
            for (std::size_t v = 0; v < 3; ++v)
                all[v] = v < 2 ? static_cast<GlView*>(f.window.views().views()[v])->canvas()->picture()
                               : rasterView(f)->grab().toImage();
            return all;
        };
        const auto picks = [&](std::size_t v) {
            std::vector<std::uint32_t> all;
            ScanView* view = f.window.views().views()[v];
            for (int y = 5; y < view->widget()->height(); y += 29)
                for (int x = 5; x < view->widget()->width(); x += 31) {
                    const auto hit = view->pick(QPointF(x, y));
                    all.push_back(hit ? hit->index : 0xffffffffu);
                }
            return all;
        };
        const std::array picked{picks(0), picks(1)};
        const auto before = pictures();
        f.window.interop().setEnabled(false);
        QTest::keyClick(rasterView(f), Qt::Key_Left);
        QVERIFY(waitForSamples(f, 16));
        colourBy(f, "count"); // the views keep their buffers until their content changes
        QVERIFY(waitForSamples(f, 16));
        colourBy(f, "auto");
        QVERIFY(waitForSamples(f, 16));
        QTest::keyClick(rasterView(f), Qt::Key_Right); // moves the camera back
        QVERIFY(waitForSamples(f, 16));
        QTest::qWait(200);
        const Transfers all = f.window.views().transfers();
        for (const Transfer& transfer : {all.voxels, all.mesh, all.picture})
            QVERIFY(transfer.path != Transfer::Path::interop);
        const auto after = pictures();
        for (std::size_t v = 0; v < 3; ++v) {
            QCOMPARE(after[v].size(), before[v].size());
            int differing = 0; // rotating there and back may leave a rounding error
            for (int y = 0; y < before[v].height(); ++y)
                for (int x = 0; x < before[v].width(); ++x)
                    differing += before[v].pixel(x, y) != after[v].pixel(x, y);
            std::printf("view %zu: %d of %d pixels differ\n", v, differing,
                        before[v].width() * before[v].height());
            QVERIFY2(differing < before[v].width() * before[v].height() / 100,
                     qPrintable(QString("view %1: %2").arg(v).arg(differing)));
        }
        QVERIFY(drawn(before[0]) > 1000 && drawn(before[1]) > 1000);
        for (std::size_t v = 0; v < 2; ++v) { // the same voxels and triangles under the same numbers
            const auto again = picks(v);
            QCOMPARE(again.size(), picked[v].size());
            std::size_t same = 0;
            for (std::size_t i = 0; i < again.size(); ++i)
                same += again[i] == picked[v][i];
            std::printf("view %zu: %zu of %zu picks are the same\n", v, same, again.size());
            QVERIFY(same * 100 >= again.size() * 97);
        }
    }

    void movesAreNotDelayed() {
        WindowFixture f;
        QVERIFY(f.isShown());
        f.openSample();
        // at rest: refinement results must not arrive after the first move
        QVERIFY(waitForSamples(f, 16));
        QSignalSpy refined(&f.window.jobs().runner(), &PipelineRunner::refined);
        qint64 longest = kRestMs;
        for (int attempt = 0; attempt < kAttempts && longest >= kRestMs; ++attempt) {
            QVERIFY(waitForSamples(f, 16));
            refined.clear();
            longest = 0;
            QElapsedTimer clock;
            clock.start();
            for (int i = 0; i < 30; ++i) { // moves without a pause
                QTest::keyClick(rasterView(f), i % 2 ? Qt::Key_Left : Qt::Key_Up);
                QTest::qWait(20);
                longest = std::max(longest, clock.restart());
            }
            if (longest < kRestMs)
                QCOMPARE(refined.count(), 0);
        }
        if (longest >= kRestMs)
            QSKIP("this machine is too busy to press keys without rests in between");
        QVERIFY(waitForSamples(f, 16));
        QVERIFY(refined.count() >= 2);
    }

    void pointsAreAveraged() {
        WindowFixture f;
        QVERIFY(f.isShown());
        f.openSample();
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
        QCOMPARE(f.snapshot()->resolved->points, PointBlend::averaged);
        const QImage averaged = rasterView(f)->grab().toImage();
        keepPicture(*rasterView(f), "averaged_points");
        QVERIFY(averaged != nearest);
        QVERIFY(jumps(averaged) < jumps(nearest)); // noise is reduced
    }

    void viewsFollowTheAxisThatIsUp() {
        WindowFixture f;
        QVERIFY(f.isShown());
        f.openSample();
        QVERIFY(f.waitForViews());
        const Camera before = f.window.camera().camera();
        QVERIFY(before.up == upVector(UpAxis::z));
        QVERIFY(!f.snapshot()->recipe->up && f.snapshot()->resolved->up == UpAxis::z);
        QComboBox* combo = f.row<ChoiceRow>("up")->combo();
        choose(f, "up", combo->findText("-y"));
        QTRY_VERIFY(f.snapshot()->resolved->up == UpAxis::minusY);
        QTRY_VERIFY(f.window.camera().camera().up == upVector(UpAxis::minusY));
        f.window.camera().show(StandardView::top, 1);
        QVERIFY(norm(CameraFrame(f.window.camera().camera(), {100, 100}).forward - Vec3d{0, 1, 0}) < 1e-9);
    }

    void pickingStaysThatOfThePixelsCentre() {
        WindowFixture f;
        QVERIFY(f.isShown());
        f.openSample();
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

SCANLOUPE_TEST_IN(QApplication, TestWindowPicture)
#include "test_window_picture.moc"
