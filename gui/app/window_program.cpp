// Parses the command line of the window's program, and opens the window.
#include "gui/app/window_program.h"

#include "engine/cloud/error_message.h"
#include "engine/compute/build_info.h"
#include "engine/compute/memory.h"
#include "gui/app/end_signals.h"
#include "gui/app/help_controller.h"
#include "gui/app/main_window.h"
#include "gui/base/raw_text.h"
#include "gui/controllers/device_controller.h"
#include "gui/controllers/project_controller.h"
#include "gui/controls/icons.h"
#include "gui/controls/theme.h"
#include "gui/interop/interop_probe.h"
#include "gui/opengl/opengl_probe.h"
#include "kernels/sycl/sycl_options.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QScreen>
#include <QSurfaceFormat>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

namespace scanloupe::gui {

namespace {

QtMessageHandler defaultMessageHandler = nullptr;

/// Reports a fatal error of Qt, such as a missing display, in a sentence; other messages go to Qt's default
/// handler.
void reportFatal(QtMsgType type, const QMessageLogContext& context, const QString& message) {
    if (type != QtFatalMsg)
        return defaultMessageHandler(type, context, message);
    std::fprintf(stderr,
                 "scanloupe: cannot open the window: %s\n  Start it on a machine with a display, or use "
                 "scanloupe-cli.\n",
                 qPrintable(message.section('\n', 0, 0)));
    std::_Exit(2);
}

/// Prints the checks for "scanloupe-cli doctor": a line for each with name, ok or bad, facts, and what to do,
/// separated by tabs.
void printCheck() {
    const auto line = [](const char* name, bool good, const QString& facts, const QString& fix) {
        std::printf("%s\t%s\t%s\t%s\n", name, good ? "ok" : "bad", qPrintable(facts), qPrintable(fix));
    };
    const QScreen* screen = QGuiApplication::primaryScreen();
    line("window", true,
         QStringLiteral("Qt %1 on %2, screen of %3 x %4")
             .arg(QString::fromLatin1(qVersion()), QGuiApplication::platformName())
             .arg(screen ? screen->size().width() : 0)
             .arg(screen ? screen->size().height() : 0),
         {});
    const OpenGlState& gl = openGlState();
    if (!gl.usable)
        line("OpenGL", false, QStringLiteral("Cannot draw the voxel and mesh views."), gl.problem);
    else
        line("OpenGL", true, QStringLiteral("%1, %2").arg(gl.version, gl.renderer),
             gl.software ? QStringLiteral("Drawn on the CPU; a GPU with its driver would be faster.")
                         : QString());
    const InteropState interop = probeInterop();
    line("interop", interop.usable, interop.usable ? interop.facts : interop.problem, interop.fix);
}

} // namespace

int runWindow(int argc, char** argv) {
    defaultMessageHandler = qInstallMessageHandler(reportFatal);
    if (argc == 2 && std::string_view(argv[1]) == "--version") { // needs no display
        std::printf("scanloupe %s, Qt %s\n", versionAndCommit().c_str(), qVersion());
        return 0;
    }
    std::signal(SIGPIPE, SIG_IGN); // writing to a closed pipe must not end the program
    returnFreedMemory();
    chooseSyclOptions();
    // a view that is moved to another dock keeps its buffers
    QApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
    QSurfaceFormat::setDefaultFormat(viewFormat());

    QApplication application(argc, argv);
    QApplication::setApplicationName("Scanloupe");
    QApplication::setOrganizationName("Scanloupe");
    QApplication::setApplicationVersion(QString::fromStdString(versionAndCommit()));
    QApplication::setWindowIcon(applicationIcon());

    QCommandLineParser parser;
    parser.setApplicationDescription(
        QCoreApplication::translate("main", "Shows and edits 3D scans as voxels, surface and pixels."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(
        "scan", QCoreApplication::translate("main", "Scans to open, folders of them, or a project."),
        "[scans]");
    const QCommandLineOption backend(
        "backend", QCoreApplication::translate("main", "Compute backend: auto, cpu, cuda or sycl."), "name",
        "auto");
    const QCommandLineOption device(
        "device",
        QCoreApplication::translate("main", "Compute device: cpu, cuda, sycl:0, or part of a device's name."),
        "name");
    const QCommandLineOption sample("sample",
                                    QCoreApplication::translate("main", "Open the generated sample scan."));
    const QCommandLineOption as(
        "as",
        QCoreApplication::translate(
            "main", "How to open several scans: sequence, clouds, place or survey. Default: ask."),
        "what");
    const QCommandLineOption interop(
        "interop",
        QCoreApplication::translate("main",
                                    "CUDA-OpenGL interop: auto, or off to copy results through host memory."),
        "mode", "auto");
    parser.addOption(interop);
    parser.addOption(backend);
    parser.addOption(device);
    parser.addOption(as);
    parser.addOption(sample);
    QCommandLineOption check("check"); // for scanloupe-cli doctor
    check.setFlags(QCommandLineOption::HiddenFromHelp);
    parser.addOption(check);
    QStringList arguments; // keeps the bytes of names that are not UTF-8, which Qt's own list would lose
    for (int i = 0; i < argc; ++i)
        arguments << rawText(argv[i]);
    parser.process(arguments);

    if (parser.isSet(check)) {
        printCheck();
        return 0;
    }
    const QStringList names{"auto", "cpu", "cuda", "sycl"}; // in the order of Backend
    const auto chosen = names.indexOf(parser.value(backend));
    if (chosen < 0) {
        std::fprintf(stderr, "scanloupe: there is no backend '%s'\n  Take auto, cpu, cuda or sycl.\n",
                     qPrintable(parser.value(backend)));
        return 2;
    }
    BackendRequest wanted(Backend{int(chosen)});
    wanted.device = parser.value(device).toStdString();
    if (!QStringList{"auto", "off"}.contains(parser.value(interop))) {
        std::fprintf(stderr, "scanloupe: interop can't be '%s'\n  Take auto or off.\n",
                     qPrintable(parser.value(interop)));
        return 2;
    }
    const QStringList kinds{"sequence", "clouds", "place", "survey"}; // in the order of SeveralAs
    const auto kind = kinds.indexOf(parser.value(as));
    if (kind < 0 && parser.isSet(as)) {
        std::fprintf(
            stderr,
            "scanloupe: several scans can't be opened as '%s'\n  Take sequence, clouds, place or survey.\n",
            qPrintable(parser.value(as)));
        return 2;
    }
    try {
        if (!parser.isSet(backend) && !parser.isSet(device))
            wanted = rememberedDevice();
        Theme theme;
        MainWindow window(wanted, theme);
        if (parser.value(interop) == "off")
            window.interop().setEnabled(false);
        // the session or the system ends the program: the open project is offered at the next start
        EndSignals endSignals;
        QObject::connect(&endSignals, &EndSignals::received, &window, [&window](int signal) {
            window.project().autosave();
            QCoreApplication::exit(128 + signal);
        });
        QObject::connect(qApp, &QGuiApplication::commitDataRequest, &window,
                         [&window] { window.project().autosave(); });
        window.show();
        window.help().offerTour();
        QObject::connect(&window.device(), &DeviceController::refused, &window,
                         [](const QString& sentence, const QString& nextStep) {
                             std::fprintf(stderr, "scanloupe: %s\n  %s\n", qPrintable(sentence),
                                          qPrintable(nextStep));
                             QCoreApplication::exit(2);
                         });
        const auto openFirst = [&] {
            if (parser.isSet(sample))
                window.openSample();
            else if (!parser.positionalArguments().isEmpty())
                window.open(parser.positionalArguments(),
                            kind < 0 ? std::nullopt : std::optional(SeveralAs(kind)));
            else
                window.project().offerRestore();
        };
        // deferred, since exec() ignores earlier requests to quit
        QMetaObject::invokeMethod(
            &window, [&] { window.device().whenReady(openFirst); }, Qt::QueuedConnection);
        return QApplication::exec();
    } catch (...) {
        const ErrorMessage message =
            errorMessage(std::current_exception(),
                         {.whenShort = "Close other programs.",
                          .whenFault = "Please report this error with the files that caused it."});
        std::fprintf(stderr, "scanloupe: %s\n  %s\n", message.sentence.c_str(), message.nextStep.c_str());
        return message.kind == ErrorMessage::Kind::fault ? 1 : 2;
    }
}

} // namespace scanloupe::gui
