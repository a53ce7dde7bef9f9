// Files that can't be opened, detection of the format by the content, folders, and raw volumes.
#include "engine/io/common/read_options.h"
#include "engine/io/scan_list.h"
#include "engine/io/volume/read_volume.h"
#include "tests/engine/io/test_io_support.h"

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

std::shared_ptr<const PointCloud> readText(const std::string& name, const std::string& content) {
    const Scratch scratch;
    return readScan(scratch.file(name, content), {}, {});
}

} // namespace

class TestReadFiles : public QObject {
    Q_OBJECT
private slots:
    void filesThatCannotBeOpened() {
        const Scratch scratch;
        const auto open = [](const std::filesystem::path& path) {
            return errorOf([&] { readScan(path, {}, {}); });
        };
        QVERIFY(says(open(scratch / "missing.ply"), "there is no file"));
        QVERIFY(says(open(scratch.folder()), "is a folder"));
        QVERIFY(says(open(scratch.file("empty.ply", "")), "is empty"));
        QVERIFY(says(open(scratch.file("odd.xyzzy", std::string("\x01\x02\x00\x03", 4))), "unknown format"));
        QVERIFY(says(open(scratch.file("words.txt", "all work and no play\nmakes jack\n")), "words.txt"));
        QVERIFY(says(open("/dev/null"), "device or a pipe"));
        const auto locked = scratch.file("locked.ply", "ply\n");
        std::filesystem::permissions(locked, std::filesystem::perms::none);
        if (!std::ifstream(locked))
            QVERIFY(says(open(locked), "no permission to read"));
    }
    void formatIsToldByContent() {
        QCOMPARE(readText("a.txt", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty "
                                   "float y\nproperty float z\nend_header\n1 2 3\n")
                     ->format,
                 std::string("PLY ascii 1.0"));
        QCOMPARE(readText("a.dat", "1 2 3\n4 5 6\n")->size(), std::size_t(2));
    }
    void byteOrderMarksArePartOfNoRow_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("text");
        QTest::newRow("OBJ") << "a.obj"
                             << "v 1 2 3\nv 4 5 6\n";
        QTest::newRow("OBJ by content") << "a.txt"
                                        << "v 1 2 3\nv 4 5 6\n";
        QTest::newRow("OFF") << "a.off"
                             << "OFF\n2 0 0\n1 2 3\n4 5 6\n";
        QTest::newRow("OFF without a keyword") << "a.off"
                                               << "2 0 0\n1 2 3\n4 5 6\n";
        QTest::newRow("PLY") << "a.ply"
                             << "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\n"
                                "property float y\nproperty float z\nend_header\n1 2 3\n4 5 6\n";
        QTest::newRow("PTX") << "a.ptx"
                             << "1\n2\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
                                "0 0 0 1\n1 2 3 0.5\n4 5 6 0.5\n";
    }
    void byteOrderMarksArePartOfNoRow() {
        QFETCH(QString, name);
        QFETCH(QString, text);
        const auto cloud = readText(name.toStdString(), "\xef\xbb\xbf" + text.toStdString());
        QCOMPARE(cloud->size(), std::size_t(2));
        QCOMPARE(cloud->position(0), (Vec3d{1, 2, 3}));
        QCOMPARE(cloud->position(1), (Vec3d{4, 5, 6}));
        QVERIFY(cloud->warnings.empty());
    }
    void decimalCommas_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("rows");
        QTest::addColumn<bool>("isRefused");
        const auto add = [](const char* what, const char* rows, bool isRefused) {
            for (const char* name : {"a.ply", "a.pcd"})
                QTest::addRow("%s, %s", what, name) << QString(name) << QString(rows) << isRefused;
        };
        add("points", "0.5 1.25 -3.75 10\n1.5 2.25 -3.75 20\n", false);
        add("commas between values", "0.5,1.25,-3.75,10\n1.5,2.25,-3.75,20\n", false);
        add("commas and blanks between values", "0.5, 1.25, -3.75, 10\n1.5, 2.25, -3.75, 20\n", false);
        add("decimal commas", "0,5 1,25 -3,75 10\n1,5 2,25 -3,75 20\n", true);
        add("decimal commas and tabs", "0,5\t1,25\t-3,75\t10\r\n1,5\t2,25\t-3,75\t20\r\n", true);
        add("a decimal comma in the second row", "0 1 -3 10\n1 2 -3,75 20\n", true);
    }
    /// Rows in PLY and PCD files: the header declares how many values a row has.
    void decimalCommas() {
        QFETCH(QString, name);
        QFETCH(QString, rows);
        QFETCH(bool, isRefused);
        const std::string head =
            name == "a.ply" ? "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\n"
                              "property float z\nproperty uchar shade\nend_header\n"
                            : "VERSION .7\nFIELDS x y z shade\nSIZE 4 4 4 1\nTYPE F F F U\nCOUNT 1 1 1 1\n"
                              "WIDTH 2\nHEIGHT 1\nPOINTS 2\nDATA ascii\n";
        const std::string content = head + rows.toStdString();
        if (isRefused) {
            QVERIFY(says(errorOf([&] { readText(name.toStdString(), content); }), "decimal commas"));
            return;
        }
        const auto cloud = readText(name.toStdString(), content);
        QCOMPARE(cloud->position(1), (Vec3d{1.5, 2.25, -3.75}));
        QCOMPARE(cloud->attribute("shade")->value(1), 20.0);
        QVERIFY(cloud->warnings.empty());
    }
    void foldersAreListedInNaturalOrder() {
        const Scratch scratch;
        scratch.file("frame10.bin", "x");
        scratch.file("frame2.PLY", "x");
        scratch.file("frame1.pcd", "x");
        scratch.file("Frame3.xyz", "1 2 3\n");
        scratch.file("notes.md", "x");
        scratch.file("._frame1.pcd", "x");
        std::filesystem::create_directory(scratch / "folder.ply");
        const auto found = [](const std::filesystem::path& folder) {
            std::vector<std::string> names;
            for (const auto& path : findScans(std::span(&folder, 1), {}).scans)
                names.push_back(path.filename().string());
            return names;
        };
        QCOMPARE(found(scratch.folder()),
                 (std::vector<std::string>{"frame1.pcd", "frame2.PLY", "Frame3.xyz", "frame10.bin"}));
        QVERIFY(found(scratch / "folder.ply").empty());
        const auto nowhere = scratch / "nowhere";
        QVERIFY(QString::fromStdString(findScans(std::span(&nowhere, 1), {}).leftOut.front().why)
                    .contains("no file"));
    }
    void volumesByNameSidecarAndLength() {
        const Scratch scratch;
        const auto read = [&](const std::filesystem::path& path) { return readVolume(path, {}, {}); };
        std::string sixteen;
        for (int i = 0; i < 24; ++i)
            put(sixteen, std::uint16_t(i == 23 ? 65535 : 0));
        const auto named = read(scratch.file("ct_2x3x4_uint16.raw", sixteen));
        QVERIFY((named.lattice.dims == Vec3i{2, 3, 4}));
        QCOMPARE(named.values[23], 1.0f);
        QCOMPARE(named.divisor, 65535.0f);
        QCOMPARE(named.format, std::string("raw volume 2 x 3 x 4 uint16, divided by 65535"));
        std::string sixFloats;
        for (int i = 0; i < 6; ++i)
            put(sixFloats, float(i));
        scratch.file("side.json", R"({"dims": [3, 1, 2], "type": "float32", "spacing": [1, 2, 0.5]})");
        const auto side = read(scratch.file("side.raw", sixFloats));
        QCOMPARE(side.lattice.spacing.z, 0.5f);
        QCOMPARE(side.values[5], 5.0f);
        QCOMPARE(side.divisor, 1.0f);
        QCOMPARE(side.format, std::string("raw volume 3 x 1 x 2 float32"));
        QVERIFY(says(errorOf([&] { read(scratch.file("a.raw", "12345")); }), "do not form a cube"));
        QVERIFY(says(errorOf([&] { read(scratch.file("b_999999999x999999999x999999999.raw", "12345")); }),
                     "more than the maximum of 9e15"));
        QVERIFY(says(errorOf([&] { read(scratch.file("c_2x2x2_float32.raw", "12345")); }),
                     "has 5 bytes, but 2 x 2 x 2 values of 4 bytes need 32"));
        // numbers that a conversion would quietly make others of
        for (const char* dims : {"[4294967298, 2, 2]", "[2.9, 2, 2]", "[2, 2]", "[2, 2, 2, 2]",
                                 "[true, 2, 2]", "\"2x2x2\"", "[0, 2, 2]", "[-2, 2, 2]"}) {
            scratch.file("e.json", "{\"dims\": " + std::string(dims) + "}");
            QVERIFY2(says(errorOf([&] { read(scratch.file("e.raw", "12345678")); }), "sidecar"), dims);
        }
        scratch.file("e.json", R"({"dims": [2, 2, 2], "spacing": [1, 1, 1e-60]})");
        QVERIFY(says(errorOf([&] { read(scratch.file("e.raw", "12345678")); }), "sidecar"));
        scratch.file("d.json", "{");
        QVERIFY(says(errorOf([&] { read(scratch.file("d.raw", "12345678")); }), "sidecar"));
    }
};

SCANLOUPE_TEST(TestReadFiles)
#include "test_read_files.moc"
