// OpenGL buffers that CUDA writes: they have the same bits as buffers sent by the host, are allocated once
// for each size, and failures are reported.
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/io/common/write/write_options.h"
#include "engine/results/snapshot.h"
#include "gui/interop/interop_choice.h"
#include "gui/opengl/opengl_probe.h"
#include "gui/views/gl_canvas.h"
#include "gui/views/scene/gl_scene.h"
#include "tests/support/fake_stream.h"
#include "tests/support/pipeline_run.h"
#include "tests/support/test_support.h"

#include <QApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLVersionFunctionsFactory>
#include <QSignalSpy>
#include <cstring>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

template <class T>
bool sameBits(const T& a, const T& b) {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
}

} // namespace

class TestViewBuffers : public QObject {
    Q_OBJECT
    QOpenGLContext m_context;
    QOffscreenSurface m_surface;
    Gl* m_gl = nullptr;
    QString m_problem;

    template <class T>
    std::vector<T> read(const CudaBuffer& buffer, std::size_t count) {
        std::vector<T> found(count);
        m_gl->glBindBuffer(GL_COPY_READ_BUFFER, buffer.name);
        m_gl->glGetBufferSubData(GL_COPY_READ_BUFFER, 0, GLsizeiptr(count * sizeof(T)), found.data());
        return found;
    }
    bool canWrite() const { return m_gl && m_problem.isEmpty(); }

private slots:
    void initTestCase() {
        std::string why;
        m_problem = !haveCudaDevice(why) ? QString::fromStdString(why) : InteropChoice().problem();
        if (!openGlState().usable)
            QSKIP(qPrintable(openGlState().problem));
        m_context.setFormat(viewFormat());
        QVERIFY(m_context.create());
        m_surface.setFormat(m_context.format());
        m_surface.create();
        QVERIFY(m_context.makeCurrent(&m_surface));
        m_gl = QOpenGLVersionFunctionsFactory::get<Gl>(&m_context);
        QVERIFY(m_gl && m_gl->initializeOpenGLFunctions());
    }

