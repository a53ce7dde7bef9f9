// The meshes that we write are read again: PLY, STL, OBJ and GLB, with the same vertices in the file's
// coordinates, near the origin and far from it; STL and GLB of other programs, and damaged ones.
#include "engine/io/glb_format.h"
#include "tests/engine/test_io_support.h"

#include <algorithm>

using namespace scanloupe;
using namespace scanloupe::test;
using namespace std::string_literals;

namespace {

std::shared_ptr<const PointCloud> read(const std::string& name, const std::string& content) {
    const Scratch scratch;
    return readScan(scratch.file(name, content), {}, {});
}

std::optional<EngineError> refusal(const std::string& name, const std::string& content) {
    return errorOf([&] { read(name, content); });
}

double at(const PointCloud& cloud, const char* name, std::size_t i) {
    const Attribute* attribute = cloud.attribute(name);
    if (!attribute) {
        QTest::qFail(qPrintable(QString("there is no '%1'").arg(name)), __FILE__, __LINE__);
        return 0;
    }
    return attribute->value(i);
}

std::vector<Vec3d> placesOf(const PointCloud& cloud) {
    std::vector<Vec3d> places;
    for (std::size_t i = 0; i < cloud.size(); ++i)
        places.push_back(cloud.position(i));
    return places;
}

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

/// A GLB file of a description, with ' in place of quotes, and its data.
std::string glb(std::string json, const std::string& data, std::uint32_t version = 2) {
    std::replace(json.begin(), json.end(), '\'', '"');
    json.resize((json.size() + 3) / 4 * 4, ' ');
    std::string bytes;
    for (const std::uint32_t word :
         {std::uint32_t(0x46546C67), version, std::uint32_t(28 + json.size() + data.size()),
          std::uint32_t(json.size()), std::uint32_t(0x4E4F534A)})
        put(bytes, word);
    bytes += json;
    put(bytes, std::uint32_t(data.size()));
    put(bytes, std::uint32_t(0x004E4942));
    return bytes + data;
}

/// Three positions as floats: (1, 2, 3), (4, 5, 6), (7, 8, 9).
std::string threePlaces() {
    std::string data;
    for (int i = 1; i < 10; ++i)
        put(data, float(i));
    return data;
}
/// A file of `nodes` whose mesh 0 has three positions and `more` attributes, in accessors from 1 on.
std::string sceneOf(const std::string& nodes, const std::string& more = "", const std::string& accessors = "",
                    const std::string& views = "", const std::string& data = "") {
    const std::string all = threePlaces() + data;
    return glb("{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0]}],'nodes':[" + nodes +
                   "],'meshes':[{'primitives':[{'attributes':{'POSITION':0" + more + "}}]}]," +
                   "'accessors':[{'bufferView':0,'componentType':5126,'count':3,'type':'VEC3'}" + accessors +
                   "],'bufferViews':[{'buffer':0,'byteLength':36}" + views +
                   "],'buffers':[{'byteLength':" + std::to_string(all.size()) + "}]}",
               all);
}

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
            if (ending == ".obj" && !far) // a float's shortest digits, which a double reads as another number
                QCOMPARE(cloud->position(i).as<float>(), mesh.positions[i]);
            else
                QCOMPARE(cloud->position(i), mesh.positions[i].as<double>() + options.origin);
        }
        QVERIFY(warns(*cloud, "its 5000 vertices are shown as points, its 4998 faces are not used"));
        QCOMPARE(cloud->warnings.size(), std::size_t(1));
        if (ending == ".stl") {
            QVERIFY(cloud->attributes().empty()); // normals of facets are none of vertices
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
        // the last bytes are faces: a file without them has all of its vertices
        const std::string content = contentOf(path);
        const auto cut = read("cut" + ending.toStdString(), content.substr(0, content.size() - 60));
        QCOMPARE(cut->size(), std::size_t(5000));
        QVERIFY(ending == ".obj" || warns(*cut, "ends too early"));
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
        // one bit apart is another place
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
        QVERIFY(warns(*cut, "1 of 2 triangles are whole"));
        QVERIFY(warns(*read("a.stl", binaryStl("", 1, kTwoFacets)), "claims 1 triangles, but 2 follow"));
        QCOMPARE(read("a.stl", binaryStl("", 0, kTwoFacets))->size(), std::size_t(4));
        QVERIFY(says(refusal("a.stl", binaryStl("", 4000000000u, "")), "none of them is whole"));
        QVERIFY(says(refusal("a.stl", "solid"), "has no vertices"));
        QVERIFY(says(refusal("a.stl", "\1\2\3"s), "none of them is whole"));
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
        QVERIFY(warns(*read("a.txt", text), "its last line is not there"));
        const auto broken = read("a.stl", text + "vertex 1 oops 2\nendsolid\n");
        QVERIFY(warns(*broken, "1 corners of triangles were left out"));
    }
    void colourTablesAreInverse() {
        for (int value = 0; value < 256; ++value)
            QCOMPARE(int(detail::linearToSrgb()[detail::srgbToLinear()[std::size_t(value)]]), value);
    }
    /// y up becomes z up: (x, y, z) is shown at (x, -z, y).
    void glbNodes() {
        const auto plain = read("a.glb", sceneOf("{'mesh':0}"));
        QCOMPARE(placesOf(*plain), (std::vector<Vec3d>{{1, -3, 2}, {4, -6, 5}, {7, -9, 8}}));
        QVERIFY(std::holds_alternative<FloatPositions>(plain->positions()));
        QVERIFY(warns(*plain, "its 3 vertices are shown as points, its 1 face is not used"));
        const auto nested =
            read("a.glb", sceneOf("{'translation':[5000000.1,0,0],'scale':[2,2,2],'children':[1]},"
                                  "{'mesh':0,'translation':[0,10,0]}"));
        QCOMPARE(nested->position(0), (Vec3d{5000000.1 + 2, -6, 24}));
        const auto matrix =
            read("a.glb", sceneOf("{'mesh':0,'matrix':[0,1,0,0,-1,0,0,0,0,0,1,0,100,200,300,1]}"));
        QCOMPARE(matrix->position(0), (Vec3d{98, -303, 201}));
        const auto twice =
            read("a.glb", sceneOf("{'children':[1,2]},{'mesh':0},{'mesh':0,'translation':[0,0.5,0]}"));
        QCOMPARE(twice->size(), std::size_t(6));
        QCOMPARE(twice->position(3), (Vec3d{1, -3, 2.5}));
        const auto turned =
            read("a.glb", sceneOf("{'mesh':0,'rotation':[0,0.7071067811865476,0,0.7071067811865476]}"));
        QCOMPARE(turned->position(0), (Vec3d{3, 1, 2})); // without a trace of rounding
    }
    void glbAttributes() {
        std::string data;
        for (const float value : {0.0f, 0.0f, 1.0f, 0.0f, 1.0f, 0.0f, 1.0f, 0.0f, 0.0f}) // normals
            put(data, value);
        for (const std::uint8_t byte :
             {255, 0, 0, 7, 0, 255, 0, 7, 128, 0, 255, 7}) // colours of three in four bytes
            put(data, byte);
        for (const std::uint16_t ring : {1, 2, 40000, 0})
            put(data, ring);
        const auto cloud =
            read("a.glb",
                 sceneOf("{'mesh':0,'scale':[1,1,4]}",
                         ",'NORMAL':1,'COLOR_0':2,'_RING':3,'TANGENT':2,'TEXCOORD_0':4",
                         ",{'bufferView':1,'componentType':5126,'count':3,'type':'VEC3'}"
                         ",{'bufferView':2,'componentType':5121,'normalized':true,'count':3,'type':'VEC3'}"
                         ",{'bufferView':3,'componentType':5123,'count':3,'type':'SCALAR'}"
                         ",{'bufferView':1,'componentType':5126,'count':3,'type':'VEC2'}",
                         ",{'buffer':0,'byteOffset':36,'byteLength':36},{'buffer':0,'byteOffset':72,'"
                         "byteLength':12,'byteStride':4}"
                         ",{'buffer':0,'byteOffset':84,'byteLength':8}",
                         data));
        QCOMPARE(at(*cloud, "normal_y", 0), -1.0); // glTF's z
        QCOMPARE(at(*cloud, "normal_z", 1), 1.0);  // glTF's y, as long as it was
        QCOMPARE(at(*cloud, "red", 0), 255.0);
        QCOMPARE(at(*cloud, "red", 2), 188.0); // half of full light
        const Attribute* ring = cloud->attribute("ring");
        QVERIFY(ring && ring->type == ScalarType::uint16 && ring->value(2) == 40000);
        QCOMPARE(at(*cloud, "texcoord_0_1", 1), 1.0);
        QVERIFY(warns(*cloud, "TANGENT"));
    }
    void glbPartsWithOtherAttributes() {
        std::string data;
        for (const float value : {10.0f, 20.0f, 30.0f})
            put(data, value);
        const std::string all = threePlaces() + data;
        const auto cloud = read(
            "a.glb",
            glb("{'asset':{'version':'2.0'},'nodes':[{'mesh':0}],'meshes':[{'primitives':["
                "{'attributes':{'POSITION':0,'_HEAT':1},'mode':0},{'attributes':{'POSITION':0,'_HEAT':1},'"
                "mode':5},"
                "{'attributes':{'POSITION':2}}]}],'accessors':["
                "{'bufferView':0,'componentType':5126,'count':3,'type':'VEC3'},"
                "{'bufferView':1,'componentType':5126,'count':3,'type':'SCALAR','extras':{'offset':1000}},"
                "{'bufferView':0,'componentType':5126,'count':2,'type':'VEC3','byteOffset':12}],"
                "'bufferViews':[{'buffer':0,'byteLength':36},{'buffer':0,'byteOffset':36,'byteLength':12}],"
                "'buffers':[{'byteLength':48}]}",
                all));
        QCOMPARE(cloud->size(), std::size_t(5)); // vertices that primitives share are there once
        QCOMPARE(at(*cloud, "heat", 2), 1030.0);
        QVERIFY(std::isnan(at(*cloud, "heat", 3)));
        QVERIFY(warns(*cloud, "its 1 face is"));
    }
    void glbThatIsRefused() {
        const auto withExtension = [](const std::string& name) {
            return glb("{'asset':{'version':'2.0'},'extensionsRequired':['" + name + "']}", "");
        };
        QVERIFY(says(refusal("a.glb", withExtension("KHR_draco_mesh_compression")),
                     "KHR_draco_mesh_compression"));
        QVERIFY(says(refusal("a.glb", withExtension("EXT_meshopt_compression")), "packs its vertices"));
        QVERIFY(says(refusal("a.glb", withExtension("ACME_bends")), "ACME_bends"));
        QCOMPARE(read("a.glb", withExtension("KHR_materials_unlit"))->size(), std::size_t(0));
        QVERIFY(says(refusal("a.gltf", "{\"asset\": {\"version\": \"2.0\"}}"), "in other files"));
        QVERIFY(says(refusal("a.glb", glb("{}", "", 1)), "version 1"));
        QVERIFY(says(refusal("a.glb", glb("[]", "")), "no object"));
        QVERIFY(says(refusal("a.glb", glb("{\"a\":", "")), "can't be read"));
        QVERIFY(says(refusal("a.glb", glb(std::string(100000, '['), "")), "nested"));
        QVERIFY(says(refusal("a.glb", sceneOf("{'children':[0]}")), "two parents"));
        QVERIFY(says(refusal("a.glb", sceneOf("{'children':[7]}")), "element 7"));
        QVERIFY(says(refusal("a.glb", sceneOf("{'mesh':-1}")), "no whole number"));
        QVERIFY(says(refusal("a.glb", sceneOf("{'mesh':0,'matrix':[1,2]}")), "has not 16 numbers"));
        const auto accessor = [](const std::string& json, const std::string& view = "'byteLength':36") {
            return glb("{'nodes':[{'mesh':0}],'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}],'"
                       "accessors':[" +
                           json + "],'bufferViews':[{'buffer':0," + view +
                           "}],'buffers':[{'byteLength':36}]}",
                       threePlaces());
        };
        const std::string good = "{'bufferView':0,'componentType':5126,'type':'VEC3',";
        QCOMPARE(read("a.glb", accessor(good + "'count':3}"))->size(), std::size_t(3));
        for (const char* beyond : {"'count':4}", "'count':3,'byteOffset':4}", "'count':18446744073709551615}",
                                   "'count':1,'byteOffset':18446744073709551610}"})
            QVERIFY2(says(refusal("a.glb", accessor(good + beyond)), "beyond its data"), beyond);
        QVERIFY(
            says(refusal("a.glb", accessor(good + "'count':3}", "'byteLength':4000")), "beyond its data"));
        QVERIFY(says(refusal("a.glb", accessor(good + "'count':3}", "'byteLength':36,'byteStride':0")),
                     "beyond"));
        QVERIFY(says(refusal("a.glb", accessor(good + "'count':3,'sparse':{}}")), "sparse"));
        QVERIFY(
            says(refusal("a.glb", accessor("{'componentType':5126,'type':'VEC3','count':3}")), "no data"));
        QVERIFY(says(refusal("a.glb", accessor("{'bufferView':0,'componentType':7,'type':'VEC3','count':3}")),
                     "type"));
    }
    void glbThatIsCutOff() {
        const std::string whole = sceneOf(
            "{'mesh':0}", ",'_A':1", ",{'bufferView':1,'componentType':5126,'count':3,'type':'SCALAR'}",
            ",{'buffer':0,'byteOffset':36,'byteLength':12}", std::string(12, '\0'));
        const auto cut = [&](std::size_t bytes) {
            return read("a.glb", whole.substr(0, whole.size() - bytes));
        };
        QVERIFY(warns(*cut(3), "not all vertices have a value of _A"));
        QCOMPARE(cut(12)->size(), std::size_t(3));
        QCOMPARE(cut(13)->size(), std::size_t(2));
        QVERIFY(warns(*cut(13), "2 of 3 points are whole"));
        QVERIFY(says(refusal("a.glb", whole.substr(0, whole.size() - 40)), "not one of them is whole"));
        QVERIFY(says(refusal("a.glb", whole.substr(0, 200)), "ends within its description"));
        QVERIFY(says(refusal("a.glb", whole.substr(0, 11)), "no binary glTF"));
    }
    void plyMeshesAreTold() {
        const std::string head =
            "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
            "property float z\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n";
        const auto cloud = read("a.ply", head + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 2 1 0\n");
        QCOMPARE(cloud->warnings.size(), std::size_t(1));
        QVERIFY(warns(*cloud, "its 3 vertices are shown as points, its 2 faces are not used"));
        QVERIFY(
            warns(*read("a.ply", head + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"), "some of its faces are missing"));
        const auto few = read("a.ply", head + "0 0 0\n1 0 0\n");
        QVERIFY(warns(*few, "2 of 3 points are whole") && !warns(*few, "some of its faces"));
    }
};

QTEST_APPLESS_MAIN(TestReadExports)
#include "test_read_exports.moc"
