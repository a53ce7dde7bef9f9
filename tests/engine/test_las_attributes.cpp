// Which attributes a LAS file's extra bytes become, and what attributes of other formats become in LAS.
#include "tests/engine/las_file.h"

#include <numeric>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// The number of type T that a hand-made point has from byte `place` on.
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

/// A description of extra bytes with a stored number that stands for no value.
template <class T>
std::string withMissing(std::string record, T missing) {
    record[3] = static_cast<char>(record[3] | 1);
    storeLittle(reinterpret_cast<std::byte*>(record.data()) + 40, missing);
    return record;
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
        QVERIFY(cloud->attribute("depth")->notFinite == 1);
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
    void descriptionsAreKept() {
        const Scratch scratch;
        LasFile file(4, 6, 4, 30);
        std::string record = LasFile::extraRecord(9, "Amplitude");
        record.replace(160, 22, "Echo signal amplitude ");
        file.addRecord("LASF_Spec", 4, record);
        const auto cloud = readScan(scratch.file("a.las", file.content()), {}, {});
        QCOMPARE(cloud->attribute("Amplitude")->description, std::string("Echo signal amplitude"));
    }
};

QTEST_APPLESS_MAIN(TestLasAttributes)
#include "test_las_attributes.moc"
