// Responsiveness during a drag: pictures are updated continuously, the last one has the last value, and the
// window never freezes.
#include "engine/recipe/parameters.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"
#include "engine/results/voxel_attributes.h"
#include "gui/panels/parameters/parameter_rows.h"
#include "gui/sliders/value_control.h"
#include "gui/views/gl_view.h"
#include "gui/views/raster_view.h"
#include "tests/gui/app/heartbeat.h"
#include "tests/gui/app/window_fixture.h"

#include <QElapsedTimer>
#include <QSlider>
#include <QStyle>
#include <QStyleOptionSlider>

#include <fmt/format.h>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

constexpr int kMoves = 100;
constexpr int kMoveMs = 20; // 2 s in total
constexpr int kTurns = 5;   // number of mouse strokes; odd, so that the drag ends at the far end

/// Counts how often a widget paints another result than before.
class NewPictures : public QObject {
public:
    NewPictures(WindowFixture& fixture, QWidget* view) : m_fixture(fixture) {
        view->installEventFilter(this);
    }
    int count = 0;

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Paint && m_fixture.snapshot()->picture != m_shown) {
            // figures of the same mesh arrive later, and do not count as a new picture
            m_shown = m_fixture.snapshot()->picture;
            ++count;
        }
        return false;
    }

private:
    WindowFixture& m_fixture;
    std::shared_ptr<const Picture> m_shown = m_fixture.snapshot()->picture;
};

/// Maximum number of attempts: the machine may be busy during one of them.
constexpr int kAttempts = 5;

/// Responsiveness as the user experiences it.
struct Feel {
    /// Limit of the delay of 95 % of events, for the program's own share.
    static constexpr double kWaitMs = 50;
    static constexpr double kLatestMs = 150; ///< limit of the delay of all events, for the program's own
                                             ///< share
    int pictures = 0;                        ///< number of new pictures during the drag
    double seconds = 0;                      ///< duration of the drag
    double wait = 0;                         ///< result of Heartbeat::wait95(), milliseconds
    double latest = 0;                       ///< maximum delay of the heartbeat, milliseconds
    double machine = 0;                      ///< delay without a busy window, milliseconds

    bool good() const {
        return pictures > 0 && pictures >= 5 * seconds && wait <= kWaitMs + machine &&
               latest <= kLatestMs + machine;
    }
    std::string text() const {
        return fmt::format("{} new pictures in {:.2f} s, 95 % of events wait at most {:.1f} ms, all at most "
                           "{:.1f} ms, {:.1f} ms of it the machine's",
                           pictures, seconds, wait, latest, machine);
    }
};

/// Drags a slider's handle with the mouse by `way` of its length.
void drag(QSlider* slider, double way) {
    QStyleOptionSlider option;
    option.initFrom(slider);
    option.minimum = slider->minimum();
    option.maximum = slider->maximum();
    option.sliderPosition = option.sliderValue = slider->sliderPosition();
    const QPoint start =
        slider->style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, slider).center();
    QTest::mousePress(slider, Qt::LeftButton, {}, start);
    QElapsedTimer clock;
    clock.start();
    for (int i = 1; i <= kMoves; ++i) {
        // back and forth several times, ending at the far end, like a user who searches a value; a slider of
        // some hundred pixels has no more values than pixels
        const double turns = kTurns * double(i) / kMoves, phase = std::fmod(turns, 2);
        const double at = way * (phase <= 1 ? phase : 2 - phase);
        const QPointF place(start.x() + at * slider->width(), start.y());
        QMouseEvent move(QEvent::MouseMove, place, slider->mapToGlobal(place), Qt::NoButton, Qt::LeftButton,
                         {});
        QCoreApplication::sendEvent(slider, &move);
        QTest::qWait(std::max(1, int(i * kMoveMs - clock.elapsed())));
    }
    QTest::mouseRelease(slider, Qt::LeftButton, {}, {int(start.x() + way * slider->width()), start.y()});
}

} // namespace

class TestWindowDrag : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;

