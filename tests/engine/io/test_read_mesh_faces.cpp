// The faces of meshes in all formats, as row indices of their vertices.
#include "engine/cloud/error.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/mesh_reader.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "tests/engine/io/test_io_support.h"
#include "tests/kernels/mesh/mesh_shapes.h"

#include <bit>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

std::string joined(std::initializer_list<std::string_view> parts) {
    std::string text;
    for (const std::string_view part : parts)
        text.append(part);
    return text;
}

MeshFile meshFrom(const std::string& name, const std::string& content) {
    const Scratch scratch;
    return readMesh(scratch.file(name, content), {}, {});
}
std::string refusalOf(const std::string& name, const std::string& content) {
    try {
        meshFrom(name, content);
    } catch (const EngineError& error) {
        return joined({error.what(), " ", error.nextStep()});
    }
    return {};
}

/// The faces with the positions from the file, as a mesh.
TriangleMesh meshOf(const MeshFile& file) {
    std::vector<Vec3f> positions;
    for (std::size_t i = 0; i < file.vertices->size(); ++i)
        positions.push_back(file.vertices->position(i).as<float>());
    return test::meshOf(positions, file.faces.indices);
}

using Indices = std::vector<std::uint32_t>;

const char* const kCube = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n";
const char* const kCubeFaces = "4 3 2 1 0\n4 4 5 6 7 255 0 0\n4 0 1 5 4\n4 1 2 6 5\n4 2 3 7 6\n4 3 0 4 7\n";

template <class T>
void putBig(std::string& out, T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    if constexpr (std::endian::native == std::endian::little)
        std::reverse(std::begin(bytes), std::end(bytes));
    out.append(bytes, sizeof(T));
}

} // namespace

