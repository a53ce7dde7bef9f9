// All real scans in the supported formats: each is opened and counted, and its bounds are compared with those
// that other programs found.
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/las/read_las.h"
#include "engine/io/volume/read_volume.h"
#include "tests/engine/io/test_io_support.h"

#include <QFile>
#include <QRegularExpression>

using namespace scanloupe;

namespace {

struct ListedScan {
    QString file, role, points, stats;
};

std::vector<ListedScan> listedScans() {
    QFile table(QString::fromStdString((test::scansFolder() / "SOURCES.tsv").string()));
    std::vector<ListedScan> scans;
    if (!table.open(QIODevice::ReadOnly))
        return scans;
    table.readLine();
    while (!table.atEnd()) {
        const auto cells = QString::fromUtf8(table.readLine()).split('\t');
        if (cells.size() > 9)
            scans.push_back({cells[0], cells[1], cells[4], cells[9]});
    }
    return scans;
}

void addRows(const std::function<bool(const ListedScan&)>& wanted) {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("points");
    QTest::addColumn<QString>("stats");
    bool any = false;
    for (const auto& scan : listedScans()) {
        if (!wanted(scan))
            continue;
        QTest::newRow(qPrintable(scan.file)) << scan.file << scan.points << scan.stats;
        any = true;
    }
    if (!any)
        QSKIP("the folder of real scans is not here: set SCANLOUPE_SCANS to run this test");
}

std::filesystem::path pathOf(const QString& file) {
    return test::scansFolder() / file.toStdString();
}

/// Compares limits with the precision of the table: six significant digits.
bool near(double found, double listed, double size) {
    return std::abs(found - listed) <= 1e-5 * std::max({std::abs(listed), size, 1e-6});
}

} // namespace

class TestReadScans : public QObject {
    Q_OBJECT
private slots:
    void opens_data() {
        addRows([](const ListedScan& scan) { return scan.role == "cloud"; });
    }
    void opens() {
        QFETCH(QString, file);
        QFETCH(QString, points);
        QFETCH(QString, stats);
        if (file.endsWith(".laz") && !haveLaszip())
            QSKIP("this build has no LASzip");
        double last = 0;
        ReadOptions options;
        options.progress = [&](double part) { last = part; };
        const auto cloud = readScan(pathOf(file), options, {});
        QCOMPARE(QString::number(cloud->size()), points);
        QVERIFY(!cloud->format.empty());
        QVERIFY(!test::warns(*cloud, "coordinates are probably wrong"));
        const auto number = QStringLiteral("(-?[0-9.]+(?:e[+-]?[0-9]+)?)");
        const QRegularExpression box("bbox=\\[" + number + " " + number + " " + number + " \\.\\. " + number +
                                     " " + number + " " + number + "\\]");
        const Bounds& bounds = cloud->bounds();
        if (const auto match = box.match(stats); match.hasMatch()) {
            for (int axis = 0; axis < 3; ++axis) {
                const double low = match.captured(1 + axis).toDouble(),
                             high = match.captured(4 + axis).toDouble();
                QVERIFY2(near(bounds.min[axis], low, high - low),
                         qPrintable(QString::number(bounds.min[axis])));
                QVERIFY2(near(bounds.max[axis], high, high - low),
                         qPrintable(QString::number(bounds.max[axis])));
            }
        }
        const QRegularExpression range("\\b([a-z]+)\\[" + number + " " + number + "\\]");
        for (auto matches = range.globalMatch(stats); matches.hasNext();) {
            const auto match = matches.next();
            // some headers have a wrong box
            const bool claimed = stats.left(match.capturedStart()).endsWith("hdr bbox ");
            if (claimed && test::warns(*cloud, "outside the bounding box"))
                continue;
            const std::string name = match.captured(1) == "dt" ? "time" : match.captured(1).toStdString();
            const double low = match.captured(2).toDouble(), high = match.captured(3).toDouble();
            double foundLow = 0, foundHigh = 0;
            if (const Attribute* attribute = cloud->attribute(name)) {
                foundLow = attribute->min();
                foundHigh = attribute->max();
            } else {
                QVERIFY2(name.size() == 1 && name[0] >= 'x' && name[0] <= 'z', name.c_str());
                foundLow = bounds.min[name[0] - 'x'];
                foundHigh = bounds.max[name[0] - 'x'];
            }
            QVERIFY(std::abs(foundLow - low) <= 1e-4 * std::max(1.0, std::abs(low)));
            QVERIFY(std::abs(foundHigh - high) <= 1e-4 * std::max(1.0, std::abs(high)));
        }
        const QRegularExpression notFinite("nonfinite=([0-9]+)");
        if (const auto match = notFinite.match(stats); match.hasMatch())
            QCOMPARE(QString::number(cloud->notFinite()), match.captured(1));
        if (cloud->size() > 0)
            QCOMPARE(last, 1.0);
    }

