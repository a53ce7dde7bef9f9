// Texts of points as pandas, R, PDAL and spreadsheets write them.
#include "tests/engine/test_io_support.h"

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

/// The value of an attribute in its own type.
template <class T>
T exactly(const PointCloud& cloud, const char* name, std::size_t i) {
    T value;
    std::memcpy(&value, cloud.attribute(name)->data.data() + i * sizeof(T), sizeof(T));
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
        QCOMPARE(rgb->attribute("blue")->value(0), 4.0);
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
};

QTEST_APPLESS_MAIN(TestReadText)
#include "test_read_text.moc"
