// Rejected inputs of voxelization, their messages, and the time to stop.
#include "kernels/voxelize/core/voxel_element.h"
#include "tests/kernels/voxelize/voxelize_support.h"
#include "tests/support/test_support.h"
#include "tests/support/time_limits.h"

#include <chrono>
#include <cmath>
#include <memory>
#include <thread>

using namespace scanloupe;
using namespace scanloupe::test;
using namespace std::chrono_literals;

namespace {
const VoxelizeParams kGood{{-54, -54, -5}, {54, 54, 3}, {0.2f, 0.2f, 0.2f}};

/// The numbers of a text, in their order.
std::vector<float> numbersIn(const std::string& text) {
    std::vector<float> numbers;
    for (const QString& word : QString::fromStdString(text).split(' ')) {
        bool isNumber = false;
        const float number = word.toFloat(&isNumber);
        if (isNumber)
            numbers.push_back(number);
    }
    return numbers;
}
} // namespace

class TestVoxelizeLimits : public QObject {
    Q_OBJECT
private slots:
    void invalidParams_data() {
        QTest::addColumn<Vec3f>("low");
        QTest::addColumn<Vec3f>("high");
        QTest::addColumn<Vec3f>("size");
        QTest::addColumn<QString>("says");
        const Vec3f low = kGood.rangeMin, high = kGood.rangeMax, size = kGood.voxelSize;
        const float nan = std::nanf(""), inf = INFINITY;
        QTest::newRow("empty range") << low << Vec3f{54, -54, 3} << size << "along y is empty";
        QTest::newRow("reversed range") << low << Vec3f{54, 54, -6} << size << "along z is empty";
        QTest::newRow("NaN range") << Vec3f{nan, 0, 0} << high << size << "along x is not finite";
        QTest::newRow("infinite range") << low << Vec3f{54, inf, 3} << size << "along y is not finite";
        QTest::newRow("too wide a range")
            << Vec3f{-3e38f, 0, 0} << Vec3f{3e38f, 1, 1} << size << "along x is not finite";
        QTest::newRow("zero size") << low << high << Vec3f{0.2f, 0, 0.2f}
                                   << "size along y must be a positive number (got 0)";
        QTest::newRow("negative size")
            << low << high << Vec3f{-1, 1, 1} << "size along x must be a positive number (got -1)";
        QTest::newRow("NaN size") << low << high << Vec3f{1, 1, nan}
                                  << "size along z must be a positive number (got nan)";
        QTest::newRow("tiny size") << low << high << Vec3f{1, 1, 1e-9f}
                                   << "more than 2^31 - 1 voxels along z";
        QTest::newRow("denormal size")
            << low << high << Vec3f{1e-44f, 1, 1} << "more than 2^31 - 1 voxels along x";
        QTest::newRow("too many cells")
            << low << high << Vec3f{1e-6f, 1e-6f, 1e-7f} << "more than 2^63 cells";
    }
    void invalidParams() {
        QFETCH(Vec3f, low);
        QFETCH(Vec3f, high);
        QFETCH(Vec3f, size);
        QFETCH(QString, says);
        VoxelizeParams params{low, high, size};
        try {
            gridShape(params);
            QFAIL("this should have been refused");
        } catch (const KernelError& error) {
            QVERIFY2(QString(error.what()).contains(says), error.what());
            QVERIFY(!error.nextStep().empty());
            if (!QString::fromStdString(error.nextStep()).contains("voxel size"))
                return;
            // the suggested size works, and a slightly smaller one doesn't
            const auto numbers = numbersIn(error.nextStep());
            QVERIFY(numbers.size() == 1 || numbers.size() == 3);
            for (int axis = 0; axis < 3; ++axis) {
                if (numbers.size() == 3)
                    params.voxelSize[axis] = numbers[std::size_t(axis)];
                else if (says.contains(QString(" along ") + "xyz"[axis]))
                    params.voxelSize[axis] = numbers[0];
            }
            QVERIFY2(gridShape(params).cellCount() <= std::uint64_t{1} << 63, error.nextStep().c_str());
            params.voxelSize *= 0.99f;
            QVERIFY_EXCEPTION_THROWN(gridShape(params), KernelError);
        }
        QVERIFY_EXCEPTION_THROWN(voxelizeOn("cpu", {}, VoxelizeParams{low, high, size}), KernelError);
    }
    void shapeCoversTheRange() {
        QCOMPARE(gridShape(kGood).dims, (Vec3i{540, 540, 40}));
        QCOMPARE(gridShape({{0, 0, 0}, {1, 1, 1}, {0.3f, 5, 1e30f}}).dims, (Vec3i{4, 1, 1}));
    }
    void detectorsHaveTheSameGrids() {
        for (const DetectorGrid& detector : detectorGrids()) {
            const VoxelizeParams& params = detector.params;
            const GridShape shape = gridShape(params);
            QVERIFY2(shape.dims == detector.dims, detector.name);
            for (int axis = 0; axis < 3; ++axis) // computes the number of voxels like spconv and mmdet3d
                QCOMPARE(float(shape.dims[axis]), std::round((params.rangeMax[axis] - params.rangeMin[axis]) /
                                                             params.voxelSize[axis]));
        }
    }
    void pointsOfHugeGridsAreKept() {
        const VoxelizeParams params{{0, 0, 0}, {40'000, 1, 1}, {0.001f, 1, 1}};
        const GridShape shape = gridShape(params);
        QVERIFY(shape.dims.x > 39'999'990 && shape.dims.x < 40'000'010);
        QCOMPARE(endOfCells(shape, params.rangeMax), params.rangeMax);
    }
    /// Voxel sizes and limits with few decimals, as users type them.
    void rangesOfWholeVoxels() {
        auto random = seededRandom("rangesOfWholeVoxels");
        for (int i = 0; i < 20'000; ++i) {
            VoxelizeParams params = kGood;
            const auto cells = int(1 + random() % 5000);
            const double size = double(1 + random() % 500) / 1000,
                         low = size * (double(random() % 10'000) - 7000);
            params.voxelSize.x = float(size);
            params.rangeMin.x = float(low);
            params.rangeMax.x = float(low + cells * size);
            QCOMPARE(gridShape(params).dims.x, cells);
            // if a part of a voxel remains, it is covered by another voxel
            const double part = 0.02 + 0.96 * double(random() % 1000) / 1000;
            params.rangeMax.x = float(low + (cells + part) * size);
            const GridShape more = gridShape(params);
            QCOMPARE(more.dims.x, cells + 1);
            QCOMPARE(endOfCells(more, params.rangeMax).x, params.rangeMax.x);
        }
    }
    void pointsAreChecked() {
        const Vec3f point{1, 1, 1};
        const float value = 1;
        const auto refused = [&](const PointsView& points) {
            QVERIFY_EXCEPTION_THROWN(cpu::voxelize(points, kGood, {}), KernelError);
        };
        refused({&point, 0xffffffffu, {}}); // rejected before any point is read
        refused({&point, std::size_t{1} << 40, {}});
        QVERIFY_EXCEPTION_THROWN(cpu::voxelize({nullptr, 1, {}}, kGood, {}), Fault);
        const FeatureView reversed{&value, ScalarType::float32, 2, 1};
        const FeatureView unknown{&value, ScalarType::float32, 0, std::nan("")};
        const FeatureView missing{nullptr, ScalarType::float32, 0, 1};
        QVERIFY_EXCEPTION_THROWN(cpu::voxelize({&point, 1, {&missing, 1}}, kGood, {}), Fault);
        for (const FeatureView& feature : {reversed, unknown})
            refused({&point, 1, {&feature, 1}});
    }
    void valuesPastAFeaturesRangeAreClamped() {
        const Vec3f point{1, 1, 1};
        const double value = 1e300;
        const FeatureView feature{&value, ScalarType::float64, -1, 4};
        QCOMPARE(cpu::voxelize({&point, 1, {&feature, 1}}, kGood, {}).mean(3)[0], 5.0f);
    }
    void stopsInTime_data() {
        QTest::addColumn<int>("afterMs");
        for (const int afterMs : {0, 20, 60, 150, 300, 500})
            QTest::addRow("%d ms", afterMs) << afterMs;
    }
    void stopsInTime() {
        QFETCH(int, afterMs);
        const auto points = manyPoints();
        double best = 1e9; // best of three: the machine may be busy
        for (int attempt = 0; attempt < 3 && best > kStopMs; ++attempt) {
            std::stop_source source;
            std::chrono::steady_clock::time_point asked;
            std::jthread asker([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(afterMs));
                asked = std::chrono::steady_clock::now();
                source.request_stop();
            });
            try {
                cpu::voxelize({points.data(), points.size(), {}}, kGood, source.get_token());
                if (afterMs > 60)
                    return; // with many cores, the run finished before the stop request
                QFAIL("it ran to its end");
            } catch (const Cancelled&) {
                const auto ended = std::chrono::steady_clock::now();
                best = std::min(best, std::chrono::duration<double, std::milli>(ended - asked).count());
            }
        }
        QVERIFY2(best <= kStopMs, qPrintable(QString("%1 ms from the request to the end").arg(best)));
    }
    void deviceStopsBetweenLaunches() {
        SCANLOUPE_NEEDS_CUDA();
        const Stream stream;
        const auto points = manyPoints().copyTo(MemorySpace::device, stream);
        const PointsView view{points.data(), points.size(), {}};
        const auto stopped = std::make_unique<std::stop_source>();
        stopped->request_stop();
        QVERIFY_EXCEPTION_THROWN(cuda::voxelize(view, kGood, stopped->get_token(), stream), Cancelled);
        for (int i = 0; i < 20; ++i) { // the next run is complete, whether the stop was in time or not
            std::stop_source source;
            const std::jthread asker([&] {
                std::this_thread::sleep_for(std::chrono::microseconds(250 * i));
                source.request_stop();
            });
            try {
                cuda::voxelize(view, kGood, source.get_token(), stream);
            } catch (const Cancelled&) {
            }
        }
        QVERIFY(cuda::voxelize(view, kGood, {}, stream).size() > 0);
    }

private:
    /// 20 M points all over the range and a little past it.
    static Buffer<Vec3f> manyPoints() {
        auto points = Buffer<Vec3f>::host(20'000'000);
        std::uint32_t state = 1;
        const auto next = [&state] {
            return float((state = state * 1664525u + 1013904223u) >> 8) * 0x1p-24f;
        };
        for (Vec3f& p : points.span())
            p = {120 * next() - 60, 120 * next() - 60, 6 * next() - 3};
        return points;
    }
};

SCANLOUPE_TEST(TestVoxelizeLimits)
#include "test_voxelize_limits.moc"
