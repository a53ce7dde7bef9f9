// glTF as text: embedded data and data in separate files, all kinds of faces, and paths that lead out of the
// folder.
#include "engine/io/common/read_options.h"
#include "engine/io/mesh_reader.h"
#include "engine/io/output_check.h"
#include "tests/engine/io/read_content.h"

#include <algorithm>
#include <array>

using namespace scanloupe;
using namespace scanloupe::test;
using namespace std::string_literals;

namespace {

using Indices = std::vector<std::uint32_t>;

std::string withQuotes(std::string json) {
    std::replace(json.begin(), json.end(), '\'', '"');
    return json;
}

/// The corners of a square in the file's plane z = 0, as floats.
std::string square() {
    std::string data;
    for (const float value : {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 1.0f, 1.0f, 0.0f, 0.0f, 1.0f, 0.0f})
        put(data, value);
    return data;
}

/// A glTF of one square with these primitives. `buffer` describes its data: 48 bytes, and `bytes` more.
std::string squareIn(const std::string& buffer,
                     const std::string& primitives = "{'attributes':{'POSITION':0}}",
                     const std::string& accessors = "", const std::string& views = "", std::size_t bytes = 0,
                     const std::string& node = "{'mesh':0}") {
    return withQuotes("{'asset':{'version':'2.0'},'nodes':[" + node + "],'meshes':[{'primitives':[" +
                      primitives +
                      "]}],'accessors':[{'bufferView':0,'componentType':5126,'count':4,'type':'VEC3'}" +
                      accessors + "],'bufferViews':[{'buffer':0,'byteLength':48}" + views +
                      "],'buffers':[{'byteLength':" + std::to_string(48 + bytes) + "," + buffer + "}]}");
}
std::string base64(const std::string& bytes) {
    return QByteArray::fromStdString(bytes).toBase64().toStdString();
}
std::string inItself(const std::string& bytes) {
    return "'uri':'data:application/octet-stream;base64," + base64(bytes) + "'";
}
std::string named(const std::string& uri) {
    return "'uri':'" + uri + "'";
}

/// A glTF of the square with indices of the given component type, drawn in the given mode.
template <class T>
std::string indexed(int componentType, int mode, std::initializer_list<int> indices,
                    const std::string& node = "{'mesh':0}") {
    std::string data = square();
    for (const int index : indices)
        put(data, T(index));
    return squareIn(inItself(data),
                    "{'attributes':{'POSITION':0},'indices':1,'mode':" + std::to_string(mode) + "}",
                    ",{'bufferView':1,'componentType':" + std::to_string(componentType) +
                        ",'count':" + std::to_string(indices.size()) + ",'type':'SCALAR'}",
                    ",{'buffer':0,'byteOffset':48,'byteLength':" + std::to_string(data.size() - 48) + "}",
                    data.size() - 48, node);
}

MeshFile meshFrom(const std::string& content) {
    const Scratch scratch;
    return readMesh(scratch.file("a.gltf", content), {}, {});
}

} // namespace

