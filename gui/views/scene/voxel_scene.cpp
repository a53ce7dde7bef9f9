// Draws voxels as boxes by programmable vertex pulling: the vertex shader reads them from texture buffers.
// With llvmpipe this is a third faster than instances of a few vertices each, and no slower elsewhere.
#include "gui/views/scene/gl_scene.h"

#include "kernels/raster/operators.h"

#include <QVector3D>
#include <algorithm>

namespace scanloupe::gui {

namespace {

constexpr std::uint32_t kFaceIndices[] = {0, 1, 4, 0, 2, 4, 0, 1, 5, 0, 3, 5, 0, 2, 6, 0, 3, 6};
constexpr std::uint32_t kCornersPerBox = 8; // see boxes.vert

} // namespace

void writeBoxes(CudaBuffer& boxes, const DeviceContent& content) {
    const VoxelGrid& voxels = content.voxels.device();
    const auto pack = [&](void* memory, StreamView stream) {
        packBoxes(voxels, content.colours.colouring(), static_cast<BoxInstance*>(memory), stream);
    };
    boxes.writer->write(voxels.size() * sizeof(BoxInstance), pack);
}

namespace {

class VoxelBuffers : public GpuGeometry {
public:
    using GpuGeometry::GpuGeometry;
    void fill(Gl& gl, PieceUpload& upload, GlBufferPool& pool) override {
        const auto& voxels = static_cast<const VoxelGeometry&>(*geometry());
        for (const auto& level : voxels.levels)
            for (const DrawChunk& chunk : level)
                m_largest = std::max(m_largest, chunk.count);
        if (const DeviceContent* content = voxels.device.get())
            return fillFromDevice(gl, *content, pool);
        for (const auto& level : voxels.boxLevels) {
            m_edges.push_back(level.edge);
            m_pages.emplace_back();
            const std::size_t count = level.boxes.size();
            for (std::size_t first = 0; first < count; first += kBoxPage)
                addPage(gl,
                        std::span(level.boxes).subspan(first, std::min<std::size_t>(kBoxPage, count - first)),
                        upload);
        }
    }
    void release(Gl& gl, GlBufferPool& pool) override {
        for (const auto& pages : m_pages) {
            for (const Page& page : pages) {
                gl.glDeleteTextures(1, &page.texture);
                gl.glDeleteBuffers(1, &page.buffer);
            }
        }
        pool.recycle(gl, std::move(m_boxes));
    }
    Vec3f edge(std::size_t level) const { return m_edges[level]; }
    GLuint texture(std::size_t level, std::uint32_t page) const { return m_pages[level][page].texture; }
    /// Boxes per page.
    std::uint32_t page() const { return geometry()->device ? 0xffffffffu : kBoxPage; }
    /// Boxes of the largest chunk.
    std::uint32_t largest() const { return m_largest; }

private:
    struct Page {
        GLuint buffer = 0, texture = 0;
    };
    void addPage(Gl& gl, std::span<const BoxInstance> boxes, PieceUpload& upload) {
        Page& page = m_pages.back().emplace_back();
        gl.glGenBuffers(1, &page.buffer);
        gl.glGenTextures(1, &page.texture);
        upload.add(gl, page.buffer, std::as_bytes(boxes));
        gl.glBindTexture(GL_TEXTURE_BUFFER, page.texture);
        gl.glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32UI, page.buffer);
    }
    void fillFromDevice(Gl& gl, const DeviceContent& content, GlBufferPool& pool) {
        const std::size_t count = content.voxels.device().size();
        GLint most = 0;
        gl.glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &most);
        if (count > std::size_t(most))
            throw GlError("the texture size limit of OpenGL is too small for all voxels");
        m_boxes = pool.acquire(gl, count * sizeof(BoxInstance));
        writeBoxes(m_boxes, content);
        m_edges.push_back(content.voxels->shape.voxelSize);
        Page& page = m_pages.emplace_back().emplace_back(); // the pool owns its buffer
        gl.glGenTextures(1, &page.texture);
        gl.glBindTexture(GL_TEXTURE_BUFFER, page.texture);
        gl.glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32UI, m_boxes.name);
    }

    std::vector<std::vector<Page>> m_pages; // [level][page]
    std::vector<Vec3f> m_edges;             // [level]
    std::uint32_t m_largest = 0;
    CudaBuffer m_boxes; ///< boxes that CUDA has written
};

