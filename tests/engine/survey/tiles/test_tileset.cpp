// 3D Tiles of a survey: the same for tiles of any size, complete, and without gaps between levels.
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "engine/io/mesh_reader.h"
#include "engine/io/scan_reader.h"
#include "engine/survey/tiles/manifest.h"
#include "engine/survey/tileset/tileset.h"
#include "tests/engine/survey/tiles/tile_recipes.h"
#include "tests/support/generated_survey.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr int kLeafBricks = 2; // small leaves, so that a small survey has several levels

std::string bytesOf(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// All files of a tileset by their paths in it.
std::map<std::string, std::string> filesOf(const fs::path& folder) {
    std::map<std::string, std::string> files{{"tileset.json", bytesOf(folder / "tileset.json")}};
    for (const auto& entry : fs::recursive_directory_iterator(folder / "nodes"))
        if (entry.is_regular_file())
            files[fs::relative(entry.path(), folder).generic_string()] = bytesOf(entry.path());
    return files;
}

/// A tile of a document, with external documents inlined.
struct Tile {
    Bounds box;
    double error = 0;
    fs::path mesh; ///< empty: none
    std::vector<Tile> children;
};

Tile tileOf(const Json& json, const fs::path& folder) {
    Tile tile;
    const auto box = json.at("boundingVolume").at("box").get<std::vector<double>>();
    const Vec3d middle{box.at(0), box[1], box[2]}, half{box[3], box[7], box.at(11)};
    tile.box = {middle - half, middle + half};
    tile.error = json.at("geometricError");
    if (json.contains("content")) {
        const fs::path file = (folder / json.at("content").at("uri").get<std::string>()).lexically_normal();
        if (file.extension() == ".json") {
            const Json apart = Json::parse(bytesOf(file));
            if (apart.at("asset").at("version") != "1.1" || json.contains("children"))
                throw Fault("a document of another version, or of tiles with children");
            return tileOf(apart.at("root"), file.parent_path());
        }
        tile.mesh = file;
    }
    if (json.contains("children"))
        for (const Json& child : json.at("children"))
            tile.children.push_back(tileOf(child, folder));
    return tile;
}

void forTiles(const Tile& tile, const std::function<void(const Tile&)>& use) {
    use(tile);
    for (const Tile& child : tile.children)
        forTiles(child, use);
}

bool contains(const Bounds& outer, const Bounds& inner) {
    constexpr double rounding = 1e-5;
    for (int axis = 0; axis < 3; ++axis)
        if (inner.min[axis] < outer.min[axis] - rounding || inner.max[axis] > outer.max[axis] + rounding)
            return false;
    return true;
}

/// Pixels, from above, that meshes cover.
class Coverage {
public:
    static constexpr double kPixel = 0.06; // metres

    Coverage(double width, double depth)
        : m_width(int(width / kPixel)), m_height(int(depth / kPixel)),
          m_pixels(std::size_t(m_width) * std::size_t(m_height)) {}

    void add(const fs::path& path) {
        const MeshFile file = readMesh(path, {}, {});
        const auto corner = [&](std::size_t i) {
            return file.vertices->position(file.faces.indices[i]) / kPixel;
        };
        for (std::size_t i = 0; i < file.faces.indices.size(); i += 3) {
            const Vec3d a = corner(i), b = corner(i + 1), c = corner(i + 2);
            const int low = std::max(0, int(std::floor(std::min({a.y, b.y, c.y})))),
                      high = std::min(m_height - 1, int(std::max({a.y, b.y, c.y})));
            for (int y = low; y <= high; ++y)
                for (int x = std::max(0, int(std::floor(std::min({a.x, b.x, c.x}))));
                     x <= std::min(m_width - 1, int(std::max({a.x, b.x, c.x}))); ++x) {
                    const auto side = [&](Vec3d p, Vec3d q) {
                        return (q.x - p.x) * (y + 0.5 - p.y) - (q.y - p.y) * (x + 0.5 - p.x);
                    };
                    const double u = side(a, b), v = side(b, c), w = side(c, a);
                    if ((u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0))
                        at(x, y) = 1;
                }
        }
    }
    /// Number of pixels that this coverage lacks, although all others cover them and their surroundings of
    /// `rim` pixels.
    std::size_t missing(std::vector<Coverage>& others, int rim) {
        std::size_t count = 0;
        for (int y = rim; y < m_height - rim; ++y)
            for (int x = rim; x < m_width - rim; ++x) {
                if (at(x, y))
                    continue;
                bool isInside = true;
                for (int v = -rim; v <= rim && isInside; ++v)
                    for (int u = -rim; u <= rim && isInside; ++u)
                        isInside = std::ranges::all_of(
                            others, [&](Coverage& other) { return other.at(x + u, y + v) != 0; });
                count += isInside;
            }
        return count;
    }

private:
    char& at(int x, int y) { return m_pixels[std::size_t(y) * std::size_t(m_width) + std::size_t(x)]; }

    int m_width, m_height;
    std::vector<char> m_pixels;
};

} // namespace

