// The forecast below the parameters: it follows a slider before anything runs, and runs that don't fit are
// rejected.
#include "engine/cloud/point_cloud.h"
#include "engine/results/snapshot.h"
#include "gui/jobs/forecast_runner.h"
#include "gui/panels/parameters/forecast_line.h"
#include "gui/panels/parameters/parameter_rows.h"
#include "gui/sliders/value_control.h"
#include "gui/text/forecast_text.h"
#include "tests/gui/app/window_fixture.h"
#include "tests/support/pipeline_run.h"

#include <QElapsedTimer>
#include <QPushButton>
#include <QSlider>

#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

/// While it exists, limits the process's address space to `bytes` more.
class LittleMemory {
public:
    explicit LittleMemory(std::uint64_t bytes) {
        getrlimit(RLIMIT_AS, &m_before);
        std::uint64_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        struct rlimit limit = m_before;
        limit.rlim_cur = pages * std::uint64_t(sysconf(_SC_PAGESIZE)) + bytes;
        setrlimit(RLIMIT_AS, &limit);
    }
    ~LittleMemory() { setrlimit(RLIMIT_AS, &m_before); }
    LittleMemory(const LittleMemory&) = delete;
    LittleMemory& operator=(const LittleMemory&) = delete;

private:
    struct rlimit m_before {};
};

} // namespace

class TestWindowForecast : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;

    static ForecastLine* lineOf(WindowFixture& f) { return f.window.parameters().forecastLine(); }

private slots:
    void runsAreCounted() {
        Forecast forecast;
        forecast.milliseconds.value = 5;
        for (const int count : {1, 7}) {
            forecast.scanRuns = forecast.timedRuns = count;
            const QString text = forecastDetails(forecast), runs = count == 1 ? "one run" : "7 runs";
            QCOMPARE(text.count(runs), 2);
            QVERIFY2(!text.contains("(s)") && !text.contains("%n"), qPrintable(text));
        }
    }

    void lateAnswersAreDropped() {
        Run run(bumpyCloud(30'000));
        const auto snapshot = std::make_shared<const Snapshot>(run());
        const Recipe known = snapshot->recipe;
        const auto with = [&](double size) {
            Recipe recipe = known;
            recipe.voxelSize = Vec3d{size, size, size};
            return recipe;
        };
        ForecastRunner runner(chooseBackend(Backend::cpu));
        std::vector<double> sizes; // voxel sizes of the answered recipes; 0: automatic
        connect(&runner, &ForecastRunner::answered, this,
                [&](const Recipe& recipe) { sizes.push_back(recipe.voxelSize.value_or(Vec3d()).x); });
        runner.setSnapshot(snapshot);
        QTRY_VERIFY(runner.answerTo(known));
        sizes.clear();
        runner.ask(with(0.2)); // the worker starts with this recipe
        runner.ask(known);     // answered at once: the same recipe was answered last
        QCOMPARE(sizes, std::vector<double>{0});
        runner.ask(with(0.3));
        QTRY_VERIFY(!runner.isAsked());
        QCOMPARE(sizes, (std::vector<double>{0, 0.3})); // the answer for 0.2 was outdated
    }

    void forecastFollowsASlider() {
        WindowFixture f({1500, 900});
        QVERIFY(f.isShown());
        QVERIFY(!lineOf(f)->isVisible());
        f.openSample();
        QVERIFY(f.waitForViews());
        QTRY_VERIFY(lineOf(f)->isVisible());
        const QString opened = lineOf(f)->text();
        std::printf("opened: %s\n", qPrintable(opened));
        ValueControl* size = f.row<VoxelSizeRow>("voxel_size")->control(0);
        const std::size_t before = f.snapshot()->voxels->size();
        QElapsedTimer clock;
        clock.start();
        size->slider()->setSliderDown(true);
        size->slider()->setValue(size->slider()->value() + 60);
        const double held = double(clock.nsecsElapsed()) / 1e6;
        while (lineOf(f)->text() == opened && clock.elapsed() < 5000)
            QCoreApplication::processEvents();
        const QString moved = lineOf(f)->text();
        QCOMPARE(f.snapshot()->voxels->size(), before); // the forecast appears before any run
        std::printf("moved: %s, in %.2f ms, %.2f of them on the window's thread\n", qPrintable(moved),
                    double(clock.nsecsElapsed()) / 1e6, held);
        QVERIFY(moved != opened);
        QVERIFY(moved.contains(QStringLiteral("voxels")));
        keepPicture(f.window, QStringLiteral("forecast-moved"));
        size->slider()->setSliderDown(false);
        QVERIFY(f.waitForViews());
        std::printf("made: %zu voxels, %zu triangles, %.0f ms\n", f.snapshot()->voxels->size(),
                    f.snapshot()->mesh->triangleCount(), f.snapshot()->timings.totalMs);
        QVERIFY(!lineOf(f)->isRefused());
    }

    void recipesThatDoNotFitAreRefused() {
        if (testBackend() == Backend::cuda)
            QSKIP("the memory that is limited here is that of the host");
        WindowFixture f({1500, 900});
        QVERIFY(f.isShown());
        f.openSample();
        QVERIFY(f.waitForRest());
        QTRY_VERIFY(lineOf(f)->isVisible());
        const std::size_t before = f.snapshot()->voxels->size();
        const LittleMemory little(1'000'000'000);
        Recipe recipe = f.window.parameters().recipe();
        recipe.field = FieldKind::density;
        recipe.voxelSize = Vec3d{0.004, 0.004, 0.004};
        f.window.parameters().setRecipe(recipe);
        emit f.window.parameters().recipeChanged(recipe);
        QVERIFY2(QTest::qWaitFor([&] { return lineOf(f)->isRefused(); }), qPrintable(lineOf(f)->text()));
        std::printf("refused: %s\n", qPrintable(lineOf(f)->text()));
        auto* take = f.child<QPushButton>("takeFittingSize");
        QVERIFY(take->isVisible());
        QTest::qWait(300);
        QCOMPARE(f.snapshot()->voxels->size(), before); // nothing was run
        for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark}) {
            f.theme.choose(theme);
            QTest::qWait(50);
            keepPicture(f.window, theme == ThemeChoice::dark ? QStringLiteral("forecast-refused-dark")
                                                             : QStringLiteral("forecast-refused-light"));
        }
        std::printf("%s\n", qPrintable(take->text()));
        QTest::mouseClick(take, Qt::LeftButton);
        QVERIFY2(QTest::qWaitFor([&] { return !lineOf(f)->isRefused(); }), qPrintable(lineOf(f)->text()));
        QVERIFY2(f.waitForWhole(), qPrintable(f.window.messages().text()));
        QVERIFY(f.snapshot()->voxels->size() != before);
        QCOMPARE(*f.snapshot()->recipe->voxelSize, *f.window.parameters().recipe().voxelSize);
        QVERIFY2(f.window.messages().isHidden(), qPrintable(f.window.messages().text()));
        keepPicture(f.window, QStringLiteral("forecast-taken-dark"));
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowForecast)
#include "test_window_forecast.moc"
