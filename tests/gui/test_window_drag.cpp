// What a drag feels like: pictures keep coming, the last one is of the last value, and the window never
// stands still.
#include "gui/panels/parameter_rows.h"
#include "gui/panels/value_control.h"
#include "gui/views/gl_view.h"
#include "gui/views/raster_view.h"
#include "tests/gui/window_fixture.h"

#include <QElapsedTimer>
#include <QSlider>
#include <QStyle>
#include <QStyleOptionSlider>
#include <QTimer>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

constexpr int kMoves = 100;
constexpr int kMoveMs = 20; // 2 s in all

/// Measures how long the event loop was away.
class Heartbeat {
public:
    Heartbeat() {
        m_timer.setTimerType(Qt::PreciseTimer);
        m_timer.setInterval(kBeatMs);
        QObject::connect(&m_timer, &QTimer::timeout, [this] { beat(); });
        m_clock.start();
        m_timer.start();
    }
    /// The most that a beat was late, in milliseconds.
    double latest() {
        beat();
        return m_latest;
    }

private:
    static constexpr int kBeatMs = 5;
    void beat() {
        m_latest = std::max(m_latest, double(m_clock.nsecsElapsed()) / 1e6 - kBeatMs);
        m_clock.restart();
    }
    QTimer m_timer;
    QElapsedTimer m_clock;
    double m_latest = 0;
};

/// Counts the paints of a widget that show another result than the one before.
class NewPictures : public QObject {
public:
    NewPictures(WindowFixture& fixture, QWidget* view) : m_fixture(fixture) {
        view->installEventFilter(this);
    }
    int count = 0;

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Paint && m_fixture.snapshot()->picture != m_shown) {
            m_shown = m_fixture.snapshot()->picture; // figures of its mesh come later and are no new one
            ++count;
        }
        return false;
    }

private:
    WindowFixture& m_fixture;
    std::shared_ptr<const Picture> m_shown = m_fixture.snapshot()->picture;
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
        // there and back, and there: a hand that looks for the right value
        const double phase = double(i) / kMoves, at = way * (phase < 0.5    ? 2 * phase
                                                             : phase < 0.75 ? 2 - 2 * phase
                                                                            : 2 * phase - 1);
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
        double latest = 1e9; // of up to three drags: the machine may be busy with something else
        for (int attempt = 0; attempt < 3 && latest > 50; ++attempt) {
            dragOnce(parameter, way, latest);
            if (QTest::currentTestFailed())
                return;
        }
        QVERIFY(latest <= 50);
    }

    void theCameraIsFollowed() {
        WindowFixture f({1500, 900});
        QVERIFY(f.isShown());
        f.window.openSample();
        QVERIFY(f.waitForViews());
        QTest::qWait(500);
        QWidget* view = f.window.views().views()[1]->widget();
        const QPointF centre = view->rect().center();
        const auto send = [&](QEvent::Type type, QPointF at, Qt::MouseButton button, Qt::MouseButtons held) {
            QMouseEvent event(type, at, view->mapToGlobal(at), button, held, {});
            QCoreApplication::sendEvent(view, &event);
        };
        double latest = 1e9; // of up to three drags: the machine may be busy with something else
        for (int attempt = 0; attempt < 3 && latest > 50; ++attempt) {
            NewPictures pictures(f, f.window.views().views()[2]->widget());
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
            const double seconds = double(clock.elapsed()) / 1e3;
            const int during = pictures.count;
            QVERIFY(f.waitForViews());
            latest = heart.latest();
            std::printf("orbit: %d new pictures in %.2f s; heartbeat at most %.1f ms late\n", during, seconds,
                        latest);
            QVERIFY(during >= 5 * seconds);
        }
        QVERIFY(latest <= 50);
    }

private:
    /// A drag in a window of its own. @param latest how late the heartbeat came at most, milliseconds
    void dragOnce(const QString& parameter, double way, double& latest) {
        WindowFixture f({1500, 900});
        QVERIFY(f.isShown());
        f.window.openSample();
        QVERIFY(f.waitForViews());
        QTest::qWait(500);
        const Snapshot& before = *f.snapshot();
        std::printf("%s: window %dx%d, %zu points, %zu voxels, %zu triangles before\n",
                    QTest::currentDataTag(), f.window.width(), f.window.height(),
                    before.points->positions.size(), before.voxels->size(), before.mesh->triangleCount());
        QSlider* slider = parameter == "voxel_size"
                              ? f.row<VoxelSizeRow>("voxel_size")->control(0)->slider()
                              : f.row<NumberRow>(parameter.toUtf8())->control()->slider();
        const auto& views = f.window.views().views();
        NewPictures pictures(f, views[2]->widget());
        std::array<int, 2> shown{};
        for (std::size_t v = 0; v < 2; ++v)
            connect(static_cast<GlView*>(views[v])->canvas(), &GlCanvas::pictureShown, &f.window,
                    [&shown, v] { ++shown[v]; });
        QElapsedTimer clock;
        clock.start();
        Heartbeat heart;
        drag(slider, way);
        const double seconds = double(clock.elapsed()) / 1e3;
        const int during = pictures.count;
        const auto shownDuring = shown;
        QVERIFY(f.waitForViews());
        std::printf(
            "  %d new pictures in %.2f s (voxel view drew %d, mesh view %d); heartbeat at most %.1f ms late; "
            "whole %.2f s after the start, %zu voxels, %zu triangles\n",
            during, seconds, shownDuring[0], shownDuring[1], heart.latest(), double(clock.elapsed()) / 1e3,
            f.snapshot()->voxels->size(), f.snapshot()->mesh->triangleCount());
        const Recipe& asked = f.window.parameters().recipe();
        QCOMPARE(*scanloupe::parameter(parameter.toStdString()).get(f.snapshot()->recipe),
                 *scanloupe::parameter(parameter.toStdString()).get(asked));
        QVERIFY(during >= 5 * seconds);
        latest = heart.latest();
    }
};

QTEST_MAIN(TestWindowDrag)
#include "test_window_drag.moc"
