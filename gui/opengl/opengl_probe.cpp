// Probes OpenGL in an offscreen context.
#include "gui/opengl/opengl_probe.h"

#include "gui/opengl/gl_resources.h"

#include <QCoreApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QOpenGLVersionFunctionsFactory>

namespace scanloupe::gui {

namespace {

QString advice() {
    return QCoreApplication::translate(
        "OpenGlState", "Update the graphics driver, or start with LIBGL_ALWAYS_SOFTWARE=1 to draw on the "
                       "CPU. The rasterized view works without OpenGL, and scanloupe-cli needs no window.");
}

bool drawnByProcessor(const QString& renderer) {
    const QString forced = qEnvironmentVariable("SCANLOUPE_OPENGL");
    if (!forced.isEmpty())
        return forced == "image";
    for (const char* name : {"llvmpipe", "softpipe", "swrast", "SwiftShader", "GDI Generic"})
        if (renderer.contains(name, Qt::CaseInsensitive))
            return true;
    return false;
}

OpenGlState probe() {
    OpenGlState state;
    QOpenGLContext context;
    context.setFormat(viewFormat());
    QOffscreenSurface surface;
    const bool created = context.create();
    surface.setFormat(context.format());
    surface.create();
    if (!created || !surface.isValid() || !context.makeCurrent(&surface)) {
        state.problem = noContextSentence();
        return state;
    }
    const auto text = [&](GLenum name) {
        return QString::fromUtf8(reinterpret_cast<const char*>(context.functions()->glGetString(name)));
    };
    state.version = text(GL_VERSION);
    state.renderer = text(GL_RENDERER);
    auto* functions = QOpenGLVersionFunctionsFactory::get<Gl>(&context);
    state.usable =
        context.format().version() >= qMakePair(3, 3) && functions && functions->initializeOpenGLFunctions();
    context.doneCurrent();
    state.software = drawnByProcessor(state.renderer);
    if (!state.usable)
        state.problem = QCoreApplication::translate(
                            "OpenGlState", "This view needs OpenGL 3.3, but the driver provides %1 (%2). %3")
                            .arg(state.version, state.renderer, advice());
    return state;
}

} // namespace

QString noContextSentence() {
    return QCoreApplication::translate("OpenGlState", "This display provides no OpenGL context.") + " " +
           advice();
}

QSurfaceFormat viewFormat() {
    QSurfaceFormat format;
    format.setVersion(4, 5);
    format.setProfile(QSurfaceFormat::CoreProfile);
    // no vertical synchronization: several views share a window, and each would wait for the display
    format.setSwapInterval(0);
    return format;
}

const OpenGlState& openGlState() {
    static const OpenGlState state = probe();
    return state;
}

} // namespace scanloupe::gui
