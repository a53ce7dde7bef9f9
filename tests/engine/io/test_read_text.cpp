// Texts of points as pandas, R, PDAL and spreadsheets write them.
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "tests/engine/io/test_io_support.h"

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

std::shared_ptr<const PointCloud> readText(const std::string& content, const std::string& name = "a.csv") {
    const Scratch scratch;
    return readScan(scratch.file(name, content), {}, {});
}

bool has(const PointCloud& cloud, std::initializer_list<const char*> names) {
    return std::all_of(names.begin(), names.end(),
                       [&](const char* name) { return cloud.attribute(name) != nullptr; });
}

constexpr double kAbsent = -12345; ///< returned for a missing attribute

double valueOf(const PointCloud& cloud, const char* name, std::size_t i) {
    const Attribute* attribute = cloud.attribute(name);
    return attribute && i < cloud.size() ? attribute->value(i) : kAbsent;
}

/// The value of an attribute in its own type.
template <class T>
T exactly(const PointCloud& cloud, const char* name, std::size_t i) {
    T value{};
    if (i < cloud.size())
        std::memcpy(&value, cloud.attribute(name)->data() + i * sizeof(T), sizeof(T));
    return value;
}

} // namespace

class TestReadText : public QObject {
    Q_OBJECT
private slots:
    void numbersTooSmallForADoubleAreZero() {
        const auto cloud = readText("-1e-400 1e-400 -0." + std::string(400, '0') + "1\n" + "-1e400 1e+400 1" +
                                        std::string(400, '0') + "\n" + std::string(500, '9') + "e-600 -" +
                                        std::string(400, '9') + "e-10 0." + std::string(400, '0') + "1e+50\n",
                                    "a.xyz");
        QCOMPARE(cloud->size(), std::size_t(3));
        QVERIFY((cloud->position(0) == Vec3d{0, 0, 0}));
        QVERIFY(std::signbit(cloud->position(0).x) && !std::signbit(cloud->position(0).y) &&
                std::signbit(cloud->position(0).z));
        constexpr double infinity = std::numeric_limits<double>::infinity();
        QVERIFY((cloud->position(1) == Vec3d{-infinity, infinity, infinity}));
        QVERIFY(std::abs(cloud->position(2).x - 1e-100) < 1e-112);
        QVERIFY(cloud->position(2).y == -infinity);
        QVERIFY(cloud->position(2).z == 0);
    }
    void singleLettersAreColoursOnlyTogether() {
        const auto lab = readText("x,y,z,a,b\n1,2,3,4,5\n");
        QVERIFY(has(*lab, {"a", "b"}) && !has(*lab, {"blue"}) && !has(*lab, {"alpha"}));
        const auto r = readText("x,y,z,r,t\n1,2,3,4,5\n");
        QVERIFY(has(*r, {"r", "time"}));
        const auto rgba = readText("X,Y,Z,R,G,B,A\n1,2,3,4,5,6,7\n");
        QVERIFY(has(*rgba, {"red", "green", "blue", "alpha"}));
        const auto rgb = readText("x,y,z,b,g,r\n1,2,3,4,5,6\n");
        QCOMPARE(valueOf(*rgb, "blue", 0), 4.0);
        const auto red = readText("x,y,z,red,green,blue,a\n1,2,3,4,5,6,7\n");
        QVERIFY(has(*red, {"red", "green", "blue", "alpha"}));
    }
    void namesOfPdalAndOthersAreKnown() {
        const auto pdal = readText(
            "\"X\",\"Y\",\"Z\",\"Intensity\",\"ReturnNumber\",\"NumberOfReturns\",\"ScanDirectionFlag\","
            "\"EdgeOfFlightLine\",\"Classification\",\"ScanAngleRank\",\"UserData\",\"PointSourceId\","
            "\"GpsTime\",\"Red\",\"Green\",\"Blue\",\"Infrared\",\"ScanChannel\",\"Synthetic\",\"KeyPoint\","
            "\"Withheld\",\"Overlap\",\"NormalX\",\"NormalY\",\"NormalZ\"\n"
            "1,2,3,4,5,6,0,1,2,-9,8,7,245380.78,10,20,30,40,1,0,1,0,1,0,0,1\n");
        QVERIFY(has(*pdal, {"intensity",
                            "return_number",
                            "number_of_returns",
                            "scan_direction_flag",
                            "edge_of_flight_line",
                            "classification",
                            "scan_angle_rank",
                            "user_data",
                            "point_source_id",
                            "time",
                            "red",
                            "green",
                            "blue",
                            "near_infrared",
                            "scanner_channel",
                            "synthetic",
                            "key_point",
                            "withheld",
                            "overlap",
                            "normal_x",
                            "normal_y",
                            "normal_z"}));
        QCOMPARE(pdal->attributes().size(), std::size_t(22));
        const auto compare = readText("//X Y Z Scalar_Return_Number Scalar_Number_Of_Returns "
                                      "Scalar_Point_Source_ID Scalar_Scan_Angle_Rank Scalar_Gps_Time\n"
                                      "1 2 3 1 2 3 4 5\n",
                                      "a.asc");
        QVERIFY(has(*compare,
                    {"return_number", "number_of_returns", "point_source_id", "scan_angle_rank", "time"}));
    }
    void emptyLastFieldsAreMissingValues() {
        const auto cloud = readText("x,y,z,i,ring\n1,2,3,4,5\n4,5,6,7,\n7,8,9,,\r\n1,1,1,2,3\n");
        QCOMPARE(cloud->size(), std::size_t(4));
        QVERIFY(std::isnan(valueOf(*cloud, "ring", 1)) && valueOf(*cloud, "intensity", 1) == 7);
        QVERIFY(std::isnan(valueOf(*cloud, "intensity", 2)));
        QCOMPARE(valueOf(*cloud, "ring", 3), 3.0);
        QVERIFY(warns(*cloud, "3 values are empty"));
        QCOMPARE(readText("x;y;z;i\n1;2;3;\n4;5;6;7\n")->size(), std::size_t(2));
        const auto tabs = readText("id\tx\ty\tz\ti\n1\t2\t3\t4\t5\n\t3\t4\t5\t6\n3\t4\t5\t6\t\n"
                                   "4\t5\t6\t7\t8\n",
                                   "a.txt");
        QCOMPARE(tabs->size(), std::size_t(4));
        QVERIFY((tabs->position(1) == Vec3d{3, 4, 5}));
        QVERIFY(std::isnan(valueOf(*tabs, "id", 1)));
        QVERIFY(std::isnan(valueOf(*tabs, "intensity", 2)));
        const auto inner = readText("x\ty\tz\ti\tj\n1\t2\t3\t4\t5\n1\t2\t3\t\t6\n", "a.txt");
        QCOMPARE(valueOf(*inner, "j", 1), 6.0);
        // rows with too few values are still skipped
        QVERIFY(readText("x,y,z,i\n1,2,3,4\n1,2,3,4\n5,6,7\n")->size() == 2);
    }
    void delimitersAtTheEndOfAllRowsAreNoColumn() {
        for (const char* text : {"x,y,z\n1,2,3,\n4,5,6,\n", "x,y,z,\n1,2,3,\n4,5,6,\n", "1,2,3,\n4,5,6,\n",
                                 "1\t2\t3\t\n4\t5\t6\t\n", "x,y,z,\n1,2,3\n4,5,6\n"}) {
            const auto cloud = readText(text);
            QCOMPARE(cloud->size(), std::size_t(2));
            QVERIFY((cloud->position(1) == Vec3d{4, 5, 6}));
            QVERIFY(cloud->attributes().empty() && cloud->warnings.empty());
        }
    }
    void columnsThatAreEmptyAtFirstAreKept() {
        for (const char* missing : {"nan", "", "NA", "NaN", "null"}) {
            std::string text = "x,y,z,quality,i\n";
            for (int i = 0; i < 500; ++i)
                text += "1,2,3," + (i < 400 ? missing : std::to_string(i) + ".5") + ",7\n";
            const auto cloud = readText(text);
            QCOMPARE(cloud->size(), std::size_t(500));
            QVERIFY2(cloud->attribute("quality"), missing);
            QVERIFY(std::isnan(valueOf(*cloud, "quality", 0)));
            QCOMPARE(valueOf(*cloud, "quality", 450), 450.5);
        }
        const auto first = readText("NA,1,2,3\n7,4,5,6\n"); // a first row of numbers is not a header
        QCOMPARE(first->size(), std::size_t(1));            // the row without x is not a point
        const auto words = readText("x,y,z,label\n1,2,3,car\n4,5,6,\n");
        QVERIFY(!words->attribute("label") && warns(*words, "label"));
    }
    void cloudsOfMissingValuesComeBackFromText() {
        const Scratch scratch;
        std::vector<Attribute> attributes;
        attributes.push_back(makeAttribute<float>("nq", ScalarType::float32, std::vector<float>(3, NAN)));
        DoublePositions positions{Buffer<Vec3d>::host(3), -1};
        for (int i = 0; i < 3; ++i)
            positions.xyz[std::size_t(i)] = {double(i), 2, 3};
        const PointCloud cloud(std::move(positions), std::move(attributes), {});
        writeCloud(scratch / "nq.xyz", cloud, {}, {});
        const auto again = readScan(scratch / "nq.xyz", {}, {});
        QCOMPARE(again->size(), std::size_t(3));
        QVERIFY(again->attribute("nq") && again->attribute("nq")->notFinite() == 3);
    }
    void decimalCommasAreToldByAllRows_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("x");
        QTest::addColumn<double>("y");
        QTest::addColumn<double>("z");
        const auto row = [](const char* name, const char* text, double x, double y, double z) {
            QTest::newRow(name) << QString(text) << x << y << z;
        };
        row("a whole column", "123,45\t67,89\t1,50\t200\n123,55\t67,99\t1,60\t210\n", 123.45, 67.89, 1.5);
        row("whole numbers among", "123\t67,89\t1,50\n123,55\t67\t1\n", 123, 67.89, 1.5);
        row("whole first row", "123\t67\t1\n123,55\t67,5\t1,25\n", 123, 67, 1);
        row("blanks", "X Y Z I\n1,5 2,5 3,5 7\n4,5 5,5 6,5 8\n", 1.5, 2.5, 3.5);
        row("semicolons, whole first row", "x;y;z\n1;2;3\n1,5;2,5;3,5\n", 1, 2, 3);
        row("semicolons, without a header", "1;2;3\n1,5;2,5;3,5\n", 1, 2, 3);
        row("semicolons, comma first", "1,5;2;3\n1;2,5;3\n", 1.5, 2, 3);
        row("commas between", "1,2,3\n4,5,6\n", 1, 2, 3);
        row("commas and blanks", "1, 2, 3\n4, 5, 6\n", 1, 2, 3);
        row("points", "1.5,2.5,3.5 \n4, 5,6\n", 1.5, 2.5, 3.5);
        row("a remark first", "1;2;3\n# 1,5\n4.5;5.5;6.5\n", 1, 2, 3);
    }
    void decimalCommasAreToldByAllRows() {
        QFETCH(QString, text);
        QFETCH(double, x);
        QFETCH(double, y);
        QFETCH(double, z);
        const auto cloud = readText(text.toStdString(), "a.txt");
        QCOMPARE(cloud->size(), std::size_t(2));
        QVERIFY((cloud->position(0) == Vec3d{x, y, z}));
        QVERIFY(cloud->warnings.empty());
    }
    void decimalCommasAfterManyWholeRows() {
        for (const char delimiter : {';', '\t', ' '}) {
            std::string text;
            for (int i = 0; i < 400; ++i) {
                for (const char* value : {"12", "13", "14", "15"})
                    text +=
                        std::string(value) + (i < 300 ? "" : ",25") + (value[1] == '5' ? '\n' : delimiter);
            }
            const auto cloud = readText(text, "a.txt");
            QCOMPARE(cloud->size(), std::size_t(400));
            QVERIFY((cloud->position(399) == Vec3d{12.25, 13.25, 14.25}));
            QCOMPARE(valueOf(*cloud, "intensity", 399), 15.25);
        }
    }
    void valuesInQuotesMayHoldDelimiters() {
        const auto cloud = readText("x,y,z,label,i\n1,2,3,\"car, red\",4\n5,6,7,big van,8\n");
        QCOMPARE(cloud->size(), std::size_t(2));
        QCOMPARE(valueOf(*cloud, "intensity", 0), 4.0);
        QCOMPARE(valueOf(*cloud, "intensity", 1), 8.0);
        const Scratch scratch; // decimal commas in quotes are unsupported, so that no row is complete
        const auto path = scratch.file("a.csv", "x,y,z\n\"1,5\",\"2,5\",\"3,5\"\n");
        QVERIFY(errorOf([&] { readScan(path, {}, {}); }));
    }
    void rowNamesOfR() {
        const auto table =
            readText("\"x\" \"y\" \"z\" \"i\"\n\"1\" 1.5 2.5 3.5 7\n\"2\" 4.5 5.5 6.5 NA\n", "a.txt");
        QCOMPARE(table->size(), std::size_t(2));
        QVERIFY((table->position(1) == Vec3d{4.5, 5.5, 6.5}));
        QCOMPARE(valueOf(*table, "intensity", 0), 7.0);
        QVERIFY(warns(*table, "read as a row name"));
        const auto words = readText("x\ty\tz\na\t1\t2\t3\nb\t4\t5\t6\n", "a.txt");
        QVERIFY((words->position(1) == Vec3d{4, 5, 6}));
        const auto plain = readText("x y z\n17 1.5 2 3\n4 4.5 5 6\n", "a.txt");
        QVERIFY((plain->position(1) == Vec3d{4.5, 5, 6}));
        const auto counted = readText("x y z\n1 10 20 30\n2 40 50 60\n", "a.txt");
        QVERIFY((counted->position(0) == Vec3d{10, 20, 30}));
        const auto unnamed =
            readText("x y z\n1.5 2 3 9\n2.5 5 6 9\n", "a.txt"); // the last column has no name
        QVERIFY((unnamed->position(0) == Vec3d{1.5, 2, 3}));
        const auto pandas = readText(",x,y,z\n0,1,2,3\n1,4,5,6\n");
        QVERIFY((pandas->position(1) == Vec3d{4, 5, 6}));
    }
    void longRemarksBeforeTheRows() {
        std::string remarks;
        while (remarks.size() < 300000)
            remarks += "# a licence that nobody reads\n";
        QCOMPARE(readText(remarks + "1 2 3\n4 5 6\n", "a.xyz")->size(), std::size_t(2));
        const auto named = readText(remarks + "//X Y Z Intensity\n1 2 3 4\n", "a.xyz");
        QCOMPARE(valueOf(*named, "intensity", 0), 4.0);
        const auto after = readText("x,y,z,i\n" + remarks + "1,2,3,4\n");
        QCOMPARE(valueOf(*after, "intensity", 0), 4.0);
        std::string wide; // a row that is longer than the remarks
        for (int i = 0; i < 4000; ++i)
            wide += "12345678901234.5 ";
        QCOMPARE(readText(wide + "\n" + wide + "\n", "a.xyz")->attributes().size(), std::size_t(3997));
    }
    void wholeNumbersBeyondDoublesStayExact() {
        const auto stamps = readText("x,y,z,t,id\n1,2,3,1700000000123456789,18446744073709551615\n"
                                     "4,5,6,1700000000123456790,\"18446744073709551614\"\n");
        QVERIFY(stamps->attribute("time")->type == ScalarType::int64);
        QVERIFY(stamps->attribute("id")->type == ScalarType::uint64);
        QCOMPARE(exactly<std::int64_t>(*stamps, "time", 0), std::int64_t(1700000000123456789));
        QCOMPARE(exactly<std::int64_t>(*stamps, "time", 1), std::int64_t(1700000000123456790));
        QCOMPARE(exactly<std::uint64_t>(*stamps, "id", 1), std::uint64_t(18446744073709551614u));
        QVERIFY(stamps->warnings.empty());
        // columns that start with small numbers, and later need another type
        std::string text = "x,y,z,t,u,v,w\n";
        for (int i = 0; i < 3000; ++i)
            text += "1,2,3," + std::to_string(i) + "," + std::to_string(i) + "," + std::to_string(i) + "," +
                    std::to_string(i) + "\n";
        text += "1,2,3,-9007199254740993,9223372036854775809,5000000000,9007199254740993\n";
        text += "1,2,3,4,5,6,0.5\n";
        const auto late = readText(text);
        QVERIFY(late->attribute("time")->type == ScalarType::int64);
        QCOMPARE(exactly<std::int64_t>(*late, "time", 3000), std::int64_t(-9007199254740993));
        QCOMPARE(exactly<std::int64_t>(*late, "time", 2999), std::int64_t(2999));
        QVERIFY(late->attribute("u")->type == ScalarType::uint64);
        QCOMPARE(exactly<std::uint64_t>(*late, "u", 3000), std::uint64_t(9223372036854775809u));
        QVERIFY(late->attribute("v")->type == ScalarType::float64); // a double represents all values
        QCOMPARE(valueOf(*late, "v", 3000), 5e9);
        QVERIFY(late->attribute("w")->type == ScalarType::float64); // not all values are integers
        QVERIFY(warns(*late, "rounded"));
    }
};

SCANLOUPE_TEST(TestReadText)
#include "test_read_text.moc"
