// Written scans are read back bit by bit. Reading and writing report progress and can be cancelled.
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/formats.h"
#include "tests/engine/io/test_io_support.h"

#include <chrono>
#include <limits>
#include <thread>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Attributes of every type, including their extreme values.
std::vector<Attribute> attributesFor(std::size_t points, std::mt19937_64& random) {
    std::vector<float> intensity(points), normal(points);
    std::vector<double> time(points);
    std::vector<std::uint8_t> red(points), green(points), blue(points);
    std::vector<std::int16_t> angle(points);
    std::vector<std::uint32_t> id(points);
    std::vector<std::int8_t> tiny(points);
    for (std::size_t i = 0; i < points; ++i) {
        intensity[i] = i == 3 ? kNan : float(random() % 100000) / 99991.0f;
        normal[i] = float(random() % 2000) / 1000.0f - 1;
        time[i] = 1.6e9 + double(random() % 1000000000) * 1e-7;
        red[i] = std::uint8_t(random());
        green[i] = std::uint8_t(random());
        blue[i] = std::uint8_t(random());
        angle[i] = std::int16_t(random());
        id[i] = std::uint32_t(random());
        tiny[i] = std::int8_t(random());
    }
    std::vector<Attribute> all;
    all.push_back(makeAttribute("intensity", ScalarType::float32, intensity));
    all.push_back(makeAttribute("time", ScalarType::float64, time));
    all.push_back(makeAttribute("red", ScalarType::uint8, red));
    all.push_back(makeAttribute("green", ScalarType::uint8, green));
    all.push_back(makeAttribute("blue", ScalarType::uint8, blue));
    all.push_back(makeAttribute("scan angle", ScalarType::int16, angle));
    all.push_back(makeAttribute("id", ScalarType::uint32, id));
    all.push_back(makeAttribute("tiny", ScalarType::int8, tiny));
    for (const char* name : {"normal_x", "normal_y", "normal_z"})
        all.push_back(makeAttribute(name, ScalarType::float32, normal));
    return all;
}

enum Kind { kFloats, kDoubles, kScaled };

PointCloud makeCloud(Kind kind, std::size_t points) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> uniform(-100, 100);
    std::vector<Vec3f> floats;
    std::vector<Vec3d> doubles;
    std::vector<Vec3i> integers;
    for (std::size_t i = 0; i < points; ++i) {
        const Vec3d p{uniform(random), uniform(random), uniform(random)};
        floats.push_back(i == 5 ? Vec3f{kNan, 1, std::numeric_limits<float>::infinity()} : p.as<float>());
        doubles.push_back(p + Vec3d{512700, 5403700, 300});
        integers.push_back((p * 1e7).as<std::int32_t>());
    }
    auto attributes = attributesFor(points, random);
    if (kind == kFloats)
        return PointCloud(FloatPositions{hostCopy(std::span(floats))}, std::move(attributes), {});
    if (kind == kDoubles)
        return PointCloud(DoublePositions{hostCopy(std::span(doubles)), -1}, std::move(attributes), {});
    return PointCloud(
        ScaledPositions{hostCopy(std::span(integers)), {1.16451e-6, 1e-3, 0.01}, {1692500.25, 1817500, -3}},
        std::move(attributes), {});
}

std::string nameInFile(const std::string& name, const std::string& ending) {
    if (ending == ".ply" || ending == ".pcd" || ending == ".csv" || ending == ".xyz" || ending == ".txt") {
        if (name == "scan angle")
            return "scan_angle";
    }
    return name;
}

TriangleMesh gridMesh(int edge) {
    TriangleMesh mesh;
    const auto n = static_cast<std::size_t>(edge);
    mesh.positions = Buffer<Vec3f>::host(n * n);
    mesh.normals = Buffer<Vec3f>::host(n * n);
    for (std::size_t i = 0; i < n * n; ++i) {
        mesh.positions[i] = {float(i % n), float(i / n), 0};
        mesh.normals[i] = {0, 0, 1};
    }
    mesh.indices = Buffer<std::uint32_t>::host((n - 1) * (n - 1) * 6);
    return mesh;
}

} // namespace

