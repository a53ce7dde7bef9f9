// Draws a scene progressively under a time budget: a coarse level of detail first, then the finest one over
// several frames.
#include "gui/views/scene/scene_painter.h"

#include "engine/cloud/attribute.h"
#include "gui/views/scene/chunk_culling.h"
#include "kernels/core/cost.h"

#include <QOpenGLContext>
#include <QVector4D>
#include <algorithm>

namespace scanloupe::gui {

namespace {

constexpr double kCheckMs = 3;   // ms; estimated work between measurements of time
constexpr double kOverrun = 1.8; // factor of the budget: beyond it, a level is abandoned for a coarser one
// share of the affordable work: below it, a finer level is chosen during a move
constexpr double kFinerShare = 0.6;
constexpr double kInitialThroughput = 300; // items per millisecond, typical of software OpenGL
constexpr double kMovingFinishMs = 6;      // ms; limit of eye-dome lighting during a move
constexpr std::uint32_t kBackground = Shading{}.background;
constexpr std::size_t kEdgeWeight = 3; // relative cost of the edges: three lines per triangle

float channel(std::uint32_t rgba, int i) {
    return static_cast<float>(rgba >> (8 * i) & 0xffu) / 255.0f;
}

QRectF whole(QSize size) {
    return {QPointF(0, 0), QSizeF(size)};
}

} // namespace

void Throughput::addMeasurement(double amount, double milliseconds) {
    if (amount > 0 && milliseconds > 0)
        m_perMs += (amount / milliseconds - m_perMs) * 0.3;
}

void ScenePainter::Target::resize(Gl& gl, QSize pixels, bool withDepth) {
    if (size == pixels)
        return;
    release(gl);
    size = pixels;
    const auto texture = [&](GLuint& name, GLenum format, GLenum layout, GLenum type, GLenum attachment) {
        gl.glGenTextures(1, &name);
        gl.glBindTexture(GL_TEXTURE_2D, name);
        gl.glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), size.width(), size.height(), 0, layout,
                        type, nullptr);
        gl.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        gl.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        gl.glFramebufferTexture2D(GL_FRAMEBUFFER, attachment, GL_TEXTURE_2D, name, 0);
    };
    gl.glActiveTexture(GL_TEXTURE0);
    gl.glGenFramebuffers(1, &framebuffer);
    gl.glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    texture(colour, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, GL_COLOR_ATTACHMENT0);
    if (withDepth)
        texture(depth, GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT, GL_DEPTH_ATTACHMENT);
}

void ScenePainter::Target::release(Gl& gl) {
    gl.glDeleteFramebuffers(1, &framebuffer);
    gl.glDeleteTextures(1, &colour);
    gl.glDeleteTextures(1, &depth);
    *this = {};
}

void ScenePainter::create(Gl& gl) {
    m_finish = shaderProgram("screen.vert", "finish.frag", false);
    gl.glGenVertexArrays(1, &m_vertexArray);
    using ClipControl = void(QOPENGLF_APIENTRYP)(GLenum, GLenum);
    const auto clipControl =
        reinterpret_cast<ClipControl>(QOpenGLContext::currentContext()->getProcAddress("glClipControl"));
    const auto version = QOpenGLContext::currentContext()->format().version();
    m_zeroToOne = clipControl && (version >= qMakePair(4, 5) ||
                                  QOpenGLContext::currentContext()->hasExtension("GL_ARB_clip_control"));
    if (m_zeroToOne)
        clipControl(GL_LOWER_LEFT, 0x935F /* GL_ZERO_TO_ONE */);
}

void ScenePainter::release(Gl& gl) {
    for (Target* target : {&m_scratch, &m_pictures[0], &m_pictures[1]})
        target->release(gl);
    gl.glDeleteVertexArrays(1, &m_vertexArray);
    m_vertexArray = 0;
    m_finish.reset();
    m_shown.reset();
    m_progress.reset();
    m_complete = false;
}

Throughput& ScenePainter::throughputOf(std::size_t level) {
    while (m_throughputs.size() <= level)
        m_throughputs.push_back(m_throughputs.empty() ? Throughput(kInitialThroughput)
                                                      : m_throughputs.back());
    return m_throughputs[level];
}

std::uint64_t ScenePainter::affordable() const {
    return static_cast<std::uint64_t>(
        (m_throughputs.empty() ? kInitialThroughput : m_throughputs.back().perMs()) * kBudgetMs / 2);
}

bool ScenePainter::hasWork(const PictureRequest& wanted, bool moving) const {
    return !wanted.size.isEmpty() && (m_shown != wanted || (!m_complete && !moving));
}

