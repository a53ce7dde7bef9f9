// Pictures in an OpenGL texture: shown pixel by pixel, the right way up, and read back unchanged.
#include "engine/results/snapshot.h"
#include "gui/interop/picture_texture.h"
#include "gui/opengl/opengl_probe.h"
#include "gui/views/surface/read_picture.h"
#include "tests/support/test_program.h"

#include <QApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLVersionFunctionsFactory>
#include <QTest>

using namespace scanloupe;
using namespace scanloupe::gui;

namespace {

/// A picture in which no two pixels are the same.
std::shared_ptr<const Picture> pictureOf(int width, int height, std::uint32_t seed) {
    Image image{width, height, Buffer<std::uint32_t>::host(std::size_t(width) * std::size_t(height))};
    for (std::size_t i = 0; i < image.pixels.size(); ++i)
        image.pixels[i] = 0xff000000u | ((std::uint32_t(i) + seed) * 2654435761u >> 8);
    auto picture = std::make_shared<Picture>();
    picture->image = DeviceOrHost(std::move(image));
    picture->finished = std::chrono::steady_clock::now();
    return picture;
}

bool shows(const QImage& seen, const Picture& picture) {
    const Image& image = picture.image.host();
    if (seen.size() != QSize(image.width, image.height))
        return false;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const std::uint32_t c = image.pixels[std::size_t(y) * std::size_t(image.width) + std::size_t(x)];
            if (seen.pixel(x, y) != qRgb(int(c & 255), int(c >> 8 & 255), int(c >> 16 & 255)))
                return false;
        }
    return true;
}

} // namespace

class TestPictureTexture : public QObject {
    Q_OBJECT
    QOpenGLContext m_context;
    QOffscreenSurface m_surface;
    Gl* m_gl = nullptr;
    InteropChoice m_interop;

    QImage present(PictureTexture& texture, QSize size, bool* fresh = nullptr) {
        return readPicture(*m_gl, size, [&](GLuint framebuffer) {
            const bool first = texture.present(*m_gl, framebuffer, size);
            if (fresh)
                *fresh = first;
        });
    }

private slots:
    void initTestCase() {
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

    void picturesArriveAsTheyAre() {
        PictureTexture texture(m_interop);
        const QImage none = present(texture, {30, 20});
        QCOMPARE(none.pixel(3, 3) & 0xff, QRgb(Shading{}.background >> 16 & 255));
        // unusual sizes, and two pictures of the same size in a row
        for (const QSize size : {QSize(1, 1), QSize(61, 47), QSize(61, 47), QSize(640, 3), QSize(333, 251)}) {
            const auto picture = pictureOf(size.width(), size.height(), std::uint32_t(size.width()));
            QVERIFY(texture.setPicture(*m_gl, picture));
            bool fresh = false;
            QVERIFY(shows(present(texture, size, &fresh), *picture));
            QVERIFY(fresh);
            QVERIFY(shows(present(texture, size, &fresh), *picture));
            QVERIFY(!fresh); // the texture shows the same picture again
            QCOMPARE(texture.transfer().path, Transfer::Path::copied);
            QCOMPARE(texture.transfer().bytesToHost, quint64(0)); // the picture was on the host already
            QVERIFY(texture.transfer().copyMs > 0 && texture.transfer().copyMs < 60'000);
        }
        texture.release(*m_gl);
        QCOMPARE(m_gl->glGetError(), GLenum(GL_NO_ERROR));
    }

    void otherSizesAreStretched() {
        PictureTexture texture(m_interop);
        Image halves{2, 2, Buffer<std::uint32_t>::host(4)};
        halves.pixels[0] = halves.pixels[1] = 0xff0000ffu; // the upper pixels are red
        halves.pixels[2] = halves.pixels[3] = 0xffff0000u; // the lower pixels are blue
        auto picture = std::make_shared<Picture>();
        picture->image = DeviceOrHost(std::move(halves));
        texture.setPicture(*m_gl, picture);
        const QImage seen = present(texture, {40, 40});
        QCOMPARE(seen.pixel(20, 2) & 0xffffff, QRgb(0xff0000));
        QCOMPARE(seen.pixel(20, 37) & 0xffffff, QRgb(0x0000ff));
        texture.release(*m_gl);
    }

    void pictureIsUploadedAgainToANewContext() {
        PictureTexture texture(m_interop);
        const auto picture = pictureOf(20, 10, 7);
        texture.setPicture(*m_gl, picture);
        texture.release(*m_gl);
        texture.setPicture(*m_gl, picture);
        QVERIFY(shows(present(texture, {20, 10}), *picture));
        texture.setPicture(*m_gl, nullptr);
        QVERIFY(!shows(present(texture, {20, 10}), *picture));
        texture.release(*m_gl);
    }

    void texturesThatCudaCantWriteAreReported() {
        if (!m_gl)
            QSKIP("OpenGL can't be had here");
        if (QByteArray(reinterpret_cast<const char*>(m_gl->glGetString(GL_VENDOR))).contains("NVIDIA"))
            QSKIP("here it can");
        GLuint name = 0;
        m_gl->glGenTextures(1, &name);
        m_gl->glBindTexture(GL_TEXTURE_2D, name);
        m_gl->glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        std::string problem;
        QVERIFY(!makeTextureWriter({name, 0, 4, 4}, problem));
        QVERIFY(!problem.empty());
        m_gl->glDeleteTextures(1, &name);
    }

    void transfersAreDescribedInWords() {
        using Path = Transfer::Path;
        const auto of = [](Path path, quint64 bytes) { return Transfer{path, bytes, 1, 0.25, 3, {}}; };
        QVERIFY(transferText({}).isEmpty() && transferDetails({}).isEmpty());
        Transfers all{of(Path::interop, 0), of(Path::interop, 0), of(Path::interop, 0)};
        QVERIFY(transferText(all).contains("CUDA to OpenGL, 0 bytes to the host"));
        QCOMPARE(
            transferDetails(all).count("0 bytes to the host; copied in 0.25 ms; on the screen 3.0 ms after "
                                       "completion, including 1.0 ms of waiting for the window"),
            3);
        all.mesh = of(Path::copied, 8'294'400); // the bytes in the status bar
        all.mesh.why = "It is turned off.";
        QVERIFY(transferText(all).contains("through host memory") && transferText(all).contains("7.9"));
        QVERIFY(transferDetails(all).contains("Mesh: through host memory") &&
                transferDetails(all).contains("It is turned off."));
        const auto copied = of(Path::copied, 0);
        QVERIFY(transferText({copied, copied, copied}).contains("copied to OpenGL"));
        QVERIFY(transferText({copied, copied, of(Path::painted, 0)}).contains("painted"));
        // the picture has not been transferred yet
        const QString early = transferText({of(Path::interop, 0), {}, {}});
        QVERIFY(early.contains("CUDA to OpenGL") && !early.contains("picture"));
        QVERIFY(transferText({of(Path::interop, 0), of(Path::copied, 8'294'400), {}}).contains("7.9"));
    }
};

SCANLOUPE_TEST_IN(QApplication, TestPictureTexture)
#include "test_picture_texture.moc"
