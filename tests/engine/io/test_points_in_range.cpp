// Points in a range: the same that are voxelized, with all that belongs to them.
#include "engine/io/las/las_metadata.h"
#include "engine/io/points_in_range.h"
#include "tests/engine/io/test_io_support.h"
#include "tests/support/pipeline_run.h"

#include <fmt/format.h>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// Row `to` of a cut cloud is row `from` of the whole one.
void compareRow(const PointCloud& cut, std::size_t to, const PointCloud& whole, std::size_t from) {
    QVERIFY(cut.position(to) == whole.position(from));
    QCOMPARE(cut.attributes().size(), whole.attributes().size());
    for (std::size_t a = 0; a < whole.attributes().size(); ++a) {
        const Attribute &one = cut.attributes()[a], &other = whole.attributes()[a];
        QCOMPARE(one.name, other.name);
        QVERIFY(one.type == other.type);
        QVERIFY(std::memcmp(one.data() + to * sizeOf(one.type), other.data() + from * sizeOf(one.type),
                            sizeOf(one.type)) == 0);
    }
}

} // namespace

class TestPointsInRange : public QObject {
    Q_OBJECT
private slots:
    /// As many as a run counts, for ranges whose faces pass through points, too.
    void theSameAsAreVoxelized() {
        auto random = seededRandom("theSameAsAreVoxelized");
        const auto cloud = bumpyCloud(30'000);
        Run run(cloud);
        run.recipe.voxelSize = Vec3d{0.05, 0.05, 0.05};
        for (int i = 0; i < 20; ++i) {
            Bounds range;
            for (int axis = 0; axis < 3; ++axis) {
                const double a = cloud->position(random() % cloud->size())[axis];
                const double b = cloud->position(random() % cloud->size())[axis];
                range.min[axis] = std::min(a, b);
                range.max[axis] = std::max(a, b) + 1e-3;
            }
            const auto rows = rowsInRange(*cloud, range, {});
            run.recipe.rangeMin = range.min;
            run.recipe.rangeMax = range.max;
            if (rows.size() < 2)
                continue; // refused
            const Snapshot snapshot = run(kNoPicture);
            QCOMPARE(rows.size(), std::size_t(snapshot.voxels->stats.pointsInRange));
            const auto cut = selectPoints(cloud, rows, {});
            QCOMPARE(cut->size(), rows.size());
            for (const std::size_t k : {std::size_t(0), rows.size() / 2, rows.size() - 1})
                compareRow(*cut, k, *cloud, rows[k]);
        }
    }
    void allRowsAreTheCloudItself() {
        const auto cloud = bumpyCloud(1000);
        const auto rows =
            rowsInRange(*cloud, {cloud->bounds().min, cloud->bounds().max + Vec3d{1, 1, 1}}, {});
        QVERIFY(selectPoints(cloud, rows, {}) == cloud);
    }
    /// Bytes of points that no attribute shows.
    void opaqueBytesFollowTheirPoints() {
        LasMetadata whole;
        whole.layout.opaqueBytes = 2;
        auto bytes = Buffer<std::byte>::host(10);
        for (std::size_t i = 0; i < 10; ++i)
            bytes[i] = std::byte(i);
        whole.opaque = std::make_shared<const Buffer<std::byte>>(std::move(bytes));
        const std::size_t rows[] = {1, 4};
        const auto cut = std::dynamic_pointer_cast<const LasMetadata>(whole.ofRows(rows));
        QVERIFY(cut && cut->opaque && cut->opaque->size() == 4);
        for (std::size_t i = 0; i < 4; ++i)
            QCOMPARE(int((*cut->opaque)[i]), int(2 * rows[i / 2] + i % 2));
    }
    /// Records come back from LAS.
    void lasKeepsWhatItSaysBesidePoints() {
        SCANLOUPE_REAL_SCAN(path, "las/laspy_unregistered_extra_bytes.las");
        const auto cloud = readScan(path, {}, {});
        QVERIFY(cloud->size() > 2);
        std::vector<std::size_t> rows;
        for (std::size_t i = 1; i < cloud->size(); i += 2)
            rows.push_back(i);
        const Scratch scratch;
        writeCloud(scratch / "cut.las", *selectPoints(cloud, rows, {}), {}, {});
        const auto cut = readScan(scratch / "cut.las", {}, {});
        QCOMPARE(cut->size(), rows.size());
        for (std::size_t k = 0; k < rows.size(); ++k)
            compareRow(*cut, k, *cloud, rows[k]);
        const LasMetadata &was = *lasMetadataOf(*cloud), &is = *lasMetadataOf(*cut);
        QCOMPARE(is.vlrs.size(), was.vlrs.size());
    }
    void attributesInTheirFileAreLoaded() {
        const Scratch scratch;
        const auto cloud = bumpyCloud(5000);
        writeCloud(scratch / "scan.las", *cloud, {}, {});
        ReadOptions options;
        options.attributes = AttributeReading::onDemand;
        const auto lazy = readScan(scratch / "scan.las", options, {});
        options.attributes = AttributeReading::atOnce;
        const auto whole = readScan(scratch / "scan.las", options, {});
        const std::vector<std::size_t> rows{3, 500, 4999};
        const auto cut = selectPoints(lazy, rows, {});
        for (std::size_t k = 0; k < rows.size(); ++k)
            compareRow(*cut, k, *whole, rows[k]);
    }
};

QTEST_APPLESS_MAIN(TestPointsInRange)
#include "test_points_in_range.moc"
