// Extra bytes of LAS files as attributes, and attributes of other formats in LAS.
#include "engine/cloud/reference/system_text.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/text/utf8.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/las/las_frame.h"
#include "tests/engine/io/las_file.h"

#include <cmath>
#include <numeric>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// Reads a T at byte `place` of a point built by LasFile.
template <class T>
T numberAt(std::size_t point, std::size_t place) {
    std::byte bytes[sizeof(T)];
    for (std::size_t i = 0; i < sizeof(T); ++i)
        bytes[i] = static_cast<std::byte>(LasFile::byteOf(point, place + i));
    return loadLittle<T>(bytes);
}

bool hasValue(const PointCloud& cloud, const char* name, std::size_t point, double expected) {
    const Attribute* attribute = cloud.attribute(name);
    if (!attribute)
        qWarning("no attribute %s", name);
    return attribute && same(attribute->value(point), expected);
}

/// A record that describes extra bytes, with `missing` as the stored number for a missing value.
template <class T>
std::string withMissing(std::string record, T missing) {
    record[3] = static_cast<char>(record[3] | 1);
    storeLittle(reinterpret_cast<std::byte*>(record.data()) + 40, missing);
    return record;
}

template <class T>
PointCloud cloudWith(const std::vector<std::pair<std::string, std::vector<T>>>& columns, ScalarType type,
                     std::optional<ValueRange> declared = {}) {
    std::vector<Attribute> attributes;
    for (const auto& [name, values] : columns) {
        attributes.push_back(makeAttribute(name, type, values));
        attributes.back().declared = declared;
    }
    const std::vector<Vec3f> xyz(columns.front().second.size());
    return PointCloud(FloatPositions{hostCopy(std::span(xyz))}, std::move(attributes), {});
}

bool loses(const std::vector<std::string>& losses, const char* words) {
    return std::any_of(losses.begin(), losses.end(),
                       [&](const std::string& one) { return one.find(words) != std::string::npos; });
}

} // namespace

