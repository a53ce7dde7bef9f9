// Points in a range: exactly the points that are voxelized, with all their attributes.
#include "engine/edit/edit_list.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/las/las_metadata.h"
#include "engine/io/points_in_range.h"
#include "engine/picture/view.h"
#include "engine/recipe/defaults.h"
#include "engine/recipe/range_cut.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"
#include "engine/stages/edit.h"
#include "tests/engine/io/test_io_support.h"
#include "tests/support/pipeline_run.h"

#include <fmt/format.h>
#include <numbers>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// Compares row `to` of a clipped cloud with row `from` of the whole cloud.
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

/// Whether a recipe keeps a point, computed with vectors in double precision. `isClose` is set if a face of
/// the range is too close to decide.
bool isKept(const Recipe& recipe, Vec3d p, bool& isClose) {
    constexpr double close = 1e-5; // metres
    isClose = false;
    const auto between = [&](double value, double low, double high) {
        isClose = isClose || std::abs(value - low) < close || std::abs(value - high) < close;
        return value >= low && value < high;
    };
    const Vec3d up = upVector(*recipe.up), half = 0.5 * (*recipe.rangeMax - *recipe.rangeMin);
    const Vec3d from = p - 0.5 * (*recipe.rangeMax + *recipe.rangeMin);
    // Rodrigues' formula, by the negative angle
    const double angle = -recipe.rangeRotation * std::numbers::pi / 180;
    const Vec3d turned = from * std::cos(angle) + cross(up, from) * std::sin(angle) +
                         up * (dot(up, from) * (1 - std::cos(angle)));
    bool inBox = true;
    for (int axis = 0; axis < 3; ++axis)
        inBox &= between(turned[axis], -half[axis], half[axis]);
    if (recipe.rangeInverted) {
        inBox = !inBox;
        for (int axis = 0; axis < 3; ++axis)
            inBox &= between(p[axis], (*recipe.outerMin)[axis], (*recipe.outerMax)[axis]);
    }
    if (!recipe.section)
        return inBox;
    const Section& section = *recipe.section;
    return between(dot(normalized(section.direction), p - section.at), -section.thickness / 2,
                   section.thickness / 2) &&
           inBox;
}

void compareWithPlainGeometry(const PointCloud& cloud, const Recipe& resolved,
                              std::span<const std::size_t> rows) {
    std::size_t next = 0, close = 0;
    for (std::size_t i = 0; i < cloud.size(); ++i) {
        const bool isInRows = next < rows.size() && rows[next] == i;
        next += isInRows;
        bool isClose = false;
        const bool kept = isKept(resolved, cloud.position(i), isClose);
        close += isClose;
        if (!isClose)
            QCOMPARE(isInRows, kept);
    }
    QCOMPARE(next, rows.size());
    QVERIFY(close < cloud.size() / 20);
}

} // namespace

