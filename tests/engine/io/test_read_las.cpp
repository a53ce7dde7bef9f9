// LAS files built by tests: every version and point format, extra bytes, records, and invalid headers.
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "tests/engine/io/las_file.h"

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// The T at byte `place` of a point built by LasFile, as a double.
template <class T>
double numberAt(std::size_t point, std::size_t place) {
    std::byte bytes[sizeof(T)];
    for (std::size_t i = 0; i < sizeof(T); ++i)
        bytes[i] = static_cast<std::byte>(LasFile::byteOf(point, place + i));
    return static_cast<double>(loadLittle<T>(bytes));
}

bool hasValue(const PointCloud& cloud, const char* name, std::size_t point, double expected) {
    const Attribute* attribute = cloud.attribute(name);
    if (!attribute)
        qWarning("no attribute %s", name);
    return attribute && same(attribute->value(point), expected);
}

} // namespace

class TestReadLas : public QObject {
    Q_OBJECT
private slots:
    void everyVersionAndFormat_data() {
        QTest::addColumn<int>("minor");
        QTest::addColumn<int>("format");
        for (int minor = 0; minor <= 4; ++minor)
            for (int format = 0; format <= 10; ++format)
                QTest::addRow("1.%d format %d", minor, format) << minor << format;
    }
    void everyVersionAndFormat() {
        QFETCH(int, minor);
        QFETCH(int, format);
        const Scratch scratch;
        LasFile file(minor, format, 0, 700);
        file.padding = "\xdd\xcc";
        const auto cloud = readScan(scratch.file("a.las", file.content()), {}, {});
        QVERIFY2(cloud->warnings.empty(), cloud->warnings.empty() ? "" : cloud->warnings[0].c_str());
        QCOMPARE(cloud->size(), std::size_t(700));
        const std::size_t i = 613;
        QVERIFY((cloud->position(i) == Vec3d{500000.613, 5400012.26, -153.25}));
        QVERIFY(hasValue(*cloud, "intensity", i, numberAt<std::uint16_t>(i, 12)));
        const auto returns = LasFile::byteOf(i, 14), flags = LasFile::byteOf(i, 15);
        std::size_t at = 0;
        if (format < 6) {
            QVERIFY(hasValue(*cloud, "return_number", i, returns & 7));
            QVERIFY(hasValue(*cloud, "number_of_returns", i, returns >> 3 & 7));
            QVERIFY(hasValue(*cloud, "scan_direction_flag", i, returns >> 6 & 1));
            QVERIFY(hasValue(*cloud, "edge_of_flight_line", i, returns >> 7));
            QVERIFY(hasValue(*cloud, "classification", i, flags & 31));
            QVERIFY(hasValue(*cloud, "withheld", i, flags >> 7));
            QVERIFY(hasValue(*cloud, "scan_angle_rank", i, numberAt<std::int8_t>(i, 16)));
            QVERIFY(hasValue(*cloud, "point_source_id", i, numberAt<std::uint16_t>(i, 18)));
            at = 20;
        } else {
            QVERIFY(hasValue(*cloud, "return_number", i, returns & 15));
            QVERIFY(hasValue(*cloud, "number_of_returns", i, returns >> 4));
            QVERIFY(hasValue(*cloud, "overlap", i, flags >> 3 & 1));
            QVERIFY(hasValue(*cloud, "scanner_channel", i, flags >> 4 & 3));
            QVERIFY(hasValue(*cloud, "edge_of_flight_line", i, flags >> 7));
            QVERIFY(hasValue(*cloud, "classification", i, LasFile::byteOf(i, 16)));
            QVERIFY(hasValue(*cloud, "scan_angle", i, numberAt<std::int16_t>(i, 18)));
            QVERIFY(hasValue(*cloud, "point_source_id", i, numberAt<std::uint16_t>(i, 20)));
            at = 22;
        }
        QVERIFY(hasValue(*cloud, "user_data", i, LasFile::byteOf(i, 17)));
        if (cloud->attribute("time")) {
            QVERIFY(hasValue(*cloud, "time", i, numberAt<double>(i, at)));
            at += 8;
        }
        for (const char* name : {"red", "green", "blue", "near_infrared"}) {
            if (!cloud->attribute(name))
                continue;
            QVERIFY(hasValue(*cloud, name, i, numberAt<std::uint16_t>(i, at)));
            at += 2;
        }
        if (cloud->attribute("wave_packet")) {
            QVERIFY(hasValue(*cloud, "wave_offset", i, numberAt<std::uint64_t>(i, at + 1)));
            QVERIFY(hasValue(*cloud, "wave_dz", i, numberAt<float>(i, at + 25)));
            at += 29;
        }
        QCOMPARE(at, file.recordLength); // every byte of the record was checked
    }

