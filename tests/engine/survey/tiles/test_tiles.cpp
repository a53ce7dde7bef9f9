// The surface of a survey in tiles of any size equals that of a single run, bit for bit.
#include "engine/cloud/error.h"
#include "engine/survey/tiles/packed_points.h"
#include "engine/survey/tiles/surface_digest.h"
#include "engine/survey/tiles/tile_points.h"
#include "engine/survey/tiles/tile_surface.h"
#include "kernels/field/operators.h"
#include "kernels/mesh/operators.h"
#include "kernels/voxelize/core/voxel_element.h"
#include "kernels/voxelize/operators.h"
#include "tests/engine/io/test_io_support.h"
#include "tests/engine/survey/tiles/tile_recipes.h"
#include "tests/support/generated_survey.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <tuple>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// The surface of all points at once.
TriangleMesh wholeSurface(const SurveySource& source, const SurveyParams& params) {
    std::vector<Vec3f> points;
    for (std::size_t part = 0; part < source.parts().size(); ++part)
        source.read(part,
                    [&](const SurveyPiece& piece) {
                        for (const Vec3d p : piece.points)
                            points.push_back((p - params.origin).as<float>());
                    },
                    {});
    const Execution here{std::nullopt, {}};
    const VoxelGrid grid = cpu::voxelize({points.data(), points.size(), {}}, params.voxels, {});
    return cpu::extractSurface(computeField(grid, params.field, here), params.iso, {});
}

/// The values of one vertex.
std::vector<float> valuesAt(const VertexValues& values, std::size_t vertex) {
    std::vector<float> all;
    if (!values.colours.empty())
        for (int byte = 0; byte < 4; ++byte)
            all.push_back(float(values.colours[vertex] >> 8 * byte & 0xff));
    for (const std::vector<float>& channel : values.channels)
        all.push_back(channel[vertex]);
    return all;
}

/// Joins the tiles by their records of bricks and seams.
TriangleMesh joined(const std::map<std::size_t, TileSurface>& tiles) {
    struct Brick {
        // index of the first vertex and triangle within the tile
        std::size_t tile = 0, vertex = 0, triangle = 0;
        std::uint32_t vertices = 0, triangles = 0;
        std::uint64_t number = 0; // index of its first vertex in the whole mesh
    };
    std::map<std::uint64_t, Brick> bricks;
    for (const auto& [tile, surface] : tiles) {
        std::size_t vertex = 0, triangle = 0;
        for (const PartBrick& brick : surface.bricks) {
            bricks[brick.key] = {tile, vertex, triangle, brick.vertices, brick.triangles, 0};
            vertex += brick.vertices;
            triangle += brick.triangles;
        }
    }
    std::uint64_t vertices = 0, triangles = 0;
    for (auto& [key, brick] : bricks) {
        brick.number = vertices;
        vertices += brick.vertices;
        triangles += brick.triangles;
    }
    TriangleMesh mesh;
    mesh.positions = Buffer<Vec3f>::host(vertices);
    mesh.normals = Buffer<Vec3f>::host(vertices);
    mesh.indices = Buffer<std::uint32_t>::host(3 * triangles);
    std::size_t at = 0;
    for (const auto& [key, brick] : bricks) {
        const TileSurface& surface = tiles.at(brick.tile);
        for (std::size_t v = 0; v < brick.vertices; ++v) {
            mesh.positions[brick.number + v] = surface.mesh.positions[brick.vertex + v];
            mesh.normals[brick.number + v] = surface.mesh.normals[brick.vertex + v];
        }
        std::vector<std::uint64_t> firstOf; // first vertices of the tile's own bricks
        std::vector<std::uint64_t> numberOf;
        std::uint64_t first = 0;
        for (const PartBrick& own : surface.bricks) {
            firstOf.push_back(first);
            numberOf.push_back(bricks.at(own.key).number);
            first += own.vertices;
        }
        for (std::size_t i = 0; i < 3 * std::size_t{brick.triangles}; ++i) {
            const std::uint32_t local = surface.mesh.indices[3 * brick.triangle + i];
            std::uint64_t number = 0;
            if (local < surface.ownVertices) {
                // empty bricks share their first vertex with the next one: the last of equals owns it
                const auto b =
                    std::size_t(std::upper_bound(firstOf.begin(), firstOf.end(), local) - firstOf.begin()) -
                    1;
                number = numberOf[b] + local - firstOf[b];
            } else {
                const SeamVertex& seam = surface.seams[local - surface.ownVertices];
                number = bricks.at(seam.brick).number + seam.number;
                const TileSurface& owner = tiles.at(bricks.at(seam.brick).tile);
                const std::size_t there = bricks.at(seam.brick).vertex + seam.number;
                if (!(owner.mesh.positions[there] == surface.mesh.positions[local]) ||
                    !(owner.mesh.normals[there] == surface.mesh.normals[local]))
                    throw Fault("a seam vertex differs from its owner's");
                if (!(valuesAt(owner.values, there) == valuesAt(surface.values, local)))
                    throw Fault("a seam vertex has other values than its owner's");
            }
            mesh.indices[at++] = std::uint32_t(number);
        }
    }
    return mesh;
}

