// Picks the primitive at a pixel by drawing primitive numbers into a framebuffer of one pixel.
#include "engine/results/snapshot.h"
#include "gui/views/scene/chunk_culling.h"
#include "gui/views/scene/scene_painter.h"

#include <algorithm>

namespace scanloupe::gui {

std::optional<ScenePainter::Pick> ScenePainter::pick(Gl& gl, GlScene& scene, const PictureRequest& picture,
                                                     QPoint pixel) {
    if (!scene.geometry() || scene.geometry()->levels.empty() || picture.size.isEmpty())
        return std::nullopt;
    const SceneFrame frame(picture.camera, picture.size, *scene.geometry(), m_zeroToOne, picture.style);
    const Vec3d start =
        frame.camera.orthographic ? frame.camera.pointAt(pixel + QPointF(0.5, 0.5), 0) : frame.camera.eye;
    const auto& level = scene.geometry()->levels.front();
    const auto chunks = visibleChunks(level, Frustum(frame.camera, QRectF(pixel, QSizeF(1, 1))), start);
    if (chunks.empty())
        return std::nullopt;

    scene.prepareIds();
    // a framebuffer of one pixel, with the viewport moved so that the pixel falls there: the coverage equals
    // that of the picture
    GLuint framebuffer = 0, buffers[2] = {};
    gl.glGenFramebuffers(1, &framebuffer);
    gl.glGenRenderbuffers(2, buffers);
    gl.glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    const GLenum formats[2] = {GL_R32UI, GL_DEPTH_COMPONENT32F};
    const GLenum attachments[2] = {GL_COLOR_ATTACHMENT0, GL_DEPTH_ATTACHMENT};
    for (int i = 0; i < 2; ++i) {
        gl.glBindRenderbuffer(GL_RENDERBUFFER, buffers[i]);
        gl.glRenderbufferStorage(GL_RENDERBUFFER, formats[i], 1, 1);
        gl.glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachments[i], GL_RENDERBUFFER, buffers[i]);
    }
    gl.glViewport(-pixel.x(), pixel.y() + 1 - picture.size.height(), picture.size.width(),
                  picture.size.height());
    const GLuint nothing[4] = {};
    const GLfloat farthest = 0;
    gl.glDepthMask(GL_TRUE);
    gl.glClearBufferuiv(GL_COLOR, 0, nothing);
    gl.glClearBufferfv(GL_DEPTH, 0, &farthest);
    gl.glEnable(GL_DEPTH_TEST);
    gl.glDepthFunc(GL_GREATER);
    GLuint item = 0;
    GLfloat depth = 0;
    double along = 0;
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        // front to back: chunks behind the hit need no drawing
        if (item != 0 && distanceTo(level[chunks[i]], start) >
                             norm(frame.camera.pointAt(pixel + QPointF(0.5, 0.5), along) - start))
            break;
        scene.draw(gl, frame, 0, std::span(chunks).subspan(i, 1), ScenePass::ids);
        gl.glReadPixels(0, 0, 1, 1, GL_RED_INTEGER, GL_UNSIGNED_INT, &item);
        if (item == 0)
            continue;
        gl.glReadPixels(0, 0, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &depth);
        const double nearest = frame.camera.nearPlane;
        along = frame.camera.orthographic ? frame.farPlane - depth * (frame.farPlane - nearest)
                                          : nearest / std::max(double(depth), 1e-30);
    }
    gl.glDeleteFramebuffers(1, &framebuffer);
    gl.glDeleteRenderbuffers(2, buffers);
    if (item == 0)
        return std::nullopt;
    return Pick{item - 1, along};
}

} // namespace scanloupe::gui