    /// Files that are not plain clouds: the expected number of points, or an error, and words of the message.
    void everyOtherFileSaysWhatItIs_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("points");
        QTest::addColumn<QString>("words");
        const auto add = [](const char* file, int points, const char* words) {
            QTest::newRow(file) << QString(file) << points << QString(words);
        };
        constexpr int error = -1;
        add("e57/corrupt_crc.e57", error, "Page 34 of 34 is damaged");
        add("e57/libe57_ZeroPointsInvalid.e57", 0, "no points");
        add("las/pdal_1.2-no-points.las", error, "specifies 1065 points, but there is no");
        add("las/pdal_bad_vlr_count.las", 10, "specifies 3 VLRs before the points, but only 2");
        add("las/pdal_ept_invalid_tile_2-2-2-2.laz", error, "LAS version 126.203");
        add("las/pdal_garbage_nVariableLength.las", 718, "718 of 719 points were loaded");
        add("pcd/pdal_missingheader.pcd", error, "no DATA line");
        add("pcd/expected_normal_estimation_32_vs_64_bit.pcd", error, "no x coordinate");
        add("pcd/stereo_left.pcd", error, "its columns are: rgba");
        add("ply/open3d_test_sample_wrong_format_255.ply", 1, "1 of 2 rows were left out");
        add("ply/pdal_sized_dims.ply", error, "no z coordinate");
        add("ply/pdal_unsized_dims.ply", error, "no z coordinate");
        add("ply/trimesh_ply_empty_header.ply", error, "the element 'vertex' is missing");
        add("text/pdal_bunny_8.pts", 9, "specifies 8 points, but the file contains 9 rows");
        add("text/pdal_text_utm17_3.txt", 11, "1 rows have more values");
        add("ply/stanford_bun.conf", error, "no x coordinate");
        // arrays that contain uninitialised memory of another program instead of points
        add("volume/compVoxelArray.bin", error, "does not look like a sweep");
        add("volume/normalArray.bin", error, "does not look like a sweep");
        add("volume/posArray.bin", error, "does not look like a sweep");
        add("volume/Bucky.raw", error, "is a raw volume");
        // a matrix in a text file can't be distinguished from points
        add("ndt/fast_gicp_relative.txt", 4, "");
        add("ndt/small_gicp_T_target_source.txt", 4, "");
    }
    void everyOtherFileSaysWhatItIs() {
        QFETCH(QString, file);
        QFETCH(int, points);
        QFETCH(QString, words);
        SCANLOUPE_REAL_SCAN(path, file.toStdString());
        try {
            const auto cloud = readScan(path, {}, {});
            QCOMPARE(int(cloud->size()), points);
            QVERIFY(words.isEmpty() || test::warns(*cloud, qPrintable(words)));
        } catch (const EngineError& error) {
            QCOMPARE(points, -1);
            QVERIFY2(QString(error.what()).contains(words), error.what());
            QVERIFY(QString(error.what()).contains(QFileInfo(file).fileName()));
            QVERIFY(!error.nextStep().empty());
        }
    }
    void noFileIsForgotten() {
        if (listedScans().empty())
            QSKIP("the folder of real scans is not here: set SCANLOUPE_SCANS to run this test");
        int clouds = 0, others = 0;
        for (const auto& scan : listedScans())
            ++(scan.role == "cloud" ? clouds : others);
        QVERIFY(clouds >= 118);
        QCOMPARE(others, 22);
    }

    void bunniesOfAllNumbersAreTheSame() {
        SCANLOUPE_REAL_SCAN(doubles, "e57/bunnyDouble.e57");
        const auto expected = readScan(doubles, {}, {});
        for (const auto& [file, step] :
             {std::pair{"e57/bunnyInt19.e57", 1e-6}, std::pair{"e57/bunnyInt21.e57", 1e-6},
              std::pair{"e57/bunnyInt32.e57", 1e-9}}) {
            const auto found = readScan(test::scansFolder() / file, {}, {});
            QVERIFY(std::holds_alternative<ScaledPositions>(found->positions()));
            for (std::size_t i = 0; i < expected->size(); ++i)
                for (int axis = 0; axis < 3; ++axis)
                    QVERIFY(std::abs(found->position(i)[axis] - expected->position(i)[axis]) <= step);
        }
    }

    void organizedCloudKeepsItsGrid() {
        SCANLOUPE_REAL_SCAN(path, "pcd/office1.pcd");
        const auto cloud = readScan(path, {}, {});
        QCOMPARE(cloud->width, 640);
        QCOMPARE(cloud->height, 480);
        QVERIFY(cloud->sensor.has_value());
        for (const char* name : {"red", "green", "blue"}) {
            const Attribute* attribute = cloud->attribute(name);
            QVERIFY(attribute && attribute->type == ScalarType::uint8);
            QVERIFY(attribute->max() > attribute->min());
        }
    }
    void textCoordinatesAreTheFilesOwn() {
        SCANLOUPE_REAL_SCAN(path, "text/trimesh_points_cloudcompare.xyz");
        const auto cloud = readScan(path, {}, {});
        QCOMPARE(std::get<DoublePositions>(cloud->positions()).decimals, 6);
        QCOMPARE(cloud->position(0).x, 665187.522077);
        QCOMPARE(cloud->position(0).y, 5648349.895035);
        QVERIFY(cloud->attribute("red") && cloud->attribute("red")->value(0) == 117);
        QVERIFY(cloud->attribute("blue")->value(0) == 49);
        QVERIFY(!(cloud->origin() == Vec3d{}));
    }
    void declaredFloatDoesNotRoundTheTextsNumbers() {
        SCANLOUPE_REAL_SCAN(path, "pcd/pdal_utm17_comma.pcd");
        const auto cloud = readScan(path, {}, {});
        QCOMPARE(cloud->position(0).y, 4320978.61);
    }
    void volumeOfBytes() {
        SCANLOUPE_REAL_SCAN(path, "volume/Bucky.raw");
        QVERIFY(isVolumeFile(path));
        const Volume volume = readVolume(path, {}, {});
        QCOMPARE(volume.values.size(), std::size_t(32768));
        QVERIFY((volume.lattice.dims == Vec3i{32, 32, 32}));
        float low = 1, high = 0;
        for (const float value : volume.values.span()) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
        QCOMPARE(low, 0.0f);
        QCOMPARE(high, 1.0f);
        try {
            readScan(path, {}, {});
            QFAIL("a volume is no scan");
        } catch (const EngineError& error) {
            QVERIFY(QString::fromStdString(error.nextStep()).contains("volume"));
        }
    }
};

SCANLOUPE_TEST(TestReadScans)
#include "test_read_scans.moc"
