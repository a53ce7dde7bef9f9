#pragma once
// Declares the scenes of the OpenGL views, boxes or a mesh: their GPU buffers, shaders and draw calls. GUI
// thread only, with the context current.
#include "gui/interop/gl_buffer_pool.h"
#include "gui/opengl/gl_resources.h"
#include "gui/views/geometry/view_geometry.h"
#include "gui/views/scene/camera_frame.h"

#include <QSize>
#include <span>

namespace scanloupe::gui {

/// Appearance of a scene, from the recipe.
struct SceneStyle {
    float voxelScale = 1;
    bool light = true;
    bool backFaces = true;
    bool wireframe = false;
    bool operator==(const SceneStyle&) const = default;
};

/// A camera over the pixels of a picture, relative to the geometry's origin.
struct SceneFrame {
    CameraFrame camera;
    QSize size;      ///< pixels
    double farPlane; ///< metres; the geometry ends before it (orthographic)
    bool zeroToOne;  ///< whether clip depths are from 0 to 1, see view.glsl
    SceneStyle style;

    SceneFrame(const Camera& fileCamera, QSize pixels, const ViewGeometry& geometry, bool clipZeroToOne,
               const SceneStyle& look);
};

enum class ScenePass {
    faces, ///< filled faces
    edges, ///< wireframe over the faces
    ids,   ///< numbers of the visible primitives, from 1
};

/// GPU buffers of one geometry.
class GpuGeometry {
public:
    explicit GpuGeometry(std::shared_ptr<const ViewGeometry> geometry) : m_geometry(std::move(geometry)) {}
    virtual ~GpuGeometry() = default;
    /// Creates the buffers and adds their content to `upload`. For content on the device, CUDA has written
    /// buffers of the pool when this returns. @throws KernelError, GlError for content on the device
    virtual void fill(Gl& gl, PieceUpload& upload, GlBufferPool& pool) = 0;
    virtual void release(Gl& gl, GlBufferPool& pool) = 0;
    const std::shared_ptr<const ViewGeometry>& geometry() const { return m_geometry; }

private:
    std::shared_ptr<const ViewGeometry> m_geometry;
};

/// Owns shaders and buffers. New geometry is drawn once it is uploaded completely; until then the old one is.
class GlScene {
public:
    virtual ~GlScene() = default;
    /// @throws GlError
    void create(Gl& gl);
    void release(Gl& gl);

    /// Begins to upload `geometry`; a previous upload that is not complete is dropped. @throws KernelError,
    /// GlError for a geometry on the device, which is dropped, too
    void beginUpload(Gl& gl, std::shared_ptr<const ViewGeometry> geometry);
    bool isUploading() const { return m_arriving != nullptr; }
    /// Uploads for about `milliseconds`; true when the new geometry has replaced the old one. @throws GlError
    /// when graphics memory is short: the geometry is dropped
    bool continueUpload(Gl& gl, double milliseconds);
    /// The geometry that is drawn; null before the first.
    const ViewGeometry* geometry() const { return m_shown ? m_shown->geometry().get() : nullptr; }
    const GlBufferPool& pool() const { return m_pool; }

    virtual bool hasEdges(const SceneStyle&) const { return false; }
    /// Compiles the programs of the id pass, once. @throws GlError when the driver refuses a shader
    virtual void prepareIds() = 0;
    /// Draws chunks of a level into the bound framebuffer.
    virtual void draw(Gl& gl, const SceneFrame& frame, std::size_t level,
                      std::span<const std::uint32_t> chunks, ScenePass pass) = 0;

protected:
    virtual void createPrograms() = 0;
    virtual void releasePrograms(Gl& gl) = 0;
    virtual std::unique_ptr<GpuGeometry> makeBuffers(std::shared_ptr<const ViewGeometry> geometry) const = 0;
    const GpuGeometry* shown() const { return m_shown.get(); }
    /// Binds the program and sets camera, light and colours; the colour map is bound to texture unit 1.
    void begin(Gl& gl, QOpenGLShaderProgram& program, const SceneFrame& frame) const;

private:
    void dropArriving(Gl& gl);

    std::unique_ptr<GpuGeometry> m_shown, m_arriving;
    PieceUpload m_upload;
    GlBufferPool m_pool;
    GLuint m_colourMap = 0;
};

/// Write the buffers of the OpenGL views from CUDA, voxel by voxel and vertex by vertex in the order of the
/// results on the device; complete when these return. @throws KernelError
void writeBoxes(CudaBuffer& boxes, const DeviceContent& content);
void writeMesh(CudaBuffer& vertices, CudaBuffer& indices, const DeviceContent& content);

std::unique_ptr<GlScene> makeVoxelScene();
std::unique_ptr<GlScene> makeMeshScene();

} // namespace scanloupe::gui
