#pragma once
#include <QString>
#include <QSurfaceFormat>

namespace scanloupe::gui {

/// What OpenGL this display gives.
struct OpenGlState {
    bool usable = false;
    bool software =
        false; ///< drawn by the processor; or $SCANLOUPE_OPENGL says "image" (or "widget" for the other)
    QString version, renderer; ///< as the driver says
    QString problem;           ///< a sentence with what to do; empty when usable
};

/// Tries a context apart from any window, so that a window without OpenGL never holds a widget that needs it.
/// Views need 3.3 core; they ask for 4.5. @note GUI thread; some 50 ms with a cold driver, asked once.
const OpenGlState& openGlState();

/// That there is no context, and what to do.
QString noContextSentence();

/// What views ask for.
QSurfaceFormat viewFormat();

} // namespace scanloupe::gui
