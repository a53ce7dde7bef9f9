// Histograms on both backends, compared with counts by the documented edges of the bins.
#include "kernels/core/buffer.h"
#include "kernels/core/vec3.h"
#include "kernels/histogram/histogram.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// Counts value by value, as the declaration defines it.
Histogram expected(const std::vector<double>& values, const HistogramParams& params) {
    Histogram h;
    h.low = params.low;
    h.high = params.high;
    h.counts.assign(params.bins, 0);
    h.values = values.size();
    std::vector<double> edges;
    for (std::uint32_t i = 0; i < params.bins; ++i)
        edges.push_back(h.edge(i));
    for (std::size_t i = 0; i < values.size(); i += params.every) {
        const double v = values[i];
        ++h.sampled;
        if (!std::isfinite(v))
            ++h.notFinite;
        else if (v < h.low)
            ++h.below;
        else if (v > h.high)
            ++h.above;
        else
            ++h.counts[std::size_t(std::upper_bound(edges.begin(), edges.end(), v) - edges.begin()) - 1];
    }
    return h;
}

/// A column in the memory of a backend.
class Placed {
public:
    Placed(const void* data, std::size_t bytes, bool onDevice) : m_host(Buffer<std::byte>::host(bytes)) {
        if (bytes > 0)
            std::memcpy(m_host.data(), data, bytes);
        if (!onDevice)
            return;
        on.device = m_stream.emplace().view();
        m_there = m_host.copyTo(MemorySpace::device, *m_stream);
    }
    const void* data() const { return on.onDevice() ? m_there.data() : m_host.data(); }
    Execution on{std::nullopt, {}};

private:
    Buffer<std::byte> m_host;
    std::optional<Stream> m_stream; // outlives the buffer, which is freed on this stream
    Buffer<std::byte> m_there;
};

template <class T>
Histogram found(const std::vector<T>& values, const HistogramParams& params, bool onDevice) {
    const Placed placed(values.data(), values.size() * sizeof(T), onDevice);
    ScalarType type = ScalarType::float64;
    for (int t = 0; t <= int(ScalarType::float64); ++t)
        visitScalar(ScalarType(t), [&]<class U>(std::type_identity<U>) {
            if (std::is_same_v<T, U>)
                type = ScalarType(t);
        });
    return histogram({placed.data(), type, values.size()}, params, placed.on);
}

void compare(const Histogram& found, const Histogram& expected) {
    QCOMPARE(found.counts, expected.counts);
    QCOMPARE(found.below, expected.below);
    QCOMPARE(found.above, expected.above);
    QCOMPARE(found.notFinite, expected.notFinite);
    QCOMPARE(found.sampled, expected.sampled);
    QVERIFY(found == expected);
}

template <class T>
std::vector<double> asDoubles(const std::vector<T>& values) {
    return {values.begin(), values.end()};
}

} // namespace

