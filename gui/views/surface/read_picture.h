#pragma once
// Declares the readback of a picture from OpenGL.
#include "gui/opengl/gl_resources.h"

#include <QImage>
#include <functional>

namespace scanloupe::gui {

/// Calls `present` to draw a picture of `size` pixels into an offscreen framebuffer, and reads it back as
/// RGB32. The context must be current.
QImage readPicture(Gl& gl, QSize size, const std::function<void(GLuint framebuffer)>& present);

} // namespace scanloupe::gui
