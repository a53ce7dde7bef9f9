// COPC by its octree: coarse levels and the nodes in a range, for real files and damaged ones.
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/las/read_las.h"
#include "engine/io/scan_reader.h"
#include "engine/io/writers.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "tests/engine/io/test_io_support.h"
#include "tests/support/pipeline_run.h"
#include "tests/support/test_support.h"

#include <QElapsedTimer>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

using Point = std::array<double, 3>;

std::vector<Point> pointsOf(const PointCloud& cloud) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < cloud.size(); ++i) {
        const Vec3d p = cloud.position(i);
        points.push_back({p.x, p.y, p.z});
    }
    std::ranges::sort(points);
    return points;
}

bool isIn(const Point& p, const Bounds& box) {
    for (int axis = 0; axis < 3; ++axis)
        if (p[std::size_t(axis)] < box.min[axis] || p[std::size_t(axis)] > box.max[axis])
            return false;
    return true;
}

std::shared_ptr<const PointCloud> readNodes(const std::filesystem::path& path, double resolution,
                                            std::optional<Bounds> range = {}) {
    return readScan(path, {.progress = {}, .octree = OctreeReading{range, resolution}}, {});
}

} // namespace

class TestCopc : public QObject {
    Q_OBJECT
    static constexpr std::size_t kInfo = 375 + 54; ///< offset of the info record, which is the first record

    std::filesystem::path m_file; ///< a COPC file with pages below the root page

