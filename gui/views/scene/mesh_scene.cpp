// Draws the mesh as indexed triangles: faces, edges, or primitive numbers.
#include "gui/views/scene/gl_scene.h"

#include "kernels/raster/operators.h"

#include <utility>

namespace scanloupe::gui {

void writeMesh(CudaBuffer& vertices, CudaBuffer& indices, const DeviceContent& content) {
    const TriangleMesh& mesh = content.mesh.device();
    const auto pack = [&](void* memory, StreamView stream) {
        packVertices(mesh, content.colours.colouring(), static_cast<MeshVertex*>(memory), stream);
    };
    const auto copy = [&](void* memory, StreamView stream) {
        detail::copyBytes(memory, MemorySpace::device, mesh.indices.data(), MemorySpace::device,
                          mesh.indices.bytes(), stream);
    };
    vertices.writer->write(mesh.vertexCount() * sizeof(MeshVertex), pack);
    indices.writer->write(mesh.indices.bytes(), copy);
}

namespace {

/// An offset in the bound buffer, which OpenGL expects as a pointer.
const void* offset(std::size_t bytes) {
    return reinterpret_cast<const void*>(bytes); // NOLINT(performance-no-int-to-ptr): OpenGL's interface
}

class MeshBuffers : public GpuGeometry {
public:
    using GpuGeometry::GpuGeometry;
    void fill(Gl& gl, PieceUpload& upload, GlBufferPool& pool) override {
        if (const DeviceContent* content = geometry()->device.get())
            return fillFromDevice(gl, *content, pool);
        for (const auto& level : static_cast<const MeshGeometry&>(*geometry()).pages) {
            m_levels.emplace_back();
            for (const MeshPart& part : level) {
                Page& page = m_levels.back().emplace_back();
                gl.glGenVertexArrays(1, &page.vertexArray);
                gl.glGenBuffers(1, &page.vertices);
                gl.glGenBuffers(1, &page.indices);
                upload.add(gl, page.vertices, std::as_bytes(std::span(part.vertices)));
                upload.add(gl, page.indices, std::as_bytes(std::span(part.indices)));
                describe(gl, page);
            }
        }
    }
    void release(Gl& gl, GlBufferPool& pool) override {
        gl.glDeleteVertexArrays(1, &m_whole.vertexArray);
        pool.recycle(gl, std::move(m_vertices));
        pool.recycle(gl, std::move(m_indices));
        for (const auto& level : m_levels) {
            for (const Page& page : level) {
                gl.glDeleteVertexArrays(1, &page.vertexArray);
                gl.glDeleteBuffers(1, &page.vertices);
                gl.glDeleteBuffers(1, &page.indices);
            }
        }
    }
    /// Vertex array of a chunk, and the position of the chunk's first triangle in it.
    std::pair<GLuint, std::uint32_t> locateChunk(std::size_t level, const DrawChunk& chunk) const {
        if (geometry()->device)
            return {m_whole.vertexArray, chunk.first};
        return {m_levels[level][chunk.first / kMeshPage].vertexArray, chunk.first % kMeshPage};
    }

private:
    struct Page {
        GLuint vertexArray = 0, vertices = 0, indices = 0;
    };
    static void describe(Gl& gl, const Page& page) {
        constexpr GLsizei stride = sizeof(MeshVertex);
        gl.glBindVertexArray(page.vertexArray);
        gl.glBindBuffer(GL_ARRAY_BUFFER, page.vertices);
        gl.glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, page.indices);
        for (GLuint i = 0; i < 3; ++i)
            gl.glEnableVertexAttribArray(i);
        gl.glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, stride, offset(offsetof(MeshVertex, position)));
        gl.glVertexAttribPointer(1, 3, GL_SHORT, GL_TRUE, stride, offset(offsetof(MeshVertex, normal)));
        gl.glVertexAttribIPointer(2, 1, GL_UNSIGNED_INT, stride, offset(offsetof(MeshVertex, colour)));
        gl.glBindVertexArray(0);
    }
    void fillFromDevice(Gl& gl, const DeviceContent& content, GlBufferPool& pool) {
        const TriangleMesh& mesh = content.mesh.device();
        m_vertices = pool.acquire(gl, mesh.vertexCount() * sizeof(MeshVertex));
        m_indices = pool.acquire(gl, mesh.indices.bytes());
        writeMesh(m_vertices, m_indices, content);
        gl.glGenVertexArrays(1, &m_whole.vertexArray);
        m_whole.vertices = m_vertices.name;
        m_whole.indices = m_indices.name;
        describe(gl, m_whole);
    }

    std::vector<std::vector<Page>> m_levels;
    Page m_whole; ///< geometry that CUDA has written
    CudaBuffer m_vertices, m_indices;
};

class MeshScene : public GlScene {
public:
    bool hasEdges(const SceneStyle& style) const override { return style.wireframe; }

    void draw(Gl& gl, const SceneFrame& frame, std::size_t level, std::span<const std::uint32_t> chunks,
              ScenePass pass) override {
        constexpr float kEdgeShade = 0.45f, kEdgeBias = 2e-4f;
        const auto& buffers = static_cast<const MeshBuffers&>(*shown());
        QOpenGLShaderProgram& program = pass == ScenePass::ids ? *m_ids : *m_faces;
        begin(gl, program, frame);
        const bool edges = pass == ScenePass::edges;
        if (pass != ScenePass::ids)
            program.setUniformValue("shade", edges ? kEdgeShade : 1.0f);
        program.setUniformValue("depthBias", edges ? kEdgeBias : 0.0f);
        gl.glPolygonMode(GL_FRONT_AND_BACK, edges ? GL_LINE : GL_FILL);
        if (frame.style.backFaces)
            gl.glDisable(GL_CULL_FACE);
        else
            gl.glEnable(GL_CULL_FACE);
        const int firstItem = program.uniformLocation("firstItem");
        for (const std::uint32_t index : chunks) {
            const DrawChunk& chunk = buffers.geometry()->levels[level][index];
            const auto [vertexArray, first] = buffers.locateChunk(level, chunk);
            gl.glBindVertexArray(vertexArray);
            if (pass == ScenePass::ids)
                gl.glUniform1ui(firstItem, chunk.first); // not setUniformValue(), as in voxel_scene.cpp
            gl.glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(3 * chunk.count), GL_UNSIGNED_INT,
                              offset(std::size_t{3} * sizeof(std::uint32_t) * first));
        }
        gl.glBindVertexArray(0);
        gl.glDisable(GL_CULL_FACE);
        gl.glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    }

    void prepareIds() override { // deferred, since the first picture would be delayed by it
        if (!m_ids)
            m_ids = shaderProgram("mesh.vert", "mesh_id.frag", true);
    }

protected:
    void createPrograms() override { m_faces = shaderProgram("mesh.vert", "mesh.frag", true); }
    void releasePrograms(Gl&) override {
        m_faces.reset();
        m_ids.reset();
    }
    std::unique_ptr<GpuGeometry> makeBuffers(std::shared_ptr<const ViewGeometry> geometry) const override {
        return std::make_unique<MeshBuffers>(std::move(geometry));
    }

private:
    std::unique_ptr<QOpenGLShaderProgram> m_faces, m_ids; ///< m_ids: null until the first pick
};

} // namespace

std::unique_ptr<GlScene> makeMeshScene() {
    return std::make_unique<MeshScene>();
}

} // namespace scanloupe::gui