    void extraBytes() {
        const Scratch scratch;
        LasFile file(4, 6, 2 + 4 + 6 + 8 + 3, 50);
        file.addRecord("LASF_Spec", 4,
                       LasFile::extraRecord(4, "height above ground", 0.01, 100) +
                           LasFile::extraRecord(9, "Amplitude") + LasFile::extraRecord(23, "normal") +
                           LasFile::extraRecord(10, "time"));
        const auto cloud = readScan(scratch.file("a.las", file.content()), {}, {});
        const std::size_t i = 33;
        QVERIFY(hasValue(*cloud, "height above ground", i, numberAt<std::int16_t>(i, 30) * 0.01 + 100));
        QVERIFY(hasValue(*cloud, "Amplitude", i, numberAt<float>(i, 32)));
        QVERIFY(cloud->attribute("Amplitude")->type == ScalarType::float32);
        QVERIFY(hasValue(*cloud, "normal_2", i, numberAt<std::uint16_t>(i, 40)));
        // extra bytes with the name of a standard attribute take precedence
        QVERIFY(hasValue(*cloud, "time", i, numberAt<double>(i, 42)));
        QVERIFY(hasValue(*cloud, "las_gps_time", i, numberAt<double>(i, 22)));
        QVERIFY(hasValue(*cloud, "extra_byte_3", i, LasFile::byteOf(i, 52)));
    }
    void extraBytesWithoutData() {
        const Scratch scratch;
        LasFile file(4, 6, 2, 300);
        std::string record = LasFile::extraRecord(3, "depth", 0.5, 0, 1);
        const std::uint16_t missing =
            loadLittle<std::uint16_t>(reinterpret_cast<const std::byte*>(file.point(7).data()) + 30);
        record[40] = static_cast<char>(missing & 255);
        record[41] = static_cast<char>(missing >> 8);
        file.addRecord("LASF_Spec", 4, record);
        const auto cloud = readScan(scratch.file("a.las", file.content()), {}, {});
        QVERIFY(std::isnan(cloud->attribute("depth")->value(7)));
        QVERIFY(hasValue(*cloud, "depth", 8, numberAt<std::uint16_t>(8, 30) * 0.5));
    }
    void descriptionsThatDoNotFit() {
        const Scratch scratch;
        LasFile file(4, 6, 3, 10);
        file.addRecord("LASF_Spec", 4, LasFile::extraRecord(1, "one") + LasFile::extraRecord(10, "eight"));
        const auto cloud = readScan(scratch.file("a.las", file.content()), {}, {});
        QVERIFY(warns(*cloud, "describes more bytes than the points have"));
        QVERIFY(hasValue(*cloud, "one", 4, LasFile::byteOf(4, 30)));
        QVERIFY(!cloud->attribute("eight"));
        QVERIFY(hasValue(*cloud, "extra_byte_2", 4, LasFile::byteOf(4, 32)));
    }

    void coordinateSystems() {
        const Scratch scratch;
        LasFile wkt(4, 6, 0, 3);
        wkt.addRecord("LASF_Projection", 2112, std::string("PROJCS[\"x\"]\0", 12));
        QCOMPARE(readScan(scratch.file("a.las", wkt.content()), {}, {})->coordinateSystem,
                 std::string("PROJCS[\"x\"]"));
        LasFile keys(2, 1, 0, 3);
        std::string directory;
        for (const int word :
             {1, 1, 0, 4, 1024, 0, 1, 1, 3072, 0, 1, 26917, 1026, 34737, 11, 0, 2050, 34736, 1, 9})
            put(directory, static_cast<std::uint16_t>(word));
        keys.addRecord("LASF_Projection", 34735, directory);
        keys.addRecord("LASF_Projection", 34737, "NAD83 / UTM|");
        QCOMPARE(readScan(scratch.file("b.las", keys.content()), {}, {})->coordinateSystem,
                 std::string("model type 1; projected system EPSG 26917; citation NAD83 / UTM"));
    }
    void recordsOfCoordinateSystemsGoThrough_data() {
        QTest::addColumn<int>("minor");
        QTest::addColumn<int>("format");
        QTest::addColumn<bool>("wkt");
        QTest::newRow("GeoTIFF, 1.2") << 2 << 1 << false;
        QTest::newRow("GeoTIFF, 1.4") << 4 << 6 << false;
        QTest::newRow("WKT, 1.4") << 4 << 6 << true;
        QTest::newRow("both, 1.2") << 2 << 3 << true;
    }
    void recordsOfCoordinateSystemsGoThrough() {
        QFETCH(int, minor);
        QFETCH(int, format);
        QFETCH(bool, wkt);
        const Scratch scratch;
        LasFile file(minor, format, 0, 3);
        file.addRecord("somebody", 34735, "else's");
        std::string directory;
        for (const int word : {1, 1, 0, 2, 1024, 0, 1, 1, 2050, 34736, 1, 0})
            put(directory, static_cast<std::uint16_t>(word));
        file.addRecord("LASF_Projection", 34735, directory);
        file.addRecord("LASF_Projection", 34736, std::string("\1\2\3\4\5\6\7\x40", 8));
        if (wkt)
            file.addRecord("LASF_Projection", 2112, std::string("PROJCS[\"x\"]\0", 12));
        const auto cloud = readScan(scratch.file("a.las", file.content()), {}, {});
        const auto target = scratch / "b.las";
        QVERIFY(cloudLosses(target, *cloud, {}).empty());
        writeCloud(target, *cloud, {}, {});
        const auto again = readScan(target, {}, {});
        QCOMPARE(again->coordinateSystem, cloud->coordinateSystem);
        QVERIFY(contentOf(target).find(file.records) != std::string::npos); // all records are unchanged
        const bool saysWkt = contentOf(target)[6] & 1 << 4;
        QVERIFY(!saysWkt); // the flag is not set, as in the source file
        QVERIFY(!cloudLosses(scratch / "b.ply", *cloud, {}).empty());
    }