/// The voxels of a survey with their values, by plain loops in double precision.
class Reference {
public:
    Reference(const SurveySource& source, const SurveyParams& params)
        : m_cells(gridShape(params.voxels), params.voxels.rangeMax) {
        for (std::size_t part = 0; part < source.parts().size(); ++part)
            source.read(part,
                        [&](const SurveyPiece& piece) {
                            for (std::size_t i = 0; i < piece.points.size(); ++i) {
                                const Vec3f p = (piece.points[i] - params.origin).as<float>();
                                Sums& sums = m_sums[m_cells.shape.key(m_cells.cell(p))];
                                ++sums.count;
                                sums.place = sums.place + p.as<double>();
                                for (std::size_t a = 0; a < 4; ++a)
                                    sums.values[a] +=
                                        scalarAt(piece.values[a], params.attributes.list[a].type, i);
                                ++sums.classes[std::size_t(piece.values[4][i])];
                            }
                        },
                        {});
    }
    std::size_t voxels() const { return m_sums.size(); }
    bool hasVoxels(const VoxelGrid& grid) const {
        for (std::size_t v = 0; v < grid.size(); ++v) {
            const Sums& sums = m_sums.at(grid.keys[v]);
            if (grid.counts[v] != sums.count || grid.mode(0)[v] != sums.mode())
                return false;
            for (int axis = 0; axis < 3; ++axis)
                if (std::abs(grid.mean(std::size_t(axis))[v] - sums.place[axis] / double(sums.count)) > 1e-5)
                    return false;
            for (std::size_t a = 0; a < 4; ++a) {
                const double least = a < 3 ? 0 : -1, size = a < 3 ? 65'535 : 2;
                if (std::abs(grid.mean(3 + a)[v] + least - sums.values[a] / double(sums.count)) > 1e-6 * size)
                    return false;
            }
        }
        return true;
    }
    /// Whether some vertices have the values of the voxel that contains them, else of the neighbour with the
    /// nearest mean, else of the nearest one of all.
    bool hasValues(const TileSurface& surface) const {
        constexpr std::size_t step = 101;
        for (std::size_t i = 0; i < surface.mesh.vertexCount(); i += step) {
            const Vec3f p = surface.mesh.positions[i];
            const Vec3f at = (p - m_cells.shape.origin) / m_cells.shape.voxelSize;
            const Vec3i cell{int(std::floor(at.x)), int(std::floor(at.y)), int(std::floor(at.z))};
            std::vector<const Sums*> candidates;
            for (int n = 0; n < 27; ++n)
                if (const auto found = find(cell + Vec3i{n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1}))
                    candidates.push_back(found);
            if (const Sums* own = find(cell))
                candidates = {own};
            if (candidates.empty())
                for (const auto& [key, sums] : m_sums)
                    candidates.push_back(&sums);
            const auto distance = [&](const Sums* sums) {
                return norm(sums->place / double(sums->count) - p.as<double>());
            };
            const double least = distance(std::ranges::min(candidates, {}, distance));
            if (std::ranges::none_of(candidates, [&](const Sums* sums) { // the means may differ by rounding
                    return distance(sums) < least + 1e-5 && sums->isAt(surface.values, i);
                }))
                return false;
        }
        return true;
    }

private:
    struct Sums {
        std::uint64_t count = 0;
        Vec3d place;
        std::array<double, 4> values{};
        std::array<int, 6> classes{};

