// Small generated files of every kind: files that are accepted, read with a warning, or rejected.
#include "engine/io/common/read_options.h"
#include "tests/engine/io/test_io_support.h"

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

std::shared_ptr<const PointCloud> readText(const std::string& name, const std::string& content,
                                           const ReadOptions& options = {}) {
    const Scratch scratch;
    return readScan(scratch.file(name, content), options, {});
}

std::optional<EngineError> errorOfText(const std::string& name, const std::string& content) {
    return errorOf([&] { readText(name, content); });
}

template <class T>
std::string swapped(T value) {
    std::string bytes;
    put(bytes, value);
    return {bytes.rbegin(), bytes.rend()};
}

std::string plyHead(const std::string& format, const std::string& rest) {
    return "ply\nformat " + format + " 1.0\n" + rest + "end_header\n";
}
const std::string kXyz = "property float x\nproperty float y\nproperty float z\n";

std::string pcdHead(const std::string& data, int points) {
    return "# .PCD v0.7\nVERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH " +
           std::to_string(points) + "\nHEIGHT 1\nVIEWPOINT 1 2 3 1 0 0 0\nPOINTS " + std::to_string(points) +
           "\nDATA " + data + "\n";
}

std::string floats(int count) {
    std::string bytes;
    for (int i = 0; i < count; ++i)
        put(bytes, static_cast<float>(i));
    return bytes;
}

} // namespace

