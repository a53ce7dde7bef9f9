// Pictures of the whole window in all its states, compared with those in tests/gui/pictures. Update them with
// SCANLOUPE_UPDATE=1, and check all changes visually. The test is run a second time at 200 %, see
// CMakeLists.txt.
#include "gui/panels/stage_bars.h"
#include "tests/gui/app/picture_comparison.h"
#include "tests/gui/app/pseudo_language.h"
#include "tests/gui/app/window_scenes.h"

#include <QApplication>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QFontInfo>
#include <QLabel>
#include <QLibraryInfo>
#include <QMessageBox>
#include <QPainter>
#include <QProgressBar>
#include <QScopeGuard>
#include <QScreen>
#include <QStatusBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVersionNumber>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

/// Version of Qt that the stored pictures were made with.
constexpr int kQtMajor = 6, kQtMinor = 4;

/// Constant times in place of measured ones, which vary.
RunTimings fixedTimings() {
    RunTimings timings;
    for (const auto& [stage, ms] : {std::pair{"read", 40.0},
                                    {"upload", 1.0},
                                    {"voxelize", 6.0},
                                    {"field", 9.0},
                                    {"extract", 12.0},
                                    {"rasterize", 8.0},
                                    {"resolve", 2.0}})
        timings.stages.push_back({stage, "cpu", false, ms, 0, 1'000'000, {}, {}});
    timings.totalMs = 38;
    return timings;
}

/// Scenes without content that depends on theme, scale or language alone.
bool isOfOneLookOnly(const QString& scene) {
    static const QStringList scenes{"tour-1",           "tour-3",       "tour-4",        "dock-align-empty",
                                    "colours-distance", "export-mesh",  "export-voxels", "palette-nothing",
                                    "message-note",     "sweep",        "sequence",      "restore",
                                    "dock-timings",     "message-offer"};
    return scenes.contains(scene) || scene.startsWith(QLatin1String("menu-"));
}

/// Parts of a window that differ from run to run or from machine to machine.
QList<QWidget*> varyingParts(WindowFixture& f, QWidget& window) {
    QList<QWidget*> parts;
    for (const char* name : {"log", "forecast"})
        parts << window.findChild<QWidget*>(QLatin1String(name));
    for (QWidget* bar : window.findChildren<QProgressBar*>())
        parts << bar;
    if (&window == &f.window)
        parts << f.child<QDockWidget>("timings")->findChild<QTabWidget*>();
    if (auto* box = qobject_cast<QMessageBox*>(&window); box && box->text().contains(QLatin1String("<h3>")))
        for (QWidget* label : box->findChildren<QLabel*>())
            parts << label; // About: versions and drivers
    parts.removeAll(nullptr);
    return parts;
}

/// A picture of a window, with varying parts covered.
QImage pictureOf(WindowFixture& f, QWidget& window) {
    if (f.snapshot())
        f.window.findChild<StageBars*>()->setRun(fixedTimings(), false);
    QCoreApplication::sendPostedEvents();
    QImage image = window.grab().toImage();
    QPainter painter(&image);
    const auto cover = [&](const QWidget* part, const QRect& rect) {
        if (!part->isVisible() || part->window() != &window)
            return;
        QRect seen(part->mapTo(&window, rect.topLeft()), rect.size());
        for (const QWidget* outer = part->parentWidget(); outer && outer != &window;
             outer = outer->parentWidget()) {
            if (qobject_cast<const QDockWidget*>(outer) && outer->visibleRegion().isEmpty())
                return; // the dock is behind another dock
            seen &= QRect(outer->mapTo(&window, QPoint(0, 0)), outer->size());
        }
        painter.fillRect(seen, Qt::gray);
    };
    for (const QWidget* part : varyingParts(f, window))
        cover(part, part->rect());
    if (&window == &f.window) { // the status bar after its first word
        constexpr int kWord = 120;
        const QWidget* bar = f.window.statusBar();
        cover(bar, bar->rect().adjusted(kWord, 0, 0, 0));
    }
    // tiles of a sweep: times below the picture
    for (const QToolButton* tile : window.findChildren<QToolButton*>())
        if (const int text = tile->height() - tile->iconSize().height();
            tile->text().contains(QLatin1Char('\n')))
            cover(tile, QRect(0, tile->height() - text, tile->width(), text));
    return image;
}

/// A stable picture, after layouts and workers have finished.
QImage settledPictureOf(WindowFixture& f, QWidget& window) {
    constexpr int kStillMs = 300, kPatienceMs = 5000;
    QImage picture = reduced(pictureOf(f, window));
    QElapsedTimer still;
    still.start();
    (void)QTest::qWaitFor(
        [&] {
            QImage next = reduced(pictureOf(f, window));
            if (next != picture)
                still.restart();
            picture = std::move(next);
            return still.hasExpired(kStillMs);
        },
        kPatienceMs);
    return pictureOf(f, window);
}

} // namespace

class TestWindowPictures : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;
    PseudoTranslator m_pseudo;
    QSize m_area;

