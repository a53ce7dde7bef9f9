// Unusual scans and parameters that must be accepted.
#include "engine/compute/backend.h"
#include "engine/io/common/read_options.h"
#include "engine/picture/vertex_channels.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"
#include "engine/results/voxel_attributes.h"
#include "tests/engine/io/test_io_support.h"
#include "tests/support/pipeline_run.h"

#include <QRegularExpression>
#include <algorithm>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr int kAcross = 100;

/// A bumpy square of 10 x 10 m with the given attributes.
std::shared_ptr<const PointCloud> square(std::vector<Attribute> attributes = {}, double farAway = 0,
                                         Vec3d corner = {}) {
    auto xyz = Buffer<Vec3d>::host(kAcross * kAcross);
    for (int i = 0; i < kAcross; ++i)
        for (int j = 0; j < kAcross; ++j)
            xyz[std::size_t(i * kAcross + j)] = corner + Vec3d{i * 0.1, j * 0.1, std::sin(i * 0.2)};
    if (farAway > 0)
        xyz[0] = {farAway, farAway, 0};
    return std::make_shared<const PointCloud>(DoublePositions{std::move(xyz)}, std::move(attributes),
                                              std::stop_token{});
}

template <class T>
Attribute ramp(const std::string& name, ScalarType type, std::vector<T> first) {
    std::vector<T> values(kAcross * kAcross);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = i < first.size() ? first[i] : T(i % 100);
    return makeAttribute(name, type, values);
}

bool notes(const Snapshot& snapshot, const char* words) {
    return std::any_of(snapshot.notes.begin(), snapshot.notes.end(), [&](const RunNote& note) {
        return QString::fromStdString(note.text).contains(words);
    });
}

} // namespace

class TestOddScans : public QObject {
    Q_OBJECT
private slots:
    void aRangeWithoutPointsHasNoVoxels_data() {
        QTest::addColumn<QString>("backend");
        QTest::newRow("cpu") << "cpu";
        QTest::newRow("cuda") << "cuda";
    }
    void aRangeWithoutPointsHasNoVoxels() {
        QFETCH(QString, backend);
        if (backend == "cuda")
            SCANLOUPE_NEEDS_CUDA();
        std::vector<Attribute> attributes;
        attributes.push_back(ramp<float>("intensity", ScalarType::float32, {}));
        Run run(square(std::move(attributes)), backend == "cuda" ? Backend::cuda : Backend::cpu);
        run.set("voxel_size", "0.2");
        const Recipe whole = run.recipe;
        run.set("range", "50,50,50,60,60,60");
        const Snapshot empty = run({.end = RunEnd::voxels});
        QCOMPARE(empty.voxels->size(), std::size_t(0));
        QCOMPARE(empty.voxels->stats.pointsOutside, std::uint64_t(kAcross * kAcross));
        QVERIFY(notes(empty, "No point of the scan is in range"));
        const VoxelTable table = voxelTable(*empty.attributes, {});
        QVERIFY(table.channelOf("intensity") >= 3 && table.grid.size() == 0);
        // the second run reuses the cached voxels, and must fail as well
        for (const RunEnd end : {RunEnd::field, RunEnd::surface})
            QVERIFY(says(errorOf([&] { run({.end = end}); }), "No point of the scan lies in the range"));
        const Snapshot ended = run({.mayBeEmpty = true});
        QVERIFY(!ended.mesh && !ended.field && !ended.picture);
        QCOMPARE(ended.voxels->size(), std::size_t(0));
        run.recipe = whole;
        const Snapshot again = run({.mayBeEmpty = true});
        QVERIFY(again.mesh->triangleCount() > 100 && !notes(again, "No point"));
        run.set("voxel_size", "100"); // a single voxel is valid, but has no surface
        QCOMPARE(run({.end = RunEnd::voxels}).voxels->size(), std::size_t(1));
        QVERIFY(says(errorOf([&] { run({.mayBeEmpty = true}); }), "one voxel"));
    }
    void valuesFarApartAreNoReasonToRefuse_data() {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::newRow("the range overflows a double") << -1e308 << 1e308;
        QTest::newRow("one value of 1e308") << 0.0 << 1e308;
        QTest::newRow("beyond single precision") << -1e39 << 0.0;
    }
    void valuesFarApartAreNoReasonToRefuse() {
        QFETCH(double, low);
        QFETCH(double, high);
        std::vector<Attribute> attributes;
        attributes.push_back(ramp<float>("intensity", ScalarType::float32, {}));
        attributes.push_back(ramp<double>("odd", ScalarType::float64, {low, high}));
        Run run(square(std::move(attributes)));
        const Snapshot s = run();
        QVERIFY(s.mesh->triangleCount() > 100);
        QVERIFY2(notes(s, "'odd'"), s.notes.empty() ? "" : s.notes.back().text.c_str());
        QVERIFY(!notes(s, "'intensity'"));
        const VoxelTable table = voxelTable(*s.attributes, {});
        const VoxelGrid& voxels = table.grid;
        const auto channel = [&](const char* name) { return std::size_t(table.channelOf(name)); };
        double least = 1e9, most = -1e9;
        for (std::size_t v = 0; v < voxels.size(); ++v) {
            QVERIFY(std::isnan(voxels.mean(channel("odd"))[v])); // the mean is unknown
            least = std::min(least, double(voxels.mean(channel("intensity"))[v]));
            most = std::max(most, double(voxels.mean(channel("intensity"))[v]));
        }
        QVERIFY(least >= 0 && most <= 99 && most > least);
        // the attribute can be shown nevertheless, and files contain the known values
        for (const char* show : {"points", "voxels", "mesh"}) {
            run.set("colour_by", "odd");
            run.set("show", show);
            QVERIFY(run().picture->stats.drawnPixels > 100);
        }
        for (const MeshChannel& one : meshVertexChannels(s, {})) {
            QVERIFY(one.channel.name != "odd");
            for (const float value : one.values)
                QVERIFY(std::isfinite(value));
        }
        const Scratch scratch;
        writeVoxels(scratch / "v.ply", voxels, table.channels, table.categories, {}, {});
        QCOMPARE(readScan(scratch / "v.ply", {}, {})->attribute("odd")->notFinite(),
                 std::uint64_t(voxels.size()));
    }
    void coloursFarApartAreNoReasonToRefuse() {
        std::vector<Attribute> attributes;
        attributes.push_back(ramp<double>("red", ScalarType::float64, {}));
        attributes.push_back(ramp<double>("green", ScalarType::float64, {-1e308, 1e308}));
        attributes.push_back(ramp<double>("blue", ScalarType::float64, {}));
        Run run(square(std::move(attributes)));
        for (const char* show : {"points", "voxels", "mesh"}) {
            run.set("show", show);
            QVERIFY(run().picture->stats.drawnPixels > 100);
        }
    }