    std::string whole() const {
        std::ifstream in(m_file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    static bool saysDamaged(const PointCloud& cloud) {
        return std::ranges::any_of(cloud.warnings, [](const std::string& warning) {
            return warning.starts_with("The octree is damaged");
        });
    }

private slots:
    void initTestCase() {
        if (!haveLaszip())
            QSKIP("this build has no LASzip");
        SCANLOUPE_REAL_SCAN(file, "las/laspy_simple_with_page.copc.laz");
        m_file = file;
    }

    void allNodesAreTheWholeScan() {
        const auto whole = readScan(m_file, {}, {}), nodes = readNodes(m_file, 0);
        QCOMPARE(nodes->size(), whole->size());
        QVERIFY(pointsOf(*nodes) == pointsOf(*whole));
        QVERIFY(nodes->warnings == whole->warnings);
    }

    void coarseLevelsAreFewerPoints() {
        const auto whole = pointsOf(*readScan(m_file, {}, {}));
        std::size_t last = whole.size() + 1;
        for (const double resolution : {1e-3, 1.0, 10.0, 1e9}) {
            const auto cloud = readNodes(m_file, resolution);
            const auto points = pointsOf(*cloud);
            QVERIFY(!points.empty() && points.size() <= last);
            QVERIFY(std::ranges::includes(whole, points));
            if (points.size() < whole.size())
                QVERIFY(std::ranges::any_of(cloud->warnings, [](const std::string& warning) {
                    return warning.starts_with("For the requested range and resolution, ");
                }));
            last = points.size();
        }
        QVERIFY(last < whole.size());
    }

    /// A level is read unless the levels above it already have a sufficient spacing.
    void levelsEndAtTheResolution() {
        double spacing = 0; // point spacing of the root
        std::memcpy(&spacing, whole().data() + kInfo + 32, sizeof(spacing));
        const auto above = readNodes(m_file, spacing * 1.01)->size(),
                   below = readNodes(m_file, spacing * 0.99)->size(),
                   half = readNodes(m_file, spacing * 0.51)->size(),
                   quarter = readNodes(m_file, spacing * 0.49)->size();
        QVERIFY(above < below && below == half && half < quarter);
    }

    void nodesInARangeHaveAllItsPoints() {
        const auto cloud = readScan(m_file, {}, {});
        const auto whole = pointsOf(*cloud);
        const Bounds& all = cloud->bounds();
        auto random = seededRandom("nodesInARangeHaveAllItsPoints");
        std::uniform_real_distribution<double> share(0, 0.8);
        std::size_t fewest = whole.size();
        for (int i = 0; i < 50; ++i) {
            Bounds range;
            for (int axis = 0; axis < 3; ++axis) {
                const double extent = all.max[axis] - all.min[axis];
                range.min[axis] = all.min[axis] + share(random) * extent;
                range.max[axis] = range.min[axis] + 0.1 * extent;
            }
            const auto points = pointsOf(*readNodes(m_file, 0, range));
            QVERIFY(std::ranges::includes(whole, points));
            for (const Point& p : whole)
                if (isIn(p, range))
                    QVERIFY(std::ranges::binary_search(points, p));
            fewest = std::min(fewest, points.size());
        }
        QVERIFY(fewest < whole.size());
    }

    void rangesBesideTheScanAreRefused() {
        const Bounds beside{{-10, -10, -10}, {-9, -9, -9}};
        QVERIFY_EXCEPTION_THROWN(readNodes(m_file, 0, beside), EngineError);
    }

    void chunkSizeZeroIsNotSet() {
        std::string bytes = whole();
        const std::size_t packing = bytes.find("laszip encoded") + 52;
        QVERIFY(packing < bytes.size());
        bytes.replace(packing + 12, 4, 4, '\0');
        const Scratch scratch;
        const auto path = scratch.file("zero.copc.laz", bytes);
        QVERIFY(pointsOf(*readScan(path, {}, {})) == pointsOf(*readScan(m_file, {}, {})));
        QVERIFY(pointsOf(*readNodes(path, 1)) == pointsOf(*readNodes(m_file, 1)));
    }

    void otherFilesAreReadWhole() {
        const Scratch scratch;
        writeCloud(scratch / "scan.laz", *bumpyCloud(10'000), {}, {});
        const auto cloud = readNodes(scratch / "scan.laz", 1);
        QCOMPARE(cloud->size(), std::size_t(10'000));
        QCOMPARE(cloud->warnings.size(), std::size_t(1));
        QVERIFY(cloud->warnings[0].find("no octree") != std::string::npos);
    }

    void emptyRootsAreNoReasonToRefuse() {
        std::string bytes = whole();
        const std::int32_t none = 0;
        std::uint64_t root = 0;
        std::memcpy(&root, bytes.data() + kInfo + 40, 8);
        // clears the point count of the root, if the root is the first entry
        std::memcpy(bytes.data() + root + 28, &none, 4);
        const Scratch scratch;
        std::ofstream(scratch / "a.copc.laz", std::ios::binary) << bytes;
        const auto cloud = readNodes(scratch / "a.copc.laz", 1e6);
        QVERIFY(cloud->size() > 0);
        QVERIFY(saysDamaged(*cloud)); // the points of the root are missing
    }

    /// If the octree is damaged, it is ignored: the whole file is read, with a warning.
    void damagedOctreesAreReported_data() {
        QTest::addColumn<int>("place");
        QTest::addColumn<double>("value");
        QTest::newRow("no size") << 24 << 0.0;
        QTest::newRow("a size that is no number") << 24 << double(NAN);
        QTest::newRow("no spacing") << 32 << 0.0;
        QTest::newRow("a negative spacing") << 32 << -1.0;
        QTest::newRow("a root page elsewhere") << 40 << 1e300;
    }
    void damagedOctreesAreReported() {
        QFETCH(int, place);
        QFETCH(double, value);
        std::string bytes = whole();
        std::memcpy(bytes.data() + kInfo + std::size_t(place), &value, 8);
        const Scratch scratch;
        std::ofstream(scratch / "a.copc.laz", std::ios::binary) << bytes;
        const auto cloud = readNodes(scratch / "a.copc.laz", 10);
        QCOMPARE(cloud->size(), readScan(m_file, {}, {})->size());
        QVERIFY(saysDamaged(*cloud));
    }

    /// Overlapping pages take no more time than the file's size allows.
    void overlappingPagesEnd() {
        std::string bytes = whole();
        const std::uint64_t begin = bytes.size(), count = 20'000;
        // the page of each entry consists of itself and all later entries
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::int32_t key[4] = {1, 0, 0, 0}, page = -1;
            const std::uint64_t offset = begin + 32 * i;
            const auto size = std::int32_t(32 * (count - i));
            bytes.append(reinterpret_cast<const char*>(key), 16);
            bytes.append(reinterpret_cast<const char*>(&offset), 8);
            bytes.append(reinterpret_cast<const char*>(&size), 4);
            bytes.append(reinterpret_cast<const char*>(&page), 4);
        }
        const std::uint64_t size = 32 * count;
        std::memcpy(bytes.data() + kInfo + 40, &begin, 8);
        std::memcpy(bytes.data() + kInfo + 48, &size, 8);
        const Scratch scratch;
        std::ofstream(scratch / "a.copc.laz", std::ios::binary) << bytes;
        QElapsedTimer timer;
        timer.start();
        const auto cloud = readNodes(scratch / "a.copc.laz", 1);
        QVERIFY2(timer.elapsed() < 3000, qPrintable(QString::number(timer.elapsed())));
        QVERIFY(saysDamaged(*cloud));
    }

    /// With random entries, reading ends with points of the file or with a message.
    void damagedHierarchies() {
        const std::string bytes = whole();
        std::uint64_t root = 0, size = 0;
        std::memcpy(&root, bytes.data() + kInfo + 40, 8);
        std::memcpy(&size, bytes.data() + kInfo + 48, 8);
        QVERIFY(root + size <= bytes.size() && size % 32 == 0 && size > 0);
        const std::size_t points = readScan(m_file, {}, {})->size();
        const Scratch scratch;
        auto random = seededRandom("damagedHierarchies");
        for (int i = 0; i < 200; ++i) {
            std::string damaged = bytes;
            const std::size_t entry = root + 32 * (random() % (size / 32));
            for (int k = 0; k < 4; ++k)
                damaged[entry + random() % 32] = char(random());
            const auto path = scratch / "damaged.copc.laz";
            std::ofstream(path, std::ios::binary) << damaged;
            try {
                const auto cloud = readNodes(path, 1);
                QVERIFY(cloud->size() > 0 && cloud->size() <= points);
                if (const auto part = readScanSubsample(path, 10, {}, {}))
                    QVERIFY(part->size() > 0);
            } catch (const Error& error) {
                QVERIFY(*error.what());
            }
        }
    }
};

SCANLOUPE_TEST_IN(QCoreApplication, TestCopc)
#include "test_copc.moc"
