// A LAS or LAZ file that is read and written again as LAS or LAZ is identical, byte by byte, except for the
// writer's name and the counts in the header.
#include "engine/align/merge_clouds.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/las/read_las.h"
#include "engine/io/las/write/write_las.h"
#include "tests/engine/io/las_file.h"

#include <array>
#include <chrono>
#include <sstream>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// A LAS file that uses every optional part of the format.
class FullFile : public LasFile {
public:
    FullFile(int versionMinor, int format) : LasFile(versionMinor, format, kExtra, 300) {
        addRecord("somebody", 4711, "anything");
        std::string depth = extraRecord(4, "depth", 0.01, 100, 1); // int16
        storeLittle(reinterpret_cast<std::byte*>(depth.data()) + 40, std::int64_t{0x0403});
        std::string stamp = extraRecord(8, "stamp", 1, 0, 1); // int64
        depth.replace(160, 13, "above ground\n");
        addRecord("LASF_Spec", 4,
                  depth + extraRecord(25, "normal", 0.5) + extraRecord(0, "unknown", 1, 0, 5));
        addRecord("LASF_Projection", 2112, std::string("PROJCS[\"x\"]\0", 12));
        addRecord("LASF_Spec", 4, stamp + extraRecord(9, "height", 0.25, 3, 1) + extraRecord(2, "odd", 0));
        addRecord("LASF_Spec", 100, std::string(26, '\x5a'));
        records[0] = '\xbb'; // a reserved byte of the record
        records[25] = 'd';   // the first byte of the record's description
        padding = std::string("\xdd\xcc", 2) + std::string(7, '\x11');
    }
    std::string full() const {
        std::string all = content();
        const auto head = [&](std::size_t place) { return reinterpret_cast<std::byte*>(all.data()) + place; };
        for (std::size_t i = 4; i < 24; ++i)
            all[i] = static_cast<char>(7 * i + 1); // fills source id, encoding and GUID
        all[6] = static_cast<char>(pointFormat == 4 || pointFormat >= 9 ? 0x1f & ~4 : 0x11);
        all.replace(26, 32, "ALS 42 \1 and what is behind it..");
        all.replace(90, 4, "\x99\0\xe5\7", 4);
        if (minor < 3)
            return all;
        const std::uint64_t end = all.size();
        const bool waves = pointFormat == 4 || pointFormat == 5 || pointFormat >= 9;
        if (minor == 4) {
            storeLittle(head(235), end);
            storeLittle(head(243), std::uint32_t{2});
            all += extendedRecord("somebody else", 3, std::string(70000, 'q'));
        }
        if (minor == 4 || waves)
            storeLittle(reinterpret_cast<std::byte*>(all.data()) + 227, std::uint64_t{all.size()});
        if (minor == 4 || waves)
            all += extendedRecord("LASF_Spec", 65535, std::string(1'500'000, 'w'));
        if (minor == 4 || waves)
            all[6] = static_cast<char>(all[6] | 2);
        return all;
    }

private:
    static constexpr std::size_t kExtra = 2 + 3 * 4 + 5 + 8 + 4 + 1 + 70; // the last 70 bytes are undescribed
    static std::string extendedRecord(const std::string& user, int id, const std::string& content) {
        std::vector<std::byte> head(60);
        head[0] = std::byte{0x44};
        std::memcpy(head.data() + 2, user.data(), user.size());
        storeLittle(head.data() + 18, static_cast<std::uint16_t>(id));
        storeLittle(head.data() + 20, std::uint64_t{content.size()});
        std::memcpy(head.data() + 28, "what it is", 10);
        return std::string(reinterpret_cast<const char*>(head.data()), head.size()) + content;
    }
};

/// The file with the fields cleared that every writer sets: its name, the counts, and the bounding box.
std::string masked(std::string content) {
    const int minor = content.at(25);
    const auto clear = [&](std::size_t begin, std::size_t end) {
        std::fill(content.begin() + std::ptrdiff_t(begin), content.begin() + std::ptrdiff_t(end), '\0');
    };
    clear(58, 90);
    clear(107, 131);
    clear(179, 227);
    if (minor == 4)
        clear(247, 375);
    return content;
}