        std::uint32_t mode() const {
            return std::uint32_t(std::ranges::max_element(classes) - classes.begin());
        }
        bool isAt(const VertexValues& vertices, std::size_t i) const {
            for (std::size_t c = 0; c < 3; ++c)
                if (std::abs(double(vertices.colours[i] >> 8 * c & 0xff) -
                             values[c] / double(count) / 65'535 * 255) > 0.51)
                    return false;
            return std::abs(vertices.channels[0][i] - values[3] / double(count)) < 1e-6 &&
                   vertices.channels[1][i] == float(mode());
        }
    };
    const Sums* find(Vec3i cell) const {
        const Vec3i dims = m_cells.shape.dims;
        if (cell.x < 0 || cell.y < 0 || cell.z < 0 || cell.x >= dims.x || cell.y >= dims.y ||
            cell.z >= dims.z)
            return nullptr;
        const auto found = m_sums.find(m_cells.shape.key(cell));
        return found == m_sums.end() ? nullptr : &found->second;
    }

    VoxelCells m_cells;
    std::map<std::uint64_t, Sums> m_sums; // sums of each voxel, by its key
};

/// The tiles of a survey, computed in memory.
std::map<std::size_t, TileSurface> tilesOf(const SurveySource& source, const TilePlan& plan,
                                           const Execution& on) {
    const QTemporaryDir folder;
    TilePoints points(plan, std::vector<char>(plan.size(), 1), folder.filePath("points").toStdString());
    for (std::size_t part = 0; part < source.parts().size(); ++part)
        source.read(
            part, [&](const SurveyPiece& piece) { points.add(piece, source.parts()[part].bounds, {}); }, {});
    std::map<std::size_t, TileSurface> tiles;
    for (std::size_t tile = 0; tile < plan.size(); ++tile)
        if (const TileCloud own = points.take(tile, {}); !own.positions.empty())
            tiles[tile] = tileSurface(own, plan, tile, true, on);
    return tiles;
}

} // namespace

class TestTiles : public QObject {
    Q_OBJECT
private slots:
    void tilesAreTheWhole_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<double>("radius");
        for (const bool onDevice : {false, true})
            for (const auto& [name, kind, radius] : {std::tuple{"density", FieldKind::density, 0.0},
                                                     {"wide density", FieldKind::density, 1.1},
                                                     {"occupancy", FieldKind::occupancy, 0.0},
                                                     {"smooth", FieldKind::occupancy, 0.6}})
                QTest::addRow("%s, %s", onDevice ? "cuda" : "cpu", name) << int(kind) << radius;
    }
    void tilesAreTheWhole() {
        QFETCH(int, kind);
        QFETCH(double, radius);
        const bool onDevice = QByteArray(QTest::currentDataTag()).startsWith("cuda");
        std::optional<Stream> stream;
        if (onDevice) {
            SCANLOUPE_NEEDS_CUDA();
            stream.emplace();
        }
        const Execution on{stream ? std::optional(stream->view()) : std::nullopt, {}};
        auto random = seededRandom("tiles");
        SurveyArea area;
        area.seed = random();
        area.pointsPerBlock = 10'000;
        const GeneratedSurvey survey(area);
        Recipe recipe = densityRecipe();
        recipe.field = FieldKind(kind);
        if (radius > 0)
            recipe.radius = radius;
        if (recipe.field == FieldKind::occupancy)
            recipe.iso = std::nullopt;
        const SurveyParams params = surveyParams(recipe, boundsOf(survey.parts()));
        const TriangleMesh whole = wholeSurface(survey, params);
        QVERIFY(whole.triangleCount() > 10'000);
        std::optional<Sha256Digest> digest;
        for (const double size : {0.0, 1000.0, 3.7, double(random() % 90) / 10 + 3}) {
            const TilePlan plan(params, size);
            const auto tiles = tilesOf(survey, plan, on);
            QVERIFY((plan.size() == 1) == (size == 0 || size == 1000));
            const TriangleMesh mesh = joined(tiles);
            QVERIFY2(std::ranges::equal(mesh.positions.span(), whole.positions.span()),
                     qPrintable(QString::number(size)));
            QVERIFY(std::ranges::equal(mesh.normals.span(), whole.normals.span()));
            QVERIFY(std::ranges::equal(mesh.indices.span(), whole.indices.span()));
            std::vector<PartBrick> bricks;
            std::uint64_t points = 0;
            for (const auto& [tile, surface] : tiles) {
                bricks.insert(bricks.end(), surface.bricks.begin(), surface.bricks.end());
                points += surface.points;
            }
            // each point belongs to exactly one tile
            QCOMPARE(points, area.pointsPerBlock * survey.parts().size());
            const Sha256Digest sum = surfaceDigest(bricks);
            QVERIFY(!digest || *digest == sum);
            digest = sum;
        }
    }

    void valuesAreTheWholes_data() {
        QTest::addColumn<double>("radius");
        for (const bool onDevice : {false, true})
            for (const double radius : {0.5, 1.1}) // with the larger radius, some vertices are far from all
                                                   // voxels
                QTest::addRow("%s, %g m", onDevice ? "cuda" : "cpu", radius) << radius;
    }
    void valuesAreTheWholes() {
        QFETCH(double, radius);
        std::optional<Stream> stream;
        if (QByteArray(QTest::currentDataTag()).startsWith("cuda")) {
            SCANLOUPE_NEEDS_CUDA();
            stream.emplace();
        }
        const Execution on{stream ? std::optional(stream->view()) : std::nullopt, {}};
        auto random = seededRandom("values");
        SurveyArea area;
        area.seed = random();
        area.pointsPerBlock = 10'000;
        const GeneratedSurvey survey(area, true);
        Recipe recipe = densityRecipe();
        recipe.radius = radius;
        recipe.iso = radius > 1 ? 5 : 60;
        SurveyParams params = surveyParams(recipe, boundsOf(survey.parts()));
        params.attributes = survey.attributes();
        const Reference reference(survey, params);
        std::optional<Sha256Digest> digest;
        for (const double size : {0.0, 3.7, double(random() % 90) / 10 + 3}) {
            const TilePlan plan(params, size);
            const auto tiles = tilesOf(survey, plan, on);
            std::vector<PartBrick> bricks;
            std::size_t voxels = 0, vertices = 0;
            for (const auto& [tile, surface] : tiles) {
                bricks.insert(bricks.end(), surface.bricks.begin(), surface.bricks.end());
                QCOMPARE(surface.values.colours.size(), surface.mesh.vertexCount());
                QCOMPARE(surface.values.channels.size(), std::size_t(2));
                QVERIFY(surface.grid.has_value());
                QCOMPARE(surface.grid->size(), std::size_t(surface.voxels));
                QVERIFY2(reference.hasVoxels(*surface.grid), qPrintable(QString::number(size)));
                voxels += surface.grid->size();
                vertices += surface.ownVertices;
                QVERIFY2(reference.hasValues(surface), qPrintable(QString::number(size)));
            }
            QCOMPARE(voxels, reference.voxels()); // each voxel belongs to exactly one tile
            QVERIFY(vertices > 5'000);
            joined(tiles); // vertices at seams have the values of the tile that owns them
            const Sha256Digest sum = surfaceDigest(bricks);
            QVERIFY2(!digest || *digest == sum, qPrintable(QString::number(size)));
            digest = sum;
        }
    }

    void digestsTellChanges() {
        const GeneratedSurvey survey({});
        const SurveyParams params = surveyParams(densityRecipe(), boundsOf(survey.parts()));
        const TilePlan plan(params, 9);
        std::vector<PartBrick> bricks;
        for (const auto& [tile, surface] : tilesOf(survey, plan, {std::nullopt, {}}))
            bricks.insert(bricks.end(), surface.bricks.begin(), surface.bricks.end());
        const Sha256Digest before = surfaceDigest(bricks);
        std::ranges::reverse(bricks);
        QVERIFY(surfaceDigest(bricks) == before); // bricks in any order
        bricks.pop_back();
        QVERIFY(surfaceDigest(bricks) != before);
        SurveyArea other;
        other.seed = 2;
        std::vector<PartBrick> others;
        for (const auto& [tile, surface] : tilesOf(GeneratedSurvey(other), plan, {std::nullopt, {}}))
            others.insert(others.end(), surface.bricks.begin(), surface.bricks.end());
        QVERIFY(surfaceDigest(others) != before);
    }

    void digestsAreSummedWithLittleMemory() {
        auto random = seededRandom("digestsAreSummedWithLittleMemory");
        const Scratch scratch;
        for (const std::size_t count : {0, 1, 99, 100, 101, 1000, 10'007}) {
            std::vector<PartBrick> bricks(count);
            for (std::size_t i = 0; i < count; ++i) {
                bricks[i].key = i * 3;
                for (std::uint8_t& byte : bricks[i].digest)
                    byte = std::uint8_t(random());
            }
            std::ranges::shuffle(bricks, random);
            SurfaceDigest sum(scratch / "scratch-", 100); // more bricks than this are stored on the disk
            // reads the points in arrival order, tile by tile
            for (std::size_t begin = 0; begin < count; begin += 37)
                sum.add(std::span(bricks).subspan(begin, std::min<std::size_t>(37, count - begin)));
            QVERIFY(sum.finish() == surfaceDigest(bricks));
        }
        QVERIFY(std::filesystem::is_empty(scratch.folder())); // the scratch files are removed
    }

    void tilesOfWholeBricksAreNotOneBrickLarger() {
        SurveyParams params;
        params.voxels = {{0, -39.68f, -3}, {69.12f, 39.68f, 5}, {0.16f, 0.16f, 0.16f}};
        params.field = {FieldKind::occupancy, 0, {}};
        QCOMPARE(TilePlan(params, 12.8).tileBricks(), (Vec3i{10, 10, 7})); // 8 x 0.16 m is 1.28 m
        QCOMPARE(TilePlan(params, 12.9).tileBricks(), (Vec3i{11, 11, 7}));
    }

    void whatDependsOnTheWholeIsRefused() {
        const Bounds box{{0, 0, 0}, {10, 10, 10}};
        const auto refused = [&](auto&& change) {
            Recipe recipe = densityRecipe();
            change(recipe);
            try {
                surveyParams(recipe, box);
            } catch (const Error& error) {
                return !error.nextStep().empty();
            }
            return false;
        };
        QVERIFY(!refused([](Recipe&) {}));
        QVERIFY(refused([](Recipe& r) { r.voxelSize = std::nullopt; }));
        QVERIFY(refused([](Recipe& r) { r.iso = std::nullopt; }));
        QVERIFY(refused([](Recipe& r) { r.field = FieldKind::signedDistance; }));
        QVERIFY(refused([](Recipe& r) { r.decimateTo = 1000; }));
        QVERIFY(refused([](Recipe& r) { r.smoothSteps = 1; }));
        QVERIFY(refused([](Recipe& r) { r.maxVoxels = 1000; }));
        QVERIFY(refused([](Recipe& r) { r.rangeRotation = 30; }));
        QVERIFY(refused([](Recipe& r) {
            r.rangeMin = Vec3d{0, 0, 0};
            r.rangeMax = Vec3d{1e7, 1e7, 10};
        }));
    }

    void pointsArePacked() {
        auto random = seededRandom("packing");
        for (const std::size_t count : {std::size_t(1), std::size_t(7), std::size_t(16'384)}) {
            std::vector<Vec3f> points(count), back(count);
            for (Vec3f& p : points)
                p = {100 + float(random() % 1000) / 999, float(random() % 77), -1e-3f * float(random() % 5)};
            std::vector<std::uint16_t> values(count), valuesBack(count);
            for (std::uint16_t& value : values)
                value = std::uint16_t(random() % 300);
            const std::vector<char> packed = packColumns(
                std::vector<PackedColumn>{{std::as_bytes(std::span(points)), sizeof(Vec3f)},
                                          {std::as_bytes(std::span(values)), sizeof(std::uint16_t)}});
            const std::vector<UnpackedColumn> columns{
                {std::as_writable_bytes(std::span(back)), sizeof(Vec3f)},
                {std::as_writable_bytes(std::span(valuesBack)), sizeof(std::uint16_t)}};
            unpackColumns(packed, columns);
            QVERIFY(std::ranges::equal(points, back) && values == valuesBack);
            QVERIFY(count < 100 || packed.size() < count * (sizeof(Vec3f) + sizeof(std::uint16_t)));
            std::vector<char> damaged(packed.begin(), packed.end() - 1);
            QVERIFY_EXCEPTION_THROWN(unpackColumns(damaged, columns), EngineError);
        }
    }
};

SCANLOUPE_TEST(TestTiles)
#include "test_tiles.moc"