class TestPointsInRange : public QObject {
    Q_OBJECT
private slots:
    /// The rows are the points that a run voxelizes, also for ranges whose faces pass through points.
    void theSameAsAreVoxelized() {
        auto random = seededRandom("theSameAsAreVoxelized");
        const auto cloud = bumpyCloud(30'000);
        Run run(cloud);
        run.recipe.voxelSize = Vec3d{0.05, 0.05, 0.05};
        const auto uniform = [&](double low, double high) {
            return std::uniform_real_distribution<double>(low, high)(random);
        };
        int compared = 0;
        for (int i = 0; i < 40; ++i) {
            Bounds range;
            for (int axis = 0; axis < 3; ++axis) {
                const double a = cloud->position(random() % cloud->size())[axis];
                const double b = cloud->position(random() % cloud->size())[axis];
                range.min[axis] = std::min(a, b);
                range.max[axis] = std::max(a, b) + 1e-3;
            }
            run.recipe.rangeMin = range.min;
            run.recipe.rangeMax = range.max;
            run.recipe.rangeRotation = random() % 2 ? uniform(-180, 180) : 0;
            run.recipe.rangeInverted = random() % 3 == 0;
            run.recipe.up = UpAxis(random() % 6);
            run.recipe.section.reset();
            if (random() % 2)
                run.recipe.section = Section{cloud->position(random() % cloud->size()),
                                             {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)},
                                             uniform(0.1, 2)};
            const Recipe resolved = resolve(run.recipe, *cloud, defaultsFor(*cloud, {}), {});
            const auto rows =
                rowsInRange(*cloud, gridBounds(resolved), pointCut(resolved, cloud->origin()), {});
            compareWithPlainGeometry(*cloud, resolved, rows);
            if (rows.size() < 2)
                continue; // too few points for a run
            ++compared;
            const Snapshot snapshot = run(kNoPicture);
            QCOMPARE(rows.size(), std::size_t(snapshot.voxels->stats.pointsInRange));
            const auto cut = selectPoints(cloud, rows, {});
            QCOMPARE(cut->size(), rows.size());
            for (const std::size_t k : {std::size_t(0), rows.size() / 2, rows.size() - 1})
                compareRow(*cut, k, *cloud, rows[k]);
        }
        QVERIFY(compared > 20);
    }
    void allRowsAreTheCloudItself() {
        const auto cloud = bumpyCloud(1000);
        const auto rows =
            rowsInRange(*cloud, {cloud->bounds().min, cloud->bounds().max + Vec3d{1, 1, 1}}, {}, {});
        QVERIFY(selectPoints(cloud, rows, {}) == cloud);
    }
    /// Bytes of LAS points that are not shown as an attribute.
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
    /// Records of a LAS file are preserved when its points are clipped.
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
    /// Real files that are edited and written in their own format keep unedited values, extra bytes and
    /// records.
    void whatIsNotEditedStays() {
        const std::filesystem::path folder = scansFolder();
        if (!std::filesystem::is_directory(folder))
            QSKIP("the folder of real scans is not here: set SCANLOUPE_SCANS to run this test");
        int compared = 0;
        for (const char* kind : {"las", "ply", "pcd"})
            for (const auto& file : std::filesystem::directory_iterator(folder / kind)) {
                const std::string ending = file.path().extension().string();
                if (file.file_size() > 5'000'000 ||
                    (ending != ".las" && ending != ".ply" && ending != ".pcd"))
                    continue;
                std::shared_ptr<const PointCloud> cloud;
                try {
                    ReadOptions options;
                    options.attributes = AttributeReading::atOnce;
                    cloud = readScan(file.path(), options, {});
                } catch (const EngineError&) { // skips files that are damaged on purpose
                    continue;
                }
                if (cloud->size() < 10 || cloud->notFinite() > 0)
                    continue;
                const Bounds& bounds = cloud->bounds();
                const Vec3d middle = 0.5 * (bounds.min + bounds.max);
                const auto half = [&](Vec3d normal) {
                    return withStep({}, stepOf(SetOperation::replace, HalfSpaceRegion{middle, normal}));
                };
                Edits edits = withLayer(half({1, 0, 0}), RemoveAction{}, "Delete");
                edits.layers.push_back(withLayer(half({0, 1, 0}), SetClassAction{7}, "Class").layers.front());
                const auto edited = withEdits(cloud, edits.layers, {});
                const auto rows = rowsLeft(*edited, {});
                if (rows.empty() || rows.size() == cloud->size())
                    continue;
                const Scratch scratch;
                const std::filesystem::path written = scratch / ("edited" + ending);
                writeCloud(written, *selectPoints(edited, rows, {}), {}, {});
                const auto back = readScan(written, {}, {});
                QCOMPARE(back->size(), rows.size());
                for (const Attribute& attribute : cloud->attributes()) {
                    if (attribute.name == kClassAttribute)
                        continue;
                    const Attribute* is = back->attribute(attribute.name);
                    QVERIFY2(is, (file.path().string() + " " + attribute.name).c_str());
                    back->load(std::array{is}, {});
                    for (std::size_t k = 0; k < rows.size(); ++k) {
                        const double was = attribute.value(rows[k]), now = is->value(k);
                        QVERIFY2(was == now || (std::isnan(was) && std::isnan(now)),
                                 (file.path().string() + " " + attribute.name).c_str());
                    }
                }
                const Attribute* classes = back->attribute(kClassAttribute);
                const Attribute* before = cloud->attribute(kClassAttribute);
                QVERIFY2(classes, file.path().c_str());
                back->load(std::array{classes}, {});
                const Vec3f plane = (middle - cloud->origin()).as<float>();
                for (std::size_t k = 0; k < rows.size(); ++k) {
                    QVERIFY(back->position(k) == cloud->position(rows[k]));
                    const bool isSet =
                        (cloud->position(rows[k]) - cloud->origin()).as<float>().y - plane.y >= 0;
                    QCOMPARE(classes->value(k), isSet ? 7.0 : before ? before->value(rows[k]) : 0.0);
                }
                if (const LasMetadata* was = lasMetadataOf(*cloud))
                    QVERIFY2(lasMetadataOf(*back)->vlrs.size() >= was->vlrs.size(), file.path().c_str());
                ++compared;
            }
        std::printf("%d files\n", compared);
        QVERIFY(compared > 10);
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

SCANLOUPE_TEST(TestPointsInRange)
#include "test_points_in_range.moc"
