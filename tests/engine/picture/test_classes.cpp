// Attributes whose values are classes: they are found by name and type, counted instead of averaged, and
// coloured and written without interpolation.
#include "engine/compute/backend.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "engine/picture/colouring.h"
#include "engine/picture/pick.h"
#include "engine/picture/vertex_channels.h"
#include "engine/recipe/colour_mode.h"
#include "engine/results/snapshot.h"
#include "engine/results/voxel_attributes.h"
#include "tests/engine/cli/test_cli_support.h"
#include "tests/engine/io/test_io_support.h"
#include "tests/support/pipeline_run.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

template <class T>
Attribute column(const std::string& name, ScalarType type, const std::vector<T>& values) {
    Attribute attribute;
    attribute.name = name;
    attribute.type = type;
    attribute.allocate(values.size());
    if (!values.empty())
        std::memcpy(attribute.dataToFill(), values.data(), values.size() * sizeof(T));
    return attribute;
}

/// An attribute of a cloud whose values are already loaded.
template <class T>
Attribute loadedColumn(const std::string& name, ScalarType type, const std::vector<T>& values) {
    std::vector<Attribute> attributes;
    attributes.push_back(column(name, type, values));
    const std::vector<Vec3f> positions(values.size());
    const PointCloud cloud(FloatPositions{hostCopy(std::span(positions))}, std::move(attributes), {});
    return cloud.attributes()[0];
}

/// Classes of points in a plane: ground, with buildings on one side and some scattered points of class 9.
constexpr int kWide = 120;
std::uint8_t classAt(int i) {
    const int x = i % kWide;
    return i % 11 == 0 ? 9 : x < kWide / 2 ? 2 : 6;
}
constexpr std::int64_t kFar = std::int64_t{1} << 53;

std::shared_ptr<const PointCloud> classifiedPlane() {
    std::vector<Vec3f> positions;
    std::vector<std::uint8_t> classes;
    std::vector<std::int64_t> ids;
    std::vector<std::int16_t> labels;
    std::vector<float> floats;
    for (int i = 0; i < kWide * kWide; ++i) {
        positions.push_back({float(i % kWide) * 0.1f, float(i / kWide) * 0.1f, 0.05f * float(i % 3)});
        classes.push_back(classAt(i));
        // ids that differ only in digits beyond double precision
        ids.push_back(classAt(i) == 2 ? -kFar - 1 : kFar + classAt(i));
        labels.push_back(std::int16_t(-int(classAt(i))));
        floats.push_back(float(classAt(i)));
    }
    std::vector<Attribute> attributes;
    attributes.push_back(column("classification", ScalarType::uint8, classes));
    attributes.push_back(column("intensity", ScalarType::float32, floats));
    attributes.push_back(column("track_id", ScalarType::int64, ids));
    attributes.push_back(column("label", ScalarType::int16, labels));
    return std::make_shared<const PointCloud>(FloatPositions{hostCopy(std::span(positions))},
                                              std::move(attributes), std::stop_token{});
}

/// The most frequent class of each voxel, by a plain count.
std::vector<int> expectedClasses(const VoxelGrid& grid) {
    std::vector<std::map<int, int>> tallies(grid.size());
    for (std::size_t i = 0; i < grid.pointVoxel.size(); ++i)
        if (grid.pointVoxel[i] != kNoVoxel)
            ++tallies[grid.pointVoxel[i]][int(classAt(int(i)))];
    std::vector<int> classes;
    for (const auto& tally : tallies)
        classes.push_back(std::max_element(tally.begin(), tally.end(), [](const auto& a, const auto& b) {
                              return a.second < b.second;
                          })->first);
    return classes;
}

Buffer<std::uint32_t> modesOf(const Snapshot& s) {
    return voxelTable(*s.attributes, {}).grid.modes;
}

bool isClass(const char* name, ScalarType type) {
    Attribute attribute;
    attribute.name = name;
    attribute.type = type;
    return isCategorical(attribute);
}

