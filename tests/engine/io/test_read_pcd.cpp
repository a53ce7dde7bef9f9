// PCD as the Point Cloud Library writes it: fields of several values, padding, and the sensor's pose.
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "tests/engine/io/lzf_packer.h"
#include "tests/engine/io/test_io_support.h"

#include <fmt/format.h>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr int kBins = 33; // number of bins of a fast point feature histogram

float binOf(int point, int bin) {
    return float(point * 100 + bin);
}

/// The body of a compressed PCD: the packed and the unpacked size, then `stream`.
std::string packedBody(const std::string& stream, std::size_t unpacked) {
    std::string all;
    put(all, static_cast<std::uint32_t>(stream.size()));
    put(all, static_cast<std::uint32_t>(unpacked));
    return all + stream;
}

/// Compresses `bytes` with literal runs only.
std::string packed(const std::string& bytes) {
    return packedBody(packLzf(bytes, {}).bytes, bytes.size());
}

std::string head(const std::string& fields, const std::string& sizes, const std::string& types,
                 const std::string& counts, int points, const std::string& data) {
    return fmt::format("VERSION 0.7\nFIELDS {}\nSIZE {}\nTYPE {}\nCOUNT {}\nWIDTH {}\nHEIGHT 1\n"
                       "VIEWPOINT 0 0 0 1 0 0 0\nPOINTS {}\nDATA {}\n",
                       fields, sizes, types, counts, points, points, data);
}

void checkHistograms(const PointCloud& cloud, int points) {
    QVERIFY2(cloud.warnings.empty(), cloud.warnings.empty() ? "" : cloud.warnings[0].c_str());
    QCOMPARE(cloud.size(), std::size_t(points));
    for (int i = 0; i < points; ++i) {
        QVERIFY((cloud.position(std::size_t(i)) == Vec3d{double(i), i + 0.25, i + 0.5}));
        for (int b = 0; b < kBins; ++b)
            QCOMPARE(cloud.attribute(fmt::format("fpfh_{}", b))->value(std::size_t(i)), double(binOf(i, b)));
    }
}

/// Unpacked data of x, y, z and a histogram for `points` points: one block per field, as in PCL, and
/// `padding` bytes per point after the histograms.
std::string planes(int points, int padding) {
    std::string bytes;
    for (int axis = 0; axis < 3; ++axis)
        for (int i = 0; i < points; ++i)
            put(bytes, float(i) + 0.25f * float(axis));
    for (int i = 0; i < points; ++i)
        for (int b = 0; b < kBins; ++b)
            put(bytes, binOf(i, b));
    return bytes + std::string(std::size_t(points * padding), 'p');
}

} // namespace