    void theSameBitsAsFromTheHost_data() {
        QTest::addColumn<QString>("colour");
        for (const char* colour : {"height", "count", "none", "intensity"})
            QTest::newRow(colour) << colour;
    }
    void theSameBitsAsFromTheHost() {
        if (!canWrite())
            QSKIP(qPrintable(m_problem));
        QFETCH(QString, colour);
        Run run(bumpyCloud(300'000), Backend::cuda);
        run.set("colour_by", colour.toUtf8().constData());
        run.set("voxel_size", "0.01");
        run.set("quality", "off");
        const Snapshot s = run();
        const auto stream = std::make_shared<const Stream>();
        const auto mesh = deviceMeshGeometry(s, stream, {});
        const auto voxels = deviceVoxelGeometry(s, stream, {});
        QVERIFY(mesh && mesh->device && voxels && voxels->device);
        const TriangleMesh& made = s.mesh.device();
        GlBufferPool pool;
        CudaBuffer vertices = pool.acquire(*m_gl, made.vertexCount() * sizeof(MeshVertex)),
                   indices = pool.acquire(*m_gl, made.indices.bytes()),
                   boxes = pool.acquire(*m_gl, s.voxels->size() * sizeof(BoxInstance));
        writeMesh(vertices, indices, *mesh->device);
        writeBoxes(boxes, *voxels->device);
        QVERIFY(!s.mesh.hasHost() && !s.voxels.hasHost()); // nothing was copied to the host
        const auto foundVertices = read<MeshVertex>(vertices, made.vertexCount());
        const auto foundIndices = read<std::uint32_t>(indices, made.indices.size());
        const auto foundBoxes = read<BoxInstance>(boxes, s.voxels->size());

        constexpr std::uint64_t all = ~std::uint64_t{0};
        const auto meshOnHost = buildMeshGeometry(s, all, {});
        QCOMPARE(mesh->look.mode, meshOnHost->look.mode);
        QVERIFY(mesh->look.low == meshOnHost->look.low && mesh->look.high == meshOnHost->look.high);
        QVERIFY(mesh->look.map == meshOnHost->look.map);
        // several pages on the host, one buffer on the device
        QVERIFY(made.triangleCount() > kMeshPage);
        for (std::size_t i = 0; i < foundIndices.size(); ++i) { // corner by corner
            const MeshPart& page = meshOnHost->pages.front()[i / 3 / kMeshPage];
            QVERIFY(foundIndices[i] < foundVertices.size());
            QVERIFY(
                sameBits(foundVertices[foundIndices[i]], page.vertices[page.indices[i % (3 * kMeshPage)]]));
        }
        const auto voxelsOnHost = buildVoxelGeometry(s, all, {});
        QCOMPARE(voxels->look.mode, voxelsOnHost->look.mode);
        QVERIFY(voxels->look.low == voxelsOnHost->look.low && voxels->look.high == voxelsOnHost->look.high);
        const auto& level = voxelsOnHost->boxLevels.front();
        QVERIFY(sameBits(level.edge, voxels->boxLevels.front().edge));
        QCOMPARE(level.boxes.size(), foundBoxes.size());
        for (std::size_t i = 0; i < level.boxes.size(); ++i)
            QVERIFY(sameBits(level.boxes[i], foundBoxes[voxelsOnHost->voxelOf[i]]));
        for (const auto& [onDevice, onHost] :
             {std::pair<const ViewGeometry&, const ViewGeometry&>(*mesh, *meshOnHost),
              std::pair<const ViewGeometry&, const ViewGeometry&>(*voxels, *voxelsOnHost)}) {
            const DrawChunk& whole = onDevice.levels.front().front();
            for (const DrawChunk& chunk : onHost.levels.front())
                for (int axis = 0; axis < 3; ++axis)
                    QVERIFY(chunk.low[axis] >= whole.low[axis] && chunk.high[axis] <= whole.high[axis]);
        }
        for (CudaBuffer* buffer : {&vertices, &indices, &boxes})
            pool.recycle(*m_gl, std::move(*buffer));
        pool.release(*m_gl);
        QCOMPARE(m_gl->glGetError(), GLenum(GL_NO_ERROR));
    }

    void buffersAreMadeOnceASize() {
        if (!canWrite())
            QSKIP(qPrintable(m_problem));
        GlBufferPool pool;
        const std::size_t bytes = 3 << 20;
        CudaBuffer first = pool.acquire(*m_gl, bytes);
        QVERIFY(first.capacity > bytes);
        const GLuint name = first.name;
        pool.recycle(*m_gl, std::move(first));
        // the buffer is larger than requested, so that it can be reused
        CudaBuffer second = pool.acquire(*m_gl, bytes + bytes / 8);
        QCOMPARE(second.name, name);
        QCOMPARE(pool.made(), 1);
        CudaBuffer larger = pool.acquire(*m_gl, 4 * bytes);
        QCOMPARE(pool.made(), 2);
        pool.recycle(*m_gl, std::move(second));
        pool.recycle(*m_gl, std::move(larger));
        CudaBuffer small = pool.acquire(*m_gl, 1000); // existing buffers are too large to be reused
        QCOMPARE(pool.made(), 3);
        pool.recycle(*m_gl, std::move(small));
        pool.release(*m_gl);
        QCOMPARE(m_gl->glGetError(), GLenum(GL_NO_ERROR));
    }

    void buffersThatCudaCantWriteAreReported() {
        if (!m_gl || canWrite())
            QSKIP("here it can");
        GlBufferPool pool;
        QVERIFY_EXCEPTION_THROWN(pool.acquire(*m_gl, 1000), KernelError);
        QCOMPARE(pool.made(), 0);
        pool.release(*m_gl);
        QCOMPARE(m_gl->glGetError(), GLenum(GL_NO_ERROR));
    }

    void resultsOnTheHostStayThere() {
        Run run(bumpyCloud());
        const Snapshot s = run();
        QVERIFY(!deviceMeshGeometry(s, nullptr, {}) && !deviceVoxelGeometry(s, nullptr, {}));
        QVERIFY(!deviceMeshGeometry({}, nullptr, {}) && !deviceVoxelGeometry({}, nullptr, {}));
    }

    void aCanvasRefusesWhatItCantShow() {
        if (!m_gl || canWrite())
            QSKIP("here CUDA can write");
        m_context.doneCurrent();
        // results that claim to be on a device: their content is not read
        const std::shared_ptr<const Stream> stream = test::fakeStream();
        TriangleMesh mesh;
        mesh.positions = Buffer<Vec3f>::host(3);
        mesh.indices = Buffer<std::uint32_t>::host(3);
        auto content = std::make_unique<DeviceContent>();
        content->stream = stream;
        content->mesh = DeviceOrHost<TriangleMesh>(std::move(mesh), stream);
        auto geometry = std::make_shared<MeshGeometry>();
        geometry->levels = {{{0, 1, {}, {1, 1, 1}}}};
        geometry->device = std::move(content);
        LinkedCamera camera;
        DrawScheduler scheduler;
        InteropChoice interop;
        GlCanvas canvas(makeMeshScene(), {camera, scheduler, interop}, nullptr);
        QSignalSpy refused(&canvas, &GlCanvas::refused), failed(&canvas, &GlCanvas::failed);
        canvas.resize(200, 150);
        canvas.show();
        QVERIFY(QTest::qWaitForWindowExposed(&canvas, 20'000));
        QTRY_VERIFY(canvas.isReady());
        canvas.setScene(geometry, {}, {});
        QCOMPARE(refused.count(), 1);
        QVERIFY(refused[0][1].toBool()); // retrying is useless
        QVERIFY(!refused[0][0].toString().isEmpty());
        QVERIFY(canvas.isRefused() && !canvas.isComplete());
        canvas.setScene(std::make_shared<MeshGeometry>(), {}, {}); // the canvas continues without interop
        QTRY_VERIFY(canvas.isComplete());
        QCOMPARE(failed.count(), 0);
        QVERIFY(m_context.makeCurrent(&m_surface));
    }
};

SCANLOUPE_TEST_IN(QApplication, TestViewBuffers)
#include "test_view_buffers.moc"