std::vector<std::int64_t> decoded(const CategoryColumn& column) {
    std::vector<std::int64_t> values;
    for (const std::uint32_t code : column.codes.span())
        values.push_back(column.category->values[code]);
    return values;
}

struct Classified : Run {
    explicit Classified(const char* by, Backend backend = Backend::cpu) : Run(classifiedPlane(), backend) {
        set("voxel_size", "0.35");
        set("colour_by", by);
        set("light", "off");
        set("eye_dome", "off");
        set("samples", "1");
    }
};

std::vector<std::string> texts(const ClassColours& classes) {
    std::vector<std::string> all;
    for (const ClassColour& one : classes.listed)
        all.push_back(one.text);
    return all;
}

/// The set of colours among the pixels that are not background.
std::set<std::uint32_t> shownColours(const Picture& picture) {
    std::set<std::uint32_t> colours;
    const VisibilityBuffer& seen = picture.visibility.host();
    const Image& image = picture.image.host();
    for (int y = 0; y < seen.height; ++y)
        for (int x = 0; x < seen.width; ++x)
            if (seen.id(x, y) != 0)
                colours.insert(image.pixels[std::size_t(y) * std::size_t(seen.width) + std::size_t(x)]);
    return colours;
}

} // namespace

class TestClasses : public QObject {
    Q_OBJECT
private slots:
    void classesAreFoundByNameAndType() {
        for (const char* name : {"classification", "ring", "return_number", "number_of_returns", "scan",
                                 "point_source_id", "user_data", "scanner_channel", "label", "Label",
                                 "semantic_label", "instance", "segment_id", "PredInstance", "treeID", "id"})
            QVERIFY2(isClass(name, ScalarType::uint16), name);
        for (const char* name : {"intensity", "time", "red", "scan_angle", "scan_angle_rank", "range",
                                 "sensor_x", "valid", "grid", "amplitude", "near_infrared", ""})
            QVERIFY2(!isClass(name, ScalarType::uint16), name);
        for (const ScalarType type : {ScalarType::float32, ScalarType::float64})
            QVERIFY(!isClass("classification", type) && !isClass("label", type));
    }

    void valuesBecomeCodesExactly() {
        constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                               most = std::numeric_limits<std::int64_t>::max();
        const std::vector<std::int64_t> wide{most, -1, least, most - 1, -1, most};
        const CategoryColumn column = encodeCategory(loadedColumn("id", ScalarType::int64, wide), 6, 1, {});
        QVERIFY((column.category->values == std::vector<std::int64_t>{least, -1, most - 1, most}));
        QVERIFY(decoded(column) == wide);
        QCOMPARE(column.category->valueText(0), std::string("-9223372036854775808"));

        const std::vector<std::uint64_t> large{std::numeric_limits<std::uint64_t>::max(), 3};
        const CategoryColumn unsignedOnes =
            encodeCategory(loadedColumn("id", ScalarType::uint64, large), 2, 1, {});
        QCOMPARE(unsignedOnes.category->valueText(1), std::string("18446744073709551615"));
        QCOMPARE(unsignedOnes.category->value(1), 18446744073709551616.0);
        QCOMPARE(unsignedOnes.codes[1], 0u);

        const std::vector<std::int8_t> negative{-128, 127, 0, -1, 127};
        const CategoryColumn small =
            encodeCategory(loadedColumn("label", ScalarType::int8, negative), 5, 1, {});
        QVERIFY((decoded(small) == std::vector<std::int64_t>{-128, 127, 0, -1, 127}));
        const CategoryColumn every2nd =
            encodeCategory(loadedColumn("label", ScalarType::int8, negative), 3, 2, {});
        QVERIFY((decoded(every2nd) == std::vector<std::int64_t>{-128, 0, 127}));
        QVERIFY(
            encodeCategory(loadedColumn<std::int8_t>("label", ScalarType::int8, {}), 0, 1, {}).codes.empty());
    }