class TestTileset : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    SurveyArea m_area;
    TileRunReport m_run;
    TilesetReport m_tileset;

    /// Runs the survey in tiles, and writes their tileset. @return the folder
    fs::path make(const char* name, double size, const std::string& ending, bool hasValues = false) {
        const fs::path folder = fs::path(m_folder.path().toStdString()) / name;
        const GeneratedSurvey survey(m_area, hasValues);
        SurveyParams params = surveyParams(densityRecipe(), boundsOf(survey.parts()));
        params.attributes = survey.attributes();
        const TilePlan plan(params, size);
        const TileStore store(folder, plan, jobDescription(plan, {ending}), {ending});
        m_run = runTiles(survey, plan, store, {}, {});
        m_tileset = writeTileset(store, plan, m_run.tiles, {kLeafBricks, {}}, {});
        return folder;
    }
    Tile rootOf(const fs::path& folder) {
        return tileOf(Json::parse(bytesOf(folder / "tileset.json")).at("root"), folder);
    }

private slots:
    void initTestCase() {
        auto random = seededRandom("tileset");
        m_area.seed = random();
    }

    void tilesDontShow() {
        const auto whole = filesOf(make("whole", 0, ".ply"));
        QVERIFY(m_tileset.levels >= 4);
        const std::uint64_t triangles = m_tileset.triangles;
        for (const auto& [name, size, ending] :
             {std::tuple{"small", 3.7, ".ply"}, {"middle", 9.0, ".ply"}, {"glb", 9.0, ".glb"}}) {
            const auto files = filesOf(make(name, size, ending));
            QCOMPARE(m_tileset.triangles, triangles);
            QCOMPARE(files.size(), whole.size());
            for (const auto& [path, bytes] : whole)
                QVERIFY2(files.contains(path) && files.at(path) == bytes, path.c_str());
            for (const auto& entry : fs::directory_iterator(fs::path(m_folder.path().toStdString()) / name))
                QVERIFY(!entry.path().filename().string().starts_with("scratch-"));
        }
    }

    void documentsFitTheMeshes() {
        const fs::path folder = make("documents", 6, ".ply");
        const Json document = Json::parse(bytesOf(folder / "tileset.json"));
        QCOMPARE(document.at("asset").at("version").get<std::string>(), std::string("1.1"));
        QVERIFY(document.at("geometricError").get<double>() >
                document.at("root").at("geometricError").get<double>());
        QCOMPARE(document.at("root").at("refine").get<std::string>(), std::string("REPLACE"));
        std::uint64_t leafTriangles = 0, tiles = 0;
        forTiles(rootOf(folder), [&](const Tile& tile) {
            ++tiles;
            for (const Tile& child : tile.children) {
                QVERIFY(contains(tile.box, child.box));
                QVERIFY(child.error < tile.error);
            }
            QVERIFY(!tile.mesh.empty());
            const MeshFile file = readMesh(tile.mesh, {}, {});
            QVERIFY(contains(tile.box, file.vertices->bounds()));
            if (tile.children.empty()) {
                QCOMPARE(tile.error, 0.0);
                leafTriangles += file.faces.indices.size() / 3;
            }
        });
        QCOMPARE(tiles, m_tileset.nodes);
        std::uint64_t triangles = 0;
        for (const TileRecord& record : m_run.tiles)
            triangles += record.triangles;
        QCOMPARE(leafTriangles, triangles);
    }

    void coloursReachAllLevels() {
        const fs::path folder = make("coloured", 6, ".ply", true);
        const auto files = filesOf(folder);
        QVERIFY(filesOf(make("coloured whole", 0, ".glb", true)) == files);
        std::map<double, double> redOf; // mean red of each level, by the level's error
        std::map<double, std::size_t> verticesOf;
        forTiles(rootOf(folder), [&](const Tile& tile) {
            const MeshFile file = readMesh(tile.mesh, {}, {});
            const Attribute* red = file.vertices->attribute("red");
            QVERIFY(red && file.vertices->colourRange());
            for (std::size_t i = 0; i < file.vertices->size(); ++i)
                redOf[tile.error] += red->value(i);
            verticesOf[tile.error] += file.vertices->size();
        });
        QVERIFY(redOf.size() >= 4);
        // the tileset is readable as a scan, too
        const auto vertices = readScan(folder / "tileset.json", {}, {});
        vertices->loadAll({});
        QVERIFY(vertices->attribute("green") && vertices->attribute("red"));
        QVERIFY(vertices->attribute("red")->min() < 40 && vertices->attribute("red")->max() > 200);
        double fine = 0; // mean of the leaves, which have the smallest error
        for (const auto& [error, sum] : redOf) {
            const double mean =
                sum / double(verticesOf[error]) / redOf.begin()->second * double(verticesOf.begin()->second);
            fine = fine > 0 ? fine : mean;
            QVERIFY2(std::abs(mean - fine) < 0.1, qPrintable(QString("%1 of %2").arg(mean).arg(error)));
        }
    }

    /// The old tileset stays complete until the new one is finished, even if the job is stopped or killed at
    /// any time.
    void oldTilesetsStayWhole() {
        const fs::path folder = make("replaced", 4, ".ply");
        const GeneratedSurvey survey(m_area);
        const TilePlan plan(surveyParams(densityRecipe(), boundsOf(survey.parts())), 4);
        const auto storeIn = [&](const fs::path& path) {
            return TileStore(path, plan, jobDescription(plan, {".ply"}), {".ply"});
        };
        const auto old = filesOf(folder);
        std::vector<TileRecord> half = m_run.tiles; // the tileset of another surface
        half.resize(half.size() / 2);
        int steps = 0, damaged = 0;
        const auto look = [&] {    // checks the files that a job killed at this moment would leave
            if (++steps % 16 != 1) // each look reads all files
                return;
            const auto now = filesOf(folder);
            damaged += !std::ranges::all_of(old, [&](const auto& file) {
                const auto found = now.find(file.first);
                return found != now.end() && found->second == file.second;
            });
        };
        for (int at : {1, 5, 20}) {
            std::stop_source stop;
            int left = at;
            const auto progress = [&](double) {
                look();
                if (--left == 0)
                    stop.request_stop();
            };
            const TileStore store = storeIn(folder);
            QVERIFY_EXCEPTION_THROWN(
                writeTileset(store, plan, half, {kLeafBricks, progress}, stop.get_token()), Cancelled);
            QVERIFY(filesOf(folder) == old); // no files are left behind
        }
        fs::create_directories(folder / "nodes" / "0");
        std::ofstream(folder / "nodes" / "0" / "0_0_0.glb") << "mine";
        std::ofstream(folder / "nodes" / "0" / "1_2_3-0123456789abcdef.glb")
            << R"(glTF{"generator":"Scanloupe"})"; // a file left by a killed process
        std::ofstream(folder / "nodes" / "7") << "mine";
        {
            const TileStore store = storeIn(folder);
            writeTileset(store, plan, half, {kLeafBricks, [&](double) { look(); }}, {});
        }
        QVERIFY(steps > 40);
        QCOMPARE(damaged, 0);
        auto now = filesOf(folder);
        QCOMPARE(now["nodes/7"], std::string("mine"));
        now.erase("nodes/7");
        QCOMPARE(now["nodes/0/0_0_0.glb"], std::string("mine"));
        now.erase("nodes/0/0_0_0.glb");
        QVERIFY(now != old);
        std::size_t meshes = 0;
        forTiles(rootOf(folder), [&](const Tile& tile) { meshes += fs::exists(tile.mesh); });
        QVERIFY(meshes > 0);
        fs::remove_all(folder / "nodes");
        fs::remove(folder / "tileset.json");
        {
            const TileStore store = storeIn(folder);
            writeTileset(store, plan, half, {kLeafBricks, {}}, {});
        }
        QVERIFY(filesOf(folder) == now); // the files are the same without an earlier tileset
    }

    void coarseMeshesLieNearTheSurface() {
        const Tile root = rootOf(make("coarse", 0, ".ply"));
        std::uint64_t before = 0;
        for (std::vector<const Tile*> level{&root}; !level.empty();) {
            std::uint64_t triangles = 0;
            std::vector<const Tile*> next;
            for (const Tile* tile : level) {
                triangles += readMesh(tile->mesh, {}, {}).faces.indices.size() / 3;
                for (const Tile& child : tile->children)
                    next.push_back(&child);
            }
            // triangles increase about fourfold per level, not counting the aprons
            QVERIFY(triangles > 2 * before);
            before = triangles;
            level = next;
        }
    }

    void noGapsBetweenLevels() {
        const Tile root = rootOf(make("gaps", 0, ".ply"));
        const double width = m_area.blocksX * m_area.edge, depth = m_area.blocksY * m_area.edge;
        // for each level alone: pixels that it does not cover are holes of the surface, not gaps between
        // levels
        std::vector<Coverage> levels;
        for (std::vector<const Tile*> level{&root}; !level.empty();) {
            Coverage& covered = levels.emplace_back(width, depth);
            std::vector<const Tile*> next;
            for (const Tile* tile : level) {
                covered.add(tile->mesh);
                for (const Tile& child : tile->children)
                    next.push_back(&child);
            }
            level = next;
        }
        auto random = seededRandom("levels");
        int compared = 0;
        for (int round = 0; round < 4; ++round) {
            Coverage seen(width, depth);
            int coarse = 0, fine = 0;
            const std::function<void(const Tile&)> draw = [&](const Tile& tile) {
                const bool isRefined = &tile == &root || random() % 3 > 0;
                if (!tile.children.empty() && isRefined) {
                    std::ranges::for_each(tile.children, draw);
                    return;
                }
                seen.add(tile.mesh);
                ++(tile.children.empty() ? fine : coarse);
            };
            draw(root);
            if (coarse == 0 || fine == 0)
                continue;
            ++compared;
            constexpr int rim = 2; // pixels: borders of holes differ a little
            QCOMPARE(seen.missing(levels, rim), std::size_t(0));
        }
        QVERIFY(compared > 0);
    }
};

SCANLOUPE_TEST(TestTileset)
#include "test_tileset.moc"
