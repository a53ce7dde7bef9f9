// Histograms of results: of coordinates in every representation, and of fields.
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/io/volume/read_volume.h"
#include "engine/picture/colouring.h"
#include "engine/picture/histograms/scan_histograms.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"
#include "tests/support/pipeline_run.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

std::uint64_t total(const Histogram& h) {
    return std::accumulate(h.counts.begin(), h.counts.end(), std::uint64_t{0});
}

/// 60,000 points in a box of 10 x 20 x 3 m far from the origin, and some distant outliers.
std::vector<Vec3d> boxPoints(std::size_t outliers) {
    auto random = seededRandom("boxPoints");
    std::uniform_real_distribution<double> unit(0, 1);
    std::vector<Vec3d> points(60'000);
    for (std::size_t i = 0; i < points.size(); ++i) {
        points[i] = {1000 + 10 * unit(random), -500 + 20 * unit(random), 3 * unit(random) * unit(random)};
        if (i < outliers)
            points[i] = {1e5, 2e5, -3e5};
    }
    return points;
}

template <class T>
Buffer<T> bufferOf(const std::vector<T>& values) {
    return hostCopy(std::span(values));
}

} // namespace

class TestScanHistograms : public QObject {
    Q_OBJECT
private slots:
    void coordinatesOfEachType_data() {
        QTest::addColumn<int>("type");
        QTest::newRow("float") << 0;
        QTest::newRow("double") << 1;
        QTest::newRow("integer with scale and offset") << 2;
    }
    void coordinatesOfEachType() {
        QFETCH(int, type);
        const std::vector<Vec3d> points = boxPoints(0);
        Positions positions = DoublePositions{bufferOf(points)};
        if (type == 0) {
            std::vector<Vec3f> floats;
            for (const Vec3d& p : points)
                floats.push_back(p.as<float>());
            positions = FloatPositions{bufferOf(floats)};
        } else if (type == 2) {
            const Vec3d scale{0.0007, 0.0003, 0.0011}, offset{990, -400, 7};
            std::vector<Vec3i> stored;
            for (const Vec3d& p : points) {
                const Vec3d q = (p - offset) / scale;
                stored.push_back({int(std::lround(q.x)), int(std::lround(q.y)), int(std::lround(q.z))});
            }
            positions = ScaledPositions{bufferOf(stored), scale, offset};
        }
        const auto cloud = std::make_shared<const PointCloud>(std::move(positions), std::vector<Attribute>{},
                                                              std::stop_token());
        Run run(cloud);
        const Snapshot snapshot = run(kNoPicture);
        const ScanHistograms histograms = HistogramCache().of(snapshot, {});
        for (int axis = 0; axis < 3; ++axis) {
            const Histogram& h = *histograms.axes[std::size_t(axis)];
            QCOMPARE(h.counts.size(), std::size_t(ScanHistograms::kBins));
            QCOMPARE(total(h), std::uint64_t(60'000)); // all points are within the limits
            QCOMPARE(h.sampled, h.values);
            QVERIFY(h.low < cloud->bounds().min[axis] && h.high > cloud->bounds().max[axis]);
            QVERIFY(h.high - h.low < 1.03 * (cloud->bounds().max[axis] - cloud->bounds().min[axis]));
            // expected counts, value by value
            std::vector<std::uint64_t> counts(h.counts.size());
            for (std::size_t i = 0; i < cloud->size(); ++i)
                ++counts[std::size_t((cloud->position(i)[axis] - h.low) / (h.high - h.low) *
                                     double(counts.size()))];
            std::uint64_t apart = 0; // close to the edge of a bin, rounding may differ
            for (std::size_t b = 0; b < counts.size(); ++b)
                apart += std::max(counts[b], h.counts[b]) - std::min(counts[b], h.counts[b]);
            QVERIFY2(apart < 20, qPrintable(QString::number(apart)));
        }
    }

    void farOutliersAreExcluded() {
        const auto cloud = std::make_shared<const PointCloud>(DoublePositions{bufferOf(boxPoints(5))},
                                                              std::vector<Attribute>{}, std::stop_token());
        Run run(cloud);
        const Snapshot snapshot = run(kNoPicture);
        const ScanHistograms histograms = HistogramCache().of(snapshot, {});
        for (int axis = 0; axis < 3; ++axis) {
            const Histogram& h = *histograms.axes[std::size_t(axis)];
            QVERIFY2(h.high - h.low < 100, qPrintable(QString::number(h.high - h.low)));
            QCOMPARE(h.below + h.above, std::uint64_t(5));
            QCOMPARE(total(h), std::uint64_t(59'995));
            QVERIFY(h.low <= (*snapshot.resolved->rangeMin)[axis] + 1);
            QVERIFY(h.high >= (*snapshot.resolved->rangeMax)[axis] - 1);
        }
    }

    void aSinglePointHasAHistogram() {
        const std::vector<Vec3f> point{{3, 4, 5}};
        const auto cloud = std::make_shared<const PointCloud>(FloatPositions{bufferOf(point)},
                                                              std::vector<Attribute>{}, std::stop_token());
        Run run(cloud);
        run.set("field", "occupancy");
        const ScanHistograms histograms = HistogramCache().of(run(kNoPicture), {});
        for (const auto& axis : histograms.axes)
            QCOMPARE(total(*axis), std::uint64_t(1));
    }

    void eachFieldHasAHistogram_data() {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"occupancy", "density", "distance"})
            QTest::newRow(kind) << QString(kind);
    }
    void eachFieldHasAHistogram() {
        QFETCH(QString, kind);
        Run run(bumpyCloud());
        run.set("field", kind.toUtf8());
        const Snapshot snapshot = run(kNoPicture);
        const ScalarField& field = snapshot.field.host();
        const ScanHistograms histograms = HistogramCache().of(snapshot, {});
        const Histogram& h = *histograms.field;
        QCOMPARE(h.low, double(field.minValue));
        QCOMPARE(h.high, double(field.maxValue));
        // the limits of the histogram are those of the field's values
        QCOMPARE(h.below + h.above, std::uint64_t(0));
        QCOMPARE(h.values, std::uint64_t(field.values.size()));
        QVERIFY(h.counts.front() > 0 && h.counts.back() > 0);
        // the iso-value is within the range
        QVERIFY(*snapshot.resolved->iso > h.low && *snapshot.resolved->iso < h.high);
    }

    void unchangedResultsAreNotCountedAgain() {
        Run run(bumpyCloud());
        HistogramCache cache;
        const ScanHistograms first = cache.of(run(kNoPicture), {});
        const auto cloud = bumpyCloud();
        run.recipe.rangeMin = cloud->bounds().min;
        run.recipe.rangeMax = 0.5 * (cloud->bounds().min + cloud->bounds().max);
        const ScanHistograms ranged = cache.of(run(kNoPicture), {});
        QVERIFY(ranged.axes == first.axes); // the histograms of the axes are reused
        QVERIFY(ranged.field != first.field);
        run.set("iso", "0.001");
        run.set("colour_map", "turbo");
        QVERIFY(cache.of(run(kNoPicture), {}) == ranged);
        run.pipeline.setInput(bumpyCloud(20'000), 0);
        const ScanHistograms other = cache.of(run(kNoPicture), {});
        QVERIFY(other.axes[0] != first.axes[0]);
        QCOMPARE(other.axes[0]->values, std::uint64_t(20'000));
    }

    void colouredValuesHaveAHistogram_data() {
        QTest::addColumn<QString>("colourBy");
        for (const char* by : {"height", "count", "local_density", "intensity"})
            QTest::newRow(by) << QString(by);
    }
    void colouredValuesHaveAHistogram() {
        QFETCH(QString, colourBy);
        synth::ScanParams params; // a street, with intensities
        params.points = 100'000;
        Run run(std::make_shared<const PointCloud>(syntheticCloud(params, false, {}, {})));
        run.set("colour_by", colourBy.toUtf8());
        const Snapshot snapshot = run(kNoPicture);
        const ColourValues shown = colourVoxels(snapshot.resolved, colourSource(snapshot), {});
        const auto h = HistogramCache().of(snapshot, {}).colours;
        QVERIFY(h && !HistogramCache().of(snapshot, {}).classes);
        // there is room for both handles of the slider
        QVERIFY(h->low < double(shown.low) && h->high > double(shown.high));
        QCOMPARE(h->sampled, std::uint64_t(snapshot.voxels->size()));
        // counts of values within the limits of the colour map: the middle 96 %
        std::uint64_t within = 0, between = 0;
        for (const float v : shown.values.span())
            within += v >= shown.low && v <= shown.high;
        for (std::size_t i = 0; i < h->counts.size(); ++i)
            if (h->edge(i + 1) >= double(shown.low) && h->edge(i) <= double(shown.high))
                between += h->counts[i];
        QVERIFY(between >= within && between <= within + h->sampled / 10);

        // explicit limits change the colours, but not the histogram
        HistogramCache cache;
        const auto before = cache.of(snapshot, {}).colours;
        run.set("colour_limits", "-3,4.5");
        const Snapshot limited = run(kNoPicture);
        const ColourValues given = colourVoxels(limited.resolved, colourSource(limited), {});
        QCOMPARE(given.low, -3.0f);
        QCOMPARE(given.high, 4.5f);
        QVERIFY(cache.of(limited, {}).colours == before);
        run.set("colour_by", "none");
        QVERIFY(!cache.of(run(kNoPicture), {}).colours);
    }

    void aVolumeHasFieldHistogramsOnly() {
        auto volume = std::make_shared<Volume>(); // values rise along z
        volume->lattice = {{0, 0, 0}, {1, 1, 1}, {10, 12, 14}};
        volume->values = Buffer<float>::host(10 * 12 * 14);
        for (std::size_t i = 0; i < volume->values.size(); ++i)
            volume->values[i] = float(i % 10) + float(i / 120);
        Run run(std::shared_ptr<const Volume>(std::move(volume)));
        const ScanHistograms histograms = HistogramCache().of(run(kNoPicture), {});
        QVERIFY(!histograms.axes[0] && !histograms.classes);
        QVERIFY(histograms.field && histograms.colours);
        QVERIFY(total(*histograms.field) >= 10 * 12 * 14); // the field has a rim of nodes in addition
        QVERIFY(total(*histograms.colours) > 100);
    }

    void constantVolumesAreCounted() {
        for (const float value : {0.0f, 1e-30f, -7.0f, 1e17f, 1e30f, -3e38f}) {
            auto volume = std::make_shared<Volume>();
            volume->lattice = {{0, 0, 0}, {1, 1, 1}, {10, 12, 14}};
            volume->values = Buffer<float>::host(10 * 12 * 14);
            std::ranges::fill(volume->values.span(), value);
            Run run(std::shared_ptr<const Volume>(std::move(volume)));
            const ScanHistograms histograms = HistogramCache().of(run(kNoPicture), {});
            QVERIFY2(histograms.field, std::to_string(value).c_str());
            const Histogram& field = *histograms.field;
            QVERIFY(total(field) >= 10 * 12 * 14);
            QVERIFY(field.low < double(value) && field.high > double(value));
            for (std::size_t i = 0; i < field.counts.size();
                 ++i) // bins are wider than the distance between two adjacent doubles
                QVERIFY(field.edge(i) < field.edge(i + 1));
        }
    }

    void classesAreCountedByValue() {
        const std::vector<Vec3d> points = boxPoints(0);
        std::vector<std::uint8_t> classes(points.size());
        for (std::size_t i = 0; i < classes.size(); ++i)
            classes[i] = i % 10 == 0 ? 6 : i % 10 < 4 ? 5 : 2;
        Attribute attribute;
        attribute.name = "classification";
        attribute.type = ScalarType::uint8;
        attribute.allocate(classes.size());
        std::memcpy(attribute.dataToFill(), classes.data(), classes.size());
        std::vector<Attribute> attributes;
        attributes.push_back(std::move(attribute));
        Run run(std::make_shared<const PointCloud>(DoublePositions{bufferOf(points)}, std::move(attributes),
                                                   std::stop_token()));
        run.set("colour_by", "classification");
        const ScanHistograms histograms = HistogramCache().of(run(kNoPicture), {});
        QVERIFY(histograms.classes && !histograms.colours);
        QCOMPARE(histograms.classes->rows.size(), std::size_t(3));
        QCOMPARE(histograms.classes->points, std::uint64_t(60'000));
        QCOMPARE(histograms.classes->sampled, std::uint64_t(60'000));
        const char* texts[] = {"2 Ground", "5 High vegetation", "6 Building"};
        const std::uint64_t counts[] = {36'000, 18'000, 6'000};
        for (std::size_t k = 0; k < 3; ++k) {
            QCOMPARE(histograms.classes->rows[k].text, std::string(texts[k]));
            QCOMPARE(histograms.classes->rows[k].count, counts[k]);
        }
    }

    void colourLimitsAreChecked() {
        Run run(bumpyCloud());
        run.set("colour_limits", "2,1");
        QVERIFY_EXCEPTION_THROWN(run(kNoPicture), EngineError);
        run.set("colour_limits", "1,1.0000000001"); // limits that are equal in single precision
        const Snapshot snapshot = run(kNoPicture);
        const ColourValues shown = colourVoxels(snapshot.resolved, colourSource(snapshot), {});
        QVERIFY(shown.low < shown.high);
        run.set("colour_limits", "auto");
        QVERIFY(!run.recipe.colourLow && !run.recipe.colourHigh);
    }

    void countingStopsAndResumes() {
        Run run(bumpyCloud());
        const Snapshot snapshot = run(kNoPicture);
        HistogramCache cache;
        std::stop_source source;
        source.request_stop();
        QVERIFY_EXCEPTION_THROWN(cache.of(snapshot, source.get_token()), Cancelled);
        const ScanHistograms histograms = cache.of(snapshot, {});
        QVERIFY(histograms.axes[0] && histograms.axes[2] && histograms.field);
    }

    void deviceResultsAreCounted() {
        SCANLOUPE_NEEDS_CUDA();
        Run onHost(bumpyCloud()), onDevice(bumpyCloud(), Backend::cuda);
        QVERIFY(*HistogramCache().of(onHost(kNoPicture), {}).field ==
                *HistogramCache().of(onDevice(kNoPicture), {}).field);
    }
};

SCANLOUPE_TEST_IN(QCoreApplication, TestScanHistograms)
#include "test_scan_histograms.moc"