bool ScenePainter::work(Gl& gl, GlScene& scene, const PictureRequest& wanted, bool moving) {
    if (!hasWork(wanted, moving))
        return false;
    if (m_shown != wanted) {
        m_progress.reset();
        drawCoarse(gl, scene, wanted, moving);
        m_wasMoving = moving;
        return m_shown == wanted;
    }
    if (!m_progress) {
        m_progress = Progress();
        m_progress->request = wanted;
        if (scene.geometry() && !scene.geometry()->levels.empty()) {
            const SceneFrame frame(wanted.camera, wanted.size, *scene.geometry(), m_zeroToOne, wanted.style);
            m_progress->chunks = visibleChunks(scene.geometry()->levels.front(),
                                               Frustum(frame.camera, whole(wanted.size)), frame.camera.eye);
        }
        clear(gl, wanted.size);
    }
    return continueDrawing(gl, scene);
}

void ScenePainter::clear(Gl& gl, QSize size) {
    m_scratch.resize(gl, size, true);
    gl.glBindFramebuffer(GL_FRAMEBUFFER, m_scratch.framebuffer);
    gl.glViewport(0, 0, size.width(), size.height());
    gl.glDepthMask(GL_TRUE);
    gl.glClearDepth(0);
    gl.glClearColor(channel(kBackground, 0), channel(kBackground, 1), channel(kBackground, 2), 1);
    gl.glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

std::size_t ScenePainter::chooseLevel(const GlScene& scene, const SceneFrame& frame, bool moving) {
    const auto& levels = scene.geometry()->levels;
    const Frustum frustum(frame.camera, whole(frame.size));
    for (std::size_t level = m_firstLevel; level + 1 < levels.size(); ++level) {
        std::uint64_t items = 0;
        for (const DrawChunk& chunk : levels[level])
            items += frustum.intersects(chunk.low, chunk.high) ? chunk.count : 0;
        if (level == 0 && scene.hasEdges(frame.style))
            items *= 1 + kEdgeWeight;
        // hysteresis: a picture that alternates between two levels during a move flickers
        const double share = moving && m_wasMoving && level < m_level ? kFinerShare : 1;
        if (static_cast<double>(items) <= throughputOf(level).perMs() * kBudgetMs * share)
            return level;
    }
    return levels.size() - 1;
}

bool ScenePainter::drawChunks(Gl& gl, GlScene& scene, const SceneFrame& frame, std::size_t level,
                              std::span<const std::uint32_t> chunks, ScenePass pass, std::size_t& done,
                              double untilMs) {
    const auto& all = scene.geometry()->levels[level];
    const std::size_t weight = pass == ScenePass::edges ? kEdgeWeight : 1;
    gl.glBindFramebuffer(GL_FRAMEBUFFER, m_scratch.framebuffer);
    gl.glViewport(0, 0, frame.size.width(), frame.size.height());
    gl.glEnable(GL_DEPTH_TEST);
    gl.glDepthFunc(pass == ScenePass::edges ? GL_GEQUAL : GL_GREATER);
    const WallTimer timer;
    while (done < chunks.size() && timer.elapsedMs() < untilMs) {
        const double enough = throughputOf(level).perMs() * std::min(kCheckMs, untilMs);
        std::size_t end = done;
        std::uint64_t items = 0;
        while (end < chunks.size() && (items == 0 || static_cast<double>(items) < enough))
            items += all[chunks[end++]].count * weight;
        const WallTimer batch;
        scene.draw(gl, frame, level, chunks.subspan(done, end - done), pass);
        gl.glFinish(); // otherwise the next blocking call would be charged with its time
        throughputOf(level).addMeasurement(static_cast<double>(items), batch.elapsedMs());
        done = end;
    }
    return done == chunks.size();
}

void ScenePainter::finishRows(Gl& gl, const SceneFrame& frame, const PictureRequest& request, bool eyeDome,
                              int from, int to) {
    Target& target = m_pictures[1 - m_visible];
    target.resize(gl, request.size, false);
    if (!eyeDome) { // with software OpenGL, a blit is far cheaper than the simplest shader
        gl.glBindFramebuffer(GL_READ_FRAMEBUFFER, m_scratch.framebuffer);
        gl.glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target.framebuffer);
        gl.glBlitFramebuffer(0, from, request.size.width(), to, 0, from, request.size.width(), to,
                             GL_COLOR_BUFFER_BIT, GL_NEAREST);
        return;
    }
    gl.glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
    gl.glViewport(0, 0, request.size.width(), request.size.height());
    gl.glDisable(GL_DEPTH_TEST);
    gl.glActiveTexture(GL_TEXTURE1);
    gl.glBindTexture(GL_TEXTURE_2D, m_scratch.depth);
    gl.glActiveTexture(GL_TEXTURE0);
    gl.glBindTexture(GL_TEXTURE_2D, m_scratch.colour);
    m_finish->bind();
    m_finish->setUniformValue("picture", 0);
    m_finish->setUniformValue("depth", 1);
    m_finish->setUniformValue("strength", request.eyeDomeStrength);
    m_finish->setUniformValue("orthographic", frame.camera.orthographic);
    m_finish->setUniformValue("nearPlane", static_cast<float>(frame.camera.nearPlane));
    m_finish->setUniformValue("farPlane", static_cast<float>(frame.farPlane));
    const auto y = [&](int row) { return 2.0f * float(row) / float(request.size.height()) - 1; };
    m_finish->setUniformValue("rectangle", QVector4D(-1, y(from), 1, y(to)));
    gl.glBindVertexArray(m_vertexArray);
    const WallTimer timer;
    gl.glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    gl.glFinish();
    m_finishThroughput.addMeasurement(double(to - from) * request.size.width(), timer.elapsedMs());
    gl.glBindVertexArray(0);
}