class TestReadGltf : public QObject {
    Q_OBJECT
private slots:
    void dataInItselfAndBesideIt() {
        const std::vector<Vec3d> places{{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}}; // the vertices with z up
        const auto cloud = read("a.gltf", squareIn(inItself(square())));
        QCOMPARE(placesOf(*cloud), places);
        QCOMPARE(cloud->format, std::string("glTF 2.0, turned from y up to z up"));
        QCOMPARE(placesOf(*read("a.gltf", "\xef\xbb\xbf \n" + squareIn(inItself(square())))), places);
        const Scratch scratch;
        std::filesystem::create_directories(scratch / "the data");
        scratch.file("square.bin", square());
        scratch.file("the data/square \xc3\xa4%.bin", square());
        for (const char* uri : {"square.bin", "./square.bin", "the%20data/square%20%C3%a4%25.bin",
                                "the data/square \xc3\xa4%25.bin", "the%20data/../square.bin"}) {
            const auto beside = readScan(scratch.file("a.gltf", squareIn(named(uri))), {}, {});
            QCOMPARE(placesOf(*beside), places);
        }
        // the data may be a part of a larger file, and one of several files
        const auto two = withQuotes(
            "{'asset':{'version':'2.0'},'meshes':[{'primitives':[{'attributes':{'POSITION':0}},{'attributes':"
            "{"
            "'POSITION':1}}]}],'accessors':[{'bufferView':0,'componentType':5126,'count':4,'type':'VEC3'},"
            "{'bufferView':1,'componentType':5126,'count':2,'type':'VEC3','byteOffset':12}],'bufferViews':[{"
            "'buffer':1,'byteLength':48},{'buffer':0,'byteLength':48}],'buffers':[{'byteLength':48,'uri':"
            "'square.bin'},{'byteLength':48," +
            inItself(square()) + "}]}");
        QCOMPARE(readScan(scratch.file("two.gltf", two), {}, {})->size(), std::size_t{6});
    }
    void facesOfAllKinds_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<Indices>("faces");
        const auto row = [](const char* name, const std::string& content, const Indices& faces) {
            QTest::newRow(name) << QByteArray::fromStdString(content) << faces;
        };
        row("8 bits", indexed<std::uint8_t>(5121, 4, {0, 1, 2, 0, 2, 3}), {0, 1, 2, 0, 2, 3});
        row("16 bits", indexed<std::uint16_t>(5123, 4, {0, 1, 2, 0, 2, 3}), {0, 1, 2, 0, 2, 3});
        row("32 bits", indexed<std::uint32_t>(5125, 4, {0, 1, 2, 0, 2, 3}), {0, 1, 2, 0, 2, 3});
        row("a strip", indexed<std::uint8_t>(5121, 5, {0, 1, 3, 2}), {0, 1, 3, 1, 2, 3});
        row("a fan", indexed<std::uint8_t>(5121, 6, {0, 1, 2, 3}), {0, 1, 2, 0, 2, 3});
        row("mirrored", indexed<std::uint8_t>(5121, 4, {0, 1, 2}, "{'mesh':0,'scale':[-1,1,1]}"), {0, 2, 1});
        row("no indices", squareIn(inItself(square()), "{'attributes':{'POSITION':0},'mode':6}"),
            {0, 1, 2, 0, 2, 3});
        row("several parts",
            squareIn(inItself(square()), "{'attributes':{'POSITION':0},'mode':5},"
                                         "{'attributes':{'POSITION':0},'mode':0},"
                                         "{'attributes':{'POSITION':0}}"),
            {0, 1, 2, 1, 3, 2, 0, 1, 2});
    }
    void facesOfAllKinds() {
        QFETCH(QByteArray, content);
        QFETCH(Indices, faces);
        const MeshFile mesh = meshFrom(content.toStdString());
        QCOMPARE(mesh.faces.indices, faces);
        QCOMPARE(mesh.vertices->size(), std::size_t{4});
    }
    /// Two nodes use the same mesh; their parent is rotated and shifted.
    void nodesPlaceTheirMeshes() {
        const std::string content =
            squareIn(inItself(square()), "{'attributes':{'POSITION':0},'mode':6}", "", "", 0,
                     "{'children':[1,2],'translation':[10,0,0],'rotation':[0,0,0.7071067811865476,"
                     "0.7071067811865476]},{'mesh':0},{'mesh':0,'scale':[2,2,2],'translation':[0,0,5]}");
        const MeshFile mesh = meshFrom(content);
        QCOMPARE(mesh.vertices->size(), std::size_t{8});
        QCOMPARE(mesh.faces.indices.size(), std::size_t{12});
        // the x axis in the file is rotated to the y axis, which is shown as z
        QCOMPARE(mesh.vertices->position(1), (Vec3d{10, 0, 1}));
        QCOMPARE(mesh.vertices->position(5),
                 (Vec3d{10, -5, 2})); // scaled by two; the z axis in the file points to -y
    }
    void sparseAccessorsAreRefused() {
        const std::string sparse =
            "'sparse':{'count':1,'indices':{'bufferView':0,'componentType':5121},'values':{"
            "'bufferView':0}}";
        QVERIFY(
            says(refusal("a.gltf", squareIn(inItself(square()), "{'attributes':{'POSITION':1}}",
                                            ",{'bufferView':0,'componentType':5126,'count':4,'type':'VEC3'," +
                                                sparse + "}")),
                 "sparse"));
    }
    void namesThatLeadElsewhereAreRefused() {
        const auto refusalOf = [](const std::string& uri) { return refusal("a.gltf", squareIn(named(uri))); };
        for (const char* uri : {"/etc/passwd", "../square.bin", "a/../../square.bin", "%2e%2e/square.bin",
                                "..", "%2Fetc%2Fpasswd"})
            QVERIFY2(says(refusalOf(uri), "outside of its folder"), uri);
        for (const char* uri : {"https://example.org/square.bin", "file:///etc/passwd", "C:/square.bin"})
            QVERIFY2(says(refusalOf(uri), "in the same folder"), uri);
        for (const char* uri : {"", "a%2", "a%zz.bin", "a%00.bin"})
            QVERIFY2(says(refusalOf(uri), "not a valid file name"), uri);
        const auto missing = refusalOf("parts/my%20square.bin");
        QVERIFY(says(missing, "parts/my square.bin") && says(missing, "no such file next to it"));
        QVERIFY(says(refusalOf("."), "is a folder"));
        const auto longName = refusalOf("https://" + std::string(100'000, 'a'));
        QVERIFY(longName && std::string(longName->what()).size() < 300);
    }
    void damagedDataIsRefused() {
        const auto refusalOf = [](const std::string& buffer) { return refusal("a.gltf", squareIn(buffer)); };
        QVERIFY(says(refusalOf(named("data:text/plain,abc")), "not base64"));
        QVERIFY(says(refusalOf(named("data:;base64")), "not base64"));
        QVERIFY(says(refusalOf(named("data:;base64,AA*A")), "base64"));
        QVERIFY(says(refusalOf(named("data:;base64,AAAAA")), "base64"));
        QVERIFY(says(refusalOf(named("data:;base64,")), "ends before its first vertex"));
        QVERIFY(says(refusalOf("'name':'none'"), "no data"));
        QVERIFY(says(refusalOf("'uri':7"), "is not a text"));
        const auto cut = read("a.gltf", squareIn(inItself(square().substr(0, 30))));
        QCOMPARE(cut->size(), std::size_t{2});
        QVERIFY(warns(*cut, "2 of 4 points were loaded"));
        const std::string whole = squareIn(inItself(square()));
        QVERIFY(says(refusal("a.gltf", whole.substr(0, whole.size() - 9)), "can't be read"));
        QVERIFY(says(refusal("a.gltf", "1 2 3\n4 5 6\n"), "is not a glTF"));
        QVERIFY(says(refusal("a.gltf", "{\"points\": []}"), "has no version"));
        QVERIFY(says(refusal("a.gltf", R"({"asset":{"version":"1.0"}})"), "version 1.0"));
    }
    void manyFilesAreRefused() {
        const Scratch scratch;
        scratch.file("square.bin", square());
        std::string primitives, accessors, views, buffers;
        for (int i = 0; i < 300; ++i) {
            const std::string comma = i > 0 ? "," : "", number = std::to_string(i);
            primitives += comma + "{'attributes':{'POSITION':" + number + "}}";
            accessors += comma + "{'bufferView':" + number + ",'componentType':5126,'count':4,'type':'VEC3'}";
            views += comma + "{'buffer':" + number + ",'byteLength':48}";
            buffers += comma + "{'byteLength':48,'uri':'square.bin'}";
        }
        const auto file = scratch.file(
            "many.gltf", withQuotes("{'asset':{'version':'2.0'},'meshes':[{'primitives':[" + primitives +
                                    "]}],'accessors':[" + accessors + "],'bufferViews':[" + views +
                                    "],'buffers':[" + buffers + "]}"));
        QVERIFY(says(errorOf([&] { readScan(file, {}, {}); }), "more than the maximum of 256"));
    }
    void itsDataIsNotOverwritten() {
        const Scratch scratch;
        scratch.file("square.bin", square());
        OutputCheck check;
        check.addInput(scratch.file("a.gltf", squareIn(named("square.bin"))));
        check.addInput(scratch.file("self.gltf", squareIn(named("self.gltf"))));
        check.addInput(scratch.file("odd.gltf", "{"));
        QVERIFY(errorOf([&] { check.addOutput(scratch / "square.bin", {".bin"}); }));
        check.addOutput(scratch / "other.bin", {".bin"});
    }
    /// Binary files may also refer to separate data files.
    void dataBesideBinaryFiles() {
        std::string json = squareIn(named("square.bin"));
        json.resize((json.size() + 3) / 4 * 4, ' ');
        std::string bytes;
        for (const std::uint32_t word :
             {0x46546C67u, 2u, std::uint32_t(20 + json.size()), std::uint32_t(json.size()), 0x4E4F534Au})
            put(bytes, word);
        const Scratch scratch;
        scratch.file("square.bin", square());
        QCOMPARE(readScan(scratch.file("a.glb", bytes + json), {}, {})->size(), std::size_t{4});
    }
};

SCANLOUPE_TEST(TestReadGltf)
#include "test_read_gltf.moc"