    void theVoxelSizeFollowsThePointsAndNotTheRange_data() {
        QTest::addColumn<QString>("range");
        QTest::addColumn<double>("farAway");
        QTest::newRow("as large as it goes") << "-1e9,-1e9,-1e9,1e9,1e9,1e9" << 0.0;
        QTest::newRow("large") << "-1e5,-1e5,-1e5,1e5,1e5,1e5" << 0.0;
        QTest::newRow("on one side") << "0,0,-5,1e9,1e9,1e9" << 0.0;
        QTest::newRow("with an outlier in it") << "-1e9,-1e9,-1e9,1e9,1e9,1e9" << 1e5;
    }
    void theVoxelSizeFollowsThePointsAndNotTheRange() {
        QFETCH(QString, range);
        QFETCH(double, farAway);
        Run whole(square());
        const Snapshot plain = whole(kNoPicture);
        Run run(square({}, farAway));
        run.set("range", qPrintable(range));
        const Snapshot s = run(kNoPicture);
        const double ratio = s.resolved->voxelSize->x / plain.resolved->voxelSize->x;
        QVERIFY2(ratio > 0.4 && ratio < 2.5, qPrintable(QString::number(ratio)));
        QCOMPARE(s.timings.count("points_in_range"), std::uint64_t(kAcross * kAcross));
        QVERIFY(double(s.voxels->size()) > 0.5 * double(plain.voxels->size()));
        QVERIFY(double(s.voxels->size()) < 2.0 * double(plain.voxels->size()));
    }
    void mapCoordinatesAreToldExactlyEnough() {
        Run run(square({}, 0, {500'000, 5'400'000, 100}));
        const Snapshot s = run(kNoPicture);
        const auto numbers = [](const QString& words) {
            std::vector<double> found;
            for (const QString& word : words.split(QRegularExpression("[^0-9.e+-]+"), Qt::SkipEmptyParts)) {
                bool isNumber = false;
                const double number = (word.endsWith('.') ? word.chopped(1) : word).toDouble(&isNumber);
                if (isNumber)
                    found.push_back(number);
            }
            return found;
        };
        const Vec3d low = *s.resolved->rangeMin, high = *s.resolved->rangeMax;
        const std::vector<double> wanted{low.x, low.y, low.z, high.x, high.y, high.z};
        const auto told = [&](const QString& words, const std::vector<double>& numbersWanted) {
            const auto read = numbers(words);
            return read.size() == 6 && std::ranges::equal(read, numbersWanted, [](double a, double b) {
                       return std::abs(a - b) < 0.001;
                   });
        };
        QVERIFY2(told(QString::fromStdString(s.notes.front().text), wanted), s.notes.front().text.c_str());
        run.set("range", "500010.25,5400020.25,0,500012.25,5400022.25,1");
        const auto error = errorOf([&] { run(kNoPicture); });
        QVERIFY2(error && told(error->what(), {500010.25, 5400020.25, 0, 500012.25, 5400022.25, 1}),
                 error ? error->what() : "");
    }
    void aRangeInTheScanStaysAsItIs() {
        Run run(square());
        run.set("range", "-3,2,-2,7.5,12,2");
        const Snapshot s = run(kNoPicture);
        QVERIFY(*s.resolved->rangeMin == (Vec3d{-3, 2, -2}) && *s.resolved->rangeMax == (Vec3d{7.5, 12, 2}));
    }
};

SCANLOUPE_TEST(TestOddScans)
#include "test_odd_scans.moc"