void ScenePainter::drawCoarse(Gl& gl, GlScene& scene, const PictureRequest& wanted, bool moving) {
    clear(gl, wanted.size);
    const ViewGeometry nothing;
    const ViewGeometry& geometry = scene.geometry() ? *scene.geometry() : nothing;
    const SceneFrame frame(wanted.camera, wanted.size, geometry, m_zeroToOne, wanted.style);
    bool allDrawn = true;
    if (!geometry.levels.empty()) {
        const std::size_t level = chooseLevel(scene, frame, moving);
        const auto chunks = visibleChunks(geometry.levels[level], Frustum(frame.camera, whole(wanted.size)),
                                          frame.camera.eye);
        std::size_t faces = 0, edges = 0;
        bool drawn =
            drawChunks(gl, scene, frame, level, chunks, ScenePass::faces, faces, kBudgetMs * kOverrun);
        if (!drawn && level + 1 < geometry.levels.size()) {
            // continue with a coarser level in the next slice, rather than show a picture with holes
            m_firstLevel = level + 1;
            return;
        }
        if (drawn && level == 0 && scene.hasEdges(wanted.style))
            drawn = drawChunks(gl, scene, frame, 0, chunks, ScenePass::edges, edges, kBudgetMs);
        m_level = level;
        m_firstLevel = 0;
        allDrawn = drawn && level == 0;
    }
    const double pixels = double(wanted.size.width()) * wanted.size.height();
    const bool eyeDome = wanted.eyeDome && pixels / m_finishThroughput.perMs() <= kMovingFinishMs;
    finishRows(gl, frame, wanted, eyeDome, 0, wanted.size.height());
    show(wanted, allDrawn && (eyeDome || !wanted.eyeDome));
}

bool ScenePainter::continueDrawing(Gl& gl, GlScene& scene) {
    Progress& progress = *m_progress;
    const WallTimer timer;
    const auto left = [&] { return kBudgetMs - timer.elapsedMs(); };
    const ViewGeometry nothing;
    const ViewGeometry& geometry = scene.geometry() ? *scene.geometry() : nothing;
    const PictureRequest& request = progress.request;
    const SceneFrame frame(request.camera, request.size, geometry, m_zeroToOne, request.style);
    if (!geometry.levels.empty()) {
        if (!drawChunks(gl, scene, frame, 0, progress.chunks, ScenePass::faces, progress.faces, left()))
            return false;
        if (scene.hasEdges(request.style) &&
            !drawChunks(gl, scene, frame, 0, progress.chunks, ScenePass::edges, progress.edges, left()))
            return false;
    }
    while (progress.rows < request.size.height()) {
        if (left() <= 0)
            return false;
        const double pixels = m_finishThroughput.perMs() * kCheckMs * 2;
        const int rows = std::max(8, static_cast<int>(pixels / request.size.width()));
        const int end = std::min(request.size.height(), progress.rows + rows);
        finishRows(gl, frame, request, request.eyeDome, progress.rows, end);
        progress.rows = end;
    }
    show(PictureRequest(request), true);
    m_progress.reset();
    return true;
}

void ScenePainter::show(const PictureRequest& request, bool complete) {
    m_visible = 1 - m_visible;
    m_shown = request;
    m_complete = complete;
}

void ScenePainter::present(Gl& gl, GLuint framebuffer, QSize size) {
    const Target& picture = m_pictures[m_visible];
    gl.glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
    if (!picture.framebuffer) {
        gl.glClearColor(channel(kBackground, 0), channel(kBackground, 1), channel(kBackground, 2), 1);
        gl.glClear(GL_COLOR_BUFFER_BIT);
    } else {
        gl.glBindFramebuffer(GL_READ_FRAMEBUFFER, picture.framebuffer);
        gl.glBlitFramebuffer(0, 0, picture.size.width(), picture.size.height(), 0, 0, size.width(),
                             size.height(), GL_COLOR_BUFFER_BIT,
                             picture.size == size ? GL_NEAREST : GL_LINEAR);
    }
    gl.glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl.glViewport(0, 0, size.width(), size.height());
}

} // namespace scanloupe::gui
