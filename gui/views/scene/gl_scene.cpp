// Uploads the geometry of an OpenGL view, and sets the uniforms that all its programs share.
#include "gui/views/scene/gl_scene.h"

#include "kernels/raster/core/raster_element.h"
#include "kernels/raster/core/shade_element.h"

#include <QVector2D>
#include <QVector3D>
#include <algorithm>
#include <cmath>

namespace scanloupe::gui {

namespace {

Camera relativeTo(Camera camera, Vec3d origin) {
    camera.eye = camera.eye - origin;
    camera.target = camera.target - origin;
    return camera;
}

QVector3D vector(Vec3f v) {
    return {v.x, v.y, v.z};
}

/// Largest depth of the geometry along the view, metres.
double reach(const CameraFrame& camera, const ViewGeometry& geometry) {
    double farthest = 0;
    for (const auto& level : geometry.levels) {
        for (const DrawChunk& chunk : level) {
            const Vec3d middle = (chunk.low.as<double>() + chunk.high.as<double>()) * 0.5;
            farthest =
                std::max(farthest, camera.inView(middle).z + norm((chunk.high - chunk.low).as<double>()) / 2);
        }
    }
    return farthest;
}

} // namespace

SceneFrame::SceneFrame(const Camera& fileCamera, QSize pixels, const ViewGeometry& geometry,
                       bool clipZeroToOne, const SceneStyle& look)
    : camera(relativeTo(fileCamera, geometry.origin), pixels), size(pixels),
      farPlane(std::max(camera.nearPlane * 2, reach(camera, geometry) * 1.001)), zeroToOne(clipZeroToOne),
      style(look) {}

void GlScene::create(Gl& gl) {
    createPrograms();
    gl.glGenTextures(1, &m_colourMap);
    gl.glBindTexture(GL_TEXTURE_2D, m_colourMap);
    gl.glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 256, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    gl.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

void GlScene::release(Gl& gl) {
    dropArriving(gl);
    if (m_shown)
        m_shown->release(gl, m_pool);
    m_shown.reset();
    m_pool.release(gl);
    gl.glDeleteTextures(1, &m_colourMap);
    m_colourMap = 0;
    releasePrograms(gl);
}

void GlScene::dropArriving(Gl& gl) {
    m_upload.clear();
    if (m_arriving)
        m_arriving->release(gl, m_pool);
    m_arriving.reset();
}

void GlScene::beginUpload(Gl& gl, std::shared_ptr<const ViewGeometry> geometry) {
    dropArriving(gl);
    if (!geometry->device)
        m_pool.release(gl); // the next geometries usually come from the host, too, and need the memory
    m_arriving = makeBuffers(std::move(geometry));
    try {
        m_arriving->fill(gl, m_upload, m_pool);
    } catch (...) {
        dropArriving(gl);
        throw;
    }
}

bool GlScene::continueUpload(Gl& gl, double milliseconds) {
    if (!m_arriving)
        return false;
    try {
        if (!m_upload.run(gl, milliseconds))
            return false;
    } catch (...) {
        dropArriving(gl);
        throw;
    }
    if (m_shown)
        m_shown->release(gl, m_pool);
    m_shown = std::move(m_arriving);
    if (!m_shown->geometry()->device)
        m_pool.release(gl);
    gl.glBindTexture(GL_TEXTURE_2D, m_colourMap);
    gl.glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 256, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                       m_shown->geometry()->look.map.data());
    return true;
}

void GlScene::begin(Gl& gl, QOpenGLShaderProgram& program, const SceneFrame& frame) const {
    const CameraFrame& camera = frame.camera;
    const ColourLook& look = m_shown->geometry()->look;
    const Vec3f right = camera.right.as<float>(), down = camera.down.as<float>(),
                forward = camera.forward.as<float>();
    const Vec3d single{singlePart(camera.eye.x), singlePart(camera.eye.y), singlePart(camera.eye.z)};
    const Vec3f eyeHigh = single.as<float>(), eyeLow = (camera.eye - single).as<float>();
    const auto scale = static_cast<float>(camera.scale);
    program.bind();
    program.setUniformValue("eyeHigh", vector(eyeHigh));
    program.setUniformValue("eyeLow", vector(eyeLow));
    program.setUniformValue("axisRight", vector(right));
    program.setUniformValue("axisDown", vector(down));
    program.setUniformValue("axisForward", vector(forward));
    program.setUniformValue("clipScale", QVector2D(2 * scale / static_cast<float>(frame.size.width()),
                                                   2 * scale / static_cast<float>(frame.size.height())));
    program.setUniformValue("pixelScale", scale);
    program.setUniformValue("nearPlane", static_cast<float>(camera.nearPlane));
    program.setUniformValue("farPlane", static_cast<float>(frame.farPlane));
    program.setUniformValue("orthographic", camera.orthographic);
    program.setUniformValue("zeroToOne", frame.zeroToOne);
    program.setUniformValue("depthBias", 0.0f);
    program.setUniformValue("toLight", vector(headlight(right, down, forward)));
    program.setUniformValue("light", frame.style.light);
    program.setUniformValue("colourMode", static_cast<int>(look.mode));
    program.setUniformValue("limits", QVector2D(look.low, look.high));
    program.setUniformValue("colourMap", 1);
    gl.glActiveTexture(GL_TEXTURE1);
    gl.glBindTexture(GL_TEXTURE_2D, m_colourMap);
    gl.glActiveTexture(GL_TEXTURE0);
}

} // namespace scanloupe::gui