class TestLasAttributes : public QObject {
    Q_OBJECT
private slots:
    void standardFieldsKeepTheirNames() {
        const Scratch scratch;
        LasFile file(2, 3, 4 + 8 + 2, 40);
        file.addRecord("LASF_Spec", 4,
                       LasFile::extraRecord(5, "Intensity") + LasFile::extraRecord(7, "Time") +
                           LasFile::extraRecord(4, "Reflectance"));
        const auto cloud = readScan(scratch.file("a.las", file.content()), {}, {});
        const std::size_t i = 31;
        QVERIFY(hasValue(*cloud, "intensity", i, numberAt<std::uint16_t>(i, 12)));
        QVERIFY(hasValue(*cloud, "time", i, numberAt<double>(i, 20)));
        QVERIFY(hasValue(*cloud, "Intensity", i, numberAt<std::uint32_t>(i, 34)));
        QVERIFY(hasValue(*cloud, "Time", i, double(numberAt<std::uint64_t>(i, 38))));
        QVERIFY(hasValue(*cloud, "Reflectance", i, numberAt<std::int16_t>(i, 46)));
        for (const Attribute& attribute : cloud->attributes())
            QVERIFY2(!attribute.name.starts_with("las_"), attribute.name.c_str());
    }
    void synonymsAreFollowedWhereTheFormatHasNoSuchField() {
        const Scratch scratch;
        LasFile file(2, 0, 8 + 4, 5);
        file.addRecord("LASF_Spec", 4,
                       LasFile::extraRecord(10, "gps time") + LasFile::extraRecord(9, "NormalX"));
        const auto cloud = readScan(scratch.file("a.las", file.content()), {}, {});
        QVERIFY(hasValue(*cloud, "time", 3, numberAt<double>(3, 20)));
        QVERIFY(cloud->attribute("normal_x"));
    }
    void missingValuesWithoutScale() {
        const Scratch scratch;
        LasFile file(4, 6, 2 + 4 + 8, 200);
        file.addRecord(
            "LASF_Spec", 4,
            withMissing(LasFile::extraRecord(4, "depth"), std::int64_t(numberAt<std::int16_t>(7, 30))) +
                withMissing(LasFile::extraRecord(9, "height"), double(numberAt<float>(9, 32))) +
                withMissing(LasFile::extraRecord(8, "stamp"), numberAt<std::int64_t>(11, 36)));
        const auto cloud = readScan(scratch.file("a.las", file.content()), {}, {});
        QVERIFY(std::isnan(cloud->attribute("depth")->value(7)));
        QVERIFY(hasValue(*cloud, "depth", 8, numberAt<std::int16_t>(8, 30)));
        QVERIFY(std::isnan(cloud->attribute("height")->value(9)));
        QVERIFY(hasValue(*cloud, "height", 10, double(numberAt<float>(10, 32))));
        QVERIFY(std::isnan(cloud->attribute("stamp")->value(11)));
        QVERIFY(cloud->attribute("depth")->notFinite() == 1);
    }
    /// Vector types, which later versions of LAS 1.4 deprecate, have a scale, an offset and a missing value
    /// for each component.
    void vectorsHaveThreeScales() {
        const Scratch scratch;
        LasFile file(4, 6, 6, 30);
        std::string record = LasFile::extraRecord(24, "flow", 0.5, 100);
        for (std::size_t c = 0; c < 3; ++c) {
            auto* const bytes = reinterpret_cast<std::byte*>(record.data());
            storeLittle(bytes + 40 + 8 * c, std::int64_t(numberAt<std::int16_t>(5 + c, 30 + 2 * c)));
            storeLittle(bytes + 112 + 8 * c, 0.5 * double(c + 1));
            storeLittle(bytes + 136 + 8 * c, 100.0 * double(c + 1));
        }
        record[3] = static_cast<char>(record[3] | 1);
        file.addRecord("LASF_Spec", 4, record);
        const auto cloud = readScan(scratch.file("a.las", file.content()), {}, {});
        for (std::size_t c = 0; c < 3; ++c) {
            const std::string name = "flow_" + std::to_string(c);
            QVERIFY(hasValue(*cloud, name.c_str(), 9,
                             numberAt<std::int16_t>(9, 30 + 2 * c) * 0.5 * double(c + 1) +
                                 100.0 * double(c + 1)));
            QVERIFY(std::isnan(cloud->attribute(name)->value(5 + c)));
        }
    }
    void undocumentedBytesAreShown() {
        const Scratch scratch;
        LasFile file(2, 0, 3 + 1 + 2, 30);
        file.addRecord("LASF_Spec", 4,
                       LasFile::extraRecord(0, "Reserved", 1, 0, 3) +
                           LasFile::extraRecord(0, "flag", 1, 0, 1) + LasFile::extraRecord(3, "after"));
        const auto cloud = readScan(scratch.file("a.las", file.content()), {}, {});
        const std::size_t i = 23;
        for (std::size_t c = 0; c < 3; ++c)
            QVERIFY(
                hasValue(*cloud, ("Reserved_" + std::to_string(c)).c_str(), i, LasFile::byteOf(i, 20 + c)));
        QVERIFY(hasValue(*cloud, "flag", i, LasFile::byteOf(i, 23)));
        QVERIFY(hasValue(*cloud, "after", i, numberAt<std::uint16_t>(i, 24)));
    }
    void severalRecordsDescribeOneBehindTheOther() {
        const Scratch scratch;
        LasFile file(4, 6, 1 + 2 + 4, 30);
        file.addRecord("LASF_Spec", 4, LasFile::extraRecord(1, "one") + LasFile::extraRecord(3, "two"));
        file.addRecord("somebody", 4, "else's");
        file.addRecord("LASF_Spec", 4, LasFile::extraRecord(5, "three"));
        const auto cloud = readScan(scratch.file("a.las", file.content()), {}, {});
        QVERIFY(hasValue(*cloud, "one", 9, LasFile::byteOf(9, 30)));
        QVERIFY(hasValue(*cloud, "two", 9, numberAt<std::uint16_t>(9, 31)));
        QVERIFY(hasValue(*cloud, "three", 9, numberAt<std::uint32_t>(9, 33)));
        QVERIFY(!cloud->attribute("extra_byte_1"));
    }
    void thousandsOfValuesAreKeptButNotShown() {
        const Scratch scratch;
        LasFile file(2, 0, 5000 + 2, 3);
        std::string descriptions = LasFile::extraRecord(0, "unknown");
        descriptions[3] = 2; // number of undescribed bytes
        for (int i = 0; i < 5000; ++i) {
            descriptions += LasFile::extraRecord(1, "value" + std::to_string(i));
            if (descriptions.size() > 65000 || i == 4999) {
                file.addRecord("LASF_Spec", 4, descriptions);
                descriptions.clear();
            }
        }
        const auto cloud = readScan(scratch.file("a.las", file.content()), {}, {});
        QVERIFY(hasValue(*cloud, "unknown_1", 2, LasFile::byteOf(2, 21)));
        QVERIFY(hasValue(*cloud, "value4095", 2, LasFile::byteOf(2, 22 + 4095)));
        QVERIFY(!cloud->attribute("value4096"));
        QVERIFY(warns(*cloud, "The values from 'value4096' on (904 bytes) are not shown"));
        QVERIFY(cloudLosses(scratch / "b.las", *cloud, {}).empty());
        writeCloud(scratch / "b.las", *cloud, {}, {});
        const std::string again = contentOf(scratch / "b.las");
        for (std::size_t i = 0; i < 3; ++i) // all bytes of the points are preserved, including those that are
                                            // not shown
            QVERIFY(again.substr(227 + file.records.size() + i * 5022, 5022) == file.point(i));
    }
    void controlCharactersOfRecordsAreNotPrinted() {
        const Scratch scratch;
        LasFile file(2, 0, 0, 3);
        file.addRecord("a\x1b[31mb\x7f\rc", 7, "content");
        file.addRecord("d\xc2\x9b"
                       "e\xff",
                       8, "content");
        const auto cloud = readScan(scratch.file("a.las", file.content()), {}, {});
        const auto losses = cloudLosses(scratch / "a.ply", *cloud, {});
        QVERIFY(loses(losses, "record a [31mb  c 7"));
        QVERIFY(loses(losses, "record d\xc3\x82 e\xc3\xbf 8")); // the record's name is invalid as UTF-8
        QCOMPARE(printableText("x\xc2\x9by\xc3\xa4"), std::string("x y\xc3\xa4"));
    }
    void descriptionsAreKept() {
        const Scratch scratch;
        LasFile file(4, 6, 4, 30);
        std::string record = LasFile::extraRecord(9, "Amplitude");
        record.replace(160, 22, "Echo signal amplitude ");
        file.addRecord("LASF_Spec", 4, record);
        const auto cloud = readScan(scratch.file("a.las", file.content()), {}, {});
        QCOMPARE(cloud->attribute("Amplitude")->description, std::string("Echo signal amplitude"));
    }

