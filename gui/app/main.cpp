#include "engine/cloud/error.h"
#include "gui/app/main_window.h"
#include "gui/panels/icons.h"
#include "gui/panels/theme.h"
#include "gui/views/opengl_probe.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QSurfaceFormat>
#include <cstdio>
#include <cstdlib>

namespace {

QtMessageHandler qtsOwn = nullptr;

/// What makes Qt give up, as a missing display does, is told in a sentence; its other messages go where they
/// always go.
void tellFatal(QtMsgType type, const QMessageLogContext& context, const QString& message) {
    if (type != QtFatalMsg)
        return qtsOwn(type, context, message);
    std::fprintf(stderr,
                 "scanloupe: the window can't be opened: %s\n"
                 "  Start it where there is a display; without one, scanloupe-cli does the same.\n",
                 qPrintable(message.section('\n', 0, 0)));
    std::_Exit(2);
}

} // namespace

int main(int argc, char** argv) {
    using namespace scanloupe;
    qtsOwn = qInstallMessageHandler(tellFatal);
    QApplication::setAttribute(
        Qt::AA_ShareOpenGLContexts); // a view that is moved to another dock keeps its buffers
    QSurfaceFormat::setDefaultFormat(gui::viewFormat());

    QApplication application(argc, argv);
    QApplication::setApplicationName("Scanloupe");
    QApplication::setOrganizationName("Scanloupe");
    QApplication::setApplicationVersion(SCANLOUPE_VERSION);
    QApplication::setWindowIcon(gui::applicationIcon());

    QCommandLineParser parser;
    parser.setApplicationDescription(
        QCoreApplication::translate("main", "Looks into 3D scans: voxels, surface, pixels."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument("scan", QCoreApplication::translate("main", "A scan to open."), "[scan]");
    const QCommandLineOption backend("backend", QCoreApplication::translate("main", "auto, cpu or cuda."),
                                     "name", "auto");
    const QCommandLineOption sample("sample", QCoreApplication::translate("main", "Opens a generated scan."));
    parser.addOption(backend);
    parser.addOption(sample);
    parser.process(application);

    const QString name = parser.value(backend);
    const Backend wanted = name == "cpu" ? Backend::cpu : name == "cuda" ? Backend::cuda : Backend::automatic;
    try {
        gui::Theme theme;
        gui::MainWindow window(wanted, theme);
        window.show();
        if (parser.isSet(sample))
            window.openSample();
        else if (!parser.positionalArguments().isEmpty())
            window.open(parser.positionalArguments().first());
        return QApplication::exec();
    } catch (const Error& error) {
        std::fprintf(stderr, "scanloupe: %s\n  %s\n", error.what(), error.nextStep().c_str());
        return 2;
    }
}
