// 3D Tiles of other programs: refinement of each tile, several contents, regions, and unsupported features.
#include "engine/cloud/damage.h"
#include "engine/io/common/read_options.h"
#include "engine/io/output_check.h"
#include "engine/io/tileset/tile_volume.h"
#include "tests/engine/io/glb_file.h"
#include "tests/engine/io/read_content.h"

#include <cmath>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <numbers>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

namespace fs = std::filesystem;
using TileJson = nlohmann::ordered_json;

const TileJson kBox = {{"box", {0, 0, 0, 10, 0, 0, 0, 10, 0, 0, 0, 10}}};

/// A GLB with points on the x axis.
std::string pointsAt(const std::vector<float>& xs) {
    std::string data;
    for (const float x : xs)
        for (const float value : {x, 0.0f, 0.0f})
            put(data, value);
    const std::string bytes = std::to_string(data.size());
    return glb("{'asset':{'version':'2.0'},'nodes':[{'mesh':0}],'meshes':[{'primitives':[{'attributes':{"
               "'POSITION':0},'mode':0}]}],'accessors':[{'bufferView':0,'componentType':5126,'count':" +
                   std::to_string(xs.size()) + ",'type':'VEC3'}],'bufferViews':[{'buffer':0,'byteLength':" +
                   bytes + "}],'buffers':[{'byteLength':" + bytes + "}]}",
               data);
}

/// A tile with one content; an empty `refine` is omitted.
TileJson tileOf(const std::string& uri, const std::string& refine = "",
                const std::vector<TileJson>& children = {}) {
    TileJson tile = {
        {"boundingVolume", kBox}, {"geometricError", children.size()}, {"content", {{"uri", uri}}}};
    if (!refine.empty())
        tile["refine"] = refine;
    if (!children.empty())
        tile["children"] = children;
    return tile;
}

/// A folder with a.glb, b.glb and c.glb, which have 2, 3 and 1 points.
class TilesetFolder {
public:
    TilesetFolder() {
        for (const auto& [name, xs] :
             {std::pair{"a.glb", std::vector{0.f, 1.f}}, {"b.glb", {2, 3, 4}}, {"c.glb", {5}}})
            m_scratch.file(name, pointsAt(xs));
    }
    fs::path file(const std::string& name, const TileJson& root) const {
        const TileJson document = {{"asset", {{"version", "1.1"}}}, {"geometricError", 8}, {"root", root}};
        return m_scratch.file(name, document.dump());
    }
    std::shared_ptr<const PointCloud> open(const TileJson& root) const {
        return readScan(file("tileset.json", root), {}, {});
    }
    std::optional<EngineError> refusal(const TileJson& root) const {
        return errorOf([&] { open(root); });
    }
    const Scratch& folder() const { return m_scratch; }

private:
    Scratch m_scratch;
};

std::vector<double> xsOf(const PointCloud& cloud) {
    std::vector<double> xs;
    for (const Vec3d place : placesOf(cloud))
        xs.push_back(place.x);
    std::ranges::sort(xs);
    return xs;
}

/// Geocentric coordinates in metres of a position on WGS 84, computed from the ellipsoid's semi-axes.
Vec3d geocentric(double longitude, double latitude, double height) {
    constexpr double a = 6378137, b = 6356752.314245179;
    const double normal = a * a / std::hypot(a * std::cos(latitude), b * std::sin(latitude));
    return {(normal + height) * std::cos(latitude) * std::cos(longitude),
            (normal + height) * std::cos(latitude) * std::sin(longitude),
            (b * b / (a * a) * normal + height) * std::sin(latitude)};
}

Bounds boxOfRegion(const std::array<double, 6>& region) {
    TileTransform elsewhere{}; // a transform, which regions must ignore
    elsewhere[12] = 1e9;
    return boxOf({{"region", region}}, elsewhere).value();
}

} // namespace