class TestHistogram : public QObject {
    Q_OBJECT
private slots:
    void everyType_data() { backends(); }
    void everyType() {
        QFETCH(bool, onDevice);
        if (onDevice)
            SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("everyType");
        for (int t = 0; t <= int(ScalarType::float64); ++t) {
            visitScalar(ScalarType(t), [&]<class T>(std::type_identity<T>) {
                std::vector<T> values(50'000); // this number is not a multiple of the block size
                for (T& v : values) {
                    if constexpr (std::is_integral_v<T>)
                        v = T(random());
                    else
                        v = T(std::normal_distribution<double>(3, 20)(random));
                }
                const double scale = std::is_integral_v<T> ? double(std::numeric_limits<T>::max()) : 60.0;
                for (const std::uint32_t bins : {1u, 7u, 200u, 4096u})
                    for (const std::size_t every : {std::size_t{1}, std::size_t{13}}) {
                        const HistogramParams params{-0.6 * scale, 0.7 * scale, bins, every};
                        compare(found(values, params, onDevice), expected(asDoubles(values), params));
                    }
            });
        }
    }

    void nothingToCount_data() { backends(); }
    void nothingToCount() {
        QFETCH(bool, onDevice);
        if (onDevice)
            SCANLOUPE_NEEDS_CUDA();
        const Histogram none = found(std::vector<float>{}, {0, 1, 5}, onDevice);
        QCOMPARE(none.counts, std::vector<std::uint64_t>(5, 0));
        QCOMPARE(none.sampled, std::uint64_t(0));
        const double inf = std::numeric_limits<double>::infinity();
        const std::vector<double> odd{inf, -inf, std::nan(""), -std::nan(""), 0.5, 1e308, -1e308};
        const Histogram some = found(odd, {0, 1, 2}, onDevice);
        QCOMPARE(some.notFinite, std::uint64_t(4));
        QCOMPARE(some.below, std::uint64_t(1));
        QCOMPARE(some.above, std::uint64_t(1));
        QCOMPARE(some.counts, (std::vector<std::uint64_t>{0, 1}));
        const std::vector<float> floats{std::numeric_limits<float>::infinity(), std::nanf(""), 0.25f};
        QCOMPARE(found(floats, {0, 1, 2}, onDevice).notFinite, std::uint64_t(2));
    }

    void onTheEdges_data() { backends(); }
    void onTheEdges() {
        QFETCH(bool, onDevice);
        if (onDevice)
            SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("onTheEdges");
        std::uniform_real_distribution<double> size(-1e4, 1e4);
        for (int round = 0; round < 40; ++round) {
            double low = size(random), high = size(random);
            if (low > high)
                std::swap(low, high);
            const auto bins = std::uint32_t(1 + random() % 300);
            Histogram shape;
            shape.low = low;
            shape.high = high;
            shape.counts.resize(bins);
            // each edge, and the floating-point numbers next to it
            std::vector<double> values;
            for (std::uint32_t i = 0; i <= bins; ++i)
                for (const double v :
                     {shape.edge(i), std::nextafter(shape.edge(i), -1e9), std::nextafter(shape.edge(i), 1e9)})
                    values.push_back(v);
            const HistogramParams params{low, high, bins};
            compare(found(values, params, onDevice), expected(values, params));
        }
        // an edge belongs to the bin above it, the upper limit to the last bin
        const std::vector<std::uint8_t> bytes{0, 1, 2, 3, 4};
        QCOMPARE(found(bytes, {0, 4, 4}, onDevice).counts, (std::vector<std::uint64_t>{1, 1, 1, 2}));
    }

    void allEqual_data() { backends(); }
    void allEqual() {
        QFETCH(bool, onDevice);
        if (onDevice)
            SCANLOUPE_NEEDS_CUDA();
        const std::vector<float> values(1'000'003, 2.5f); // all lanes of a warp count in one bin
        const Histogram h = found(values, {0, 10, 8}, onDevice);
        QCOMPARE(h.counts, (std::vector<std::uint64_t>{0, 0, 1'000'003, 0, 0, 0, 0, 0}));
    }

    void coordinates_data() { backends(); }
    void coordinates() {
        QFETCH(bool, onDevice);
        if (onDevice)
            SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("coordinates");
        std::uniform_real_distribution<float> place(-30, 50);
        std::vector<Vec3f> points(20'001);
        for (Vec3f& p : points)
            p = {place(random), 0.1f * place(random), place(random)};
        const Placed placed(points.data(), points.size() * sizeof(Vec3f), onDevice);
        for (int axis = 0; axis < 3; ++axis) {
            std::vector<double> values;
            for (const Vec3f& p : points)
                values.push_back(100.5 - 2.0 * double(p[axis]));
            const HistogramParams params{0, 150, 64, 3};
            const HistogramColumn column{static_cast<const float*>(placed.data()) + axis,
                                         ScalarType::float32,
                                         points.size(),
                                         3,
                                         -2,
                                         100.5};
            compare(histogram(column, params, placed.on), expected(values, params));
        }
    }

    void samplesFollowNoPeriod() {
        QCOMPARE(samplingStep(0, 1000), std::size_t(1));
        QCOMPARE(samplingStep(1000, 1000), std::size_t(1));
        QCOMPARE(samplingStep(1001, 1000), std::size_t(2));
        QCOMPARE(samplingStep(63'500, 1000), std::size_t(67)); // coprime to the 64 beams of a sensor
        // interleaved beams: a sample has equally many values of each
        std::vector<std::uint16_t> beams(6'400'000);
        for (std::size_t i = 0; i < beams.size(); ++i)
            beams[i] = std::uint16_t(i % 64);
        const std::size_t every = samplingStep(beams.size(), 100'000);
        const Histogram h = found(beams, {0, 64, 64, every}, false);
        const auto [least, most] = std::minmax_element(h.counts.begin(), h.counts.end());
        QVERIFY2(*least > 0 && *most - *least <= 1, qPrintable(QString::number(*least)));
        QCOMPARE(h.values, std::uint64_t(6'400'000));
        QCOMPARE(std::accumulate(h.counts.begin(), h.counts.end(), std::uint64_t{0}), h.sampled);
    }

    void wrongParametersAreRefused() {
        const double inf = std::numeric_limits<double>::infinity();
        for (const HistogramParams& params :
             {HistogramParams{1, 1, 4}, HistogramParams{2, 1, 4}, HistogramParams{std::nan(""), 1, 4},
              HistogramParams{0, inf, 4}, HistogramParams{-1.5e308, 1.5e308, 4}, HistogramParams{0, 1, 0},
              HistogramParams{0, 1, 4097}, HistogramParams{0, 1, 4, 0}, HistogramParams{0, 1e-320, 4}})
            QVERIFY_EXCEPTION_THROWN(found(std::vector<float>{1}, params, false), KernelError);
    }

    void stops() {
        std::stop_source source;
        source.request_stop();
        const std::vector<float> values(10);
        QVERIFY_EXCEPTION_THROWN(histogram({values.data(), ScalarType::float32, values.size()}, {},
                                           {std::nullopt, source.get_token()}),
                                 Cancelled);
    }

private:
    static void backends() {
        QTest::addColumn<bool>("onDevice");
        QTest::newRow("cpu") << false;
        QTest::newRow("cuda") << true;
    }
};

SCANLOUPE_TEST_IN(QCoreApplication, TestHistogram)
#include "test_histogram.moc"
