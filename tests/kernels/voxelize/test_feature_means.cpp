// Means of features by the voxels of their points, and the points of a voxel, on either backend: the same
// bytes as when features are averaged together with the positions.
#include "kernels/voxelize/operators.h"
#include "tests/kernels/voxelize/voxelize_support.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

const VoxelizeParams kParams{{0, 0, 0}, {1, 1, 1}, {0.05f, 0.05f, 0.1f}};
constexpr std::size_t kPoints = 50'000;

std::vector<Vec3f> scattered(std::mt19937_64& random) {
    std::uniform_real_distribution<float> unit(-0.05f, 1.05f); // some points are outside of the range
    std::vector<Vec3f> points(kPoints);
    for (Vec3f& p : points)
        p = {unit(random), unit(random) * unit(random), unit(random)};
    points[7].y = std::numeric_limits<float>::quiet_NaN();
    return points;
}

/// The backend of a test, with copies of its data.
struct Place {
    std::optional<Stream> stream; // outlives the buffers that are freed on it
    Execution on{std::nullopt, {}};

    explicit Place(bool onDevice) {
        if (onDevice)
            on.device = stream.emplace().view();
    }
    template <class T>
    Buffer<T> take(std::span<const T> values) const {
        Buffer<T> host = hostCopy(values);
        return on.onDevice() ? host.copyTo(MemorySpace::device, *on.device) : std::move(host);
    }
    template <class T>
    Buffer<T> give(const Buffer<T>& values) const {
        return on.onDevice() ? values.copyTo(MemorySpace::host, *on.device) : hostCopy(values.span());
    }
};

/// Random values over the range of a type, restricted to finite ones that are exact as doubles.
template <class T>
std::vector<T> valuesOf(std::mt19937_64& random) {
    std::vector<T> values(kPoints);
    for (T& value : values) {
        if constexpr (std::is_integral_v<T>)
            value = static_cast<T>(random());
        else
            value = static_cast<T>(std::normal_distribution<double>(0, 1e6)(random));
    }
    if constexpr (!std::is_integral_v<T>) {
        values[3] = std::numeric_limits<T>::quiet_NaN();
        values[4] = std::numeric_limits<T>::infinity();
    }
    return values;
}

void addBackendColumn() {
    QTest::addColumn<bool>("onDevice");
    QTest::newRow("cpu") << false;
    QTest::newRow("cuda") << true;
}

} // namespace

class TestFeatureMeans : public QObject {
    Q_OBJECT
private slots:
    void sameBytesAsWithThePositions_data() { addBackendColumn(); }
    void sameBytesAsWithThePositions() {
        QFETCH(bool, onDevice);
        if (onDevice)
            SCANLOUPE_NEEDS_CUDA();
        const Place place(onDevice);
        auto random = seededRandom("sameBytesAsWithThePositions");
        const std::vector<Vec3f> points = scattered(random);
        for (int type = 0; type <= int(ScalarType::float64); ++type) {
            visitScalar(ScalarType(type), [&]<class T>(std::type_identity<T>) {
                const std::vector<T> values = valuesOf<T>(random);
                const std::vector<double> doubles(values.begin(), values.end());
                FeatureView wide{doubles.data(), ScalarType::float64, 0, 0};
                for (const double value : doubles)
                    if (std::isfinite(value)) {
                        wide.min = std::min(wide.min, value);
                        wide.max = std::max(wide.max, value);
                    }
                const VoxelGrid expected =
                    cpu::voxelize({points.data(), points.size(), {&wide, 1}}, kParams, {});
                const Buffer<T> own = place.take(std::span<const T>(values));
                const auto pointVoxel =
                    place.take(std::span<const std::uint32_t>(expected.pointVoxel.span()));
                const auto counts = place.take(std::span<const std::uint32_t>(expected.counts.span()));
                // the same feature twice, and one with too large a range of values
                const FeatureView narrow{own.data(), ScalarType(type), wide.min, wide.max};
                const FeatureView far{own.data(), ScalarType(type), -1e308, 1e308};
                const FeatureView features[] = {narrow, far, narrow};
                const Buffer<float> means =
                    place.give(featureMeans(features, {pointVoxel.data(), pointVoxel.size(), expected.size()},
                                            counts.data(), place.on));
                QCOMPARE(means.size(), 3 * expected.size());
                const std::size_t bytes = expected.size() * sizeof(float);
                QVERIFY2(std::memcmp(means.data(), expected.mean(3), bytes) == 0, nameOf<T>());
                QVERIFY(std::memcmp(means.data() + 2 * expected.size(), expected.mean(3), bytes) == 0);
                for (std::size_t v = 0; v < expected.size(); ++v)
                    QVERIFY(std::isnan(means[expected.size() + v]));
            });
        }
    }

