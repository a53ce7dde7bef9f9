#pragma once
#include "gui/views/gl_resources.h"

#include <QImage>
#include <functional>

namespace scanloupe::gui {

/// The picture of `size` pixels that `present` copies to the framebuffer that it is given, as RGB32. The
/// context is current.
QImage readPicture(Gl& gl, QSize size, const std::function<void(GLuint framebuffer)>& present);

} // namespace scanloupe::gui
