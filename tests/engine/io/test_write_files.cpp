// Files of the writers, checked by small independent parsers.
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/formats.h"
#include "engine/io/npy/npz_archive.h"
#include "tests/engine/io/test_io_support.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

#include <cmath>
#include <limits>
#include <sstream>
#include <unistd.h>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// The four faces of a tetrahedron.
TriangleMesh tetrahedron() {
    const std::vector<Vec3f> corners{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
    const std::vector<Vec3f> normals{{-0.577f, -0.577f, -0.577f}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const std::vector<std::uint32_t> indices{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    TriangleMesh mesh;
    mesh.positions = hostCopy(std::span(corners));
    mesh.normals = hostCopy(std::span(normals));
    mesh.indices = hostCopy(std::span(indices));
    return mesh;
}
const std::vector<std::uint32_t> kColours{0xff0000ffu, 0xff00ff00u, 0xffff0000u, 0x80ffffffu};

WriteOptions farAway() {
    WriteOptions options;
    options.origin = {512800, 5403700, 250};
    return options;
}

VoxelGrid twoVoxels() {
    VoxelGrid voxels;
    voxels.shape = {{-10, -10, -1}, {0.5f, 0.5f, 0.25f}, {40, 40, 8}};
    voxels.featureCount = 2;
    const std::vector<std::uint64_t> keys{voxels.shape.key({1, 2, 3}), voxels.shape.key({39, 0, 7})};
    const std::vector<std::uint32_t> counts{5, 4000000000u};
    const std::vector<float> means{1.5f, 2.5f, -3, -4, 5, 6.25f, 0.5f, 0.75f, 0, 10};
    voxels.keys = hostCopy(std::span(keys));
    voxels.counts = hostCopy(std::span(counts));
    voxels.means = hostCopy(std::span(means));
    return voxels;
}
const std::vector<VoxelChannel> kFeatures{{"intensity", 0}, {"time", 1.6e9}};

} // namespace

class TestWriteFiles : public QObject {
    Q_OBJECT
private slots:
    /// zlib restarts a checksum when it is passed a null pointer, and the data of an empty array may be null.
    void emptyArraysHaveChecksums() {
        const auto archive = [](const std::function<void(std::ostream&)>& write) {
            std::ostringstream bytes;
            NpzArchive npz(bytes);
            npz.add("a", ScalarType::float32, {0, 3}, write);
            npz.finish();
            return bytes.str();
        };
        const std::string expected = archive([](std::ostream&) {});
        QVERIFY(archive([](std::ostream& out) { out.write(nullptr, 0); }) == expected);
    }

    /// An archive rethrows exceptions of its stream, and checks the sizes of arrays.
    void archivesFailAsTheirStreamsDo() {
        class SmallDisk : public std::streambuf {
            std::streamsize xsputn(const char*, std::streamsize count) override {
                m_room -= count;
                if (m_room < 0)
                    throw EngineError("the disk is full", "Free some space.");
                return count;
            }
            std::streamsize m_room = 1000;
        };
        SmallDisk disk;
        std::ostream stream(&disk);
        stream.exceptions(std::ios::badbit);
        NpzArchive npz(stream);
        npz.add("a", ScalarType::uint8, std::vector<std::uint8_t>(100));
        QVERIFY(says(errorOf([&] { npz.add("b", ScalarType::uint8, std::vector<std::uint8_t>(1000)); }),
                     "the disk is full"));
        std::ostringstream whole;
        NpzArchive other(whole);
        for (const std::size_t count : {1, 3})
            QVERIFY_EXCEPTION_THROWN(other.add("c", ScalarType::uint8, {2},
                                               [&](std::ostream& out) { out << std::string(count, ' '); }),
                                     Fault);
    }

    void meshPly() {
        const Scratch scratch;
        const auto path = scratch / "a.ply";
        writeMesh(path, tetrahedron(), kColours, {}, {});
        const auto cloud = readScan(path, {}, {});
        QCOMPARE(cloud->size(), std::size_t(4));
        QVERIFY(std::holds_alternative<FloatPositions>(cloud->positions()));
        QVERIFY((cloud->bounds().max == Vec3d{1, 2, 3}));
        QCOMPARE(cloud->attribute("red")->value(0), 255.0);
        QCOMPARE(cloud->attribute("alpha")->value(3), 128.0);
        QCOMPARE(cloud->attribute("normal_x")->value(1), 1.0);
        const std::string bytes = contentOf(path);
        QVERIFY(bytes.find("element face 4\n") != std::string::npos);
        QCOMPARE(int(bytes[bytes.size() - 13]), 3);
        QCOMPARE(valueAt<std::uint32_t>(bytes, bytes.size() - 4), 3u);
        writeMesh(path, tetrahedron(), {}, farAway(), {});
        const auto moved = readScan(path, {}, {});
        QVERIFY((moved->position(3) == Vec3d{512800, 5403700, 253}));
        QVERIFY(contentOf(path).find("comment origin 512800 5403700 250\n") != std::string::npos);
    }
    void meshChannels() {
        const Scratch scratch;
        // not initialized from a list, because GCC 12 then warns in release builds
        std::vector<MeshChannel> channels(3);
        channels[0].channel.name = "intensity";
        channels[0].values = {0.5f, 1, 2, 3};
        channels[1].channel.name = "echo width";
        channels[1].channel.offset = 1.6e9;
        channels[1].values = {0.25f, 1, 2, 3};
        channels[2].channel.name = "red";
        channels[2].values = {7, 8, 9, 10};
        WriteOptions options;
        options.channels = channels;
        writeMesh(scratch / "a.ply", tetrahedron(), kColours, options, {});
        const auto cloud = readScan(scratch / "a.ply", {}, {});
        QCOMPARE(cloud->attribute("intensity")->value(3), 3.0);
        QCOMPARE(cloud->attribute("echo_width")->value(0), 1.6e9 + 0.25);
        // prefixed, because the name "red" is used by the colour
        QCOMPARE(cloud->attribute("mean_red")->value(1), 8.0);
        QCOMPARE(cloud->attribute("red")->value(0), 255.0);

        writeMesh(scratch / "a.glb", tetrahedron(), kColours, options, {});
        const std::string bytes = contentOf(scratch / "a.glb");
        const auto textBytes = valueAt<std::uint32_t>(bytes, 12);
        const auto json =
            QJsonDocument::fromJson(QByteArray::fromStdString(bytes.substr(20, textBytes))).object();
        const auto attributes = json["meshes"][0]["primitives"][0]["attributes"].toObject();
        QVERIFY(attributes.contains("_INTENSITY") && attributes.contains("_MEAN_RED"));
        const auto time = json["accessors"][attributes["_ECHO_WIDTH"].toInt()].toObject();
        QCOMPARE(time["type"].toString(), QString("SCALAR"));
        QCOMPARE(time["extras"]["offset"].toDouble(), 1.6e9);
        const auto view = json["bufferViews"][time["bufferView"].toInt()].toObject();
        QCOMPARE(valueAt<float>(bytes, 20 + textBytes + 8 + std::size_t(view["byteOffset"].toInteger()) + 4),
                 1.0f);
        QCOMPARE(std::size_t(json["buffers"][0]["byteLength"].toInteger()), bytes.size() - 28 - textBytes);

        for (const char* ending : {".obj", ".stl"}) { // formats that have no place for channels
            writeMesh(scratch / ("a" + std::string(ending)), tetrahedron(), kColours, options, {});
            writeMesh(scratch / ("b" + std::string(ending)), tetrahedron(), kColours, {}, {});
            QVERIFY(contentOf(scratch / ("a" + std::string(ending))) ==
                    contentOf(scratch / ("b" + std::string(ending))));
        }
        channels.resize(1);
        channels[0].values.resize(2); // too few values for four vertices
        options.channels = channels;
        QVERIFY_EXCEPTION_THROWN(writeMesh(scratch / "c.ply", tetrahedron(), {}, options, {}), Fault);
    }
    void meshStl() {
        const Scratch scratch;
        writeMesh(scratch / "a.STL", tetrahedron(), {}, farAway(), {});
        const std::string bytes = contentOf(scratch / "a.STL");
        QCOMPARE(bytes.size(), std::size_t(84 + 4 * 50));
        QCOMPARE(valueAt<std::uint32_t>(bytes, 80), 4u);
        QVERIFY(bytes.substr(0, 80).find("relative to 512800 5403700 250") != std::string::npos);
        QVERIFY(!bytes.starts_with("solid"));
        QCOMPARE(valueAt<float>(bytes, 84 + 8), -1.0f);           // the first face's normal points down
        QCOMPARE(valueAt<float>(bytes, 84 + 50 + 12 + 32), 3.0f); // z of the last corner of the second face
    }
    void meshObj() {
        const Scratch scratch;
        writeMesh(scratch / "a.obj", tetrahedron(), kColours, farAway(), {});
        std::istringstream stream(contentOf(scratch / "a.obj"));
        int vertices = 0, normals = 0, faces = 0;
        double highest = 0;
        for (std::string line; std::getline(stream, line);) {
            std::istringstream words(line);
            std::string word;
            words >> word;
            double x = 0, y = 0, z = 0, r = -1, g = -1, b = -1;
            if (word == "v") {
                ++vertices;
                QVERIFY(words >> x >> y >> z >> r >> g >> b);
                QVERIFY(x >= 512800 && y >= 5403700 && r >= 0 && r <= 1);
                highest = std::max(highest, z);
            } else if (word == "vn") {
                ++normals;
            } else if (word == "f") {
                ++faces;
                std::string corner;
                while (words >> corner)
                    QVERIFY(corner[0] >= '1' && corner[0] <= '4' &&
                            corner.substr(1) == "//" + corner.substr(0, 1));
            }
        }
        QCOMPARE(vertices, 4);
        QCOMPARE(normals, 4);
        QCOMPARE(faces, 4);
        QCOMPARE(highest, 253.0);
    }
    void meshGlb() {
        const Scratch scratch;
        writeMesh(scratch / "a.glb", tetrahedron(), kColours, farAway(), {});
        const std::string bytes = contentOf(scratch / "a.glb");
        QCOMPARE(bytes.substr(0, 4), std::string("glTF"));
        QCOMPARE(valueAt<std::uint32_t>(bytes, 4), 2u);
        QCOMPARE(valueAt<std::uint32_t>(bytes, 8), std::uint32_t(bytes.size()));
        const auto textBytes = valueAt<std::uint32_t>(bytes, 12);
        QCOMPARE(textBytes % 4, 0u);
        QCOMPARE(bytes.substr(16, 4), std::string("JSON"));
        const auto json =
            QJsonDocument::fromJson(QByteArray::fromStdString(bytes.substr(20, textBytes))).object();
        const std::size_t binary = 20 + textBytes + 8;
        QCOMPARE(valueAt<std::uint32_t>(bytes, binary - 8), std::uint32_t(bytes.size() - binary));
        QCOMPARE(std::size_t(json["buffers"][0]["byteLength"].toInteger()), bytes.size() - binary);
        const auto translation = json["nodes"][1]["translation"].toArray();
        QCOMPARE(translation[1].toDouble(), 5403700.0);
        QCOMPARE(json["nodes"][0]["children"][0].toInt(), 1);
        const double x = json["nodes"][0]["rotation"][0].toDouble(),
                     w = json["nodes"][0]["rotation"][3].toDouble();
        // the rotation turns z to y: the y component of the rotated z axis is -2 x w
        QVERIFY(std::abs(2 * x * w + 1) < 1e-12);
        const auto accessors = json["accessors"].toArray();
        QCOMPARE(accessors.size(), 4);
        QCOMPARE(accessors[0].toObject()["max"][2].toDouble(), 3.0);
        QCOMPARE(accessors[0].toObject()["min"][0].toDouble(), 0.0);
        std::int64_t end = 0;
        for (const auto& view : json["bufferViews"].toArray()) {
            QCOMPARE(view.toObject()["byteOffset"].toInteger(), end);
            end += view.toObject()["byteLength"].toInteger();
        }
        QCOMPARE(std::size_t(end), bytes.size() - binary);
        const auto primitive = json["meshes"][0]["primitives"][0].toObject();
        QCOMPARE(primitive["attributes"]["COLOR_0"].toInt(), 2);
        QCOMPARE(valueAt<std::uint16_t>(bytes, binary + 96), std::uint16_t(65535)); // the first vertex is red
        QCOMPARE(valueAt<std::uint16_t>(bytes, binary + 98), std::uint16_t(0));
        QCOMPARE(valueAt<std::uint32_t>(bytes, bytes.size() - 4), 3u);
    }
    void emptyMeshes() {
        const Scratch scratch;
        for (const auto& ending : meshEndings()) {
            writeMesh(scratch / ("a" + ending), TriangleMesh{}, {}, {}, {});
            QVERIFY(!contentOf(scratch / ("a" + ending)).empty());
        }
    }
    void voxelsPly() {
        const Scratch scratch;
        writeVoxels(scratch / "a.ply", twoVoxels(), kFeatures, {}, farAway(), {});
        const auto cloud = readScan(scratch / "a.ply", {}, {});
        QVERIFY((cloud->position(0) == Vec3d{512801.5, 5403697, 255}));
        QVERIFY((cloud->position(1) == Vec3d{512802.5, 5403696, 256.25}));
        QCOMPARE(cloud->attribute("intensity")->value(1), 0.75);
        QCOMPARE(cloud->attribute("time")->value(1), 1.6e9 + 10);
        QCOMPARE(cloud->attribute("ix")->value(1), 39.0);
        QCOMPARE(cloud->attribute("iz")->value(0), 3.0);
        QCOMPARE(cloud->attribute("count")->value(1), 4e9);
    }
    void voxelsCsv() {
        const Scratch scratch;
        writeVoxels(scratch / "a.csv", twoVoxels(), kFeatures, {}, {}, {});
        QCOMPARE(contentOf(scratch / "a.csv"),
                 std::string("ix,iy,iz,count,x,y,z,intensity,time\n"
                             "1,2,3,5,1.5,-3,5,0.5,1600000000\n"
                             "39,0,7,4000000000,2.5,-4,6.25,0.75,1600000010\n"));
        QVERIFY_EXCEPTION_THROWN(writeVoxels(scratch / "b.csv", twoVoxels(), {}, {}, {}, {}), Fault);
    }
    void voxelsNpy() {
        const Scratch scratch;
        writeVoxels(scratch / "a.npy", twoVoxels(), kFeatures, {}, {}, {});
        const std::string bytes = contentOf(scratch / "a.npy");
        QCOMPARE(bytes.substr(0, 8), std::string("\x93NUMPY\x02\x00", 8));
        const auto length = valueAt<std::uint32_t>(bytes, 8);
        QCOMPARE((12 + length) % 64, 0u);
        const std::string head = bytes.substr(12, length);
        QVERIFY(head.ends_with("\n"));
        QVERIFY(head.starts_with(
            "{'descr': [('ix', '<i4'), ('iy', '<i4'), ('iz', '<i4'), ('count', '<u4'), ('x', '<f4'), "
            "('y', '<f4'), ('z', '<f4'), ('intensity', '<f4'), ('time', '<f8')], "
            "'fortran_order': False, 'shape': (2,), }"));
        const std::size_t row = 4 * 4 + 4 * 4 + 8;
        QCOMPARE(bytes.size(), 12 + length + 2 * row);
        QCOMPARE(valueAt<float>(bytes, 12 + length + 16), 1.5f);
        QCOMPARE(valueAt<double>(bytes, bytes.size() - 8), 1.6e9 + 10);
    }
    void image() {
        const Scratch scratch;
        Image picture;
        picture.width = 3;
        picture.height = 2;
        const std::vector<std::uint32_t> pixels{0xff0000ffu, 0xff00ff00u, 0xffff0000u,
                                                0x80ffffffu, 0,           0xff123456u};
        picture.pixels = hostCopy(std::span(pixels));
        writeImage(scratch / "a.png", picture);
        const std::string bytes = contentOf(scratch / "a.png");
        QCOMPARE(bytes.substr(1, 3), std::string("PNG"));
        QCOMPARE(bytes.substr(12, 4), std::string("IHDR"));
        QCOMPARE(int(bytes[19]), 3);
        QCOMPARE(int(bytes[23]), 2);
        QCOMPARE(int(bytes[25]), 6); // colour type 6: RGBA
        QVERIFY(bytes.find("IEND") != std::string::npos);
        QVERIFY(says(errorOf([&] { writeImage(scratch / "b.png", Image{}); }), "0 pixels"));
        QVERIFY(says(errorOf([&] { writeImage(scratch / "b.jpg", picture); }), "extension"));
        if (std::filesystem::exists("/dev/full"))
            QVERIFY(says(errorOf([&] { writeImage("/dev/full", picture); }), "extension"));
    }
    void imageOfRows() {
        const Scratch scratch;
        Image picture{4, 5, Buffer<std::uint32_t>::host(20)};
        for (std::size_t i = 0; i < 20; ++i)
            picture.pixels[i] = 0xff000000u | std::uint32_t(i * 7919);
        writeImage(scratch / "a.png", picture);
        std::vector<int> asked;
        const auto rows = [&](int first) { // returns two rows at a time, and a single one at the end
            asked.push_back(first);
            return picture.pixels.span().subspan(std::size_t(first) * 4, first == 4 ? 4 : 8);
        };
        writeImage(scratch / "b.png", 4, 5, rows);
        QCOMPARE(asked, (std::vector<int>{0, 2, 4}));
        QVERIFY(contentOf(scratch / "a.png") == contentOf(scratch / "b.png"));
        const auto few = [](int) { return std::span<const std::uint32_t>(); };
        QVERIFY(
            says(errorOf([&] { writeImage(scratch / "c.png", 4, 5, few); }), "has 0 pixels from row 0 on"));
        const auto stopped = [&](int first) -> std::span<const std::uint32_t> {
            if (first > 0)
                throw Cancelled();
            return picture.pixels.span().first(8);
        };
        QVERIFY_EXCEPTION_THROWN(writeImage(scratch / "d.png", 4, 5, stopped), Cancelled);
        QCOMPARE(scratch.entries(), std::size_t(2));
    }
    void unknownEndings() {
        const Scratch scratch;
        const auto error = errorOf([&] { writeMesh(scratch / "a.fbx", tetrahedron(), {}, {}, {}); });
        QVERIFY(says(error, "extension") && error->nextStep().find(".glb") != std::string::npos);
        QVERIFY_EXCEPTION_THROWN(
            writeMesh(scratch / "a.ply", tetrahedron(), std::vector<std::uint32_t>(1), {}, {}), Fault);
        QCOMPARE(scratch.entries(), std::size_t(0));
    }

    void replacesWholeOrNotAtAll() {
        const Scratch scratch;
        const auto path = scratch.file("a.txt", "old");
        std::filesystem::permissions(path, std::filesystem::perms(0640));
        const auto half = [](std::ostream& stream) {
            stream << std::string(3 << 20, 'x');
            throw std::runtime_error("in the middle");
        };
        QVERIFY_EXCEPTION_THROWN(writeAtomically(path, half), std::runtime_error);
        QCOMPARE(contentOf(path), std::string("old"));
        QCOMPARE(scratch.entries(), std::size_t(1));
        writeAtomically(path, [](std::ostream& stream) { stream << "new " << 5; });
        QCOMPARE(contentOf(path), std::string("new 5"));
        QVERIFY(std::filesystem::status(path).permissions() == std::filesystem::perms(0640));
        QCOMPARE(scratch.entries(), std::size_t(1));
    }
    void writesThroughLinks() {
        const Scratch scratch;
        const auto path = scratch.file("real.txt", "old");
        std::filesystem::create_symlink(path, scratch / "link.txt");
        writeAtomically(scratch / "link.txt", [](std::ostream& stream) { stream << "new"; });
        QCOMPARE(contentOf(path), std::string("new"));
        QVERIFY(std::filesystem::is_symlink(scratch / "link.txt"));
    }
    void targetsThatCannotBe() {
        const Scratch scratch;
        const auto write = [](const std::filesystem::path& path) {
            return errorOf([&] { writeAtomically(path, [](std::ostream& stream) { stream << "x"; }); });
        };
        QVERIFY(says(write(scratch.folder()), "is a folder"));
        QVERIFY(says(write(scratch / "nowhere" / "a.txt"), "there is no folder"));
        QVERIFY(says(write(scratch.file("file", "x") / "a.txt"), "there is no folder"));
        QVERIFY(says(write(scratch / std::string(300, 'n')), "too long"));
        std::filesystem::create_directory(scratch / "locked");
        std::filesystem::permissions(scratch / "locked", std::filesystem::perms(0555));
        if (::geteuid() != 0)
            QVERIFY(says(write(scratch / "locked" / "a.txt"), "read-only"));
        std::filesystem::permissions(scratch / "locked", std::filesystem::perms(0755));
    }
    void fullDisk() {
        if (!std::filesystem::exists("/dev/full"))
            QSKIP("this system has no /dev/full");
        const auto error = errorOf([] {
            writeAtomically("/dev/full", [](std::ostream& stream) { stream << std::string(5 << 20, 'x'); });
        });
        QVERIFY(says(error, "disk is full"));
        // an error that only occurs when the file is closed is reported, too
        QVERIFY(
            says(errorOf([] { writeAtomically("/dev/full", [](std::ostream& stream) { stream << "x"; }); }),
                 "disk is full"));
    }
    void fullDiskLeavesNothingBehind() {
        const Scratch scratch;
        const auto disk = scratch / "disk";
        std::filesystem::create_directory(disk);
        const QString folder = QString::fromStdString(disk.string());
        if (::geteuid() != 0 ||
            QProcess::execute("mount", {"-t", "tmpfs", "-o", "size=256k", "tmpfs", folder}) != 0)
            QSKIP("a small disk can't be mounted here");
        std::ofstream(disk / "a.ply") << "old";
        const auto error = errorOf([&] {
            writeAtomically(disk / "a.ply",
                            [](std::ostream& stream) { stream << std::string(5 << 20, 'x'); });
        });
        const std::string left = contentOf(disk / "a.ply");
        const auto entries =
            std::distance(std::filesystem::directory_iterator(disk), std::filesystem::directory_iterator());
        QProcess::execute("umount", {folder});
        QVERIFY(says(error, "disk is full"));
        QCOMPARE(left, std::string("old"));
        QCOMPARE(entries, std::ptrdiff_t(1));
    }
};

SCANLOUPE_TEST(TestWriteFiles)
#include "test_write_files.moc"
