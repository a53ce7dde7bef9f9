// LAZ files: compared with LAS files of the same content, written by our own writer, truncated, and damaged.
// Also what writing LAS preserves.
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/las/laz/arithmetic_encoder.h"
#include "engine/io/las/laz/laz_chunks.h"
#include "engine/io/las/read_las.h"
#include "tests/engine/io/las_file.h"

#include <bit>
#include <chrono>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

const ScaledPositions& scaled(const PointCloud& cloud) {
    return std::get<ScaledPositions>(cloud.positions());
}

/// Compares the stored integers, scale and offset, and all attributes, bit by bit.
QString difference(const PointCloud& a, const PointCloud& b) {
    if (a.size() != b.size())
        return QString("%1 and %2 points").arg(a.size()).arg(b.size());
    if (!(scaled(a).scale == scaled(b).scale) || !(scaled(a).offset == scaled(b).offset))
        return "another scale or offset";
    if (std::memcmp(scaled(a).xyz.data(), scaled(b).xyz.data(), scaled(a).xyz.bytes()) != 0)
        return "other coordinates";
    if (a.attributes().size() != b.attributes().size())
        return "other attributes";
    for (const Attribute& attribute : a.attributes()) {
        const Attribute* other = b.attribute(attribute.name);
        if (!other || other->type != attribute.type ||
            std::memcmp(other->data(), attribute.data(), attribute.values().data.bytes()) != 0)
            return QString::fromStdString(attribute.name);
    }
    return {};
}

/// A LAS file like those of drone scanners: 130,000 points, enough for three chunks of LAZ.
std::string manyPoints(int minor, int format) {
    LasFile file(minor, format, 3, 130000);
    return file.content();
}

} // namespace

