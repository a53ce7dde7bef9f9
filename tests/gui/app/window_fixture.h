#pragma once
// The whole window as tests drive it, with separate settings.
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "gui/app/main_window.h"
#include "gui/base/raw_text.h"
#include "gui/controllers/device_controller.h"
#include "gui/controls/message_bar.h"
#include "gui/controls/theme.h"
#include "gui/opengl/opengl_probe.h"
#include "gui/panels/parameters/parameter_panel.h"
#include "gui/views/view_area.h"
#include "tests/support/test_support.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDir>
#include <QMessageBox>
#include <QMimeData>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QtGui/QDropEvent>
#include <functional>
#include <thread>

namespace scanloupe::test {

/// Redirects settings and autosaves to a scratch folder. Create one before the first window.
class ScratchSettings {
public:
    ScratchSettings() {
        QCoreApplication::setOrganizationName(QStringLiteral("ScanloupeTest"));
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
        qputenv("XDG_DATA_HOME", QFile::encodeName(m_folder.path()));   // folder of autosaves
        qputenv("XDG_CONFIG_HOME", QFile::encodeName(m_folder.path())); // folder of approved code
    }
    QString path(const QString& name) const { return m_folder.filePath(name); }
    /// The folder that stores measures and autosaves.
    static QDir data() {
        return QDir(QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation));
    }
    /// Removes all stored measures.
    static void forgetMeasures() { QDir(data().filePath("measures")).removeRecursively(); }
    /// Removes the autosaves of windows that were not closed.
    static void forgetAutosaves() { QDir(data().filePath("autosave")).removeRecursively(); }

private:
    QTemporaryDir m_folder;
};

/// The backend of the window's tests: the CPU, or $SCANLOUPE_TEST_BACKEND.
inline Backend testBackend() {
    const QString name = qEnvironmentVariable("SCANLOUPE_TEST_BACKEND");
    for (const Backend backend : {Backend::cuda, Backend::sycl})
        if (name == QLatin1String(nameOf(backend)))
            return backend;
    return Backend::cpu;
}

/// Set before an application exists, as in the program: shared contexts have one format, and no frame waits
/// for the display.
inline const bool kHasViewFormat = [] {
    QSurfaceFormat::setDefaultFormat(gui::viewFormat());
    return true;
}();

struct WindowFixture {
    gui::Theme theme;
    gui::MainWindow window;

    explicit WindowFixture(QSize size = {1500, 900}) : window(testBackend(), theme) {
        window.resize(size);
        window.show();
        if (window.device().isSeeking() &&
            !QTest::qWaitFor([&] { return !window.device().isSeeking(); }, 120'000))
            qWarning("the backend is still being tested");
    }
    bool isShown() { return QTest::qWaitForWindowExposed(&window, 20'000); }
    const gui::SnapshotPtr& snapshot() { return window.jobs().runner().snapshot(); }
    /// Opens the sample with a small number of points that suffices for most tests.
    void openSample(std::uint64_t points = 100'000) { window.openSample({.points = points}); }
    void open(const std::filesystem::path& path) { window.open({gui::rawText(path.string())}); }

    /// Waits for complete results of the session's current recipe.
    bool waitForWhole() {
        return QTest::qWaitFor(
            [&] {
                const gui::SnapshotPtr& s = snapshot();
                return s && !window.isBusy() && !s->preview && s->recipe == window.jobs().runner().recipe();
            },
            30'000);
    }
    /// Waits until all views show the latest results completely.
    bool waitForViews() {
        return waitForWhole() && QTest::qWaitFor(
                                     [&] {
                                         for (gui::ScanView* view : window.views().views())
                                             if (!view->widget()->isHidden() && !view->isComplete())
                                                 return false;
                                         return true;
                                     },
                                     30'000);
    }
    /// Waits until the picture has all samples of its refinement as well.
    bool waitForRest() {
        return waitForViews() &&
               QTest::qWaitFor(
                   [&] {
                       return snapshot()->picture->samples == int(window.jobs().runner().recipe().samples);
                   },
                   30'000);
    }
    /// Drops a file on the window, as a file manager does.
    void drop(const QString& path) { drop(QStringList{path}); }
    void drop(const QStringList& paths) {
        QMimeData data;
        QList<QUrl> urls;
        for (const QString& path : paths)
            urls << QUrl::fromLocalFile(path);
        data.setUrls(urls);
        drop(data);
    }
    void drop(const QMimeData& data) {
        QDragEnterEvent enter({700, 400}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&window, &enter);
        QDropEvent event({700, 400}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        if (enter.isAccepted())
            QCoreApplication::sendEvent(&window, &event);
        QCoreApplication::sendPostedEvents(&window, QEvent::MetaCall); // questions are asked after the drop
    }
    /// Answers the next message box, except "please wait" dialogs, and stores its text.
    static void answer(QMessageBox::StandardButton button, QString* text = nullptr) {
        press(false, text, [button](QMessageBox* box) { return box->button(button); });
    }
    /// Answers the next "please wait" dialog with the button that stops waiting, or with Cancel.
    static void losePatience(bool leaves, QString* text = nullptr) {
        press(true, text, [leaves](QMessageBox* box) {
            return leaves ? box->findChild<QAbstractButton*>(QStringLiteral("leave"))
                          : box->button(QMessageBox::Cancel);
        });
    }
    /// Presses a button of the next message box when it appears.
    static void press(bool asksForPatience, QString* text,
                      const std::function<QAbstractButton*(QMessageBox*)>& buttonOf) {
        // a timer, because a nested event loop would block if the box appeared within it
        auto* look = new QTimer(qApp);
        QObject::connect(look, &QTimer::timeout, qApp, [=, tries = 0]() mutable {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            const bool isIt = box && (box->objectName() == QLatin1String("patience")) == asksForPatience;
            if (!isIt && ++tries < 2000)
                return;
            look->stop();
            look->deleteLater();
            QVERIFY(isIt);
            if (text)
                *text = box->text();
            QAbstractButton* button = buttonOf(box);
            QVERIFY(button);
            button->click();
        });
        look->start(5);
    }
    template <class Row>
    Row* row(const char* key) {
        return dynamic_cast<Row*>(window.parameters().row(key));
    }
    template <class Widget>
    Widget* child(const char* name) {
        return window.findChild<Widget*>(QString::fromLatin1(name));
    }
    QAction* action(const QString& text) {
        for (QAction* action : window.findChildren<QAction*>())
            if (action->text().remove(QLatin1Char('&')) == text)
                return action;
        return nullptr;
    }
};

/// Copies a result to the host. The window's thread must not copy from a device, so that another thread does
/// it.
template <class T>
const T& onHost(const DeviceOrHost<T>& result) {
    std::thread([&result] { result.bringToHost(); }).join();
    return result.host();
}

/// Stores a picture of a window in the folder $SCANLOUPE_SCREENSHOTS, if it is set.
inline void keepPicture(QWidget& window, const QString& name) {
    const QString folder = qEnvironmentVariable("SCANLOUPE_SCREENSHOTS");
    if (!folder.isEmpty())
        window.grab().save(folder + "/" + name + ".png");
}

} // namespace scanloupe::test