class TestIoRoundtrip : public QObject {
    Q_OBJECT
private slots:
    void clouds_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("ending");
        for (const auto& [kind, name] :
             {std::pair{kFloats, "floats"}, {kDoubles, "doubles"}, {kScaled, "scaled"}})
            for (const char* ending : {".ply", ".pcd", ".csv", ".xyz", ".txt"})
                QTest::addRow("%s%s", name, ending) << int(kind) << QString(ending);
    }
    void clouds() {
        QFETCH(int, kind);
        QFETCH(QString, ending);
        const Scratch scratch;
        const PointCloud cloud = makeCloud(Kind(kind), 20000);
        const auto path = scratch / ("cloud" + ending.toStdString());
        double last = 0;
        WriteOptions options;
        options.progress = [&](double part) { last = part; };
        writeCloud(path, cloud, options, {});
        QCOMPARE(last, 1.0);
        const auto again = readScan(path, {}, {});
        QVERIFY2(again->warnings.empty(), again->warnings.empty() ? "" : again->warnings[0].c_str());
        QCOMPARE(again->size(), cloud.size());
        const bool text = ending != ".ply" && ending != ".pcd";
        for (std::size_t i = 0; i < cloud.size(); ++i) {
            for (int axis = 0; axis < 3; ++axis) {
                double found = again->position(i)[axis];
                // the shortest digits of a float identify the float, not the double of the same value
                if (text && kind == kFloats)
                    found = static_cast<double>(static_cast<float>(found));
                if (!same(found, cloud.position(i)[axis]))
                    QFAIL("a coordinate changed");
            }
        }
        QCOMPARE(again->attributes().size(), cloud.attributes().size());
        for (const Attribute& attribute : cloud.attributes()) {
            const Attribute* found = again->attribute(nameInFile(attribute.name, ending.toStdString()));
            QVERIFY2(found, attribute.name.c_str());
            if (!text)
                QVERIFY(found->type == attribute.type);
            for (std::size_t i = 0; i < cloud.size(); ++i) {
                double value = found->value(i);
                if (attribute.type == ScalarType::float32)
                    value = static_cast<double>(static_cast<float>(value));
                if (!same(value, attribute.value(i)))
                    QFAIL(attribute.name.c_str());
            }
        }
        if (!text) {
            QVERIFY((std::holds_alternative<FloatPositions>(again->positions())) == (kind == kFloats));
        }
    }
    void rowsThatLieInMemoryAsInTheFile() {   // such rows are read in place, unless axes change
        constexpr std::size_t count = 50'000; // enough for several pieces
        for (const char* axes : {"xyz", "zyx"})
            for (const bool swapped : {false, true}) {
                std::string file = std::string("ply\nformat binary_") + (swapped ? "big" : "little") +
                                   "_endian 1.0\nelement vertex 50000\n";
                for (int axis = 0; axis < 3; ++axis)
                    file += std::string("property double ") + axes[axis] + "\n";
                file += "end_header\n";
                for (std::size_t i = 0; i < 3 * count; ++i) {
                    std::string value;
                    put(value, static_cast<double>(i) * 0.1);
                    if (swapped)
                        std::reverse(value.begin(), value.end());
                    file += value;
                }
                const Scratch scratch;
                const auto cloud = readScan(scratch.file("a.ply", file), {}, {});
                QCOMPARE(cloud->size(), count);
                for (std::size_t i = 0; i < count; ++i)
                    for (int axis = 0; axis < 3; ++axis)
                        QCOMPARE(cloud->position(i)[axes[axis] - 'x'],
                                 static_cast<double>(3 * i + std::size_t(axis)) * 0.1);
            }
    }
    void wideIntegers() {
        const Scratch scratch;
        const std::vector<std::int64_t> values{-(std::int64_t{1} << 62) - 1, 5};
        std::vector<Attribute> attributes;
        attributes.push_back(makeAttribute("stampNs", ScalarType::int64, values));
        const PointCloud cloud(FloatPositions{hostCopy(std::span<const Vec3f>(std::vector<Vec3f>(2)))},
                               std::move(attributes), {});
        writeCloud(scratch / "a.pcd", cloud, {}, {});
        const auto again = readScan(scratch / "a.pcd", {}, {});
        QVERIFY(std::memcmp(again->attribute("stampNs")->data(), values.data(), 16) == 0);
    }
    void sweep() {
        const Scratch scratch;
        const PointCloud cloud = makeCloud(kFloats, 500);
        writeCloud(scratch / "a.bin", cloud, {}, {});
        ReadOptions four;
        four.columns = 4;
        const auto again = readScan(scratch / "a.bin", four, {});
        for (std::size_t i = 0; i < cloud.size(); ++i) {
            for (int axis = 0; axis < 3; ++axis)
                QVERIFY(same(again->position(i)[axis], cloud.position(i)[axis]));
            QVERIFY(same(again->attribute("intensity")->value(i), cloud.attribute("intensity")->value(i)));
        }
        QVERIFY(says(errorOf([&] { writeCloud(scratch / "b.bin", makeCloud(kDoubles, 10), {}, {}); }),
                     "single precision"));
        QVERIFY(!std::filesystem::exists(scratch / "b.bin"));
    }
    void emptyClouds() {
        const Scratch scratch;
        const PointCloud cloud(FloatPositions{}, {}, {});
        for (const auto& ending : cloudEndings()) {
            writeCloud(scratch / ("a" + ending), cloud, {}, {});
            if (ending == ".bin")
                continue; // an empty cloud has no bytes in this format
            const auto again = readScan(scratch / ("a" + ending), {}, {});
            QCOMPARE(again->size(), std::size_t(0));
            QVERIFY(warns(*again, "no points"));
        }
    }
    void organizedCloudAndSensor() {
        const Scratch scratch;
        PointCloud cloud(FloatPositions{hostCopy(std::span<const Vec3f>(std::vector<Vec3f>(6)))}, {}, {});
        cloud.width = 3;
        cloud.height = 2;
        cloud.sensor = SensorPose{{1.5, 2, -0.125}, {0.5, -0.1, 0.7, 0.4999}};
        writeCloud(scratch / "a.pcd", cloud, {}, {});
        const auto again = readScan(scratch / "a.pcd", {}, {});
        QCOMPARE(again->width, 3);
        QCOMPARE(again->height, 2);
        QVERIFY(again->sensor == cloud.sensor);
    }

    void readingIsCancelledSoon_data() {
        QTest::addColumn<QString>("ending");
        for (const char* ending : {".ply", ".pcd", ".csv", ".bin"})
            QTest::newRow(ending) << ending;
    }
    void readingIsCancelledSoon() {
        QFETCH(QString, ending);
        const Scratch scratch;
        const auto path = scratch / ("a" + ending.toStdString());
        writeCloud(path, makeCloud(kFloats, 200000), {}, {});
        std::stop_source source;
        ReadOptions options;
        std::chrono::steady_clock::time_point asked;
        options.progress = [&](double part) {
            if (part < 0.3 || source.stop_requested())
                return;
            asked = std::chrono::steady_clock::now();
            source.request_stop();
        };
        QVERIFY_EXCEPTION_THROWN(readScan(path, options, source.get_token()), Cancelled);
        const auto late = std::chrono::steady_clock::now() - asked;
        QVERIFY2(late < std::chrono::milliseconds(100), qPrintable(QString::number(late.count() / 1000000)));
        // a stop that was requested before reading starts has the same effect
        QVERIFY_EXCEPTION_THROWN(readScan(path, {}, source.get_token()), Cancelled);
    }
    void cancelledWritingLeavesTheOldFile() {
        const Scratch scratch;
        const auto path = scratch.file("a.ply", "old");
        std::stop_source source;
        WriteOptions options;
        options.progress = [&](double part) {
            if (part > 0.2)
                source.request_stop();
        };
        QVERIFY_EXCEPTION_THROWN(writeCloud(path, makeCloud(kFloats, 200000), options, source.get_token()),
                                 Cancelled);
        QCOMPARE(contentOf(path), std::string("old"));
        std::stop_source other;
        other.request_stop();
        QVERIFY_EXCEPTION_THROWN(writeMesh(scratch / "b.obj", gridMesh(40), {}, {}, other.get_token()),
                                 Cancelled);
        QCOMPARE(scratch.entries(), std::size_t(1));
    }
};

SCANLOUPE_TEST(TestIoRoundtrip)
#include "test_io_roundtrip.moc"