    void badFeaturesAreRefused_data() { addBackendColumn(); }
    void badFeaturesAreRefused() {
        QFETCH(bool, onDevice);
        if (onDevice)
            SCANLOUPE_NEEDS_CUDA();
        const Place place(onDevice);
        const float value = 1;
        const std::uint32_t voxel = 0, count = 1;
        const VoxelMembers members{&voxel, 1, 1};
        const FeatureView reversed{&value, ScalarType::float32, 2, 1},
            missing{nullptr, ScalarType::float32, 0, 1};
        QVERIFY_EXCEPTION_THROWN(featureMeans({&reversed, 1}, members, &count, place.on), KernelError);
        QVERIFY_EXCEPTION_THROWN(featureMeans({&missing, 1}, members, &count, place.on), Fault);
        QVERIFY(featureMeans({}, members, &count, place.on).empty());
        // integers are averaged by their voxels only
        const Vec3f position{0.5f, 0.5f, 0.5f};
        const std::uint8_t byte = 3;
        const FeatureView bytes{&byte, ScalarType::uint8, 0, 5};
        QVERIFY_EXCEPTION_THROWN(cpu::voxelize({&position, 1, {&bytes, 1}}, kParams, {}), Fault);
    }

    void aVoxelHasItsPoints_data() { addBackendColumn(); }
    void aVoxelHasItsPoints() {
        QFETCH(bool, onDevice);
        if (onDevice)
            SCANLOUPE_NEEDS_CUDA();
        const Place place(onDevice);
        auto random = seededRandom("aVoxelHasItsPoints");
        const std::vector<Vec3f> points = scattered(random);
        const VoxelGrid grid = cpu::voxelize({points.data(), points.size(), {}}, kParams, {});
        const auto pointVoxel = place.take(std::span<const std::uint32_t>(grid.pointVoxel.span()));
        for (std::size_t v = 0; v < grid.size(); v += 97) {
            std::vector<std::uint32_t> expected;
            for (std::size_t i = 0; i < points.size(); ++i)
                if (grid.pointVoxel[i] == v)
                    expected.push_back(std::uint32_t(i));
            QCOMPARE(expected.size(), std::size_t(grid.counts[v]));
            QVERIFY(pointsOfVoxel(pointVoxel, std::uint32_t(v), grid.counts[v], place.on) == expected);
        }
        QVERIFY(pointsOfVoxel(pointVoxel, std::uint32_t(grid.size()), 10, place.on).empty());
        QVERIFY(pointsOfVoxel(place.take(std::span<const std::uint32_t>{}), 0, 10, place.on).empty());
    }

private:
    template <class T>
    static const char* nameOf() {
        return sizeof(T) == 1   ? "8 bits"
               : sizeof(T) == 2 ? "16 bits"
               : sizeof(T) == 4 ? "32 bits"
                                : "64 bits";
    }
};

SCANLOUPE_TEST_IN(QCoreApplication, TestFeatureMeans)
#include "test_feature_means.moc"