    void manyValuesFarApart() {
        auto random = seededRandom("manyValuesFarApart");
        std::vector<std::uint32_t> ids(300'000);
        for (auto& id : ids)
            id = std::uint32_t(random()) / 3 * 3;
        const CategoryColumn column =
            encodeCategory(loadedColumn("id", ScalarType::uint32, ids), ids.size(), 1, {});
        QVERIFY(std::ranges::is_sorted(column.category->values));
        QCOMPARE(column.category->values.size(), std::set<std::uint32_t>(ids.begin(), ids.end()).size());
        const std::vector<std::int64_t> values = decoded(column);
        QVERIFY(std::equal(values.begin(), values.end(), ids.begin(), ids.end(),
                           [](std::int64_t a, std::uint32_t b) { return a == std::int64_t(b); }));
        std::stop_source source;
        source.request_stop();
        QVERIFY_EXCEPTION_THROWN(
            encodeCategory(loadedColumn("id", ScalarType::uint32, ids), ids.size(), 1, source.get_token()),
            Cancelled);
    }

    void voxelsHaveTheMostFrequentClass() {
        Classified run("classification");
        const Snapshot s = run(kNoPicture);
        const VoxelTable table = voxelTable(*s.attributes, {});
        const VoxelGrid& grid = table.grid;
        QCOMPARE(grid.categoryCount(), std::size_t{3});
        QCOMPARE(table.channelOf("classification"), -1); // classes have no mean
        QVERIFY(table.channelOf("intensity") >= 3);      // the same values as floats are averaged
        const std::vector<int> expected = expectedClasses(s.voxels.host());
        const auto of = [&](const char* name) { return std::size_t(table.categoryOf(name)); };
        for (std::size_t v = 0; v < grid.size(); ++v) {
            const auto value = [&](const char* name) {
                return table.categories[of(name)]->values[grid.mode(of(name))[v]];
            };
            const int own = expected[v];
            QCOMPARE(value("classification"), std::int64_t(own));
            QCOMPARE(value("track_id"), own == 2 ? -kFar - 1 : kFar + own);
            // labels are negative classes; if several are equally frequent, the lowest label wins
            QVERIFY(value("label") == -own || value("label") < -own);
        }
        QVERIFY(std::set<int>(expected.begin(), expected.end()).size() >= 2);
    }

    void bothBackendsFindTheSameClasses() {
        SCANLOUPE_NEEDS_CUDA();
        for (const char* show : {"points", "voxels", "mesh"}) {
            Classified onCpu("classification"), onDevice("classification", Backend::cuda);
            onCpu.set("show", show);
            onDevice.set("show", show);
            const Snapshot a = onCpu(), b = onDevice();
            QVERIFY(b.voxels.onDevice());
            QVERIFY(std::ranges::equal(modesOf(a).span(), modesOf(b).span()));
            QVERIFY(*a.picture->classes == *b.picture->classes);
            QVERIFY(std::ranges::equal(a.picture->image.host().pixels.span(),
                                       b.picture->image.host().pixels.span()));
            const auto colours = meshVertexColours(b, {});
            QVERIFY(colours == meshVertexColours(a, {}));
        }
        // the same result if the points are uploaded in pieces for lack of device memory
        Classified whole("label"), pieces("label", Backend::cuda);
        pieces.pipeline.setDeviceMemoryLimit(1 << 12);
        const Snapshot a = whole(), b = pieces();
        QCOMPARE(b.timings.find("voxelize")->why, std::string("the points come in pieces"));
        QVERIFY(std::ranges::equal(modesOf(a).span(), modesOf(b).span()));
    }

    void picksReportTheClassesOfVoxels() {
        Classified run("classification");
        const Snapshot s = run(kNoPicture);
        const VoxelTable table = voxelTable(*s.attributes, {});
        for (std::size_t v = 0; v < table.grid.size(); v += 7) {
            for (const PickedAttribute& picked : pickAttributes(s, v, {})) {
                const std::string& name = picked.attribute->name;
                if (const int category = table.categoryOf(name); category >= 0)
                    QCOMPARE(picked.classes.valueText(0), table.categories[std::size_t(category)]->valueText(
                                                              table.grid.mode(std::size_t(category))[v]));
                else
                    QCOMPARE(picked.mean, double(table.grid.mean(std::size_t(table.channelOf(name)))[v]) +
                                              picked.attribute->min());
            }
        }
    }

    void voxelsArePickedByPosition() {
        SCANLOUPE_NEEDS_CUDA();
        Classified onCpu("classification"), onDevice("classification", Backend::cuda);
        const Snapshot a = onCpu(), b = onDevice();
        QVERIFY(a.voxels->size() > 100);
        const Vec3i dims = a.voxels->shape.dims;
        for (std::size_t v = 0; v < a.voxels->size(); v += 1 + a.voxels->size() / 50) {
            const PickedVoxel expected = pickVoxel(a.voxels, v), picked = pickVoxel(b.voxels, v);
            QVERIFY(picked.cell == expected.cell);
            QCOMPARE(picked.points, expected.points);
            QVERIFY(picked.mean == expected.mean);
            const auto there = pickAttributes(b, v, {}), here = pickAttributes(a, v, {});
            QCOMPARE(there.size(), std::size_t(4));
            for (std::size_t i = 0; i < there.size(); ++i) {
                QCOMPARE(there[i].attribute->name, here[i].attribute->name);
                QCOMPARE(there[i].mean, here[i].mean);
                QVERIFY(there[i].classes.values == here[i].classes.values);
            }
            QVERIFY(voxelInCell(a.voxels, expected.cell) == v && voxelInCell(b.voxels, expected.cell) == v);
        }
        QVERIFY(!voxelInCell(b.voxels, {-1, 0, 0}) && !voxelInCell(b.voxels, {dims.x, 0, 0}));
        QVERIFY(!b.voxels.hasHost()); // picking does not copy the grid to the host
    }

    void picturesShowClassesAndNoneBetween_data() {
        QTest::addColumn<QString>("show");
        for (const char* show : {"points", "voxels", "mesh"})
            QTest::newRow(show) << show;
    }
    void picturesShowClassesAndNoneBetween() {
        QFETCH(QString, show);
        Classified run("classification");
        run.set("show", qPrintable(show));
        run.set("points", "averaged"); // classes are never averaged
        const Snapshot s = run();
        QVERIFY(!s.picture->mapped && s.picture->classes);
        std::set<std::uint32_t> known;
        for (const ClassColour& one : s.picture->classes->listed)
            known.insert(one.rgba);
        const std::set<std::uint32_t> shown = shownColours(*s.picture);
        QVERIFY(shown.size() >= 2 && std::ranges::includes(known, shown));
        std::set<int> expected{2, 6, 9};
        if (show != "points") { // the classes of voxels, not those of points
            const std::vector<int> classes = expectedClasses(s.voxels.host());
            expected = {classes.begin(), classes.end()};
        }
        std::vector<std::string> names;
        for (const int one : expected)
            names.push_back(one == 2 ? "2 Ground" : one == 6 ? "6 Building" : "9 Water");
        QVERIFY(texts(*s.picture->classes) == names);
        QCOMPARE(s.picture->classes->count, names.size());
        // other attributes are still shown by a colour map
        run.set("colour_by", "intensity");
        const Snapshot mapped = run();
        QVERIFY(mapped.picture->mapped && !mapped.picture->classes);
    }

    void verticesHaveTheClassOfTheirVoxel() {
        Classified run("classification");
        const Snapshot s = run();
        const std::vector<std::uint32_t> colours = meshVertexColours(s, {});
        const std::vector<MeshChannel> channels = meshVertexChannels(s, {});
        const auto channel = std::ranges::find_if(
            channels, [](const MeshChannel& c) { return c.channel.name == "classification"; });
        QVERIFY(channel != channels.end() && channel->category);
        QCOMPARE(channel->codes.size(), s.mesh->vertexCount());
        for (std::size_t i = 0; i < colours.size(); ++i) {
            const std::uint32_t code = channel->codes[i];
            QCOMPARE(colours[i], channel->category->colour(code));
            QCOMPARE(channel->values[i], float(channel->category->values[code]));
        }
    }

    void longListsOfClassesAreCut() {
        std::vector<Vec3f> positions;
        std::vector<std::uint32_t> ids;
        for (int i = 0; i < 3000; ++i) {
            positions.push_back({float(i % 60), float(i / 60), 0});
            ids.push_back(std::uint32_t(i) * 1'000'003u);
        }
        std::vector<Attribute> attributes;
        attributes.push_back(column("id", ScalarType::uint32, ids));
        Run run(std::make_shared<const PointCloud>(FloatPositions{hostCopy(std::span(positions))},
                                                   std::move(attributes), std::stop_token{}));
        run.set("colour_by", "id");
        run.set("show", "points");
        const Snapshot s = run();
        QCOMPARE(s.picture->classes->count, std::size_t{3000});
        QCOMPARE(s.picture->classes->listed.size(), ClassColours::kMaxListed);
        QCOMPARE(s.picture->classes->listed[1].text, std::string("1000003"));
    }

    void attributesMayHaveTheNameOfAMode() {
        std::vector<Vec3f> positions;
        std::vector<float> heights;
        for (int i = 0; i < 3000; ++i) {
            positions.push_back({float(i % 60), float(i / 60), 0});
            heights.push_back(float(100 + i % 60));
        }
        std::vector<Attribute> attributes;
        attributes.push_back(column("height", ScalarType::float32, heights));
        Run run(std::make_shared<const PointCloud>(FloatPositions{hostCopy(std::span(positions))},
                                                   std::move(attributes), std::stop_token{}));
        run.set("show", "points");
        run.set("colour_by", "height");
        QVERIFY(run().picture->high < 1);
        QCOMPARE(colourByAttribute("height"), std::string("attribute:height"));
        QCOMPARE(colourByAttribute("intensity"), std::string("intensity"));
        run.set("colour_by", "attribute:height");
        const Snapshot s = run();
        QVERIFY(s.picture->low >= 100 && s.picture->high > 150);
        run.set("colour_by", "attribute:count");
        const auto refused = errorOf([&] { run(); });
        QVERIFY(refused && QString(refused->what()).contains("can't be coloured by 'count'"));
    }

    void filesHoldClassesAsIntegers() {
        Classified run("classification");
        const Snapshot s = run(kNoPicture);
        const VoxelTable table = voxelTable(*s.attributes, {});
        const VoxelGrid& grid = table.grid;
        const std::vector<int> expected = expectedClasses(s.voxels.host());
        const Scratch scratch;
        for (const char* file : {"v.ply", "v.csv", "v.npy"})
            writeVoxels(scratch / file, grid, table.channels, table.categories, {}, {});
        const auto ply = readScan(scratch / "v.ply", {}, {});
        const Attribute* classes = ply->attribute("classification");
        QVERIFY(classes && classes->type == ScalarType::uint8 && !ply->attribute("mean_classification"));
        QCOMPARE(ply->attribute("label")->type, ScalarType::int16);
        QCOMPARE(ply->attribute("track_id")->type, ScalarType::float64); // the widest type of PLY is a double
        for (std::size_t v = 0; v < grid.size(); ++v)
            QCOMPARE(classes->value(v), double(expected[v]));
        const std::string csv = readFile(scratch / "v.csv"), npy = readFile(scratch / "v.npy");
        QVERIFY(csv.starts_with("ix,iy,iz,count,x,y,z,intensity,classification,track_id,label\n"));
        std::istringstream lines(csv);
        std::string line;
        std::getline(lines, line);
        for (std::size_t v = 0; v < grid.size(); ++v) {
            std::getline(lines, line);
            const QStringList fields = QString::fromStdString(line).split(',');
            QCOMPARE(fields[8], QString::number(expected[v]));
            QCOMPARE(fields[9].toLongLong(), qlonglong(expected[v] == 2 ? -kFar - 1 : kFar + expected[v]));
        }
        QVERIFY(npy.find("('classification', '|u1'), ('track_id', '<i8'), ('label', '<i2')") !=
                std::string::npos);
        // bytes per voxel: cell, count, means, classes
        const std::size_t row = 12 + 4 + (12 + 8) + (1 + 8 + 2);
        const std::size_t head = npy.size() - grid.size() * row;
        QVERIFY(head % 64 == 0 && npy[head - 1] == '\n');
        for (std::size_t v = 0; v < grid.size(); ++v)
            QCOMPARE(int(std::uint8_t(npy[head + v * row + 36])), expected[v]);
        QVERIFY_EXCEPTION_THROWN(writeVoxels(scratch / "w.csv", grid, table.channels, {}, {}, {}), Fault);
    }

    void theCommandLineWritesThem() {
        const Scratch scratch;
        writeCloud(scratch / "scan.ply", *classifiedPlane(), {}, {});
        const std::string scan = scratch / "scan.ply", voxels = scratch / "v.csv", mesh = scratch / "m.ply";
        const CliResult result = cli({"run", scan, "--voxel-size", "0.35", "--colour-by", "classification",
                                      "--voxels", voxels, "--mesh", mesh, "--backend", "cpu"});
        QVERIFY2(result.code == 0, result.err.c_str());
        QVERIFY(readFile(voxels).find(",classification") != std::string::npos);
        QVERIFY(readFile(mesh).find("property uchar classification\n") != std::string::npos);
        const CliResult wrong =
            cli({"run", scan, "--colour-by", "classes", "--image", scratch / "i.png", "--backend", "cpu"});
        QVERIFY2(notAUserError(wrong, "classification").empty(), wrong.err.c_str());
    }

    /// With one point per voxel, 72 bytes per point suffice for averaging and for counting the classes of one
    /// attribute. The eleven unused attributes need no memory.
    void memoryForClassesIsForecast() {
        constexpr int wide = 40, points = wide * wide * wide;
        std::vector<Vec3f> positions;
        for (int i = 0; i < points; ++i)
            positions.push_back({float(i % wide), float(i / wide % wide), float(i / wide / wide)});
        const auto toldOfMemory = [&](ScalarType type, std::uint64_t limit) {
            std::vector<Attribute> attributes;
            for (int i = 0; i < 12; ++i)
                attributes.push_back(column("label " + std::to_string(i) + " id", type,
                                            std::vector<std::uint8_t>(points, std::uint8_t(i))));
            Run run(std::make_shared<const PointCloud>(FloatPositions{hostCopy(std::span(positions))},
                                                       std::move(attributes), std::stop_token{}));
            run.set("voxel_size", "0.5");
            run.set("colour_by", "label 3 id");
            run.pipeline.setMemoryLimit(limit);
            try {
                run(kNoPicture);
            } catch (const EngineError& error) { // if the voxels fit, a later stage may throw
                return std::string(error.what()).find("Voxelizing") != std::string::npos;
            }
            return false;
        };
        QVERIFY(toldOfMemory(ScalarType::uint8, points * 68));
        QVERIFY(!toldOfMemory(ScalarType::uint8, points * 76));
    }

    void noVerticesHaveNoColours() {
        Classified run("height");
        const Snapshot s = run(kNoPicture);
        const TriangleMesh none;
        const ColourValues colours = colourMesh(s.resolved, colourSource(s), none, {});
        QVERIFY(colours.values.empty() && colours.rgba.empty());
        run.set("colour_by", "classification");
        const Snapshot t = run(kNoPicture);
        QVERIFY(colourMesh(t.resolved, colourSource(t), none, {}).rgba.empty());
    }
};

SCANLOUPE_TEST(TestClasses)
#include "test_classes.moc"