    void truncatedFilesSayHowManyAreMissing() {
        const Scratch scratch;
        const LasFile file(2, 3, 0, 100);
        const std::string whole = file.content();
        const auto cloud =
            readScan(scratch.file("a.las", whole.substr(0, whole.size() - 34 * 20 - 1)), {}, {});
        QCOMPARE(cloud->size(), std::size_t(79));
        QVERIFY(warns(*cloud, "79 of 100 points were loaded, 21 are missing"));
        QVERIFY(says(errorOf([&] { readScan(scratch.file("b.las", whole.substr(0, 230)), {}, {}); }),
                     "no complete point"));
        QVERIFY(
            says(errorOf([&] { readScan(scratch.file("c.las", whole.substr(0, 100)), {}, {}); }), "too few"));
    }
    void claimsBeyondTheFile() {
        const Scratch scratch;
        LasFile file(4, 6, 0, 5);
        file.claimed = std::uint64_t{1} << 63;
        const auto cloud = readScan(scratch.file("a.las", file.content()), {}, {});
        QCOMPARE(cloud->size(), std::size_t(5));
        QVERIFY(warns(*cloud, "are missing"));
    }
    void countsOfOldAndNew() {
        const Scratch scratch;
        LasFile file(4, 1, 0, 5);
        file.claimed = 0;
        file.legacyClaimed = 5;
        QCOMPARE(readScan(scratch.file("a.las", file.content()), {}, {})->size(), std::size_t(5));
        file.claimed = 5;
        file.legacyClaimed = 4;
        QVERIFY(
            warns(*readScan(scratch.file("b.las", file.content()), {}, {}), "two different point counts"));
    }
    void headersThatCanNotBe() {
        const Scratch scratch;
        const auto error = [&](std::size_t place, char byte) {
            std::string content = LasFile(2, 3, 0, 5).content();
            content[place] = byte;
            return errorOf([&] { readScan(scratch.file("a.las", content), {}, {}); });
        };
        QVERIFY(says(error(24, 2), "LAS version 2.2"));
        QVERIFY(says(error(25, 5), "LAS version 1.5"));
        QVERIFY(says(error(104, 11), "point format 11"));
        // these files may be valid, but are unsupported
        for (const auto& unsupported : {error(25, 5), error(104, 11)})
            QVERIFY(unsupported && unsupported->nextStep().starts_with("Export it as LAS 1.4"));
        QVERIFY(says(error(105, 33), "33 bytes per point"));
        QVERIFY(says(error(96, 17), "inside the header itself"));
        LasFile scale(2, 0, 0, 5);
        scale.scale.x = 0;
        scale.offset.y = std::numeric_limits<double>::quiet_NaN();
        const auto cloud = readScan(scratch.file("b.las", scale.content()), {}, {});
        QVERIFY(warns(*cloud, "scale of x must be a finite number other than 0 (got 0)"));
        QVERIFY(warns(*cloud, "offset of y"));
        LasFile many(2, 0, 0, 5);
        many.recordCount = 4000000000;
        QVERIFY(warns(*readScan(scratch.file("c.las", many.content()), {}, {}), "specifies 4000000000 "));
        LasFile box(2, 0, 0, 5);
        std::string moved = box.content();
        moved[227 + 2 * 20 + 3] = 0x40;
        QVERIFY(warns(*readScan(scratch.file("d.las", moved), {}, {}), "outside the bounding box"));
    }
    void decimalSteps() {
        const std::vector<Vec3i> stored{{84889970, 1, 66518752}};
        const PointCloud cloud(
            ScaledPositions{hostCopy(std::span(stored)), {0.01, 0.3, 1e-6}, {0, 0, 665121}}, {}, {});
        QCOMPARE(cloud.position(0).x, 848899.7); // 84889970 * 0.01 is 848899.7000000001
        QCOMPARE(cloud.position(0).y, 0.3);
        QCOMPARE(cloud.position(0).z, 665187.518752);
        QVERIFY(cloud.bounds().max == cloud.position(0));
    }
};

SCANLOUPE_TEST(TestReadLas)
#include "test_read_las.moc"
