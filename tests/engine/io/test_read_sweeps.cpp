// Sweeps without a header, of 32- or 16-bit floats: detected by their values; coordinates reveal a wrong
// type.
#include "engine/io/common/read_options.h"
#include "tests/engine/io/test_io_support.h"

#include <bit>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr int kPoints = 6000;

/// The nearest half-precision number, rounded to even. Assumes that the value is in the range of half
/// precision.
std::uint16_t toHalf(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
    const float size = std::abs(value);
    if (size < 0x1p-14f)
        return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(std::lrint(size * 0x1p24f)));
    const std::uint32_t whole = (bits & 0x7fffffffu) - (112u << 23);
    return static_cast<std::uint16_t>(sign | ((whole + 0xfffu + (whole >> 13 & 1u)) >> 13));
}

/// One revolution of a scanner in a room: `columns` of x, y, z, intensity, ring and time.
std::vector<float> turn(int columns, double radius, std::mt19937_64& random) {
    std::uniform_real_distribution<float> unit(0, 1);
    std::vector<float> values;
    for (int i = 0; i < kPoints; ++i) {
        const float angle = float(i) * 0.01f;
        const float r = float(radius) * (1 + 0.5f * std::sin(angle * 3) + 0.002f * unit(random));
        const float all[] = {r * std::cos(angle), r * std::sin(angle), -1.7f + 0.05f * unit(random),
                             unit(random),        float(i / 8 % 32),   float(i) * 1e-4f};
        values.insert(values.end(), all, all + columns);
    }
    return values;
}

std::string singles(const std::vector<float>& values) {
    std::string bytes;
    for (const float value : values)
        put(bytes, value);
    return bytes;
}

std::string halves(const std::vector<float>& values) {
    std::string bytes;
    for (const float value : values)
        put(bytes, toHalf(value));
    return bytes;
}

std::shared_ptr<const PointCloud> read(const std::string& bytes, const ReadOptions& options = {},
                                       const std::string& name = "a.bin") {
    const Scratch scratch;
    return readScan(scratch.file(name, bytes), options, {});
}

bool has(const PointCloud& cloud, std::initializer_list<const char*> names) {
    return cloud.attributes().size() == names.size() &&
           std::all_of(names.begin(), names.end(),
                       [&](const char* name) { return cloud.attribute(name) != nullptr; });
}

/// A sweep of six columns, the last three of which are `three(i)`.
std::shared_ptr<const PointCloud> sixColumns(std::mt19937_64& random,
                                             const std::function<std::array<float, 3>(int)>& three) {
    const auto xyz = turn(3, 10, random);
    std::vector<float> values;
    for (int i = 0; i < kPoints; ++i) {
        values.insert(values.end(), xyz.begin() + i * 3, xyz.begin() + i * 3 + 3);
        const auto more = three(i);
        values.insert(values.end(), more.begin(), more.end());
    }
    ReadOptions options;
    options.columns = 6;
    return read(singles(values), options);
}

} // namespace

