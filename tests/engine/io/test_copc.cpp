// COPC by its octree: coarse levels, and nodes in a range, of real files and damaged ones.
#include "engine/io/las/read_las.h"
#include "engine/io/scan_reader.h"
#include "engine/io/writers.h"
#include "tests/engine/io/test_io_support.h"
#include "tests/support/pipeline_run.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <array>
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
    std::filesystem::path m_file; ///< with pages below the root page

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
                    return warning.starts_with("Of the octree, ");
                }));
            last = points.size();
        }
        QVERIFY(last < whole.size());
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

    void otherFilesAreReadWhole() {
        const Scratch scratch;
        writeCloud(scratch / "scan.laz", *bumpyCloud(10'000), {}, {});
        const auto cloud = readNodes(scratch / "scan.laz", 1);
        QCOMPARE(cloud->size(), std::size_t(10'000));
        QCOMPARE(cloud->warnings.size(), std::size_t(1));
        QVERIFY(cloud->warnings[0].find("no octree") != std::string::npos);
    }

    /// Pages that name each other, and counts of any size: reading ends, with points of the file or a
    /// sentence.
    void damagedHierarchies() {
        std::ifstream in(m_file, std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(in), {}};
        std::uint64_t root = 0, size = 0;
        std::memcpy(&root, bytes.data() + 375 + 54 + 40,
                    8); // the info record is the first one, by the format
        std::memcpy(&size, bytes.data() + 375 + 54 + 48, 8);
        QVERIFY(root + size <= bytes.size() && size % 32 == 0 && size > 0);
        const Scratch scratch;
        auto random = seededRandom("damagedHierarchies");
        for (int i = 0; i < 200; ++i) {
            std::string damaged = bytes;
            const std::size_t entry = root + 32 * (random() % (size / 32));
            const std::int32_t page = -1, length = std::int32_t(size);
            if (i % 4 == 0) { // an entry that names its own page
                std::memcpy(damaged.data() + entry + 16, &root, 8);
                std::memcpy(damaged.data() + entry + 24, &length, 4);
                std::memcpy(damaged.data() + entry + 28, &page, 4);
            } else {
                for (int k = 0; k < 4; ++k)
                    damaged[entry + random() % 32] = char(random());
            }
            const auto path = scratch / "damaged.copc.laz";
            std::ofstream(path, std::ios::binary) << damaged;
            try {
                QVERIFY(readNodes(path, 1)->size() > 0);
                if (const auto part = readScanSubsample(path, 10, {}, {}))
                    QVERIFY(part->size() > 0);
            } catch (const Error& error) {
                QVERIFY(*error.what());
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestCopc)
#include "test_copc.moc"