private slots:
    void initTestCase() {
        if (!openGlState().usable || !openGlState().renderer.contains(QLatin1String("llvmpipe")))
            QSKIP("The pictures are those of llvmpipe; another renderer draws other pixels.");
        if (QFontInfo(QApplication::font()).family() != QLatin1String("DejaVu Sans"))
            QSKIP("The pictures have DejaVu Sans; install fonts-dejavu-core and no other font.");
        const QSize screen = QGuiApplication::primaryScreen()->size();
        m_area = qGuiApp->devicePixelRatio() > 1 ? screen : QSize(1366, 768);
        if (screen != (qGuiApp->devicePixelRatio() > 1 ? QSize(960, 600) : QSize(1366, 768)))
            QSKIP("The pictures are those of Xvfb's screen: unset DISPLAY, and run it by ctest.");
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        QApplication::setCursorFlashTime(0); // otherwise the text cursor blinks
        QCursor::setPos(m_area.width() - 1, m_area.height() - 1);
        WindowScenes::writeScans(m_settings);
    }

    void smallDifferencesAreFound() {
        QImage window(1366, 768, QImage::Format_RGB32);
        window.fill(qRgb(240, 240, 240));
        const QImage kept = reduced(window);
        QCOMPARE(distanceOf(kept, kept).worst, 0.0);
        QPainter painter(&window);
        painter.setFont(QApplication::font());
        painter.drawText(400, 300, QStringLiteral("Reset all"));
        painter.end();
        const double text = distanceOf(reduced(window), kept).worst;
        qInfo("a text: %.1f of 255 in its block", text);
        QVERIFY(text > kMaxBlockDifference);
    }

    void theWindowLooksAsBefore_data() {
        QTest::addColumn<bool>("pseudo");
        QTest::newRow("in English, light and dark") << false;
        if (qGuiApp->devicePixelRatio() == 1)
            QTest::newRow("pseudo") << true;
    }
    void theWindowLooksAsBefore() {
        QFETCH(bool, pseudo);
        const bool isLarge = qGuiApp->devicePixelRatio() > 1;
        QSettings().clear();
        if (pseudo)
            QCoreApplication::installTranslator(&m_pseudo);
        const auto restore = qScopeGuard([this] { QCoreApplication::removeTranslator(&m_pseudo); });
        WindowFixture f(m_area);
        f.theme.choose(ThemeChoice::light);
        QVERIFY(f.isShown());
        f.window.resize(m_area);
        QVERIFY(QTest::qWaitFor([&] { return f.window.size() == m_area; }, 5000));
        QStringList seen, differing;
        const auto compare = [&](const QString& look, const QString& scene, QWidget& window) {
            const QString name = look + (isLarge ? QLatin1String("-200/") : QLatin1String("/")) + scene;
            QImage picture = pictureOf(f, window);
            // on a busy machine, results arrive late; after several failures, the test no longer waits
            constexpr int kPatienceMs = 3000, kPatientScenes = 5;
            if (qEnvironmentVariableIsSet("SCANLOUPE_UPDATE"))
                picture = settledPictureOf(f, window);
            else if (differing.size() < kPatientScenes)
                (void)QTest::qWaitFor([&] { return looksAsKept(picture = pictureOf(f, window), name); },
                                      kPatienceMs);
            if (const QString folder = qEnvironmentVariable("SCANLOUPE_SCREENSHOTS"); !folder.isEmpty())
                picture.save(QStringLiteral("%1/%2-%3.png").arg(folder, look, scene));
            if (const QString what = compareWithKept(picture, name); !what.isEmpty())
                differing << what;
            seen << name;
        };
        WindowScenes scenes(
            f, m_settings,
            [&](const QString& scene, QWidget& window) {
                // folders of the machine, or varying times
                static const QStringList varying{"open-files",          "menu-1-1", "dock-timings-stages",
                                                 "dock-timings-counts", "dock-log", "compare"};
                if (varying.contains(scene) || scene.startsWith(QLatin1String("dock-closed-")))
                    return;
                const bool isOnce = isOfOneLookOnly(scene);
                if (pseudo ? !isOnce : !isLarge || !isOnce)
                    compare(pseudo ? QStringLiteral("pseudo") : QStringLiteral("light"), scene, window);
                if (pseudo || isOnce)
                    return;
                // a walk takes longer than the second pictures of the scenes
                f.theme.choose(ThemeChoice::dark);
                compare(QStringLiteral("dark"), scene, window);
                f.theme.choose(ThemeChoice::light);
            },
            [pseudo](const QString& english) {
                return pseudo ? pseudoText(english).remove(QLatin1Char('&')) : english;
            });
        QVERIFY(scenes.showEmpty());
        QVERIFY(scenes.showLayouts());
        QVERIFY(scenes.showDocks());
        QVERIFY(scenes.showMenus());
        QVERIFY(scenes.showDialogs());
        if (!isLarge)
            QVERIFY(scenes.showSeveral());
        QVERIFY(seen.size() > 15);
        for (const QString& what : differing)
            qWarning("%s", qPrintable(what));
        if (const QVersionNumber qt = QLibraryInfo::version();
            qt.majorVersion() != kQtMajor || qt.minorVersion() != kQtMinor)
            QSKIP(qPrintable(
                QStringLiteral("Qt %1 draws widgets otherwise than Qt %2.%3, which the kept pictures "
                               "were made with; %4 differ")
                    .arg(qt.toString())
                    .arg(kQtMajor)
                    .arg(kQtMinor)
                    .arg(differing.size())));
        QVERIFY(differing.isEmpty());
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowPictures)
#include "test_window_pictures.moc"