class TestReadSweeps : public QObject {
    Q_OBJECT
private slots:
    void halvesByContent_data() {
        QTest::addColumn<int>("columns");
        QTest::addColumn<double>("radius");
        for (const int columns : {3, 4, 5, 6})
            for (const double radius : {0.5, 4.0, 60.0})
                QTest::addRow("%d columns, %g m", columns, radius) << columns << radius;
    }
    void halvesByContent() {
        QFETCH(int, columns);
        QFETCH(double, radius);
        auto random = seededRandom("halvesByContent");
        const auto values = turn(columns, radius, random);
        const auto cloud = read(halves(values));
        QVERIFY2(cloud->format.find("float16") != std::string::npos, cloud->format.c_str());
        QCOMPARE(cloud->size(), std::size_t(kPoints));
        QCOMPARE(cloud->attributes().size(), std::size_t(columns - 3));
        QVERIFY(cloud->warnings.empty());
        for (std::size_t i = 0; i < cloud->size(); ++i)
            for (int axis = 0; axis < 3; ++axis) {
                const double exact = values[i * std::size_t(columns) + std::size_t(axis)];
                QVERIFY(std::abs(cloud->position(i)[axis] - exact) <= std::abs(exact) * 0x1p-11 + 0x1p-25);
            }
        ReadOptions told;
        told.columns = columns;
        QCOMPARE(read(halves(values), told)->size(), std::size_t(kPoints));
        told.type = SweepNumberType::float16;
        QCOMPARE(read(halves(values), told)->size(), std::size_t(kPoints));
        const auto whole = read(singles(values));
        QVERIFY2(whole->format.find("float32") != std::string::npos, whole->format.c_str());
        QCOMPARE(whole->size(), std::size_t(kPoints));
    }
    void halvesOfAllKinds() {
        std::string bytes;
        for (const int bits :
             {0x0000, 0x8000, 0x3c00, 0xc000, 0x7bff, 0x0400, 0x03ff, 0x0001, 0x8001, 0x7c00, 0xfc00, 0x7e00})
            put(bytes, static_cast<std::uint16_t>(bits));
        ReadOptions options;
        options.columns = 3;
        options.type = SweepNumberType::float16;
        const auto cloud = read(bytes, options);
        QCOMPARE(cloud->size(), std::size_t(4));
        QVERIFY(cloud->position(0) == (Vec3d{0, 0, 1}) && std::signbit(cloud->position(0).y));
        QVERIFY(cloud->position(1) == (Vec3d{-2, 65504, 0x1p-14}));
        QVERIFY(cloud->position(2) == (Vec3d{1023 * 0x1p-24, 0x1p-24, -0x1p-24}));
        QVERIFY(std::isinf(cloud->position(3).x) && cloud->position(3).y < 0 &&
                std::isnan(cloud->position(3).z));
        QVERIFY(warns(*read(bytes + "x", options), "1 bytes are left over"));
    }
    void realSweepsAsHalves_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("columns");
        const auto row = [](const char* file, int columns) {
            QTest::newRow(file) << QString(file) << columns;
        };
        row("nuscenes_10sweep_ff9eff_f32.bin", 5);
        row("nuscenes_n015_1532402927647951.pcd.bin", 5);
        row("nuscenes_tiny_400pts.pcd.bin", 5);
        row("kitti_training_000000.bin", 4);
        row("kitti_tiny_800pts.bin", 4);
        row("gtsam_kitti00_000000_xyz.bin", 3);
    }
    void realSweepsAsHalves() {
        QFETCH(QString, file);
        QFETCH(int, columns);
        const auto path = scansFolder() / "sweeps" / file.toStdString();
        if (!std::filesystem::exists(path))
            QSKIP("the folder of real scans is not here: set SCANLOUPE_SCANS to run this test");
        const std::string bytes = contentOf(path);
        std::vector<float> values(bytes.size() / 4);
        std::memcpy(values.data(), bytes.data(), values.size() * 4);
        for (const int told : {0, columns}) {
            ReadOptions options;
            options.columns = told;
            const auto cloud = read(halves(values), options);
            QCOMPARE(cloud->size(), values.size() / std::size_t(columns));
            QVERIFY(cloud->bounds().max.y < 200 && cloud->bounds().min.y > -200);
            QVERIFY(cloud->warnings.empty());
        }
        ReadOptions wrong; // the wrong type is rejected, or read with a warning if it is forced
        wrong.columns = columns;
        wrong.type = SweepNumberType::float32;
        if (values.size() <= 10000)
            return; // too few points in one direction for a warning about wildly spread coordinates
        QVERIFY_EXCEPTION_THROWN(read(halves(values), wrong), EngineError);
        wrong.force = true;
        QVERIFY(warns(*read(halves(values), wrong), "coordinates are probably wrong"));
    }
    /// Waymo's columns in a file as of KITTI: x, y, z, intensity, elongation and a time.
    void timesSinceAnEpoch_data() {
        QTest::addColumn<int>("columns");
        QTest::addColumn<double>("time");
        for (const int columns : {5, 6})
            for (const double time : {1.6e9, 1.55e15, 1.7e18}) // seconds, microseconds and nanoseconds
                QTest::addRow("%d columns, %g", columns, time) << columns << time;
    }
    void timesSinceAnEpoch() {
        QFETCH(int, columns);
        QFETCH(double, time);
        auto random = seededRandom("timesSinceAnEpoch");
        std::uniform_real_distribution<float> unit(0, 1);
        constexpr std::size_t points = 800;
        const auto xyz = turn(3, 40, random);
        std::vector<float> values;
        for (std::size_t i = 0; i < points; ++i) {
            for (std::size_t axis = 0; axis < 3; ++axis)
                values.push_back(xyz[3 * i + axis]);
            for (int c = 3; c + 1 < columns; ++c)
                values.push_back(1.5f * unit(random));
            values.push_back(float(time));
        }
        for (const int told : {0, columns}) {
            ReadOptions options;
            options.columns = told;
            const auto cloud = read(singles(values), options);
            QVERIFY2(QString::fromStdString(cloud->format).contains(QString("%1 float32").arg(columns)),
                     cloud->format.c_str());
            QCOMPARE(cloud->size(), points);
            QVERIFY(cloud->warnings.empty());
            for (std::size_t i = 0; i < points; ++i)
                QCOMPARE(cloud->position(i).x, double(xyz[3 * i]));
        }
    }
    /// Labels of boxes in Waymo's format: nearly all of its bytes are plausible halves, but not coordinates.
    void protocolBuffersAreNoSweeps() {
        const QByteArray message = QByteArray::fromHex(
            "0a7c0a450a3f091b8ca9d44b6b5140118594e9b3a2ab4040193fdee3474dafe83f21000000e07a140040"
            "29000000e0a37011403100000000295cf73f39182d447c57b1f7bf1801386415cdcc4c3f222531303731"
            "3339323232393439353038353033365f313834345f3739305f313836345f37393028eebff5e1d3dcd602");
        QVERIFY(says(errorOf([&] { read(message.toStdString()); }), "does not look like a sweep"));
    }
    void wildlySpreadCoordinatesAreReported() {
        auto random = seededRandom("coordinatesThatAreNone");
        std::string text = "x,y,z\n";
        for (int i = 0; i < 1000; ++i)
            text += std::to_string(random() % 100) + "," + std::to_string(random() % 100) + ".5,1\n";
        QVERIFY(!warns(*read(text, {}, "a.csv"), "coordinates are probably wrong"));
        QVERIFY(warns(*read(text + "5,1e12,2\n", {}, "a.csv"), "coordinates are probably wrong"));
        QVERIFY(!warns(*read(text + "5,-9999,2\n", {}, "a.csv"),
                       "coordinates are probably wrong")); // far, but not scattered
        QVERIFY(!warns(*read(text + "nan,inf,2\n", {}, "a.csv"), "coordinates are probably wrong"));
        std::string same; // many coincident points
        for (int i = 0; i < 1000; ++i)
            same += i % 20 ? "0,0,0\n" : "500,600," + std::to_string(i) + "\n";
        QVERIFY(!warns(*read(same, {}, "a.csv"), "coordinates are probably wrong"));
    }
    void lastThreeOfSixAreNamedByTheirValues() {
        auto random = seededRandom("lastThreeOfSix");
        std::uniform_real_distribution<float> unit(0, 1);
        const auto shade = [&](int i) { return 0.5f + 0.4f * std::sin(float(i) * 0.003f); };
        const auto fractions = sixColumns(random, [&](int i) {
            return std::array{shade(i), shade(i) * 0.8f + 0.1f * unit(random), shade(i) * 0.9f};
        });
        QVERIFY(has(*fractions, {"red", "green", "blue"}));
        const auto bytes = sixColumns(random, [&](int) {
            return std::array{float(random() % 256), float(random() % 256), float(random() % 256)};
        });
        QVERIFY(has(*bytes, {"red", "green", "blue"}));
        const auto means = sixColumns(random, [&](int i) {
            return std::array{shade(i) * 255, shade(i) * 200, shade(i) * 100};
        });
        QVERIFY(has(*means, {"red", "green", "blue"}));
        const auto normals = sixColumns(random, [&](int i) {
            return std::array{std::cos(float(i)), std::sin(float(i)), 0.0f};
        });
        QVERIFY(has(*normals, {"normal_x", "normal_y", "normal_z"}));
        const auto velodyne = sixColumns(random, [&](int i) {
            return std::array{unit(random), float(i % 32), float(i) * 1e-5f};
        });
        QVERIFY(has(*velodyne, {"intensity", "ring", "time"}));
        const auto unknown = sixColumns(random, [&](int) {
            return std::array{unit(random), unit(random), unit(random)};
        });
        QVERIFY(has(*unknown, {"column_4", "column_5", "column_6"}));
    }
};

SCANLOUPE_TEST(TestReadSweeps)
#include "test_read_sweeps.moc"