class TestReadTileset : public QObject {
    Q_OBJECT
private slots:
    void refinementBelongsToEachTile() {
        const TilesetFolder set;
        const auto inner = [](const char* refine) { return tileOf("b.glb", refine, {tileOf("c.glb")}); };
        using Xs = std::vector<double>;
        QCOMPARE(xsOf(*set.open(tileOf("a.glb", "ADD", {inner("REPLACE")}))), (Xs{0, 1, 5}));
        QCOMPARE(xsOf(*set.open(tileOf("a.glb", "REPLACE", {inner("ADD")}))), (Xs{2, 3, 4, 5}));
        // a tile without `refine` inherits it from its parent, also from a tile in another document
        QCOMPARE(xsOf(*set.open(tileOf("a.glb", "ADD", {inner("")}))), (Xs{0, 1, 2, 3, 4, 5}));
        QCOMPARE(xsOf(*set.open(tileOf("a.glb", "", {inner("")}))), (Xs{5}));
        set.file("more.json", inner(""));
        QCOMPARE(xsOf(*set.open(tileOf("a.glb", "ADD", {tileOf("more.json")}))), (Xs{0, 1, 2, 3, 4, 5}));
    }
    /// Spellings of older drafts, which CesiumJS accepts as well.
    void wordsOfDraftsAreRead() {
        const TilesetFolder set;
        TileJson tile = tileOf("a.glb", "add", {tileOf("b.glb")});
        tile["content"] = {{"url", "a.glb"}};
        QCOMPARE(set.open(tile)->size(), std::size_t(5));
    }
    void allContentsOfATileAreRead() {
        const TilesetFolder set;
        const TileJson contents = {{{"uri", "a.glb"}}, {{"uri", "b.glb"}}, {{"uri", "c.glb"}}};
        TileJson tile = {{"boundingVolume", kBox}, {"geometricError", 0}};
        TileJson draft = tile, extended = tile;
        tile["contents"] = contents;
        extended["extensions"]["3DTILES_multiple_contents"]["contents"] = contents;
        draft["extensions"]["3DTILES_multiple_contents"]["content"] = contents;
        for (const TileJson& root : {tile, extended, draft}) {
            const auto cloud = set.open(root);
            QCOMPARE(xsOf(*cloud), (std::vector<double>{0, 1, 2, 3, 4, 5}));
            QCOMPARE(cloud->warnings, std::vector<std::string>());
        }
        OutputCheck check;
        check.addInput(set.file("tileset.json", tile));
        QVERIFY(errorOf([&] { check.addOutput(set.folder() / "c.glb", {}); }));
    }
    void queriesAreNoPartOfFileNames() {
        const TilesetFolder set;
        set.file("more.json", tileOf("b.glb?v=3.json", "ADD", {tileOf("c.glb#part.pnts")}));
        const auto cloud = set.open(tileOf("a.glb?v=3", "ADD", {tileOf("more.json?token=a.b")}));
        QCOMPARE(cloud->size(), std::size_t(6));
        QCOMPARE(cloud->warnings, std::vector<std::string>());
    }
    void textGltfIsRead() {
        const TilesetFolder set;
        std::string data;
        for (const float value : {7.0f, 0.0f, 0.0f})
            put(data, value);
        set.folder().file("point.bin", data);
        set.folder().file("point.gltf", R"({"asset":{"version":"2.0"},"nodes":[{"mesh":0}],"meshes":[{)"
                                        R"("primitives":[{"attributes":{"POSITION":0},"mode":0}]}],)"
                                        R"("accessors":[{"bufferView":0,"componentType":5126,"count":1,)"
                                        R"("type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":12}],)"
                                        R"("buffers":[{"byteLength":12,"uri":"point.bin"}]})");
        QCOMPARE(xsOf(*set.open(tileOf("point.gltf"))), std::vector<double>{7});
    }
    void regionsBoundTiles() {
        const TilesetFolder set;
        TileJson tile = tileOf("a.glb");
        tile["boundingVolume"] = {{"region", {-1.3197, 0.6988, -1.3196, 0.6989, 0, 20}}};
        QCOMPARE(set.open(tile)->size(), std::size_t(2));
        const auto inRange = [&](Vec3d middle) {
            ReadOptions options;
            options.octree = OctreeReading{.range = Bounds{middle - Vec3d{1, 1, 1}, middle + Vec3d{1, 1, 1}}};
            return errorOf([&] { readScan(set.file("tileset.json", tile), options, {}); });
        };
        QVERIFY(!inRange(geocentric(-1.31965, 0.69885, 10)));
        QVERIFY(says(inRange({0, 0, 0}), "overlaps the range"));
    }
    void boxesContainTheirRegions() {
        constexpr double pi = std::numbers::pi, a = 6378137, b = 6356752.314245179, rounding = 1e-6;
        const Bounds all = boxOfRegion({-pi, -pi / 2, pi, pi / 2, 0, 0});
        const auto isNear = [](Vec3d p, Vec3d q) { return norm(p - q) < 10 * rounding; };
        QVERIFY(isNear(all.min, {-a, -a, -b}) && isNear(all.max, {a, a, b}));
        // a region that crosses the antimeridian
        const Bounds across = boxOfRegion({3, -0.1, -3, 0.2, -5, 50});
        QVERIFY(std::abs(across.min.x - (-a - 50)) < rounding);
        QVERIFY(std::abs(across.max.y - (a + 50) * std::sin(3.0)) < rounding);
        QVERIFY(std::abs(across.min.y + (a + 50) * std::sin(3.0)) < rounding);
        auto random = seededRandom("regions");
        const auto between = [&](double low, double high) {
            return low + (high - low) * double(random() % 1'000'001) / 1e6;
        };
        for (int round = 0; round < 300; ++round) {
            const double west = between(-pi, pi), width = between(0, 6.28), south = between(-pi / 2, pi / 2),
                         north = between(south, pi / 2), low = between(-100, 100),
                         high = low + between(0, 500);
            const double east = west + width > pi ? west + width - 2 * pi : west + width;
            const Bounds box = boxOfRegion({west, south, east, north, low, high});
            for (int i = 0; i < 50; ++i) {
                const Vec3d place =
                    geocentric(west + between(0, width), between(south, north), between(low, high));
                for (int axis = 0; axis < 3; ++axis)
                    QVERIFY(place[axis] >= box.min[axis] - rounding &&
                            place[axis] <= box.max[axis] + rounding);
            }
        }
    }
    void unsupportedTilesAreNamed() {
        const TilesetFolder set;
        TileJson implicit = tileOf("{level}/{x}/{y}.glb"), draft = tileOf("{level}/{x}/{y}.glb"),
                 cell = tileOf("a.glb");
        implicit["implicitTiling"] = {{"subdivisionScheme", "QUADTREE"}};
        draft["extensions"]["3DTILES_implicit_tiling"] = {{"subdivisionScheme", "QUADTREE"}};
        cell["boundingVolume"] = {{"extensions", {{"3DTILES_bounding_volume_S2", TileJson::object()}}}};
        for (const auto& [tile, words] : {std::pair{tileOf("a.pnts"), "point clouds of 3D Tiles 1.0 (.pnts)"},
                                          {tileOf("a.B3DM?v=1"), "batched models of 3D Tiles 1.0 (.b3dm)"},
                                          {tileOf("a.i3dm"), "instanced models"},
                                          {tileOf("a.cmpt"), "composites"},
                                          {tileOf("a.vctr"), "the unknown extension '.vctr'"},
                                          {implicit, "implicit tiling"},
                                          {draft, "implicit tiling"},
                                          {cell, "other than boxes, spheres and regions"}}) {
            QVERIFY2(says(set.refusal(tile), words), words);
            const auto cloud = set.open(tileOf("b.glb", "ADD", {tile, tile}));
            QCOMPARE(cloud->size(), std::size_t(3));
            QCOMPARE(cloud->warnings.size(), std::size_t(1));
            QVERIFY2(warns(*cloud, words) && warns(*cloud, "in 2 tiles"), words);
            QVERIFY(isDamageWarning(cloud->warnings.front()));
        }
        std::vector<TileJson> many;
        for (int i = 0; i < 1000; ++i)
            many.push_back(tileOf("a.x" + std::to_string(i)));
        QVERIFY(set.open(tileOf("b.glb", "ADD", many))->warnings.size() < 20);
    }
    void namesThatLeaveTheFolderAndReturnAreRefused() {
        const TilesetFolder set;
        const std::string own = set.folder().folder().filename().string();
        QVERIFY(says(set.refusal(tileOf("../" + own + "/a.glb")), "no mesh inside its folder"));
    }
};

SCANLOUPE_TEST(TestReadTileset)
#include "test_read_tileset.moc"