class VoxelScene : public GlScene {
public:
    void draw(Gl& gl, const SceneFrame& frame, std::size_t level, std::span<const std::uint32_t> chunks,
              ScenePass pass) override {
        const auto& buffers = static_cast<const VoxelBuffers&>(*shown());
        QOpenGLShaderProgram& program = pass == ScenePass::ids ? *m_ids : *m_faces;
        begin(gl, program, frame);
        const Vec3f edge = buffers.edge(level) * frame.style.voxelScale;
        program.setUniformValue("edge", QVector3D(edge.x, edge.y, edge.z));
        program.setUniformValue("boxes", 0);
        const int firstItem = program.uniformLocation("firstItem");
        gl.glDisable(GL_CULL_FACE);
        usePattern(gl, buffers.largest());
        for (const std::uint32_t index : chunks) {
            const DrawChunk& chunk = buffers.geometry()->levels[level][index];
            const std::uint32_t page = chunk.first / buffers.page();
            gl.glBindTexture(GL_TEXTURE_BUFFER, buffers.texture(level, page));
            if (pass == ScenePass::ids) // setUniformValue() would send a signed number for this type
                gl.glUniform1ui(firstItem, page * buffers.page());
            gl.glDrawElementsBaseVertex(
                GL_TRIANGLES, static_cast<GLsizei>(chunk.count * std::size(kFaceIndices)), GL_UNSIGNED_INT,
                nullptr, static_cast<GLint>(chunk.first % buffers.page() * kCornersPerBox));
        }
        gl.glBindVertexArray(0);
    }

    void prepareIds() override { // deferred, since the first picture would be delayed by it
        if (!m_ids)
            m_ids = shaderProgram("boxes.vert", "boxes_id.frag", true);
    }

protected:
    void createPrograms() override { m_faces = shaderProgram("boxes.vert", "boxes.frag", true); }
    void releasePrograms(Gl& gl) override {
        m_faces.reset();
        m_ids.reset();
        gl.glDeleteVertexArrays(1, &m_vertexArray);
        gl.glDeleteBuffers(1, &m_pattern);
        m_vertexArray = m_pattern = m_patternBoxes = 0;
    }
    std::unique_ptr<GpuGeometry> makeBuffers(std::shared_ptr<const ViewGeometry> geometry) const override {
        return std::make_unique<VoxelBuffers>(std::move(geometry));
    }

private:
    /// Binds an index buffer that fits any run of `boxes` boxes; it is kept from one geometry to the next.
    void usePattern(Gl& gl, std::uint32_t boxes) {
        if (!m_vertexArray) {
            gl.glGenVertexArrays(1, &m_vertexArray);
            gl.glGenBuffers(1, &m_pattern);
        }
        gl.glBindVertexArray(m_vertexArray);
        if (boxes <= m_patternBoxes)
            return;
        std::vector<std::uint32_t> indices;
        indices.reserve(std::size(kFaceIndices) * boxes);
        for (std::uint32_t box = 0; box < boxes; ++box)
            for (const std::uint32_t corner : kFaceIndices)
                indices.push_back(box * kCornersPerBox + corner);
        gl.glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, m_pattern);
        gl.glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(indices.size() * sizeof indices[0]),
                        indices.data(), GL_STATIC_DRAW);
        m_patternBoxes = boxes;
    }

    std::unique_ptr<QOpenGLShaderProgram> m_faces, m_ids; ///< m_ids: null until the first pick
    GLuint m_vertexArray = 0, m_pattern = 0;
    std::uint32_t m_patternBoxes = 0;
};

} // namespace

std::unique_ptr<GlScene> makeVoxelScene() {
    return std::make_unique<VoxelScene>();
}

} // namespace scanloupe::gui