private slots:
    void picturesFollowADrag_data() {
        QTest::addColumn<QString>("parameter");
        QTest::addColumn<double>("way");
        QTest::newRow("iso-value") << "iso" << 0.15;
        QTest::newRow("voxel size") << "voxel_size" << 0.15;
        QTest::newRow("voxel size, finer") << "voxel_size" << -0.08;
        QTest::newRow("point size") << "point_size" << 0.3;
    }
    void picturesFollowADrag() {
        QFETCH(QString, parameter);
        QFETCH(double, way);
        Feel feel;
        for (int attempt = 0; attempt < kAttempts && !feel.good(); ++attempt) {
            dragOnce(parameter, way, feel);
            if (QTest::currentTestFailed())
                return;
        }
        QVERIFY2(feel.good(), feel.text().c_str());
    }

    void theCameraIsFollowed() {
        WindowFixture f({1500, 900});
        QVERIFY(f.isShown());
        f.openSample(1'000'000);
        QVERIFY(f.waitForViews());
        QTest::qWait(500);
        QWidget* view = f.window.views().views()[1]->widget();
        const QPointF centre = view->rect().center();
        const auto send = [&](QEvent::Type type, QPointF at, Qt::MouseButton button, Qt::MouseButtons held) {
            QMouseEvent event(type, at, view->mapToGlobal(at), button, held, {});
            QCoreApplication::sendEvent(view, &event);
        };
        Feel feel;
        for (int attempt = 0; attempt < kAttempts && !feel.good(); ++attempt) {
            NewPictures pictures(f, f.window.views().views()[2]->widget());
            const double machine = machineLatest();
            QElapsedTimer clock;
            clock.start();
            Heartbeat heart;
            send(QEvent::MouseButtonPress, centre, Qt::LeftButton, Qt::LeftButton);
            for (int i = 1; i <= kMoves; ++i) {
                send(QEvent::MouseMove, centre + QPointF(i, 0.2 * i), Qt::NoButton, Qt::LeftButton);
                QTest::qWait(std::max(1, int(i * kMoveMs - clock.elapsed())));
            }
            send(QEvent::MouseButtonRelease, centre + QPointF(kMoves, 0.2 * kMoves), Qt::LeftButton,
                 Qt::NoButton);
            feel = {pictures.count, double(clock.elapsed()) / 1e3};
            QVERIFY(f.waitForViews());
            feel.latest = heart.latest();
            feel.wait = heart.wait95();
            feel.machine = machine;
            std::printf("orbit: %s\n", feel.text().c_str());
        }
        QVERIFY2(feel.good(), feel.text().c_str());
    }

private:
    /// A drag in a new window.
    void dragOnce(const QString& parameter, double way, Feel& feel) {
        WindowFixture f({1500, 900});
        QVERIFY(f.isShown());
        f.openSample(1'000'000);
        QVERIFY(f.waitForViews());
        QTest::qWait(500);
        const Snapshot& before = *f.snapshot();
        std::printf("%s: window %dx%d, %zu points, %zu voxels, %zu triangles before\n",
                    QTest::currentDataTag(), f.window.width(), f.window.height(), before.points->size(),
                    before.voxels->size(), before.mesh->triangleCount());
        QSlider* slider = parameter == "voxel_size"
                              ? f.row<VoxelSizeRow>("voxel_size")->control(0)->slider()
                              : f.row<NumberRow>(parameter.toUtf8())->control()->slider();
        const auto& views = f.window.views().views();
        NewPictures pictures(f, views[2]->widget());
        std::array<int, 2> shown{};
        for (std::size_t v = 0; v < 2; ++v)
            connect(static_cast<GlView*>(views[v])->canvas(), &GlCanvas::pictureShown, &f.window,
                    [&shown, v] { ++shown[v]; });
        const double machine = machineLatest();
        QElapsedTimer clock;
        clock.start();
        Heartbeat heart;
        drag(slider, way);
        feel = {pictures.count, double(clock.elapsed()) / 1e3};
        const auto shownDuring = shown;
        QVERIFY(f.waitForViews());
        feel.latest = heart.latest();
        feel.wait = heart.wait95();
        feel.machine = machine;
        std::printf("  %s; voxel view drew %d, mesh view %d; whole %.2f s after the start, %zu voxels, %zu "
                    "triangles\n",
                    feel.text().c_str(), shownDuring[0], shownDuring[1], double(clock.elapsed()) / 1e3,
                    f.snapshot()->voxels->size(), f.snapshot()->mesh->triangleCount());
        const Recipe& asked = f.window.parameters().recipe();
        QCOMPARE(*scanloupe::parameter(parameter.toStdString()).get(f.snapshot()->recipe),
                 *scanloupe::parameter(parameter.toStdString()).get(asked));
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowDrag)
#include "test_window_drag.moc"
