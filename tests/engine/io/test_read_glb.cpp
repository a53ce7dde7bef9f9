// GLB files of other programs: nodes, attributes, parts with different attributes, and files that are damaged
// or too large.
#include "tests/engine/io/glb_file.h"
#include "tests/engine/io/read_content.h"
#include "tests/support/time_limits.h"

using namespace scanloupe;
using namespace scanloupe::test;
using namespace std::string_literals;

namespace {

/// Three positions as floats: (1, 2, 3), (4, 5, 6), (7, 8, 9).
std::string threePlaces() {
    std::string data;
    for (int i = 1; i < 10; ++i)
        put(data, float(i));
    return data;
}
/// A GLB with these nodes. Its mesh 0 has three positions and the attributes `more`, whose accessors start at
/// index 1.
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

class TestReadGlb : public QObject {
    Q_OBJECT
private slots:
    /// Converts y up to z up: (x, y, z) is shown at (x, -z, y).
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
        QCOMPARE(turned->position(0), (Vec3d{3, 1, 2})); // a quarter turn is exact, without rounding
        const auto stretched =
            read("a.glb", sceneOf("{'mesh':0,'scale':[1,10,100],'translation':[0.5,0,0],"
                                  "'rotation':[0,0.7071067811865476,0,0.7071067811865476]}"));
        QCOMPARE(stretched->position(0), (Vec3d{300.5, 1, 20})); // scaled, then rotated, then shifted
    }
    /// EXT_mesh_gpu_instancing: each instance has translation * rotation * scale, applied before the node's
    /// own transform.
    void glbInstances() {
        std::string data;
        for (const float value : {10.0f, 0.0f, 0.0f, 20.0f, 0.0f, 0.0f}) // translations
            put(data, value);
        // rotations: none, and half a turn about y
        for (const std::int16_t value : {0, 0, 0, 32767, 0, 32767, 0, 0})
            put(data, value);
        for (const float value : {1.0f, 1.0f, 1.0f, 2.0f, 2.0f, 4.0f}) // scales
            put(data, value);
        const auto scene = [&](const std::string& attributes) {
            return sceneOf("{'mesh':0,'translation':[0,100,0],'children':[1],'extensions':{"
                           "'EXT_mesh_gpu_instancing':{'attributes':{" +
                               attributes + "}}}},{'mesh':0}",
                           "",
                           ",{'bufferView':1,'componentType':5126,'count':2,'type':'VEC3'}"
                           ",{'bufferView':2,'componentType':5122,'count':2,'type':'VEC4','normalized':true}"
                           ",{'bufferView':3,'componentType':5126,'count':2,'type':'VEC3'}"
                           ",{'bufferView':3,'componentType':5126,'count':1,'type':'VEC3'}",
                           ",{'buffer':0,'byteOffset':36,'byteLength':24},{'buffer':0,'byteOffset':60,"
                           "'byteLength':16},{'buffer':0,'byteOffset':76,'byteLength':24}",
                           data);
        };
        const auto all = read("a.glb", scene("'TRANSLATION':1,'ROTATION':2,'SCALE':3,'_ID':99"));
        QCOMPARE(all->size(), std::size_t(9));
        QCOMPARE(all->position(0), (Vec3d{11, -3, 102}));
        QCOMPARE(all->position(3), (Vec3d{18, 12, 104}));
        QCOMPARE(all->position(6), (Vec3d{1, -3, 102})); // the child's mesh, once
        QVERIFY(warns(*all, "its 3 faces are not used") && warns(*all, "not point data were left out: _ID."));
        const auto moved = read("a.glb", scene("'TRANSLATION':1"));
        QCOMPARE(moved->position(3), (Vec3d{21, -3, 102}));
        QCOMPARE(read("a.glb", scene(""))->size(), std::size_t(6));
        QVERIFY(says(refusal("a.glb", scene("'TRANSLATION':1,'SCALE':4")), "different numbers"));
        QVERIFY(says(refusal("a.glb", scene("'ROTATION':1")), "ROTATION of its instances"));
        const std::string whole = scene("'SCALE':3");
        const auto cut = read("a.glb", whole.substr(0, whole.size() - 5));
        QCOMPARE(cut->size(), std::size_t(6));
        QVERIFY(warns(*cut, "1 instances of its meshes are missing"));
    }
    void glbThatMovesItsVertices() {
        QVERIFY(warns(*read("a.glb", sceneOf("{'mesh':0,'skin':0}")), "The file has skeletons,"));
        QVERIFY(
            warns(*read("a.glb", sceneOf("{'mesh':0,'weights':[0,0.5]}")), "The file has morph targets,"));
        QVERIFY(warns(*read("a.glb", sceneOf("{'mesh':0}", "}}],'weights':[1],'extras':[{'a':{")),
                      "The file has morph targets,"));
        QVERIFY(!warns(*read("a.glb", sceneOf("{'mesh':0,'weights':[0,0]}")), "It has"));
    }
    /// CESIUM_RTC: geocentric coordinates with z up, exact in double precision.
    void glbRelativeToACentre() {
        const auto cloud =
            read("a.glb", sceneOf("{'mesh':0,'translation':[0,0,5]}],'extensions':{'CESIUM_RTC':"
                                  "{'center':[4000000.25,2000,3000]}},'extras':["));
        QCOMPARE(cloud->position(0), (Vec3d{4000001.25, 1992, 3002}));
        QVERIFY(says(refusal("a.glb", sceneOf("{'mesh':0}],'extensions':{'CESIUM_RTC':{'center':[1]}},"
                                              "'extras':[")),
                     "does not have 3 numbers"));
    }
    void glbAttributes() {
        std::string data;
        for (const float value : {0.0f, 0.0f, 1.0f, 0.0f, 1.0f, 0.0f, 1.0f, 0.0f, 0.0f}) // normals
            put(data, value);
        for (const std::uint8_t byte :
             {255, 0, 0, 7, 0, 255, 0, 7, 128, 0, 255, 7}) // RGB colours, padded to four bytes
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
        QCOMPARE(at(*cloud, "normal_y", 0), -1.0); // the z component in the file
        QCOMPARE(at(*cloud, "normal_z", 1), 1.0);  // the y component in the file, normalized
        QCOMPARE(at(*cloud, "red", 0), 255.0);
        QCOMPARE(at(*cloud, "red", 2), 188.0); // the sRGB value of half the intensity
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
        QCOMPARE(cloud->size(), std::size_t(5)); // vertices that two parts share occur once
        QCOMPARE(at(*cloud, "heat", 2), 1030.0);
        QVERIFY(std::isnan(at(*cloud, "heat", 3)));
        QVERIFY(warns(*cloud, "its 1 face is"));
    }
    /// Parts of one mesh that have an attribute of the same name with different numbers of components.
    void glbPartsOfOtherShapes() {
        const auto parts = [](const std::string& first, const std::string& second) {
            std::string data;
            for (int i = 0; i < 12; ++i)
                put(data, float(i) / 16);
            std::string accessors;
            for (const char* type : {"VEC3", "SCALAR", "VEC2", "VEC3", "VEC4"})
                accessors += (accessors.empty() ? "" : ",") +
                             ("{'bufferView':0,'componentType':5126,'count':3,'type':'"s + type + "'}");
            return read("a.glb", glb("{'meshes':[{'primitives':[{'attributes':{'POSITION':0" + first +
                                         "}},{'attributes':{'POSITION':3" + second + "}}]}],'accessors':[" +
                                         accessors +
                                         "],'bufferViews':[{'buffer':0,'byteLength':48}],'buffers':[{"
                                         "'byteLength':48}]}",
                                     data));
        };
        // a fourth component of a normal would be written beyond the last column
        for (const char* second : {",'NORMAL':4", ",'NORMAL':2", ",'NORMAL':4,'COLOR_0':0"}) {
            const auto cloud = parts(",'NORMAL':0", second);
            QCOMPARE(cloud->size(), std::size_t(6));
            QCOMPARE(at(*cloud, "normal_x", 1), double(3.0f / 16));
            QVERIFY(std::isnan(at(*cloud, "normal_x", 3)));
            QVERIFY(!cloud->attribute("normal_w") && !cloud->attribute("alpha"));
            QVERIFY(warns(*cloud, "not point data were left out: NORMAL."));
        }
        const auto pair = parts(",'_PAIR':2", ",'_PAIR':3");
        QCOMPARE(at(*pair, "pair_x", 1), 2.0 / 16);
        QVERIFY(std::isnan(at(*pair, "pair_z", 1)));
        QCOMPARE(at(*pair, "pair_z", 3), 2.0 / 16);
        const auto colour = parts(",'COLOR_0':3", ",'COLOR_0':4");
        QCOMPARE(at(*colour, "alpha", 0), 255.0); // a colour without alpha is opaque
        // a colour of two components is invalid in glTF
        const auto mixed = parts(",'COLOR_0':3", ",'COLOR_0':2");
        QVERIFY(!mixed->attribute("blue") && std::isnan(at(*mixed, "color_0_z", 3)));
    }
    /// Accessors that are not used may be invalid.
    void glbThatIsNotUsed() {
        for (const char* odd : {"'sparse':{}", "'byteOffset':0", "'bufferView':0,'sparse':{}"}) {
            const std::string accessors = ",{'componentType':5126,'count':3,'type':'VEC4',"s + odd +
                                          "},{'componentType':5123,'count':6,'type':'SCALAR'," + odd + "}";
            const auto cloud =
                read("a.glb",
                     sceneOf("{'mesh':0}", ",'TANGENT':1,'JOINTS_0':1,'WEIGHTS_0':1},'indices':2,'extras':{",
                             accessors));
            QCOMPARE(placesOf(*cloud).size(), std::size_t(3));
            QVERIFY(warns(*cloud, "its 2 faces are not used"));
            QVERIFY(warns(*cloud, "not point data were left out: TANGENT, JOINTS_0, WEIGHTS_0."));
            QVERIFY(errorOf([&] { read("a.glb", sceneOf("{'mesh':0}", ",'_A':1", accessors)); }));
        }
        const auto fewer =
            read("a.glb", sceneOf("{'mesh':0}", ",'_A':1",
                                  ",{'bufferView':0,'componentType':5126,'count':2,'type':'SCALAR'}"));
        QVERIFY(!fewer->attribute("a") && !warns(*fewer, "is truncated"));
        QVERIFY(warns(*fewer, "fewer values than vertices: _A"));
    }
    /// Small files whose attributes would exceed any memory.
    void glbOfManyAttributes() {
        const auto attributes = [](int count) {
            std::string all;
            for (int i = 0; i < count; ++i)
                all += ",'_A" + std::to_string(i) + "':1";
            return all;
        };
        const std::string single = ",{'bufferView':0,'componentType':5126,'count':3,'type':'SCALAR'}",
                          four = ",{'bufferView':1,'componentType':5121,'count':3,'type':'VEC4'}",
                          view = ",{'buffer':0,'byteLength':12}";
        QCOMPARE(read("a.glb", sceneOf("{'mesh':0}", attributes(4000), single))->attributes().size(),
                 std::size_t(4000));
        QVERIFY(says(refusal("a.glb", sceneOf("{'mesh':0}", attributes(5000), single)),
                     "more than 4096 attributes"));
        // comparing these names pairwise would take minutes
        QVERIFY(says(refusal("a.glb", sceneOf("{'mesh':0}", attributes(int(manyOf(500'000))), single)),
                     "more than 4096 attributes"));
        QVERIFY(says(refusal("a.glb", sceneOf("{'mesh':0}", attributes(1100), four, view)),
                     "more than the maximum of 4096 different values"));
        std::string children = "1", nodes;
        for (int i = 0; i < 4500; ++i) {
            nodes += ",{'mesh':0}";
            children += i > 0 ? "," + std::to_string(i + 1) : "";
        }
        QVERIFY(says(
            refusal("a.glb", sceneOf("{'children':[" + children + "]}" + nodes, attributes(1000), single)),
            "repeats its meshes millions of times"));
    }
    void glbThatIsRefused() {
        const auto withExtension = [](const std::string& name) {
            return glb("{'asset':{'version':'2.0'},'extensionsRequired':['" + name + "']}", "");
        };
        QVERIFY(says(refusal("a.glb", withExtension("KHR_draco_mesh_compression")),
                     "KHR_draco_mesh_compression"));
        QVERIFY(says(refusal("a.glb", withExtension("EXT_meshopt_compression")), "packs its vertices"));
        QVERIFY(says(refusal("a.glb", withExtension("ACME_bends")), "ACME_bends"));
        QVERIFY(says(refusal("a.glb", withExtension("KHR_meshopt_compression")), "packs its vertices"));
        for (const char* known :
             {"KHR_materials_unlit", "EXT_structural_metadata", "EXT_mesh_features", "EXT_instance_features",
              "CESIUM_primitive_outline", "KHR_techniques_webgl", "MSFT_lod",
              "ADOBE_materials_clearcoat_tint", "EXT_mesh_gpu_instancing", "CESIUM_RTC"})
            QCOMPARE(read("a.glb", withExtension(known))->size(), std::size_t(0));
        QVERIFY(says(refusal("a.glb", glb("{}", "", 1)), "version 1"));
        QVERIFY(says(refusal("a.glb", glb("[]", "")), "not an object"));
        QVERIFY(says(refusal("a.glb", glb("{\"a\":", "")), "can't be read"));
        QVERIFY(says(refusal("a.glb", glb(std::string(100000, '['), "")), "nested"));
        QVERIFY(says(refusal("a.glb", glb(std::string(100000, '}'), "")), "can't be read"));
        QVERIFY(says(refusal("a.glb", sceneOf("{'children':[0]}")), "two parents"));
        QVERIFY(says(refusal("a.glb", sceneOf("{'children':[7]}")), "element 7"));
        QVERIFY(says(refusal("a.glb", sceneOf("{'mesh':-1}")), "not an integer"));
        QVERIFY(says(refusal("a.glb", sceneOf("{'mesh':0,'matrix':[1,2]}")), "does not have 16 numbers"));
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
        QVERIFY(warns(*cut(3), "left out since values are missing: _A"));
        QCOMPARE(cut(12)->size(), std::size_t(3));
        QCOMPARE(cut(13)->size(), std::size_t(2));
        QVERIFY(warns(*cut(13), "2 of 3 points were loaded"));
        QVERIFY(says(refusal("a.glb", whole.substr(0, whole.size() - 40)), "there is no complete point"));
        QVERIFY(says(refusal("a.glb", whole.substr(0, 200)), "ends within its JSON description"));
        QVERIFY(says(refusal("a.glb", whole.substr(0, 11)), "is not a glTF"));
    }
};

SCANLOUPE_TEST(TestReadGlb)
#include "test_read_glb.moc"