    void intensitiesAreStretched_data() {
        QTest::addColumn<QList<float>>("values");
        QTest::addColumn<QList<int>>("stored");
        QTest::newRow("0 to 1, as KITTI and PTX")
            << QList<float>{0, 0.25f, 0.99f, 1} << QList{0, 16384, 64880, 65535};
        QTest::newRow("0 to 255") << QList<float>{0, 0.5f, 255} << QList{0, 129, 65535};
        QTest::newRow("signed, as PTS") << QList<float>{-2048, 0, 2047} << QList{0, 32776, 65535};
        QTest::newRow("decibels") << QList<float>{-30, -15, -3.5f} << QList{0, 32768, 57889};
        QTest::newRow("beyond 16 bits") << QList<float>{0, 131070, 65535} << QList{0, 65535, 32768};
        QTest::newRow("no number") << QList<float>{0.5f, std::numeric_limits<float>::quiet_NaN()}
                                   << QList{32768, 0};
    }
    void intensitiesAreStretched() {
        QFETCH(QList<float>, values);
        QFETCH(QList<int>, stored);
        const Scratch scratch;
        const auto cloud =
            cloudWith<float>({{"intensity", {values.begin(), values.end()}}}, ScalarType::float32);
        QVERIFY(loses(cloudLosses(scratch / "a.las", cloud, {}), "stored as 'intensity_exact'"));
        writeCloud(scratch / "a.las", cloud, {}, {});
        const auto again = readScan(scratch / "a.las", {}, {});
        QVERIFY(again->attribute("intensity")->type == ScalarType::uint16);
        for (std::size_t i = 0; i < cloud.size(); ++i) {
            QCOMPARE(again->attribute("intensity")->value(i), double(stored[qsizetype(i)]));
            QVERIFY(hasValue(*again, "intensity_exact", i, double(values[qsizetype(i)])));
        }
    }
    /// Scales are those that other programs use. Losses are reported for each axis.
    void coordinatesGetUsualScales() {
        auto random = seededRandom("coordinatesGetUsualScales");
        const auto noise = [&](double reach) { return reach * (double(random()) * 0x1p-63 - 1); };
        const auto frameOf = [&](const std::function<Vec3d()>& place, const char* system = "") {
            std::vector<Vec3d> places;
            for (int i = 0; i < 500; ++i)
                places.push_back(place());
            PointCloud cloud(DoublePositions{hostCopy(std::span<const Vec3d>(places)), -1}, {}, {});
            cloud.coordinateSystem = system;
            return std::pair{detail::chooseLasFrame(cloud, {}), cloudLosses("a.las", cloud, {})};
        };
        const auto steps = [&](double size, int range) {
            return size * (double(random() % 20001) - 10000) * range;
        };
        const auto [mixed, lost] = frameOf([&] {
            return Vec3d{noise(200), std::round(noise(20000)) / 100, steps(0x1p-20, 1001)};
        });
        QCOMPARE(mixed.scale, (Vec3d{1e-4, 0.01, 0x1p-20}));
        QVERIFY(!mixed.exact);
        QVERIFY(loses(lost, "rounded to multiples of 0.0001, 0.01 and 9.5e-07"));
        const auto [fine, none] = frameOf([&] { return Vec3d{steps(0x1p-20, 1001), steps(0x1p-20, 3), 1}; });
        QVERIFY(fine.exact && none.empty());
        QCOMPARE(fine.scale, (Vec3d{0x1p-20, 0x1p-20, 1}));
        const auto [large, rounded] = frameOf([&] { return Vec3d{noise(1e6), noise(0.05), 0}; });
        // millimetres for large coordinates, 1e-8 for a small part, 1 for a constant
        QCOMPARE(large.scale, (Vec3d{1e-3, 1e-8, 1}));
        const auto [degrees, told] = frameOf(
            [&] {
                return Vec3d{noise(0.5), noise(0.5), noise(50)};
            },
            R"(GEOGCS["WGS 84",DATUM["x",SPHEROID["y",6378137,298.257223563]],UNIT["degree",0.0174532925199433]])");
        if (haveProj())
            QCOMPARE(degrees.scale, (Vec3d{1e-9, 1e-9, 1e-5}));
    }
    /// LAS 1.4 R15, tables 7 and 16: return numbers start at 1.
    void pointsWithoutReturnNumberAreTheFirstReturn() {
        const Scratch scratch;
        using Columns = std::vector<std::pair<std::string, std::vector<std::uint8_t>>>;
        const auto written = [&](const Columns& columns) {
            writeCloud(scratch / "a.las", cloudWith(columns, ScalarType::uint8), {}, {});
            return contentOf(scratch / "a.las");
        };
        const auto number = [](const std::string& content, std::size_t place) {
            return loadLittle<std::uint32_t>(reinterpret_cast<const std::byte*>(content.data()) + place);
        };
        const auto returnsOf = [&](const std::string& content, std::size_t point) {
            const std::size_t length = std::size_t(content[105] & 255);
            return int(content[number(content, 96) + point * length + 14] & 255);
        };
        const std::string recent = written({{"user_data", {5, 6, 7}}});
        QCOMPARE(int(recent[104]), 6);
        QCOMPARE(number(recent, 255), 3u); // points with return number 1, counted in the header
        const std::string old = written({{"scan_angle_rank", {5, 6, 7}}});
        QCOMPARE(int(old[104]), 0);
        QCOMPARE(number(old, 111), 3u);
        for (std::size_t i = 0; i < 3; ++i) {
            QCOMPARE(returnsOf(recent, i), 0x11);
            QCOMPARE(returnsOf(old, i), 1 | 1 << 3);
        }
        // return numbers of the scan are kept, including 0
        QCOMPARE(returnsOf(written({{"return_number", {0, 2}}}), 1), 2);
        QCOMPARE(returnsOf(written({{"return_number", {0, 2}}}), 0), 0);
        QCOMPARE(returnsOf(written({{"number_of_returns", {3, 2}}}), 0), 0x31);
    }
    void wholeIntensitiesAreStoredAsTheyAre() {
        const Scratch scratch;
        const auto cloud = cloudWith<float>({{"intensity", {0, 17, 255}}}, ScalarType::float32);
        QVERIFY(cloudLosses(scratch / "a.las", cloud, {}).empty());
        writeCloud(scratch / "a.las", cloud, {}, {});
        const auto again = readScan(scratch / "a.las", {}, {});
        QVERIFY(hasValue(*again, "intensity", 1, 17) && !again->attribute("intensity_exact"));
    }
    void coloursGetSixteenBits() {
        const Scratch scratch;
        const auto stored = [&](const PointCloud& cloud, bool exact) {
            if (cloudLosses(scratch / "a.las", cloud, {}).empty() != exact)
                return std::vector{-1.0};
            writeCloud(scratch / "a.las", cloud, {}, {});
            const auto again = readScan(scratch / "a.las", {}, {});
            std::vector<double> all;
            for (std::size_t i = 0; i < again->size(); ++i)
                all.push_back(again->attribute("red")->value(i));
            return again->attribute("green") && again->attribute("blue") ? all : std::vector{-2.0};
        };
        const auto colours = []<class T>(std::vector<T> values) {
            return std::vector<std::pair<std::string, std::vector<T>>>{
                {"red", values}, {"green", values}, {"blue", values}};
        };
        using Numbers = std::vector<double>;
        QVERIFY(stored(cloudWith(colours(std::vector<std::uint8_t>{0, 1, 128, 255}), ScalarType::uint8),
                       true) == (Numbers{0, 257, 32896, 65535}));
        QVERIFY(stored(cloudWith(colours(std::vector<float>{0, 0.2f, 1}), ScalarType::float32), true) ==
                (Numbers{0, 13107, 65535}));
        QVERIFY(stored(cloudWith(colours(std::vector<std::uint16_t>{0, 511, 1023}), ScalarType::uint16,
                                 ValueRange{0, 1023}),
                       true) == (Numbers{0, 32735, 65535}));
        QVERIFY(stored(cloudWith(colours(std::vector<std::uint16_t>{0, 511, 65535}), ScalarType::uint16),
                       true) == (Numbers{0, 511, 65535}));
        // 0.3333 * 65535 is not an integer, so that the rounding is reported as a loss
        QVERIFY(stored(cloudWith(colours(std::vector<float>{0, 0.3333f, 1}), ScalarType::float32), false) ==
                (Numbers{0, 21843, 65535}));
    }
    void namesOfExtraValues() {
        const Scratch scratch;
        const std::string alike(40, 'q');
        const std::vector<double> values{0.5, 1e9};
        const auto cloud = cloudWith<double>({{"classification", values},
                                              {"nir", values},
                                              {"X", values},
                                              {alike + "1", values},
                                              {alike + "2", values},
                                              {"Ring", values}},
                                             ScalarType::float64);
        QVERIFY(loses(cloudLosses(scratch / "a.las", cloud, {}), "'classification_exact'"));
        writeCloud(scratch / "a.las", cloud, {}, {});
        const auto again = readScan(scratch / "a.las", {}, {});
        for (const std::string& name :
             {std::string("classification_exact"), std::string("nir_exact"), std::string("X_exact"),
              std::string(32, 'q'), std::string(30, 'q') + "_2", std::string("ring")})
            QVERIFY2(hasValue(*again, name.c_str(), 1, 1e9), name.c_str());
        QVERIFY(hasValue(*again, "classification", 1, 0));
    }
    /// The smallest double that exceeds 64 bits must not be converted to an integer.
    void placesOfWavesBeyondSixtyFourBits() {
        const Scratch scratch;
        for (const float offset : {0x1p63f, 0x1p64f}) {
            std::vector<std::pair<std::string, std::vector<float>>> columns;
            for (const char* name :
                 {"wave_packet", "wave_size", "wave_return_point", "wave_dx", "wave_dy", "wave_dz"})
                columns.push_back({name, {1, 2}});
            columns.push_back({"wave_offset", {60, offset}});
            writeCloud(scratch / "a.las", cloudWith(columns, ScalarType::float32), {}, {});
            const auto again = readScan(scratch / "a.las", {}, {});
            const bool fits = offset < 0x1p64f;
            QVERIFY(hasValue(*again, fits ? "wave_offset" : "wave_offset_exact", 1, double(offset)));
        }
    }
    void timesBeyondDoubleAreKeptExactly() {
        const Scratch scratch;
        const std::int64_t stamp = 1'700'000'000'123'456'789;
        const auto cloud = cloudWith<std::int64_t>({{"time", {stamp}}}, ScalarType::int64);
        writeCloud(scratch / "a.las", cloud, {}, {});
        const auto again = readScan(scratch / "a.las", {}, {});
        QVERIFY(hasValue(*again, "time", 0, double(stamp)));
        QVERIFY(std::memcmp(again->attribute("time_exact")->data(), &stamp, sizeof stamp) == 0);
    }
};

SCANLOUPE_TEST(TestLasAttributes)
#include "test_las_attributes.moc"
