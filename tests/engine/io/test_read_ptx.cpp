// PTX: several scans in one text file, each with its own pose and columns.
#include "engine/io/common/read_options.h"
#include "tests/engine/io/test_io_support.h"

#include <QElapsedTimer>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

std::shared_ptr<const PointCloud> readText(const std::string& name, const std::string& content) {
    const Scratch scratch;
    return readScan(scratch.file(name, content), {}, {});
}

std::optional<EngineError> errorOfText(const std::string& name, const std::string& content) {
    return errorOf([&] { readText(name, content); });
}

/// The header of a scan with one column of `rows` points and identity transforms.
std::string unmoved(int rows) {
    return "1\n" + std::to_string(rows) +
           "\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n";
}

} // namespace

class TestReadPtx : public QObject {
    Q_OBJECT
private slots:
    void ptxScansAreMoved() {
        const std::string head = "2\n2\n10 0 0\n1 0 0\n0 1 0\n0 0 1\n";
        const std::string turned = "0 1 0 0\n-1 0 0 0\n0 0 1 0\n10 0 0 1\n";
        const std::string rows = "1 0 0 0.5\n0 2 0 0.25\n0 0 0 0.5\n1 1 5 1\n";
        const auto one = readText("a.ptx", head + turned + rows);
        QCOMPARE(one->size(), std::size_t(4));
        QVERIFY((one->position(0) == Vec3d{10, 1, 0}));
        QVERIFY((one->position(1) == Vec3d{8, 0, 0}));
        QVERIFY((one->position(3) == Vec3d{9, 1, 5}));
        QCOMPARE(one->notFinite(), std::uint64_t(1));
        QCOMPARE(one->width * one->height, 4);
        QVERIFY(one->sensor && (one->sensor->position == Vec3d{10, 0, 0}));
        const Quaternion q = one->sensor->rotation; // a quarter turn about z
        QVERIFY(q.x == 0 && q.y == 0 && std::abs(q.z - std::sqrt(0.5)) < 1e-15);
        QCOMPARE(q.w, q.z);
        const auto two = readText(
            "a.ptx",
            head + turned + rows +
                "1\n1\n5 6 7\n1 0 0\n0 1 0\n0 0 1\n1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n3 3 3 0.125\n");
        QCOMPARE(two->size(), std::size_t(5));
        QVERIFY((two->position(4) == Vec3d{3, 3, 3}));
        QCOMPARE(two->attribute("sensor_x")->value(0), 10.0);
        QCOMPARE(two->attribute("sensor_z")->value(4), 7.0);
        QVERIFY(!two->sensor);
        const auto cut = readText("a.ptx", head + turned + "1 0 0 0.5\n0 2 0 0.25\n");
        QVERIFY(warns(*cut, "2 of 4"));
        QVERIFY(says(errorOfText("a.ptx", "1 2 3\n4 5 6\n"), "not a valid PTX header"));
    }
    void scansOfDifferentColumns_data() {
        QTest::addColumn<std::vector<int>>("columns");
        QTest::newRow("4 7") << std::vector{4, 7};
        QTest::newRow("7 4") << std::vector{7, 4};
        QTest::newRow("3 4 7") << std::vector{3, 4, 7};
        QTest::newRow("7 3 4") << std::vector{7, 3, 4};
        QTest::newRow("3 4") << std::vector{3, 4};
    }
    /// All points of all scans, with NaN where a scan lacks a column.
    void scansOfDifferentColumns() {
        QFETCH(std::vector<int>, columns);
        constexpr int points = 300;
        const double values[] = {1, 2, 3, 0.5, 10, 20, 30};
        const char* const names[] = {"intensity", "red", "green", "blue"};
        std::string text;
        for (std::size_t s = 0; s < columns.size(); ++s) {
            text += unmoved(points);
            for (int i = 0; i < points; ++i) {
                for (int c = 0; c < columns[s]; ++c)
                    text += (c > 0 ? " " : "") + std::to_string(values[c] + (c < 3 ? double(s) : 0.0));
                text += "\n";
            }
        }
        const auto cloud = readText("a.ptx", text);
        QVERIFY2(cloud->warnings.empty(), cloud->warnings.empty() ? "" : cloud->warnings[0].c_str());
        QCOMPARE(cloud->size(), columns.size() * points);
        const int most = *std::max_element(columns.begin(), columns.end());
        // three more attributes for the sensor's position
        QCOMPARE(cloud->attributes().size(), std::size_t(most - 3 + 3));
        for (std::size_t i = 0; i < cloud->size(); ++i) {
            const std::size_t s = i / points;
            QCOMPARE(cloud->position(i).y, 2 + double(s));
            for (int c = 3; c < most; ++c) {
                const double value = cloud->attribute(names[c - 3])->value(i);
                QVERIFY(c < columns[s] ? value == values[c] : std::isnan(value));
            }
        }
    }
    void rowsThatAreCutAreLeftOut() {
        const std::string four = unmoved(3) + "1 2 3 0.5\n1 2 3\n1 2 3 0.25\n",
                          seven = unmoved(2) + "4 5 6 0.5 1 2 3\n4 5 6 0.5 1 2\n";
        const auto cloud = readText("a.ptx", four + seven);
        QCOMPARE(cloud->size(), std::size_t(3));
        QVERIFY(warns(*cloud, "2 of 5 rows were left out"));
        QCOMPARE(cloud->position(2).x, 4.0);
        QCOMPARE(cloud->attribute("blue")->value(2), 3.0);
    }
    /// Points without a valid pose can't be placed among those of the other scans.
    void scansOfDamagedHeadersAreLeftOut() {
        const auto scan = [](int rows, double x, const char* axis, const char* more = " 2 3 0.5\n") {
            std::string text = unmoved(rows);
            text.replace(text.find("0 1 0 0\n"), 8, std::string(axis) + "\n");
            for (int i = 0; i < rows; ++i)
                text += std::to_string(x + i) + more;
            return text;
        };
        const std::string first = scan(4, 10, "0 1 0 0"), second = scan(3, 20, "0 1 nan 0"),
                          third = scan(2, 30, "0 1 0 0");
        const auto check = [](const PointCloud& cloud, std::vector<double> xs, const char* words) {
            QVERIFY(warns(cloud, words));
            QCOMPARE(cloud.warnings.size(), std::size_t(1));
            QCOMPARE(cloud.size(), xs.size());
            for (std::size_t i = 0; i < xs.size(); ++i)
                QCOMPARE(cloud.position(i), (Vec3d{xs[i], 2, 3}));
        };
        const auto two = readText("a.ptx", first + second);
        check(*two, {10, 11, 12, 13},
              "Incomplete: Scans were left out since their headers have no valid position and matrix: 2.");
        QVERIFY(two->sensor); // the file has only one valid scan
        check(*readText("a.ptx", second + third), {30, 31}, "position and matrix: 1");
        check(*readText("a.ptx", first + second + third), {10, 11, 12, 13, 30, 31}, "position and matrix: 2");
        check(*readText("a.ptx", first + second + second + third + second), {10, 11, 12, 13, 30, 31},
              "position and matrix: 2, 3, 5");
        // the end of a file within points that are left out anyway, or within a header
        check(*readText("a.ptx", first + second.substr(0, second.size() - 20)), {10, 11, 12, 13},
              "position and matrix: 2");
        check(*readText("a.ptx", first + third.substr(0, 20)), {10, 11, 12, 13},
              "Scan 2 and all following scans");
        // a header with a missing line: the start of the next scan is unknown
        std::string shorter = scan(3, 20, "0 1 nan 0", " 2 3 0.5 10 20 30\n");
        shorter.erase(shorter.find("0 1 nan 0\n"), 10);
        const auto lost = readText("a.ptx", first + shorter + third);
        QCOMPARE(lost->size(), std::size_t(4));
        QVERIFY(warns(*lost, "position and matrix: 2") && warns(*lost, "Scan 3 and all following scans"));
        QVERIFY(says(errorOfText("a.ptx", second), "not a valid PTX header"));
        // rows that a valid header does not claim
        QVERIFY(says(errorOfText("a.ptx", first + "1 2 3 0.5\n" + third), "header of scan 2"));
    }
    /// A file of many scans is read chunk by chunk. The time must not grow with the number of scans times the
    /// number of rows.
    void manySmallScans() {
        constexpr int scans = 20'000;
        std::string text;
        for (int i = 0; i < scans; ++i)
            text += unmoved(1) + std::to_string(i) + (i % 2 ? " 1 2 0.5\n" : " 1 2 0.5 10 20 30\n");
        QElapsedTimer timer;
        timer.start();
        const auto cloud = readText("a.ptx", text);
        QVERIFY2(timer.elapsed() < 5000, qPrintable(QString::number(timer.elapsed()) + " ms"));
        QCOMPARE(cloud->size(), std::size_t(scans));
        for (int i = 0; i < scans; ++i) {
            QCOMPARE(cloud->position(std::size_t(i)).x, double(i));
            QCOMPARE(std::isnan(cloud->attribute("blue")->value(std::size_t(i))), i % 2 == 1);
        }
    }
};

SCANLOUPE_TEST(TestReadPtx)
#include "test_read_ptx.moc"