class TestReadMeshFaces : public QObject {
    Q_OBJECT
private slots:
    void whatIsWrittenIsRead_data() {
        QTest::addColumn<QString>("ending");
        for (const char* ending : {".ply", ".stl", ".obj", ".glb"})
            QTest::newRow(ending) << QString(ending);
    }
    void whatIsWrittenIsRead() {
        QFETCH(QString, ending);
        const TriangleMesh ball = surfaceOf(15, 1.3f, unitSphere);
        const Scratch scratch;
        const auto path = scratch / joined({"ball", ending.toStdString()});
        writeMesh(path, ball, {}, {}, {});
        const MeshFile read = readMesh(path, {}, {});
        QCOMPARE(read.faces.indices.size(), ball.indices.size());
        QCOMPARE(read.faces.missing + read.faces.collapsed, std::uint64_t{0});
        const TriangleMesh mesh = meshOf(read);
        for (std::size_t i = 0; i < ball.indices.size(); ++i)
            QVERIFY(norm(mesh.positions[mesh.indices[i]] - ball.positions[ball.indices[i]]) < 1e-6f);
    }
    void polygonsBecomeFans() {
        const MeshFile cube = meshFrom("cube.off", joined({"OFF\n8 6 12\n", kCube, kCubeFaces}));
        QCOMPARE(cube.faces.polygons, std::uint64_t{6});
        const MeshTopology topology = analyseTopology(meshOf(cube));
        QVERIFY(topology.closed());
        QCOMPARE(topology.volume, 1.0);
        QVERIFY((Indices(cube.faces.indices.begin(), cube.faces.indices.begin() + 6) ==
                 Indices{3, 2, 1, 3, 1, 0}));
        QVERIFY(meshFrom("cut.off", joined({"OFF\n8 6 12\n", kCube, "4 3 2 1 0\n"})).faces.isCut);
    }
    void concavePolygonsStayInTheirOutline() {
        // sum of the areas of all triangles; negative if one of them faces the wrong way
        const auto areaOf = [](const TriangleMesh& mesh) {
            double area = 0;
            for (std::size_t t = 0; t < mesh.triangleCount(); ++t) {
                const auto corner = [&](std::size_t i) { return mesh.positions[mesh.indices[3 * t + i]]; };
                const auto turn = double(cross(corner(1) - corner(0), corner(2) - corner(0)).z);
                if (turn <= 0)
                    return -1.0;
                area += turn / 2;
            }
            return area;
        };
        const MeshFile l =
            meshFrom("l.obj", "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nf 2 3 4 5 6 1 # an L\n");
        QCOMPARE(l.faces.indices.size(), std::size_t{12});
        QCOMPARE(areaOf(meshOf(l)), 3.0);
        const MeshFile dart =
            meshFrom("dart.obj", "v 0 0 0\nv 2 0 0\nv 0.5 0.5 0\nv 0 2 0\nf 1 2 3 4\nf 2 3 4 1\n");
        QCOMPARE(areaOf(meshOf(dart)), 2.0); // the polygon is drawn twice, with an area of 1 each
    }
    void facesOfLostVerticesAreRefused() {
        const std::string lost = refusalOf("lost.off", "OFF\n4 1 0\n0 0 0\n1 0\n1 1 0\n0 1 0\n3 0 2 3\n");
        QVERIFY2(lost.find("1 are missing") != std::string::npos, lost.c_str());
    }
    void binaryOff() {
        std::string bytes = "OFF BINARY\n";
        for (const std::int32_t count : {4, 2, 0})
            putBig(bytes, count);
        for (const float number : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 1.f, 1.f, 0.f, 0.f, 1.f, 0.f})
            putBig(bytes, number);
        for (const std::int32_t number : {3, 0, 1, 2, 0, 3, 0, 2, 3})
            putBig(bytes, number);
        putBig(bytes, std::int32_t{1});
        putBig(bytes, 0.5f);
        const MeshFile mesh = meshFrom("sheet.off", bytes);
        QVERIFY((mesh.faces.indices == Indices{0, 1, 2, 0, 2, 3}));
        QVERIFY(!mesh.faces.isCut);
    }
    void plyHasFacesAmongOtherThings() {
        const std::string head = "ply\nformat ascii 1.0\nelement material 1\nproperty float shine\n"
                                 "element vertex 4\nproperty float x\nproperty float y\nproperty float z\n";
        const std::string vertices = "0.5\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n";
        const MeshFile quad = meshFrom(
            "quad.ply", joined({head,
                                "element face 2\nproperty uchar red\nproperty list uchar int vertex_indices\n"
                                "property list uchar float texcoord\nend_header\n",
                                vertices, "9 4 0 1 2 3 2 0.1 0.2\n9 3 0 1 7 0\n"}));
        QVERIFY((quad.faces.indices == Indices{0, 1, 2, 0, 2, 3}));
        QCOMPARE(quad.faces.missing, std::uint64_t{1});
        const MeshFile strip =
            meshFrom("strip.ply",
                     joined({head, "element tristrips 1\nproperty list int int vertex_indices\nend_header\n",
                             vertices, "8 0 1 3 2 -1 0 1 2\n"}));
        QVERIFY((strip.faces.indices == Indices{0, 1, 3, 1, 2, 3, 0, 1, 2}));
        std::string big =
            "ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
            "property float z\nelement face 2\nproperty list uchar uint vertex_index\nend_header\n";
        for (const float number : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 1.f, 1.f, 0.f})
            putBig(big, number);
        big += char(3);
        for (const std::uint32_t corner : {2u, 0u, 1u})
            putBig(big, corner);
        const MeshFile cut = meshFrom("big.ply", big); // the file ends before the second face
        QVERIFY((cut.faces.indices == Indices{2, 0, 1}));
        QVERIFY(cut.faces.isCut);
        std::string small = "ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty float x\n"
                            "property float y\nproperty float z\nelement face 1\nproperty short part\n"
                            "property list ushort ushort vertex_index\nend_header\n";
        for (const float number : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 1.f, 1.f, 0.f})
            putBig(small, number);
        for (const std::uint16_t number : {7, 3, 2, 0, 1}) // counts and indices of 16 bits
            putBig(small, number);
        const MeshFile whole = meshFrom("small.ply", small);
        QVERIFY((whole.faces.indices == Indices{2, 0, 1}));
        QVERIFY(!whole.faces.isCut);
    }
    void objCountsFromEitherEnd() {
        const MeshFile mesh =
            meshFrom("two.obj", "o part\nv 0 0 0\nv 1 0 0\nv none\nv 1 1 0\nvn 0 0 1\ng front\n"
                                "f 1/1 2/2/1 4//1\nf -4 -1 1\nv 0 1 0\ng back\nf -1 1 4\nf 1 2\n"
                                "f 1 3 4\nf 1 9 2\nf 1 1 2\n");
        // the third vertex line is invalid, so that vertex 4 is row 2, and vertex 5 is row 3
        QVERIFY((mesh.faces.indices == Indices{0, 1, 2, 3, 0, 2}));
        QCOMPARE(mesh.faces.polygons, std::uint64_t{7});
        QCOMPARE(mesh.faces.missing, std::uint64_t{2});
        QCOMPARE(mesh.faces.collapsed, std::uint64_t{3});
    }
    void objLinesThatGoOn_data() {
        QTest::addColumn<QString>("end");
        QTest::newRow("Unix") << "\n";
        QTest::newRow("Windows") << "\r\n";
        QTest::newRow("old Mac") << "\r";
    }
    void objLinesThatGoOn() {
        QFETCH(QString, end);
        const auto text = [&](const char* content) {
            return QString(content).replace("\n", end).toStdString();
        };
        const MeshFile mesh = meshFrom(
            "on.obj", text("v 0 0 \\\n0\nv 1 \\\n 0 \\\n0\nv 1 1 0\nv 0 1 0\nf 1 2 \\\n3\nf 1 3\\\n 4\n"));
        QCOMPARE(mesh.vertices->size(), std::size_t{4});
        QVERIFY((mesh.faces.indices == Indices{0, 1, 2, 0, 2, 3}));
        // a backslash within a line does not continue it, and comments are never continued
        const MeshFile other =
            meshFrom("none.obj", text("mtllib parts\\new.mtl\n# C:\\models\\\nv 0 0 0\nv 1 0 0 # of C:\\\n"
                                      "v 1 1 0\nusemtl a\\ b\nf 1 2 3\\"));
        QVERIFY((other.faces.indices == Indices{0, 1, 2}));
        // recognised by the content alone
        QCOMPARE(
            meshFrom("on.txt", text("v 0 0 \\\n0\nv 1 0 0\nv 1 1 0\nf 1 2 \\\n3\n")).faces.indices.size(),
            std::size_t{3});
    }
    /// The pieces that are read in parallel must not end within a continued line.
    void objLinesThatGoOnInPieces() {
        for (const char* end : {"\n", "\r\n"}) {
            std::string text;
            std::uint32_t count = 0;
            const std::string on = joined({" \\", end});
            for (; text.size() < (std::size_t{1} << 20); ++count) {
                const std::string number = std::to_string(count);
                text += joined({"v", on, number, on, std::string(count % 7, ' '), "1", on, "2", end});
            }
            for (std::uint32_t i = 1; i + 2 <= count; ++i)
                text += joined(
                    {"f ", std::to_string(i), on, std::to_string(i + 1), on, std::to_string(i + 2), end});
            const MeshFile mesh = meshFrom("on.obj", text + "f 1 2 3");
            QCOMPARE(mesh.vertices->size(), std::size_t{count});
            for (std::uint32_t i = 0; i < count; ++i)
                QCOMPARE(mesh.vertices->position(i), (Vec3d{double(i), 1, 2}));
            QCOMPARE(mesh.faces.collapsed + mesh.faces.indices.size() / 3, std::uint64_t{count - 1});
            QCOMPARE(mesh.faces.polygons, std::uint64_t{count - 1});
        }
        // a single line that is continued without end
        std::string endless = "v 0 0 0\nf";
        while (endless.size() < (std::size_t{3} << 19))
            endless += " 1 \\\n";
        QVERIFY(refusalOf("endless.obj", endless).find("longer than 1 MiB") != std::string::npos);
    }
    void asciiStl() {
        const auto facet = [](std::string_view a, std::string_view b, std::string_view c) {
            return joined({"facet normal 0 0 1\nouter loop\nvertex ", a, "\nvertex ", b, "\nvertex ", c,
                           "\nendloop\nendfacet\n"});
        };
        const MeshFile mesh = meshFrom("sheet.stl", joined({"solid sheet\n", facet("0 0 0", "1 0 0", "1 1 0"),
                                                            facet("0 0 0", "1 1 0", "0 1 0"),
                                                            facet("0 0 0", "x 1 0", "0 1 0"), "endsolid\n"}));
        QCOMPARE(mesh.vertices->size(), std::size_t{4});
        QVERIFY((mesh.faces.indices == Indices{0, 1, 2, 0, 2, 3}));
        QCOMPARE(mesh.faces.collapsed, std::uint64_t{1});
    }
    void filesWithoutTrianglesAreRefused() {
        QVERIFY(refusalOf("points.ply",
                          "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float "
                          "y\nproperty float z\nend_header\n1 2 3\n")
                    .find("no triangles") != std::string::npos);
        QVERIFY(refusalOf("points.xyz", "1 2 3\n4 5 6\n").find(".stl") != std::string::npos);
        QVERIFY(refusalOf("far.obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n").find("None of the 1 faces") !=
                std::string::npos);
    }
    void realMeshes() {
        SCANLOUPE_REAL_SCAN(box, "ply/trimesh_BoxTextured.ply");
        const MeshFile textured = readMesh(box, {}, {});
        QCOMPARE(textured.faces.indices.size(), std::size_t{36});
        SCANLOUPE_REAL_SCAN(icosahedron, "ply/tinyply_icosahedron_ascii.ply");
        const MeshTopology topology = analyseTopology(meshOf(readMesh(icosahedron, {}, {})));
        QVERIFY(topology.closed());
        QCOMPARE(topology.euler, 2);
    }
};

SCANLOUPE_TEST(TestReadMeshFaces)
#include "test_read_mesh_faces.moc"