QString firstDifference(const std::string& a, const std::string& b) {
    if (a == b)
        return {};
    std::size_t at = 0;
    while (at < std::min(a.size(), b.size()) && a[at] == b[at])
        ++at;
    return QString("%1 and %2 bytes, different from byte %3 on").arg(a.size()).arg(b.size()).arg(at);
}

std::vector<std::filesystem::path> realFiles() {
    std::vector<std::filesystem::path> files;
    const std::filesystem::path folder = scansFolder();
    if (!std::filesystem::is_directory(folder))
        return files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".las" || (haveLaszip() && entry.path().extension() == ".laz"))
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// A stream buffer that does not support seeking, like a pipe.
class PipeBuffer : public std::stringbuf {
    pos_type seekoff(off_type, std::ios_base::seekdir, std::ios_base::openmode) override {
        return pos_type(off_type(-1));
    }
    pos_type seekpos(pos_type, std::ios_base::openmode) override { return pos_type(off_type(-1)); }
};

} // namespace

class TestLasRoundtrip : public QObject {
    Q_OBJECT
private slots:
    void everyByteComesBack_data() {
        QTest::addColumn<int>("minor");
        QTest::addColumn<int>("format");
        for (int minor = 0; minor <= 4; ++minor)
            for (int format = 0; format <= 10; ++format)
                QTest::addRow("1.%d format %d", minor, format) << minor << format;
    }
    void everyByteComesBack() {
        QFETCH(int, minor);
        QFETCH(int, format);
        const Scratch scratch;
        const std::string source = FullFile(minor, format).full();
        const auto cloud = readScan(scratch.file("a.las", source), {}, {});
        // the point whose stored depth is 0x0403, the missing value
        const std::size_t missing = 254 - lasPointSize(format);
        QVERIFY(std::isnan(cloud->attribute("depth")->value(missing)));
        QVERIFY(cloudLosses(scratch / "b.las", *cloud, {}).empty());
        writeCloud(scratch / "b.las", *cloud, {}, {});
        const std::string again = contentOf(scratch / "b.las");
        QCOMPARE(firstDifference(masked(source), masked(again)), QString());
        QCOMPARE(again.substr(58, 9), std::string("Scanloupe"));
        const auto* head = reinterpret_cast<const std::byte*>(again.data());
        QCOMPARE(loadLittle<std::uint32_t>(head + 107), std::uint32_t(format < 6 || minor < 4 ? 300 : 0));
        if (minor == 4)
            QCOMPARE(loadLittle<std::uint64_t>(head + 247), std::uint64_t{300});
        if (!haveLaszip())
            return;
        writeCloud(scratch / "c.laz", *cloud, {}, {});
        writeCloud(scratch / "c.las", *readScan(scratch / "c.laz", {}, {}), {}, {});
        QCOMPARE(firstDifference(again, contentOf(scratch / "c.las")), QString());
    }
    void realFiles_data() {
        QTest::addColumn<QString>("path");
        const auto files = ::realFiles();
        if (files.empty())
            QSKIP("there are no real scans here: set SCANLOUPE_SCANS to their folder");
        for (const auto& file : files)
            QTest::newRow(file.filename().c_str()) << QString::fromStdString(file.string());
    }
    void realFiles() {
        QFETCH(QString, path);
        std::shared_ptr<const PointCloud> cloud;
        try {
            cloud = readScan(path.toStdString(), {}, {});
        } catch (const EngineError& error) {
            QSKIP(error.what());
        }
        const Scratch scratch;
        const std::string source = contentOf(path.toStdString());
        writeCloud(scratch / "a.las", *cloud, {}, {});
        const std::string again = contentOf(scratch / "a.las");
        const bool isWhole = !warns(*cloud, "are missing") && !warns(*cloud, "fit there");
        if (path.endsWith(".las") && isWhole)
            QCOMPARE(firstDifference(masked(source), masked(again)), QString());
        writeCloud(scratch / "b.las", *readScan(scratch / "a.las", {}, {}), {}, {});
        QCOMPARE(firstDifference(again, contentOf(scratch / "b.las")), QString());
        if (!haveLaszip())
            return;
        writeCloud(scratch / "a.laz", *cloud, {}, {});
        writeCloud(scratch / "c.las", *readScan(scratch / "a.laz", {}, {}), {}, {});
        QCOMPARE(firstDifference(again, contentOf(scratch / "c.las")), QString());
        writeCloud(scratch / "b.laz", *readScan(scratch / "a.laz", {}, {}), {}, {});
        QCOMPARE(firstDifference(contentOf(scratch / "a.laz"), contentOf(scratch / "b.laz")), QString());
    }
    void kindsOfTimeStay() {
        const Scratch scratch;
        for (const bool standard : {false, true})
            for (const double offset : {0.0, 1e6}) {
                LasFile file(2, 1, 0, 3);
                std::string content = file.content();
                content[6] = standard ? 1 : 0;
                for (std::size_t i = 0; i < 3; ++i)
                    storeLittle(reinterpret_cast<std::byte*>(content.data()) + 227 + 28 * i + 20, offset + 5);
                writeCloud(scratch / "b.las", *readScan(scratch.file("a.las", content), {}, {}), {}, {});
                QCOMPARE(contentOf(scratch / "b.las")[6] & 1, standard ? 1 : 0);
            }
    }
    void pipesGetRecordsBehindThePoints() {
        if (!haveLaszip())
            QSKIP("this build has no LASzip");
        const Scratch scratch;
        const auto cloud = readScan(scratch.file("a.las", FullFile(4, 7).full()), {}, {});
        writeCloud(scratch / "a.laz", *cloud, {}, {});
        PipeBuffer buffer;
        std::ostream stream(&buffer);
        const WriteOptions options;
        const std::stop_token stop;
        detail::writeLazCloud(stream, {*cloud, options, stop, ".laz"});
        QCOMPARE(firstDifference(contentOf(scratch / "a.laz"), buffer.str()), QString());
    }
    void largeRecordsStayInTheirFile() {
        const Scratch scratch;
        const std::string source = FullFile(4, 9).full();
        const auto cloud = readScan(scratch.file("a.las", source), {}, {});
        QVERIFY(cloud->bytes() < 1'000'000);
        std::filesystem::last_write_time(scratch / "a.las", std::filesystem::file_time_type::clock::now() +
                                                                std::chrono::hours(1));
        QVERIFY(says(errorOf([&] { writeCloud(scratch / "b.las", *cloud, {}, {}); }),
                     "has changed since it was read"));
        QVERIFY(!std::filesystem::exists(scratch / "b.las"));
    }
    void lossesOfOtherFormatsAreReported() {
        const Scratch scratch;
        const auto cloud = readScan(scratch.file("a.las", FullFile(4, 6).full()), {}, {});
        for (const char* ending : {".ply", ".pcd", ".csv"}) {
            const auto losses = cloudLosses(scratch / (std::string("a") + ending), *cloud, {});
            for (const char* words :
                 {"file source id", "GUID", "system identifier", "creation date", "kind of GPS time",
                  "record somebody 4711", "record somebody else 3", "descriptions of the extra bytes",
                  "coordinate system", "no attribute shows"})
                QVERIFY2(std::any_of(losses.begin(), losses.end(),
                                     [&](const auto& one) { return one.find(words) != std::string::npos; }),
                         words);
        }
    }
    void lossesOfLasAreReported() {
        const Scratch scratch;
        LasFile file(2, 0, 0, 5);
        const auto cloud = readScan(scratch.file("a.las", file.content() + "garbage"), {}, {});
        const auto losses = cloudLosses(scratch / "b.las", *cloud, {});
        QVERIFY(losses.size() == 1 && losses[0].find("7 bytes after the points") != std::string::npos);
        file.addRecord("copc", 1, std::string(160, 'c'));
        const auto indexed = readScan(scratch.file("a.las", file.content()), {}, {});
        QCOMPARE(cloudLosses(scratch / "b.las", *indexed, {}).size(), std::size_t(1));
    }
    void mergedScansKeepWhatTheyHaveInCommon() {
        const Scratch scratch;
        std::vector<PosedCloud> scans;
        for (const char* name : {"a.las", "b.las"}) {
            FullFile file(4, 7);
            file.addRecord("somebody", 9, name);
            std::string content = file.full();
            content[4] = name[0]; // file source id
            scans.push_back({readScan(scratch.file(name, content), {}, {}), {}});
        }
        const PointCloud merged = mergeClouds(scans, {}, {});
        const auto losses = cloudLosses(scratch / "c.las", merged, {});
        const auto tells = [&](const char* words) {
            return std::any_of(losses.begin(), losses.end(),
                               [&](const auto& one) { return one.find(words) != std::string::npos; });
        };
        QVERIFY(tells("file source id") && tells("record somebody 9") && !tells("record somebody 4711"));
        writeCloud(scratch / "c.las", merged, {}, {});
        const std::string content = contentOf(scratch / "c.las");
        QVERIFY(content[6] & 1);    // the kind of GPS time is kept
        QVERIFY(!(content[6] & 2)); // waveform flags only apply to a single file, and are dropped
        QCOMPARE(content.substr(8, 16), contentOf(scratch / "a.las").substr(8, 16));
        const auto again = readScan(scratch / "c.las", {}, {});
        QVERIFY2(again->warnings.empty(), again->warnings.empty() ? "" : again->warnings[0].c_str());
        QCOMPARE(again->coordinateSystem, std::string("PROJCS[\"x\"]"));
        QCOMPARE(again->attribute("depth")->description, std::string("above ground\n"));
    }
    void roundedCoordinatesOfOneAxisAreReported_data() {
        QTest::addColumn<int>("rounded"); // axis with rounded coordinates; -1: none
        for (const int axis : {-1, 0, 1, 2})
            QTest::addRow("%s", axis < 0 ? "none" : std::array{"x", "y", "z"}[std::size_t(axis)]) << axis;
    }
    /// Coordinates that are thirds are reported as rounded, for each axis alone. The other axes have
    /// multiples of 2^-20, which are exact in steps of a power of two.
    void roundedCoordinatesOfOneAxisAreReported() {
        QFETCH(int, rounded);
        const double exact[] = {0, 3 * 0x1p-20, 1000 + 0x1p-20}, thirds[] = {0, 1e6 / 3, 1e6};
        std::vector<Vec3d> points(3);
        for (int axis = 0; axis < 3; ++axis)
            for (std::size_t i = 0; i < 3; ++i)
                points[i][axis] = axis == rounded ? thirds[i] : exact[i];
        const PointCloud cloud(DoublePositions{hostCopy(std::span<const Vec3d>(points))}, {}, {});
        const Scratch scratch;
        const auto losses = cloudLosses(scratch / "a.las", cloud, {});
        QCOMPARE(losses.size(), std::size_t(rounded < 0 ? 0 : 1));
        QVERIFY(rounded < 0 || losses[0].starts_with("LAS stores coordinates as integers; they are rounded"));
        writeCloud(scratch / "a.las", cloud, {}, {});
        const auto again = readScan(scratch / "a.las", {}, {});
        for (int axis = 0; axis < 3; ++axis)
            for (std::size_t i = 0; i < 3; ++i)
                QVERIFY(axis == rounded || again->position(i)[axis] == exact[i]);
    }
    void wktIsReachable() {
        const Scratch scratch;
        std::vector<Attribute> attributes; // attributes as read from a PLY that was converted from a LAS file
        attributes.push_back(makeAttribute("scan_angle_rank", ScalarType::int8, std::vector<std::int8_t>(3)));
        PointCloud cloud(FloatPositions{hostCopy(std::span<const Vec3f>(std::vector<Vec3f>(3)))},
                         std::move(attributes), {});
        cloud.coordinateSystem = "PROJCS[\"x\"]";
        for (const std::size_t size : {std::size_t{11}, std::size_t{70000}}) {
            cloud.coordinateSystem.resize(size, ' ');
            QVERIFY(cloudLosses(scratch / "a.las", cloud, {}).empty());
            writeCloud(scratch / "a.las", cloud, {}, {});
            const std::string content = contentOf(scratch / "a.las");
            QCOMPARE(int(content[25]), 4);
            QCOMPARE(int(content[104]), 0);
            QVERIFY(content[6] & 16);
            QCOMPARE(loadLittle<std::uint32_t>(reinterpret_cast<const std::byte*>(content.data()) + 107), 3u);
            QVERIFY(readScan(scratch / "a.las", {}, {})->coordinateSystem.starts_with("PROJCS[\"x\"]"));
        }
    }
};

SCANLOUPE_TEST(TestLasRoundtrip)
#include "test_las_roundtrip.moc"