class TestReadFormats : public QObject {
    Q_OBJECT
private slots:
    void plyAnyOrderAndType() {
        std::string body;
        for (int i = 0; i < 3; ++i) {
            put(body, std::uint8_t(200 + i));
            put(body, double(i) + 0.1);
            put(body, 10.0f + float(i));
            put(body, std::int16_t(-i));
            put(body, double(i) * 1e6);
        }
        const auto cloud =
            readText("a.ply", plyHead("binary_little_endian",
                                      "element vertex 3\nproperty uchar diffuse_red\nproperty double z\n"
                                      "property float y\nproperty short quality\nproperty double x\n") +
                                  body);
        QVERIFY((cloud->position(2) == Vec3d{2e6, 12, 2.1}));
        QVERIFY(std::holds_alternative<DoublePositions>(cloud->positions()));
        QCOMPARE(cloud->attribute("red")->value(1), 201.0);
        QCOMPARE(cloud->attribute("quality")->value(2), -2.0);
        QVERIFY(cloud->attribute("quality")->type == ScalarType::int16);
        QCOMPARE(cloud->format, std::string("PLY binary_little_endian 1.0"));
    }
    void plyBigEndian() {
        const std::string body =
            swapped(1.5f) + swapped(-2.25f) + swapped(3e7f) + swapped(std::uint16_t(513));
        const auto cloud = readText(
            "a.ply",
            plyHead("binary_big_endian", "element vertex 1\n" + kXyz + "property ushort ring\n") + body);
        QVERIFY((cloud->position(0) == Vec3d{1.5, -2.25, 3e7}));
        QCOMPARE(cloud->attribute("ring")->value(0), 513.0);
    }
    void plyFacesBeforeVerticesAndListsInVertices() {
        std::string body;
        for (int face = 0; face < 2; ++face) {
            put(body, std::uint8_t(3 + face));
            for (int i = 0; i < 3 + face; ++i)
                put(body, i);
        }
        for (int i = 0; i < 2; ++i) {
            put(body, float(i));
            put(body, std::uint16_t(i + 1)); // a list of i + 1 doubles
            for (int k = 0; k <= i; ++k)
                put(body, 7.0);
            put(body, 5.0f);
            put(body, 6.0f + float(i));
        }
        const auto cloud = readText(
            "a.ply", plyHead("binary_little_endian",
                             "element face 2\nproperty list uchar int vertex_indices\nelement vertex 2\n"
                             "property float x\nproperty list ushort double weights\nproperty float y\n"
                             "property float z\n") +
                         body);
        QCOMPARE(cloud->size(), std::size_t(2));
        QVERIFY((cloud->position(1) == Vec3d{1, 5, 7}));
        const auto ascii = readText(
            "b.ply",
            plyHead("ascii",
                    "element face 2\nproperty list uchar int v\nelement vertex 2\n"
                    "property float x\nproperty list uchar int w\nproperty float y\nproperty float z\n") +
                "3 0 1 2\n4 0 1 2 3\n1 2 8 8 5 6\n\n2 0 3 4\n");
        QVERIFY((ascii->position(0) == Vec3d{1, 5, 6}) && (ascii->position(1) == Vec3d{2, 3, 4}));
    }
    void plyLineEndings() {
        for (const std::string end : {"\r\n", "\r"}) {
            const auto cloud = readText(
                "a.ply", "ply" + end + "format ascii 1.0" + end + "comment hello" + end + "element vertex 2" +
                             end + "property float X" + end + "property float Y" + end + "property float Z" +
                             end + "end_header" + end + "1 2 3" + end + "4 5 6" + end);
            QCOMPARE(cloud->size(), std::size_t(2));
            QVERIFY((cloud->position(1) == Vec3d{4, 5, 6}));
        }
    }
    void plyIntegersAreExact() {
        const auto cloud = readText(
            "a.ply", plyHead("ascii", "element vertex 1\nproperty int x\nproperty int y\nproperty int z\n") +
                         "16777217 -2147483648 3\n");
        QVERIFY((cloud->position(0) == Vec3d{16777217, -2147483648.0, 3}));
        QVERIFY(std::holds_alternative<ScaledPositions>(cloud->positions()));
    }
    void plyTruncatedAnywhere() {
        const std::string whole = plyHead("binary_little_endian", "element vertex 10\n" + kXyz) + floats(30);
        const auto cloud = readText("a.ply", whole.substr(0, whole.size() - 30));
        QCOMPARE(cloud->size(), std::size_t(7));
        QVERIFY(warns(*cloud, "7 of 10 points were loaded"));
        QVERIFY(warns(*cloud, "3 are missing"));
        QVERIFY(
            says(errorOfText("a.ply", whole.substr(0, whole.size() - 110)), "there is no complete point"));
        QVERIFY(says(errorOfText("a.ply", whole.substr(0, 40)), "has no line 'end_header'"));
        const auto ascii =
            readText("a.ply", plyHead("ascii", "element vertex 5\n" + kXyz) + "1 2 3\n4 5 6\n7 8");
        QCOMPARE(ascii->size(), std::size_t(2));
        QVERIFY(warns(*ascii, "too few values"));
        QVERIFY(warns(*ascii, "3 of 5"));
    }
    void headersThatLieTakeNoMemory() {
        const std::string many = "element vertex 1000000000000\n";
        for (const char* format : {"ascii", "binary_little_endian", "binary_big_endian"}) {
            const auto cloud =
                readText("a.ply", plyHead(format, many + kXyz) + std::string("1 2 3\n4 5 6\n777"));
            QVERIFY(cloud->size() <= 3 && warns(*cloud, "1000000000000"));
        }
        QVERIFY(says(
            errorOfText("a.ply",
                        plyHead("binary_little_endian",
                                "element face 1000000000000\nproperty int a\nelement vertex 1\n" + kXyz) +
                            floats(3)),
            "ends within the element 'face'"));
        QVERIFY(says(
            errorOfText(
                "a.ply",
                plyHead("binary_little_endian",
                        "element face 1000000000000\nproperty list uchar int a\nelement vertex 1\n" + kXyz) +
                    floats(3)),
            "ends within the element 'face'"));
        QVERIFY(
            says(errorOfText(
                     "a.ply",
                     plyHead("ascii",
                             "element face 18446744073709551615\nproperty int a\nelement vertex 1\n" + kXyz) +
                         "1\n1 2 3\n"),
                 "'face'"));
        QVERIFY(says(errorOfText("a.ply", plyHead("ascii", "element vertex -5\n" + kXyz)), "'-5'"));
        const std::string pcd =
            "VERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nWIDTH 1000000000000\nHEIGHT 1\nDATA binary\n";
        QVERIFY(warns(*readText("a.pcd", pcd + floats(9)), "3 of 1000000000000 points were loaded"));
        std::string packed = pcdHead("binary_compressed", 100000000);
        put(packed, std::uint32_t(4000000000u));
        put(packed, std::uint32_t(1200000000u));
        QVERIFY(says(errorOfText("a.pcd", packed + "abc"), "there is no complete point"));
        QVERIFY(says(errorOfText("a.pcd", "VERSION 0.7\nFIELDS x y z q\nSIZE 4 4 4 4\nTYPE F F F F\nCOUNT 1 "
                                          "1 1 99999999\nWIDTH 1\nHEIGHT 1\nPOINTS 1\nDATA ascii\n1 2 3 4\n"),
                     "more than the maximum of 4096 columns"));
        // many columns in the header, few in the rows
        std::string rows = "VERSION 0.7\nFIELDS x y z q\nSIZE 4 4 4 8\nTYPE F F F F\nCOUNT 1 1 1 4000\nWIDTH "
                           "1000\nHEIGHT 1\nPOINTS 1000\nDATA ascii\n";
        for (int i = 0; i < 1000; ++i)
            rows += "1 2 3\n";
        QVERIFY(says(errorOfText("a.pcd", rows), "too few values"));
    }
    void missingCoordinatesAreNamed() {
        const auto error = errorOfText(
            "a.ply",
            plyHead("ascii",
                    "element vertex 1\nproperty float x\nproperty float y\nproperty float quality\n") +
                "1 2 3\n");
        QVERIFY(says(error, "no z coordinate"));
        QVERIFY(QString(error->what()).contains("quality"));
        QVERIFY(says(errorOfText("a.csv", "a,b,c\n1,2,3\n"), "no x coordinate"));
    }
    void pcdViewpointIsTheSensor() {
        const auto cloud = readText("a.pcd", pcdHead("binary", 3) + floats(9) + std::string(3900, 'j'));
        QVERIFY(cloud->sensor && (*cloud->sensor == SensorPose{{1, 2, 3}, {}}));
        QVERIFY((cloud->position(2) == Vec3d{6, 7, 8}));
        QVERIFY(cloud->warnings.empty());
    }
    void pcdPaddingColoursAndOldHeaders() {
        std::string body;
        for (int i = 0; i < 2; ++i) {
            for (int k = 0; k < 3; ++k)
                put(body, float(k + i));
            put(body, float(99));                 // padding bytes
            put(body, std::uint32_t(0x80102030)); // field rgba
            put(body, double(1e9 + i));
        }
        const auto cloud = readText("a.pcd", "VERSION .6\nCOLUMNS x y z _ rgba GpsTime\nSIZE 4 4 4 4 4 "
                                             "8\nTYPE F F F F U F\nWIDTH 2\nHEIGHT 1\nDATA binary\n" +
                                                 body);
        QCOMPARE(cloud->size(), std::size_t(2));
        QCOMPARE(cloud->attributes().size(), std::size_t(5));
        QCOMPARE(cloud->attribute("red")->value(0), 16.0);
        QCOMPARE(cloud->attribute("blue")->value(1), 48.0);
        QCOMPARE(cloud->attribute("alpha")->value(1), 128.0);
        QCOMPARE(cloud->attribute("time")->value(1), 1e9 + 1);
        QVERIFY(!cloud->sensor);
    }
    void pcdAsciiPackedFloatColour() {
        const auto cloud =
            readText("a.pcd", "VERSION 0.7\nFIELDS x y z rgb\nSIZE 4 4 4 4\nTYPE F F F F\nCOUNT 1 1 1 "
                              "1\nWIDTH 1\nHEIGHT 1\nPOINTS 1\nDATA ascii\n1 2 nan 4.2108e+06\n");
        QCOMPARE(cloud->attribute("red")->value(0), 128.0); // 4.2108e+06f is 0x4a808090
        QCOMPARE(cloud->attribute("green")->value(0), 128.0);
        QCOMPARE(cloud->notFinite(), std::uint64_t(1));
    }
    void sweepsByContent_data() {
        QTest::addColumn<int>("columns");
        for (const int columns : {3, 4, 5, 6})
            QTest::addRow("%d", columns) << columns;
    }
    void sweepsByContent() {
        QFETCH(int, columns);
        auto random = seededRandom("sweepsByContent");
        std::uniform_real_distribution<float> unit(0, 1);
        for (const int points : {60, 600, 12000}) { // numbers of points that allow several column counts
            std::string bytes;
            for (int i = 0; i < points; ++i) {
                const float angle = float(i) * 0.01f,
                            radius = 10 + 5 * std::sin(angle * 3) + 0.02f * unit(random);
                const float values[] = {radius * std::cos(angle),
                                        radius * std::sin(angle),
                                        -1.7f + 0.05f * unit(random),
                                        unit(random),
                                        float(i % 32),
                                        float(i) * 1e-5f};
                for (int c = 0; c < columns; ++c)
                    put(bytes, values[c]);
            }
            const auto cloud = readText("a.bin", bytes);
            QCOMPARE(cloud->size(), std::size_t(points));
            QCOMPARE(cloud->attributes().size(), std::size_t(columns - 3));
            QVERIFY(cloud->sensor && (*cloud->sensor == SensorPose{}));
            if (columns >= 5)
                QVERIFY(cloud->attribute("ring"));
            const auto cut = readText("a.bin", bytes.substr(0, bytes.size() - 2));
            QCOMPARE(cut->size(), std::size_t(points - 1));
            QVERIFY(warns(*cut, "ends within a point"));
        }
    }
    void sweepColumnsByOption() {
        ReadOptions options;
        options.columns = 3;
        QCOMPARE(readText("a.bin", floats(60), options)->size(), std::size_t(20));
        options.columns = 10;
        QCOMPARE(readText("a.bin", floats(60), options)->size(), std::size_t(6));
        options.columns = 2;
        QVERIFY(says(errorOf([&] { readText("a.bin", floats(60), options); }), "(got 2)"));
        std::string noise;
        for (int i = 0; i < 4000; ++i)
            put(noise, std::uint32_t(i) * 2654435761u);
        const auto error = errorOfText("a.bin", noise);
        QVERIFY(error && error->nextStep().find("--columns") != std::string::npos);
        std::string even; // all numbers are the same: the number of columns can't be determined
        for (int i = 0; i < 600; ++i)
            put(even, 1.0f);
        QVERIFY(warns(*readText("a.bin", even), "--columns"));
    }
    void textDelimitersAndHeaders() {
        const auto csv =
            readText("a.csv", "\xEF\xBB\xBF\"Time [s]\",\"Z (m)\",\"Y\",\"X\",\"Reflectivity\",\"Label\"\r\n"
                              "0.5,3,2,1,17,car\r\n1.5,6,5,4,250.5,tree\r\n");
        QVERIFY((csv->position(1) == Vec3d{4, 5, 6}));
        QCOMPARE(csv->attribute("time")->value(0), 0.5);
        QCOMPARE(csv->attribute("intensity")->value(1), 250.5);
        QVERIFY(!csv->attribute("Label") && warns(*csv, "Label"));
        const auto semicolons = readText("a.txt", "x;y;z\n1,5;-2,25;3\n4;5;6,125\n");
        QVERIFY((semicolons->position(0) == Vec3d{1.5, -2.25, 3}));
        QCOMPARE(std::get<DoublePositions>(semicolons->positions()).decimals, 3);
        const auto tabs = readText(
            "a.asc", "# made somewhere\n//X\tY\tZ\tR\tG\tB\n+1\t2\t3\t10\t20\t30\n4\t5\t6\t255\t0\t7");
        QCOMPARE(tabs->attribute("green")->value(0), 20.0);
        QVERIFY(tabs->attribute("green")->type == ScalarType::uint8);
        const auto commas = readText("a.xyz", "1,5 2,5 3,5\n4,5 5,5 6,5\n");
        QVERIFY((commas->position(1) == Vec3d{4.5, 5.5, 6.5}));
    }
    void textColumnsWithoutNames() {
        QVERIFY(readText("a.xyz", "1 2 3 0.7\n4 5 6 0.2\n")->attribute("intensity"));
        const auto colours = readText("a.xyz", "1 2 3 255 0 17\n4 5 6 1 2 3\n");
        QCOMPARE(colours->attribute("blue")->value(0), 17.0);
        const auto normals = readText("a.xyz", "1 2 3 0 0 1\n4 5 6 0.6 0.8 0\n");
        QVERIFY(normals->attribute("normal_z") || normals->attribute("blue"));
        const auto pts = readText("a.pts", "2\n1 2 3 -1200 10 20 30\n4 5 6 -900 40 50 60\n");
        QCOMPARE(pts->attribute("intensity")->value(0), -1200.0);
        QCOMPARE(pts->attribute("red")->value(1), 40.0);
    }
    void textTypesWidenWhenLaterRowsNeedIt() {
        std::string text = "x,y,z,class,gps\n";
        for (int i = 0; i < 5000; ++i)
            text += "1,2,3," + std::to_string(i % 7) + ",5\n";
        text += "1,2,3,300,123456789.123456\n";
        const auto cloud = readText("a.csv", text);
        QCOMPARE(cloud->attribute("classification")->value(5000), 300.0);
        QCOMPARE(cloud->attribute("gps")->value(5000), 123456789.123456);
        QCOMPARE(cloud->attribute("gps")->value(4999), 5.0);
    }
    void textOddRowsAreCounted() {
        const auto cloud =
            readText("a.csv", "x,y,z,i\n1,2,3,4\n1,2\n5,6,7\n# note\n\nx,y,z,9\n8,9,10,11,12\n");
        QCOMPARE(cloud->size(), std::size_t(2)); // the first and the last
        QVERIFY(warns(*cloud, "Incomplete: 3 of 5 rows were left out"));
        QVERIFY(warns(*cloud, "more values"));
    }
    /// Repeated headers, as in joined files. The last line of a file is not a header, because no row follows.
    void textHeadersAreNoDamage_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("damage");
        QTest::newRow("joined") << "x y z\nm m m\n1 2 3\n# note\n  x y z \nm m m\r\n4 5 6\n"
                                << "";
        QTest::newRow("joined PTS") << "1\n1 2 3 4\n1\n5 6 7 8\n"
                                    << "";
        QTest::newRow("another header") << "x y z\n1 2 3\nx y\n4 5 6\n"
                                        << "1 of 3 rows";
        QTest::newRow("cut") << "x y z\n1 2 3\n4 5 6\n7 8"
                             << "1 of 3 rows";
        QTest::newRow("cut PTS") << "3\n1 2 3 4\n5 6 7 8\n9"
                                 << "1 of 3 rows";
    }
    void textHeadersAreNoDamage() {
        QFETCH(QString, text);
        QFETCH(QString, damage);
        const auto cloud = readText("a.txt", text.toStdString());
        QCOMPARE(cloud->size(), std::size_t(2));
        QCOMPARE(warns(*cloud, "Incomplete"), !damage.isEmpty());
        QVERIFY(damage.isEmpty() || warns(*cloud, qUtf8Printable(damage)));
    }
    void numbersOfAllKinds() {
        const auto cloud =
            readText("a.xyz", "1e3 -2.5E-2 +.5\nnan inf -inf\n1.#QNAN 5. -0\n1e999 1e-999 -1e999\n");
        QCOMPARE(cloud->size(), std::size_t(4));
        QVERIFY((cloud->position(0) == Vec3d{1000, -0.025, 0.5}));
        QVERIFY(std::isnan(cloud->position(1).x) && std::isinf(cloud->position(1).y));
        QVERIFY(std::isnan(cloud->position(2).x) && cloud->position(2).y == 5);
        QVERIFY(std::isinf(cloud->position(3).x) && cloud->position(3).y == 0 && cloud->position(3).z < 0);
        QCOMPARE(cloud->notFinite(), std::uint64_t(3));
    }
    void numbersAreRoundedAsTheStandardLibraryDoes() {
        auto random = seededRandom("numbersAreRounded");
        std::string text;
        std::vector<std::string> tokens;
        for (int i = 0; i < 30000; ++i) {
            std::string token = random() % 2 ? "-" : "";
            const auto before = random() % 10, after = random() % 12;
            for (std::uint64_t k = 0; k < before; ++k)
                token += char('0' + random() % 10);
            if (before == 0 || random() % 8)
                token += ".";
            for (std::uint64_t k = 0; k < after + (before == 0); ++k)
                token += char('0' + random() % 10);
            tokens.push_back(token);
            text += token + (i % 3 == 2 ? "\n" : " ");
        }
        const auto cloud = readText("a.xyz", text);
        QCOMPARE(cloud->size(), tokens.size() / 3);
        for (std::size_t i = 0; i < tokens.size(); ++i)
            QVERIFY2(same(cloud->position(i / 3)[int(i % 3)], std::strtod(tokens[i].c_str(), nullptr)),
                     tokens[i].c_str());
    }
    void longTextInManyChunks() {
        std::string text = "x y z id\n";
        constexpr int rows = 60000;
        for (int i = 0; i < rows; ++i)
            text += std::to_string(i) + " " + std::to_string(i * 2) + ".25 " +
                    (i % 1000 == 7 ? "bad\n" : "1 " + std::to_string(i) + "\n");
        const auto cloud = readText("a.txt", text);
        QCOMPARE(cloud->size(), std::size_t(rows - rows / 1000));
        QVERIFY(warns(*cloud, "60 of 60000 rows were left out"));
        for (std::size_t i = 0; i < cloud->size(); ++i)
            QVERIFY(cloud->position(i).x == cloud->attribute("id")->value(i) &&
                    cloud->position(i).y == cloud->position(i).x * 2 + 0.25);
    }
};

SCANLOUPE_TEST(TestReadFormats)
#include "test_read_formats.moc"
