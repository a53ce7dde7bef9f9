// Damaged files, truncated and with flipped bits: readers return a cloud or throw an EngineError.
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/formats.h"
#include "tests/engine/io/test_io_support.h"

using namespace scanloupe;
using namespace scanloupe::test;
using namespace std::string_literals;

namespace {

PointCloud smallCloud(std::size_t points) {
    std::vector<Vec3f> xyz;
    std::vector<std::uint8_t> red;
    std::vector<double> time;
    for (std::size_t i = 0; i < points; ++i) {
        xyz.push_back({float(i) * 0.25f, 3, -float(i)});
        red.push_back(std::uint8_t(i * 7));
        time.push_back(1.5e9 + double(i) * 0.1);
    }
    std::vector<Attribute> attributes;
    attributes.push_back(makeAttribute("red", ScalarType::uint8, red));
    attributes.push_back(makeAttribute("green", ScalarType::uint8, red));
    attributes.push_back(makeAttribute("blue", ScalarType::uint8, red));
    attributes.push_back(makeAttribute("time", ScalarType::float64, time));
    return PointCloud(FloatPositions{hostCopy(std::span(xyz))}, std::move(attributes), {});
}

/// Reads a file and accesses its values as a viewer would. Returns the number of points, or -1 for an
/// EngineError.
std::int64_t survive(const std::filesystem::path& path) {
    try {
        const auto cloud = readScan(path, {}, {});
        if (cloud->floatView({}).size() != cloud->size())
            qFatal("the view has another size");
        for (const Attribute& attribute : cloud->attributes())
            if (attribute.values().data.size() != cloud->size() * sizeOf(attribute.type))
                qFatal("an attribute has another size");
        return static_cast<std::int64_t>(cloud->size());
    } catch (const EngineError& error) {
        if (std::string(error.what()).empty() || error.nextStep().empty())
            qFatal("an error without a sentence");
        return -1;
    }
}

/// Small files of all formats: the output of our writers, and small real scans if available.
std::vector<std::pair<std::string, std::string>> seeds(const Scratch& scratch) {
    std::vector<std::pair<std::string, std::string>> all;
    const PointCloud cloud = smallCloud(40);
    for (const auto& ending : cloudEndings()) {
        const auto path = scratch / ("seed" + ending);
        writeCloud(path, cloud, {}, {});
        all.emplace_back(ending, contentOf(path));
    }
    all.emplace_back(
        ".ply", "ply\nformat ascii 1.0\nelement face 2\nproperty list uchar int v\nelement vertex 3\n"
                "property float x\nproperty float y\nproperty float z\nproperty list uchar int w\nproperty "
                "uchar red\nend_header\n3 0 1 2\n3 0 1 2\n1 2 3 1 7 9\n4 5 6 0 8\n7 8 9 2 1 1 7\n");
    all.emplace_back(
        ".ptx",
        "2\n1\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n1 2 3 0.5\n4 5 6 0.7\n");
    all.emplace_back(".pts", "3\n1 2 3 -5 6 7 8\n4 5 6 -5 6 7 8\n7 8 9 -5 6 7 8\n");
    all.emplace_back(".csv", "\"X\";\"Y\";\"Z\";label\n1,5;2;3;a\n4;5,25;6;b\n");
    all.emplace_back(
        ".off", "CNOFF\n3 1 3\n0 0 0 0 0 1 255 0 0\n1 0 0 0 0 1 0 255 0\n0 1 0 0 0 1 0 0 255\n3 0 1 2\n");
    all.emplace_back(".vtk",
                     "# vtk DataFile Version 4.2\nt\nASCII\nDATASET POLYDATA\nPOINTS 2 float\n1 2 3 4 5 6\n"
                     "VERTICES 1 3\n2 0 1\nPOINT_DATA 2\nSCALARS v int 1\nLOOKUP_TABLE default\n1 2\n"
                     "FIELD FieldData 1\nring 1 2 unsigned_char\n3 4\n");
    all.emplace_back(".vtk", "# vtk DataFile Version 3.0\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\n"
                             "POINTS 2 short\n\0\1\0\2\0\3\0\4\0\5\0\6\nCELLS 1 3\n"
                             "\0\0\0\2\0\0\0\0\0\0\0\1\nCELL_TYPES 1\n\0\0\0\3\nPOINT_DATA 2\n"
                             "VECTORS v char\nabcdef\n"s);
    all.emplace_back(".obj", "v 1 \\\n2 3\nv 4 5 6\nv 7 8\\\r\n 9\nf 1 \\\n2 3\n");
    all.emplace_back(
        ".obj", "v 1 2 3 1 0 0\nv 4 5 6 0 1 0\nv 7 8 9\nvn 0 0 1\nvn 0 1 0\nvn 1 0 0\nf -3//-3 2//2 3//3\n");
    all.emplace_back(".gltf",
                     R"({"asset":{"version":"2.0"},"nodes":[{"mesh":0,"scale":[1,2,3]}],"meshes":[)"
                     R"({"primitives":[{"attributes":{"POSITION":0},"indices":1,"mode":5}]}],"accessors":[)"
                     R"({"bufferView":0,"componentType":5120,"count":3,"type":"VEC3"},)"
                     R"({"bufferView":1,"componentType":5121,"count":3,"type":"SCALAR"}],"bufferViews":[)"
                     R"({"buffer":0,"byteLength":9},{"buffer":0,"byteOffset":9,"byteLength":3}],)"
                     R"("buffers":[{"byteLength":12,"uri":"data:;base64,AAAAAQAAAAEAAAEC"}]})");
    std::mt19937_64 random(7);
    for (const auto& ending : meshEndings()) {
        const auto path = scratch / ("mesh" + ending);
        writeMesh(path, strip(12, random), std::vector<std::uint32_t>(12, 0xff336699u), {}, {});
        all.emplace_back(ending, contentOf(path));
    }
    all.emplace_back(".stl",
                     "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 "
                     "0\nendloop\nendfacet\nendsolid a\n");
    for (const char* real :
         {"pcd/bun4.pcd", "pcd/curve_close.pcd", "pcd/milk.pcd", "pcd/v_build.pcd", "ply/trimesh_fuze.ply",
          "ply/trimesh_points_bin.ply", "ply/tinyply_icosahedron_ascii.ply", "text/pdal_no-color.ptx"}) {
        const auto path = scansFolder() / real;
        if (std::filesystem::exists(path))
            all.emplace_back(path.extension().string(), contentOf(path));
    }
    return all;
}

} // namespace

