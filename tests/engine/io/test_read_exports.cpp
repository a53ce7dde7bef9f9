// Meshes of our writers are read back: PLY, STL, OBJ and GLB, with the same vertices in file coordinates,
// near the origin and far from it. Also STL files of other programs, and damaged ones.
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/formats.h"
#include "engine/io/glb/glb_format.h"
#include "tests/engine/io/read_content.h"

using namespace scanloupe;
using namespace scanloupe::test;
using namespace std::string_literals;

namespace {

/// One triangle of a binary STL.
std::string facet(std::initializer_list<float> corners) {
    std::string bytes;
    for (int i = 0; i < 3; ++i)
        put(bytes, 0.0f);
    for (const float value : corners)
        put(bytes, value);
    put(bytes, std::uint16_t(0));
    return bytes;
}
std::string binaryStl(std::string title, std::uint32_t count, const std::string& facets) {
    title.resize(80, '\0');
    put(title, count);
    return title + facets;
}
const std::string kTwoFacets = facet({0, 0, 0, 1, 0, 0, 0, 1, 0}) + facet({1, 0, 0, 0, 1, 0, 1, 1, 0.5f});

} // namespace

class TestReadExports : public QObject {
    Q_OBJECT
private slots:
    void roundTrip_data() {
        QTest::addColumn<QString>("ending");
        QTest::addColumn<bool>("far");
        for (const auto& ending : meshEndings())
            for (const bool far : {false, true})
                QTest::addRow("%s%s", ending.c_str(), far ? " far away" : "")
                    << QString::fromStdString(ending) << far;
    }
    void roundTrip() {
        QFETCH(QString, ending);
        QFETCH(bool, far);
        const Scratch scratch;
        auto random = seededRandom("roundTrip");
        const TriangleMesh mesh = strip(5000, random);
        std::vector<std::uint32_t> colours;
        for (std::size_t i = 0; i < mesh.vertexCount(); ++i)
            colours.push_back(std::uint32_t(random()) | 0xff000000u);
        std::vector<MeshChannel> channels{{{"intensity", 0}, {}}, {{"time", 1.6e9}, {}}};
        for (MeshChannel& channel : channels)
            for (std::size_t i = 0; i < mesh.vertexCount(); ++i)
                channel.values.push_back(float(random() % 10000) * 0.25f);
        WriteOptions options;
        options.origin = far ? Vec3d{512800.123456789, 5403700.1, -250.7} : Vec3d{};
        options.channels = channels;
        const auto path = scratch / ("mesh" + ending.toStdString());
        writeMesh(path, mesh, colours, options, {});
        const auto cloud = readScan(path, {}, {});
        QCOMPARE(cloud->size(), mesh.vertexCount());
        for (std::size_t i = 0; i < mesh.vertexCount(); ++i) {
            if (ending == ".obj" && !far) // the file has the shortest digits of the float, which are another
                                          // number as a double
                QCOMPARE(cloud->position(i).as<float>(), mesh.positions[i]);
            else
                QCOMPARE(cloud->position(i), mesh.positions[i].as<double>() + options.origin);
        }
        QVERIFY(warns(*cloud, "its 5000 vertices are shown as points, its 4998 faces are not used"));
        QCOMPARE(cloud->warnings.size(), std::size_t(1));
        if (ending == ".stl") {
            QVERIFY(cloud->attributes().empty()); // normals of facets are not read as normals of vertices
            return;
        }
        const bool bytes = ending != ".obj", values = ending == ".ply" || ending == ".glb";
        for (std::size_t i = 0; i < mesh.vertexCount(); i += 7) {
            QCOMPARE(at(*cloud, "normal_x", i), double(mesh.normals[i].x));
            QCOMPARE(at(*cloud, "normal_z", i), double(mesh.normals[i].z));
            QCOMPARE(std::round(at(*cloud, "green", i) * (bytes ? 1 : 255)), double(colours[i] >> 8 & 0xff));
            if (values)
                QCOMPARE(at(*cloud, "intensity", i), double(channels[0].values[i]));
            if (values)
                QCOMPARE(at(*cloud, "time", i), double(channels[1].values[i]) + 1.6e9);
        }
        // the file ends with faces: without its last bytes, it still has all vertices
        const std::string content = contentOf(path);
        const auto cut = read("cut" + ending.toStdString(), content.substr(0, content.size() - 60));
        QCOMPARE(cut->size(), std::size_t(5000));
        QVERIFY(ending == ".obj" || warns(*cut, "is truncated"));
    }
    void emptyMeshes() {
        const Scratch scratch;
        for (const char* ending : {".ply", ".stl", ".glb"}) {
            writeMesh(scratch / ("a"s + ending), TriangleMesh{}, {}, {}, {});
            QCOMPARE(readScan(scratch / ("a"s + ending), {}, {})->size(), std::size_t(0));
        }
    }
    void stlBinary() {
        const auto cloud = read("a.stl", binaryStl("solid by name only, facet", 2, kTwoFacets));
        QCOMPARE(placesOf(*cloud), (std::vector<Vec3d>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0.5}}));
        QCOMPARE(cloud->format, "STL binary"s);
        QVERIFY(warns(*cloud, "its 4 vertices are shown as points, its 2 faces are not used"));
        QCOMPARE(read("a.dat", binaryStl("by its length", 2, kTwoFacets))->size(), std::size_t(4));
        // positions that differ in one bit are different vertices
        const auto apart = facet({0, 0, 0, std::nextafter(0.0f, 1.0f), 0, 0, -0.0f, 0, 0});
        QCOMPARE(read("a.stl", binaryStl("", 1, apart))->size(), std::size_t(3));
        const auto origin = read("a.stl", binaryStl("relative to 100.5 -2 1e6   ", 2, kTwoFacets));
        QCOMPARE(origin->position(3), (Vec3d{101.5, -1, 1000000.5}));
        QCOMPARE(read("a.stl", binaryStl("relative to the moon", 2, kTwoFacets))->position(3),
                 (Vec3d{1, 1, 0.5}));
    }
    void stlThatIsDamaged() {
        const auto cut = read("a.stl", binaryStl("", 2, kTwoFacets).substr(0, 150));
        QCOMPARE(cut->size(), std::size_t(3));
        QVERIFY(warns(*cut, "contains 1 of 2 triangles"));
        QVERIFY(warns(*read("a.stl", binaryStl("", 1, kTwoFacets)),
                      "specifies 1 triangles, but the file contains 2"));
        QCOMPARE(read("a.stl", binaryStl("", 0, kTwoFacets))->size(), std::size_t(4));
        QVERIFY(says(refusal("a.stl", binaryStl("", 4000000000u, "")), "contain no complete one"));
        QVERIFY(says(refusal("a.stl", "solid"), "has no vertices"));
        QVERIFY(says(refusal("a.stl", "\1\2\3"s), "the header alone has 84"));
    }
    void stlText() {
        const std::string text =
            "solid a part\n  facet normal 0 0 1\n    outer loop\n      vertex 0 0 0\n"
            "      VERTEX 1.25 0 0\n      vertex 0 1e0 0\n    endloop\n  endfacet\n"
            "  facet normal 0 0 1\n    outer loop\n      vertex 1.25 0 0\n      vertex 0 1 0\n"
            "      vertex 5403700.125 1 0\n    endloop\n  endfacet\n";
        const auto cloud = read("a.stl", text + "endsolid a part\n");
        QCOMPARE(placesOf(*cloud),
                 (std::vector<Vec3d>{{0, 0, 0}, {1.25, 0, 0}, {0, 1, 0}, {5403700.125, 1, 0}}));
        QCOMPARE(cloud->format, "STL text"s);
        QCOMPARE(cloud->warnings.size(), std::size_t(1));
        QVERIFY(warns(*read("a.txt", text), "the line 'endsolid' is missing"));
        const auto broken = read("a.stl", text + "vertex 1 oops 2\nendsolid\n");
        QVERIFY(warns(*broken, "1 corners of triangles were left out"));
    }
    /// Some exporters and editors write a blank line or a byte order mark before the text.
    void stlTextBehindBlanks() {
        const std::string text =
            "solid relative to 100 200 300\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n"
            "vertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n";
        for (const std::string& front : {"\n"s, "\r\n \t\r\n"s, "\xef\xbb\xbf"s, "\xef\xbb\xbf\n"s})
            for (const char* name : {"a.stl", "a.txt"}) {
                const auto cloud = read(name, front + text);
                QCOMPARE(cloud->format, "STL text"s);
                QCOMPARE(placesOf(*cloud),
                         (std::vector<Vec3d>{{100, 200, 300}, {101, 200, 300}, {100, 201, 300}}));
                QCOMPARE(cloud->warnings.size(), std::size_t(1)); // the only warning is about the unused face
            }
        QCOMPARE(read("a.stl", binaryStl("  solid, but binary", 2, kTwoFacets))->format, "STL binary"s);
    }
    void colourTablesAreInverse() {
        for (int value = 0; value < 256; ++value)
            QCOMPARE(int(detail::linearToSrgb()[detail::srgbToLinear()[std::size_t(value)]]), value);
    }
    void unusedFacesOfPlyAreReported() {
        const std::string head =
            "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
            "property float z\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n";
        const auto cloud = read("a.ply", head + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 2 1 0\n");
        QCOMPARE(cloud->warnings.size(), std::size_t(1));
        QVERIFY(warns(*cloud, "its 3 vertices are shown as points, its 2 faces are not used"));
        QVERIFY(
            warns(*read("a.ply", head + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"), "some of its faces are missing"));
        const auto few = read("a.ply", head + "0 0 0\n1 0 0\n");
        QVERIFY(warns(*few, "2 of 3 points were loaded") && !warns(*few, "some of its faces"));
    }
};

SCANLOUPE_TEST(TestReadExports)
#include "test_read_exports.moc"
