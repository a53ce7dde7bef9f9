#pragma once
// Declares the probe of OpenGL that precedes any window.
#include <QString>
#include <QSurfaceFormat>

namespace scanloupe::gui {

/// OpenGL of this display.
struct OpenGlState {
    bool usable = false;
    /// Rendering on the CPU. $SCANLOUPE_OPENGL overrides it: "image" for true, "widget" for false.
    bool software = false;
    QString version, renderer; ///< as reported by the driver
    QString problem;           ///< a sentence with what to do; empty when usable
};

/// Probes a context apart from any window, so that a window without OpenGL never holds a widget that needs
/// it. Views need 3.3 core; they request 4.5. @note GUI thread; some 50 ms with a cold driver, once.
const OpenGlState& openGlState();

/// Message that no context can be created, and what to do.
QString noContextSentence();

/// Surface format that views request.
QSurfaceFormat viewFormat();

} // namespace scanloupe::gui