class TestReadPcd : public QObject {
    Q_OBJECT
private slots:
    /// The block of a field has all values of the first point, then all values of the next point.
    void compressedFieldsOfSeveralValues_data() {
        QTest::addColumn<int>("points");
        for (const int points : {1, 2, 7, 5000}) // 5000 points are unpacked in several pieces
            QTest::addRow("%d", points) << points;
    }
    void compressedFieldsOfSeveralValues() {
        QFETCH(int, points);
        const Scratch scratch;
        const std::string file =
            head("x y z fpfh", "4 4 4 4", "F F F F", "1 1 1 33", points, "binary_compressed") +
            packed(planes(points, 0));
        checkHistograms(*readScan(scratch.file("a.pcd", file), {}, {}), points);
    }
    /// All kinds of matches, across several pieces of the unpacker (256 KiB each).
    void compressedMatches() {
        constexpr std::size_t points = 10000, values = 20;
        constexpr std::size_t distances[] = {kLzfMaxDistance, 8191, 4097, 4096, 257, 256, 7, 4, 1};
        auto random = seededRandom("compressedMatches");
        std::string plain;
        for (int axis = 0; axis < 3; ++axis)
            for (std::size_t i = 0; i < points; ++i)
                put(plain, float(i) + 0.25f * float(axis));
        const std::string expected = repetitiveBytes(points * values * 4, distances, random);
        plain += expected;
        const LzfStream stream = packLzf(plain, distances);
        QVERIFY(stream.overlapping > 100 && stream.longest > 100 && stream.farthest > 100);
        const Scratch scratch;
        const auto cloud = readScan(scratch.file("a.pcd", head("x y z v", "4 4 4 4", "F F F U", "1 1 1 20",
                                                               int(points), "binary_compressed") +
                                                              packedBody(stream.bytes, plain.size())),
                                    {}, {});
        QVERIFY2(cloud->warnings.empty(), cloud->warnings.empty() ? "" : cloud->warnings[0].c_str());
        QCOMPARE(cloud->size(), points);
        for (std::size_t v = 0; v < values; ++v) {
            const Attribute* column = cloud->attribute(fmt::format("v_{}", v));
            QVERIFY(column);
            for (std::size_t i = 0; i < points; ++i) {
                std::uint32_t value = 0;
                std::memcpy(&value, expected.data() + (i * values + v) * 4, 4);
                if (column->value(i) != double(value))
                    QFAIL(fmt::format("value {} of point {}", v, i).c_str());
            }
        }
        for (std::size_t i = 0; i < points; ++i)
            QVERIFY((cloud->position(i) == Vec3d{double(i), double(i) + 0.25, double(i) + 0.5}));
    }
    /// A match that refers to a byte before the first one ends the data. The remaining points are missing.
    void compressedMatchBeforeTheBeginning() {
        const Scratch scratch;
        std::string run; // literal run of five of the six values; z of the second point is missing
        for (const float value : {1.0f, 2.0f, 3.0f, 4.0f, 5.0f})
            put(run, value);
        const auto scanOf = [&](int distance) {
            const std::string match{'\x40', static_cast<char>(distance - 1)}; // a match of 4 bytes
            return readScan(
                scratch.file("a.pcd", head("x y z", "4 4 4", "F F F", "1 1 1", 2, "binary_compressed") +
                                          packedBody('\x13' + run + match, 24)),
                {}, {});
        };
        QVERIFY((scanOf(20)->position(1) == Vec3d{2, 4, 1}));
        QCOMPARE(scanOf(21)->size(), std::size_t(1));
        QVERIFY(warns(*scanOf(21), "1 of 2 points"));
    }
    /// PCL omits padding in compressed data; other writers include it.
    void compressedPadding_data() {
        QTest::addColumn<int>("padding");
        QTest::newRow("left out") << 0;
        QTest::newRow("packed") << 3;
    }
    void compressedPadding() {
        QFETCH(int, padding);
        const Scratch scratch;
        const std::string file =
            head("x y z fpfh _", "4 4 4 4 1", "F F F F U", "1 1 1 33 3", 9, "binary_compressed") +
            packed(planes(9, padding));
        checkHistograms(*readScan(scratch.file("a.pcd", file), {}, {}), 9);
    }
    /// Padding may have any type, as in PCL's own test complex_ascii.pcd: TYPE F with a size of one byte is
    /// not a number type.
    void paddingOfAnyType() {
        const Scratch scratch;
        std::string row;
        for (int b = 0; b < kBins; ++b)
            row += fmt::format("{} ", b % 11 == 5 ? 100 : 0);
        const auto text =
            readScan(scratch.file("complex_ascii.pcd",
                                  head("fpfh _ x y z", "4 1 4 4 4", "F F F F F", "33 10 1 1 1", 1, "ascii") +
                                      row + "1 1 1 1 1 1 1 1 1 1 -69.234001 -65.460999 19.173"),
                     {}, {});
        QCOMPARE(text->size(), std::size_t(1));
        QCOMPARE(float(text->position(0).y), -65.460999f);
        QCOMPARE(text->attribute("fpfh_16")->value(0), 100.0);
        QVERIFY(text->warnings.empty());
        std::string body;
        for (int i = 0; i < 2; ++i) {
            put(body, float(i));
            body += std::string(14, 'p');
            put(body, 2.0f);
            put(body, 3.0f);
        }
        const auto binary = readScan(
            scratch.file("b.pcd", head("x _ y z", "4 7 4 4", "F Q F F", "1 2 1 1", 2, "binary") + body), {},
            {});
        QVERIFY((binary->position(1) == Vec3d{1, 2, 3}));
        QCOMPARE(binary->attributes().size(), std::size_t(0));
        QVERIFY(says(errorOf([&] {
                         readScan(scratch.file("c.pcd",
                                               head("x q y z", "4 7 4 4", "F Q F F", "1 2 1 1", 2, "binary") +
                                                   body),
                                  {}, {});
                     }),
                     "unsupported number type"));
    }
    void typesInSmallLetters() {
        const Scratch scratch;
        std::string body;
        for (int i = 0; i < 2; ++i) {
            for (const float value : {float(i), 2.5f, 3.5f})
                put(body, value);
            put(body, 1.5e9 + i);
            put(body, static_cast<std::int16_t>(-i));
            put(body, static_cast<std::uint8_t>(200 + i));
        }
        const auto cloud = readScan(scratch.file("a.pcd", head("x y z time step flags", "4 4 4 8 2 1",
                                                               "f f f f i u", "1 1 1 1 1 1", 2, "binary") +
                                                              body),
                                    {}, {});
        QVERIFY((cloud->position(1) == Vec3d{1, 2.5, 3.5}));
        QCOMPARE(cloud->attribute("time")->value(1), 1.5e9 + 1);
        QCOMPARE(cloud->attribute("step")->value(1), -1.0);
        QCOMPARE(cloud->attribute("flags")->value(1), 201.0);
    }
    /// A histogram that was read is written as one field with several values.
    void fieldsOfSeveralValuesAreWrittenAsSuch() {
        const Scratch scratch;
        const std::string file =
            head("x y z fpfh", "4 4 4 4", "F F F F", "1 1 1 33", 4, "binary_compressed") +
            packed(planes(4, 0));
        writeCloud(scratch / "b.pcd", *readScan(scratch.file("a.pcd", file), {}, {}), {}, {});
        const std::string written = contentOf(scratch / "b.pcd");
        QVERIFY(written.find("\nFIELDS x y z fpfh\nSIZE 4 4 4 4\nTYPE F F F F\nCOUNT 1 1 1 33\n") !=
                std::string::npos);
        checkHistograms(*readScan(scratch / "b.pcd", {}, {}), 4);
        // columns whose names only resemble those of a histogram stay separate
        std::vector<Attribute> columns;
        for (const char* name : {"a_0", "a_1", "a", "b_0", "c_0", "c_2", "x_0", "x_1"})
            columns.push_back(makeAttribute(name, ScalarType::uint8, std::vector<std::uint8_t>{1}));
        columns.push_back(makeAttribute("d_0", ScalarType::uint8, std::vector<std::uint8_t>{1}));
        columns.push_back(makeAttribute("d_1", ScalarType::uint16, std::vector<std::uint16_t>{1}));
        const PointCloud cloud(FloatPositions{hostCopy(std::span<const Vec3f>(std::vector<Vec3f>(1)))},
                               std::move(columns), {});
        writeCloud(scratch / "c.pcd", cloud, {}, {});
        QVERIFY(contentOf(scratch / "c.pcd").find("\nFIELDS x y z a_0 a_1 a b_0 c_0 c_2 x_0 x_1 d_0 d_1\n") !=
                std::string::npos);
    }
    void poseOfTheSensor_data() {
        QTest::addColumn<QString>("viewpoint");
        QTest::addColumn<std::vector<double>>("pose"); // x y z, w x y z; empty: the pose is unknown
        const auto add = [](const char* viewpoint, std::vector<double> pose) {
            QTest::newRow(viewpoint) << viewpoint << std::move(pose);
        };
        add("0 0 0 1 0 0 0", {0, 0, 0, 1, 0, 0, 0});
        add("1.5 -2 3e-2 0.5 -0.1 0.7 0.4999", {1.5, -2, 0.03, 0.5, -0.1, 0.7, 0.4999});
        add("0 0 0 0 1 0 0", {0, 0, 0, 0, 1, 0, 0});
        add("1 2 3 0 0 2 0", {1, 2, 3, 0, 0, 1, 0});
        add("1 2 3 0 0 0 0", {1, 2, 3, 1, 0, 0, 0}); // an invalid rotation is read as none
        add("1 2 3 nan 0 0 0", {1, 2, 3, 1, 0, 0, 0});
        add("1 2 3", {1, 2, 3, 1, 0, 0, 0});
        add("1 2 inf 1 0 0 0", {});
        add("1 2", {});
    }
    /// The pose is read, written and read again.
    void poseOfTheSensor() {
        QFETCH(QString, viewpoint);
        QFETCH(std::vector<double>, pose);
        std::optional<SensorPose> expected;
        if (!pose.empty())
            expected = SensorPose{{pose[0], pose[1], pose[2]}, {pose[4], pose[5], pose[6], pose[3]}};
        const Scratch scratch;
        const auto cloud = readScan(
            scratch.file("a.pcd", "VERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 1\n"
                                  "HEIGHT 1\nVIEWPOINT " +
                                      viewpoint.toStdString() + "\nPOINTS 1\nDATA ascii\n1 2 3\n"),
            {}, {});
        QVERIFY(cloud->sensor == expected);
        writeCloud(scratch / "b.pcd", *cloud, {}, {});
        QVERIFY(readScan(scratch / "b.pcd", {}, {})->sensor == expected.value_or(SensorPose{}));
        QVERIFY(cloudLosses("b.pcd", *cloud, {}).empty());
    }
    /// Only PCD stores the pose. A pose at the origin does not need to be stored.
    void lossOfTheSensorIsReported() {
        using Sentences = std::vector<std::string>;
        PointCloud cloud(FloatPositions{hostCopy(std::span<const Vec3f>(std::vector<Vec3f>(1)))}, {}, {});
        for (const char* target : {"a.ply", "a.las", "a.csv", "a.bin"}) {
            cloud.sensor = SensorPose{};
            QCOMPARE(cloudLosses(target, cloud, {}), Sentences{});
            cloud.sensor->position = {0, 0, 1.8};
            QCOMPARE(cloudLosses(target, cloud, {}), Sentences{"the position of the sensor is left out"});
            cloud.sensor = SensorPose{{}, {0, 0, 1, 0}};
            QCOMPARE(cloudLosses(target, cloud, {}),
                     Sentences{"the position and the rotation of the sensor are left out"});
        }
    }
};

SCANLOUPE_TEST(TestReadPcd)
#include "test_read_pcd.moc"