class TestIoFuzz : public QObject {
    Q_OBJECT
private slots:
    void cutOff() {
        const Scratch scratch;
        auto random = seededRandom("cutOff");
        for (const auto& [ending, whole] : seeds(scratch)) {
            const std::int64_t all = survive(scratch.file("whole" + ending, whole));
            QVERIFY(all > 0);
            const std::size_t step = std::max<std::size_t>(1, whole.size() / 150);
            for (std::size_t size = 1; size < whole.size(); size += 1 + random() % step) {
                const auto points = survive(scratch.file("cut" + ending, whole.substr(0, size)));
                QVERIFY2(
                    points <= all,
                    qPrintable(
                        QString("%1 of %2 bytes of %3").arg(size).arg(whole.size()).arg(ending.c_str())));
            }
        }
    }
    void flippedBytes() {
        const Scratch scratch;
        auto random = seededRandom("flippedBytes");
        for (const auto& [ending, whole] : seeds(scratch)) {
            for (int trial = 0; trial < 150; ++trial) {
                std::string damaged = whole;
                const std::size_t reach =
                    trial % 3 == 0 ? damaged.size() : std::min<std::size_t>(damaged.size(), 400);
                for (std::uint64_t flips = 1 + random() % 6; flips > 0; --flips) {
                    char& byte = damaged[random() % reach];
                    byte =
                        random() % 2 ? static_cast<char>(random()) : static_cast<char>('0' + random() % 10);
                }
                survive(scratch.file("flipped" + ending, damaged));
            }
        }
    }
    void anythingUnderAnyEnding() {
        const Scratch scratch;
        auto random = seededRandom("anythingUnderAnyEnding");
        const auto all = seeds(scratch);
        for (const auto& ending : scanEndings()) {
            for (const auto& [other, content] : all)
                survive(scratch.file("swapped" + ending, content));
            for (int trial = 0; trial < 20; ++trial) {
                std::string noise(1 + random() % 3000, '\0');
                for (char& byte : noise)
                    byte = static_cast<char>(random());
                survive(scratch.file("noise" + ending, noise));
            }
        }
    }
    /// A case that libFuzzer found: a packed colour that is a word or a negative number.
    void packedColoursThatAreNoNumbers() {
        const Scratch scratch;
        const auto cloud = readScan(
            scratch.file("a.pcd",
                         "VERSION .7\nFIELDS x y z rgb\nSIZE 4 4 4 4\nTYPE F F F U\nCOUNT 1 1 1 1\nWIDTH 3\n"
                         "HEIGHT 1\nPOINTS 3\nDATA ascii\n1 2 3 word\n1 2 3 -7\n1 2 3 66051\n"),
            {}, {});
        const Attribute* green = cloud->attribute("green");
        QVERIFY(green && green->value(0) == 0 && green->value(1) == 0 && green->value(2) == 2);
    }
    void longLinesAreNoText() {
        const Scratch scratch;
        const std::string line(3 << 20, '7');
        QVERIFY(says(errorOf([&] { readScan(scratch.file("a.xyz", "1 2 3\n4 5 6\n" + line), {}, {}); }),
                     "longer than 1 MiB"));
    }
};

SCANLOUPE_TEST(TestIoFuzz)
#include "test_io_fuzz.moc"
