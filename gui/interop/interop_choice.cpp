// Decides whether CUDA writes device results into OpenGL, or whether they are copied through host memory.
#include "gui/interop/interop_choice.h"

#include "gui/interop/interop_probe.h"
#include "gui/opengl/opengl_probe.h"

#include <QCoreApplication>
#include <QOpenGLContext>

namespace scanloupe::gui {

namespace {

QString translated(const char* text) {
    return QCoreApplication::translate("Interop", text);
}

QString probed() {
    QOpenGLContext* const current = QOpenGLContext::currentContext();
    QSurface* const surface = current ? current->surface() : nullptr;
    const InteropState state = probeInterop();
    if (current)
        current->makeCurrent(surface);
    return state.usable ? QString() : state.problem + ' ' + state.fix;
}

} // namespace

InteropChoice::InteropChoice()
    : m_enabled(qEnvironmentVariable("SCANLOUPE_INTEROP") != QLatin1String("off")) {}

QString InteropChoice::problem() {
    if (!m_enabled)
        return translated("It is turned off.");
    if (openGlState().software)
        return translated("OpenGL is drawn on the CPU.");
    if (!openGlState().usable)
        return openGlState().problem;
    if (!m_probed)
        m_probed = probed();
    return *m_probed;
}

} // namespace scanloupe::gui