class TestLaz : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        if (!haveLaszip())
            QSKIP("this build has no LASzip");
    }
    void twins_data() {
        QTest::addColumn<QString>("las");
        QTest::addColumn<QString>("laz");
        QTest::newRow("chunked") << "las/pdal_autzen_trim.las"
                                 << "las/pdal_autzen_trim.laz";
        QTest::newRow("layered") << "las/laspy_1_4_w_evlr.las"
                                 << "las/laspy_1_4_w_evlr.laz";
        QTest::newRow("one chunk") << "las/pdal_interesting.las"
                                   << "las/pdal_simple.laz";
    }
    void twins() {
        QFETCH(QString, las);
        QFETCH(QString, laz);
        SCANLOUPE_REAL_SCAN(plain, las.toStdString());
        SCANLOUPE_REAL_SCAN(packed, laz.toStdString());
        QCOMPARE(difference(*readScan(plain, {}, {}), *readScan(packed, {}, {})), QString());
    }
    void roundTrips_data() {
        QTest::addColumn<int>("format");
        for (int format = 0; format <= 10; ++format)
            QTest::addRow("format %d", format) << format;
    }
    void roundTrips() {
        QFETCH(int, format);
        const Scratch scratch;
        const auto cloud = readScan(scratch.file("a.las", manyPoints(format < 4   ? 2
                                                                     : format < 6 ? 3
                                                                                  : 4,
                                                                     format)),
                                    {}, {});
        for (const char* ending : {".las", ".laz"}) {
            const auto path = scratch / (std::string("b") + ending);
            double last = 0;
            WriteOptions options;
            options.progress = [&](double part) { last = part; };
            writeCloud(path, *cloud, options, {});
            QCOMPARE(last, 1.0);
            ReadOptions reading;
            double lastRead = 0;
            reading.progress = [&](double part) { lastRead = part; };
            const auto again = readScan(path, reading, {});
            QCOMPARE(lastRead, 1.0);
            QVERIFY2(again->warnings.empty(), again->warnings.empty() ? "" : again->warnings[0].c_str());
            QCOMPARE(difference(*cloud, *again), QString());
            // equal after the prefix "LAS " or "LAZ "
            QCOMPARE(again->format.substr(4), cloud->format.substr(4));
        }
        QVERIFY(std::filesystem::file_size(scratch / "b.laz") <
                std::filesystem::file_size(scratch / "b.las") / 2);
    }
    void realFilesSurviveRoundTrips_data() {
        QTest::addColumn<QString>("file");
        for (const char* file :
             {"las/laspy_fullwave.laz", "las/lazrs_extra-bytes.laz", "las/pdal_epsg_4326.las",
              "las/laspy_simple1_3.las", "las/laszip_5points_14.las", "las/pyntcloud_has_offsets.las",
              "las/laspy_simple_with_page.copc.laz", "las/lazrs_point-version-1-point-wise.laz",
              "las/laspy_1_4_w_evlr.las", "las/pdal_gps-time-nan.las"})
            QTest::newRow(file) << file;
    }
    void realFilesSurviveRoundTrips() {
        QFETCH(QString, file);
        SCANLOUPE_REAL_SCAN(path, file.toStdString());
        const Scratch scratch;
        const auto cloud = readScan(path, {}, {});
        for (const char* ending : {".las", ".laz"}) {
            writeCloud(scratch / (std::string("a") + ending), *cloud, {}, {});
            const auto again = readScan(scratch / (std::string("a") + ending), {}, {});
            QCOMPARE(difference(*cloud, *again), QString());
            if (cloud->coordinateSystem.find('[') != std::string::npos)
                QCOMPARE(again->coordinateSystem, cloud->coordinateSystem);
        }
    }
    void emptyClouds() {
        const Scratch scratch;
        writeCloud(scratch / "a.laz", PointCloud(FloatPositions{}, {}, {}), {}, {});
        QCOMPARE(readScan(scratch / "a.laz", {}, {})->size(), std::size_t(0));
    }

    void tablesOfChunks() {
        auto random = seededRandom("tablesOfChunks");
        for (const std::size_t size : {1, 2, 3, 100, 5000}) {
            std::vector<LazChunkEntry> entries(size);
            for (LazChunkEntry& entry : entries) // random sizes of every magnitude, and runs of similar sizes
                entry.bytes =
                    random() % 3 == 0 ? 400000 : static_cast<std::uint32_t>(random()) >> random() % 32;
            const std::string packed = encodeLazChunkTable(entries);
            const auto* bytes = reinterpret_cast<const std::byte*>(packed.data());
            QCOMPARE(loadLittle<std::uint32_t>(bytes + 4), std::uint32_t(size));
            const auto again = decodeLazChunkTable({bytes + 8, packed.size() - 8}, size, false);
            QCOMPARE(again.size(), size);
            for (std::size_t i = 0; i < size; ++i)
                QCOMPARE(again[i].bytes, entries[i].bytes);
            QVERIFY(decodeLazChunkTable({bytes + 8, (packed.size() - 8) / 2}, 2 * size + 50, false).empty());
        }
    }
    void cutOff_data() {
        QTest::addColumn<int>("format");
        QTest::newRow("chunked") << 3;
        QTest::newRow("layered") << 7;
    }
    void cutOff() {
        QFETCH(int, format);
        const Scratch scratch;
        const auto cloud = readScan(scratch.file("a.las", manyPoints(4, format)), {}, {});
        writeCloud(scratch / "a.laz", *cloud, {}, {});
        const std::string whole = contentOf(scratch / "a.laz");
        const auto read = [&](std::size_t bytes) {
            return readScan(scratch.file("b.laz", whole.substr(0, bytes)), {}, {});
        };
        const auto noTable = read(whole.size() - 10);
        QVERIFY(warns(*noTable, "chunk table of the file is missing"));
        QCOMPARE(difference(*cloud, *noTable), QString());
        const auto part = read(whole.size() * 6 / 10);
        QVERIFY(warns(*part, "are missing"));
        QVERIFY(part->size() >= 50000 && part->size() < 100000);
        QVERIFY(std::memcmp(scaled(*part).xyz.data(), scaled(*cloud).xyz.data(), scaled(*part).xyz.bytes()) ==
                0);
        const auto points = loadLittle<std::uint32_t>(reinterpret_cast<const std::byte*>(whole.data()) + 96);
        QVERIFY(says(errorOf([&] { read(points + 30); }), "no complete point"));
    }
    void damagedChunkLeavesTheOthers() {
        const Scratch scratch;
        const auto cloud = readScan(scratch.file("a.las", manyPoints(4, 6)), {}, {});
        writeCloud(scratch / "a.laz", *cloud, {}, {});
        std::string content = contentOf(scratch / "a.laz");
        // a chunk starts with its first point, by which it is located; the sizes of its layers follow
        const std::string first = LasFile(4, 6, 3, 0).point(50000);
        const std::size_t place = content.find(first.substr(0, 12), 400);
        QVERIFY(place != std::string::npos);
        content.replace(place + first.size() + 4, 4, "\xff\xff\xff\x7f");
        const auto again = readScan(scratch.file("b.laz", content), {}, {});
        QVERIFY(warns(*again, "1 of 3 chunks"));
        QVERIFY(warns(*again, "50000 are missing"));
        QCOMPARE(again->size(), std::size_t(80000));
        QVERIFY((again->position(50000) == cloud->position(100000)));
        QVERIFY(again->attributes()[0].value(79999) == cloud->attributes()[0].value(129999));
    }
    void streamsThatNoCoderWrites_data() {
        QTest::addColumn<int>("format");
        QTest::addColumn<bool>("withTable");
        QTest::newRow("chunked") << 1 << true;
        QTest::newRow("chunked, no table") << 1 << false;
        QTest::newRow("layered") << 7 << true;
    }
    void streamsThatNoCoderWrites() {
        // LASzip would read beyond its models and crash if a stream began with these bytes
        QFETCH(int, format);
        QFETCH(bool, withTable);
        const Scratch scratch;
        const int minor = format < 6 ? 2 : 4;
        const auto cloud = readScan(scratch.file("a.las", manyPoints(minor, format)), {}, {});
        writeCloud(scratch / "a.laz", *cloud, {}, {});
        std::string content = contentOf(scratch / "a.laz");
        const std::string first = LasFile(minor, format, 3, 0).point(50000);
        const std::size_t place = content.find(first.substr(0, 12), 400);
        QVERIFY(place != std::string::npos);
        // bytes for the sizes of the layers: nine of a point's values, one of its colours, three of its extra
        // bytes
        const std::size_t sizes = format < 6 ? 0 : 4 + 4 * (9 + 1 + 3);
        content.replace(place + first.size() + sizes, 4, "\xff\xff\xff\xff");
        if (!withTable)
            content.resize(content.size() - 10);
        const auto again = readScan(scratch.file("b.laz", content), {}, {});
        QVERIFY(warns(*again, withTable ? "1 of 3 chunks" : "1 of 1 chunks"));
        QCOMPARE(again->size(), std::size_t(withTable ? 80000 : 50000));
        QVERIFY((again->position(49999) == cloud->position(49999)));
    }
    void timesThatChangeTheirSequenceWithoutEnd() {
        // LASzip recurses whenever the time sequence changes: up to 30,000 times for each byte of damaged
        // data
        const Scratch scratch;
        LasFile file(2, 1, 0, 2);
        writeCloud(scratch / "a.laz", *readScan(scratch.file("a.las", file.content()), {}, {}), {}, {});
        std::string content = contentOf(scratch / "a.laz");
        const auto number = [&]<class T>(T, std::size_t place) {
            return loadLittle<T>(reinterpret_cast<const std::byte*>(content.data()) + place);
        };
        const auto points = number(std::uint32_t{}, 96);
        const auto table = static_cast<std::size_t>(number(std::uint64_t{}, points));
        detail::ArithmeticEncoder encoder;
        detail::SymbolModel changes(64),
            sizes[3] = {detail::SymbolModel(33), detail::SymbolModel(33), detail::SymbolModel(33)};
        detail::BitModel steps[3];
        encoder.symbol(changes, 0);
        for (int axis = 0; axis < 3; ++axis) {
            encoder.symbol(sizes[axis], 0);
            encoder.bit(steps[axis], false);
        }
        detail::SymbolModel sequences(6);
        for (int i = 0; i < 2000000; ++i)
            encoder.symbol(sequences, 5);
        content.replace(points + 8 + 28, table - points - 8 - 28, encoder.finish());
        const auto cloud = readScan(scratch.file("b.laz", content), {}, {});
        QCOMPARE(cloud->size(), std::size_t{1});
        QVERIFY(warns(*cloud, "1 of 1 chunks are damaged"));
    }
    /// LASzip interprets a chunk size of 0 as "not set": the chunk table then has the number of points of
    /// each chunk.
    void chunkSizeZeroIsNotSet_data() {
        QTest::addColumn<int>("format");
        QTest::newRow("chunked") << 1;
        QTest::newRow("layered") << 7;
    }
    void chunkSizeZeroIsNotSet() {
        QFETCH(int, format);
        const Scratch scratch;
        constexpr std::uint32_t points = 10;
        writeCloud(scratch / "a.laz",
                   *readScan(scratch.file("a.las", LasFile(format < 6 ? 2 : 4, format, 0, points).content()),
                             {}, {}),
                   {}, {});
        std::string content = contentOf(scratch / "a.laz");
        auto* bytes = reinterpret_cast<std::byte*>(content.data());
        const std::size_t first = loadLittle<std::uint32_t>(bytes + 96) + 8;
        const auto table = static_cast<std::size_t>(loadLittle<std::uint64_t>(bytes + first - 8));
        storeLittle(bytes + content.find("laszip encoded") + 52 + 12, std::uint32_t{0});
        detail::ArithmeticEncoder encoder;
        detail::DifferenceModels models;
        // after the LAZ specification 1.4, section 6: "Chunk table"
        const auto put = [&](int context, std::size_t value) {
            const auto place = static_cast<std::uint32_t>(value - 1);
            const int size = std::bit_width(place), low = std::max(0, size - detail::kHighBits);
            encoder.symbol(models.classes[context], std::uint32_t(size));
            encoder.symbol(models.high[std::size_t(size - 1)], place >> low);
            if (low > 0)
                encoder.bits(low, place & ((1u << low) - 1));
        };
        put(0, points);
        put(1, table - first);
        content = content.substr(0, table + 8) + encoder.finish();
        const auto whole = readScan(scratch / "a.laz", {}, {}),
                   again = readScan(scratch.file("b.laz", content), {}, {});
        QCOMPARE(difference(*whole, *again), QString());
        QCOMPARE(again->warnings, whole->warnings);
    }
    void wordsAboutPackingThatCanNotBe() {
        const Scratch scratch;
        writeCloud(scratch / "a.laz",
                   *readScan(scratch.file("a.las", LasFile(2, 1, 0, 10).content()), {}, {}), {}, {});
        const std::string whole = contentOf(scratch / "a.laz");
        const std::size_t record = whole.find("laszip encoded") + 52;
        const auto error = [&](std::size_t place, char byte) {
            std::string content = whole;
            content[place] = byte;
            return errorOf([&] { readScan(scratch.file("b.laz", content), {}, {}); });
        };
        QVERIFY(says(error(record, 9), "compressor 9 with coder"));
        QVERIFY(says(error(record, 3), "compressor 3, which does not match point format 1"));
        QVERIFY(says(error(record + 32, 3), "has 3 items"));
        QVERIFY(says(error(record + 34, 14), "item of type 14"));
        QVERIFY(says(error(record + 38, 7), "version 7, which does not match"));
        QVERIFY(says(error(record - 52, 'L'), "is missing"));
    }
    void absurdClaimsTakeNoMemory() {
        const Scratch scratch;
        LasFile file(4, 6, 0, 100);
        writeCloud(scratch / "a.laz", *readScan(scratch.file("a.las", file.content()), {}, {}), {}, {});
        std::string content = contentOf(scratch / "a.laz");
        const std::size_t record = content.find("laszip encoded") + 52;
        const std::uint64_t claimed = std::uint64_t{1} << 62;
        content.replace(247, 8, reinterpret_cast<const char*>(&claimed), 8);
        content.replace(record + 12, 4, "\xfe\xff\xff\xff"); // points per chunk
        const auto cloud = readScan(scratch.file("b.laz", content), {}, {});
        QVERIFY(cloud->size() >= 100 && cloud->size() < 1000000);
        QVERIFY(warns(*cloud, "are missing"));
    }
    void cancelledSoon() {
        const Scratch scratch;
        const auto cloud = readScan(scratch.file("a.las", manyPoints(4, 7)), {}, {});
        writeCloud(scratch / "a.laz", *cloud, {}, {});
        std::stop_source source;
        ReadOptions options;
        std::chrono::steady_clock::time_point asked;
        options.progress = [&](double part) {
            if (part > 0.05 && !source.stop_requested()) {
                asked = std::chrono::steady_clock::now();
                source.request_stop();
            }
        };
        QVERIFY_EXCEPTION_THROWN(readScan(scratch / "a.laz", options, source.get_token()), Cancelled);
        const auto waited = std::chrono::steady_clock::now() - asked;
        // three times the limit, because other tests run at the same time
        QVERIFY(waited < std::chrono::milliseconds(100 * 3));
    }
    void writingIsCancelledSoon() {
        const Scratch scratch;
        const auto cloud = readScan(scratch.file("a.las", manyPoints(4, 7)), {}, {});
        std::stop_source source;
        WriteOptions options;
        options.progress = [&](double) { source.request_stop(); };
        QVERIFY_EXCEPTION_THROWN(writeCloud(scratch / "a.laz", *cloud, options, source.get_token()),
                                 Cancelled);
        QVERIFY(!std::filesystem::exists(scratch / "a.laz"));
    }
    void cloudsOfOtherFormats() {
        const Scratch scratch;
        std::vector<Vec3f> xyz;
        std::vector<float> intensity, curvature;
        std::vector<std::uint8_t> red;
        for (int i = 0; i < 1000; ++i) {
            const float nan = std::numeric_limits<float>::quiet_NaN();
            xyz.push_back(i % 100 == 3 ? Vec3f{nan, 1, 2}
                                       : Vec3f{float(i) * 0.137f, float(-i) / 3, 1e-3f * float(i)});
            intensity.push_back(float(i) / 1000);
            curvature.push_back(-float(i));
            red.push_back(std::uint8_t(i));
        }
        std::vector<Attribute> attributes;
        attributes.push_back(makeAttribute("intensity", ScalarType::float32, intensity));
        attributes.push_back(makeAttribute("curvature", ScalarType::float32, curvature));
        for (const char* name : {"red", "green", "blue", "alpha"})
            attributes.push_back(makeAttribute(name, ScalarType::uint8, red));
        const PointCloud cloud(FloatPositions{hostCopy(std::span(xyz))}, std::move(attributes), {});
        for (const char* ending : {".las", ".laz"}) {
            const auto path = scratch / (std::string("a") + ending);
            writeCloud(path, cloud, {}, {});
            const auto again = readScan(path, {}, {});
            // points without coordinates are dropped, because LAS can't store them
            QCOMPARE(again->size(), std::size_t(990));
            std::size_t row = 0;
            for (std::size_t i = 0; i < cloud.size(); ++i) {
                if (!isFinite(cloud.position(i)))
                    continue;
                const Vec3d off = again->position(row) - cloud.position(i), step = scaled(*again).scale;
                for (int axis = 0; axis < 3; ++axis)
                    QVERIFY(step[axis] <= 1e-4 && std::abs(off[axis]) <= 0.5001 * step[axis]);
                for (const char* name : {"red", "green", "blue"})
                    QCOMPARE(again->attribute(name)->value(row), 257 * cloud.attribute(name)->value(i));
                for (const char* name : {"curvature", "alpha"})
                    QCOMPARE(again->attribute(name)->value(row), cloud.attribute(name)->value(i));
                const double value = cloud.attribute("intensity")->value(i);
                QCOMPARE(again->attribute("intensity")->value(row), std::round(65535 * value));
                QCOMPARE(again->attribute("intensity_exact")->value(row), value);
                ++row;
            }
        }
    }
    void millimetresAtUtmOffsets() {
        const Scratch scratch;
        std::vector<Vec3d> xyz;
        for (int i = 0; i < 5000; ++i)
            xyz.push_back({(512700123 + i * 7) / 1e3, (5403700456 - i * 13) / 1e3, (300000 + i) / 1e3});
        const PointCloud cloud(DoublePositions{hostCopy(std::span(xyz)), -1}, {}, {});
        for (const char* ending : {".las", ".laz", ".ply", ".pcd", ".csv", ".xyz"}) {
            const auto path = scratch / (std::string("a") + ending);
            writeCloud(path, cloud, {}, {});
            const auto again = readScan(path, {}, {});
            for (std::size_t i = 0; i < cloud.size(); ++i)
                QVERIFY((again->position(i) == cloud.position(i)));
        }
    }
};

SCANLOUPE_TEST(TestLaz)
#include "test_laz.moc"
