#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "kernels/core/scalar_type.h"
#include "tests/engine/io/test_io_support.h"

#include <limits>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

PointCloud floatCloud(const std::vector<Vec3f>& points, std::vector<Attribute> attributes = {}) {
    return PointCloud(FloatPositions{hostCopy(std::span(points))}, std::move(attributes), {});
}
PointCloud doubleCloud(const std::vector<Vec3d>& points) {
    return PointCloud(DoublePositions{hostCopy(std::span(points)), 2}, {}, {});
}
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

} // namespace

class TestCloud : public QObject {
    Q_OBJECT
private slots:
    void boundsLeaveOutWhatIsNotFinite() {
        const auto cloud =
            floatCloud({{1, 2, 3}, {kNan, 0, 0}, {-1, 5, 2}, {0, std::numeric_limits<float>::infinity(), 9}});
        QCOMPARE(cloud.notFinite(), std::uint64_t(2));
        QVERIFY((cloud.bounds().min == Vec3d{-1, 2, 2}));
        QVERIFY((cloud.bounds().max == Vec3d{1, 5, 3}));
    }
    void emptyAndAllNanCloudsHaveZeroBounds() {
        for (const auto& cloud : {floatCloud({}), floatCloud({{kNan, kNan, kNan}})}) {
            QVERIFY((cloud.bounds().min == Vec3d{}) && (cloud.bounds().max == Vec3d{}));
            QVERIFY((cloud.origin() == Vec3d{}));
            QCOMPARE(cloud.floatView({}).size(), cloud.size());
        }
    }
    void boundsOfManyPointsOnAllCores() {
        auto random = seededRandom("boundsOfManyPoints");
        std::uniform_real_distribution<float> uniform(-50, 50);
        std::vector<Vec3f> points(300000);
        Vec3f low{1e9f, 1e9f, 1e9f}, high{-1e9f, -1e9f, -1e9f};
        for (auto& p : points) {
            p = {uniform(random), uniform(random), uniform(random)};
            low = min(low, p);
            high = max(high, p);
        }
        const auto cloud = floatCloud(points);
        QVERIFY(cloud.bounds().min == low.as<double>() && cloud.bounds().max == high.as<double>());
        const auto view = cloud.floatView({});
        QVERIFY(std::memcmp(view.data(), points.data(), points.size() * sizeof(Vec3f)) == 0);
    }
    void coloursKnowTheirFullScale_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<QList<double>>("values"); // values of each colour channel
        QTest::addColumn<double>("full");
        const auto row = [](const char* name, ScalarType type, const QList<double>& values, double full) {
            QTest::newRow(name) << int(type) << values << full;
        };
        QList<double> unitWithOneOver(1000, 0.5), bytesWithOneOver(1000, 200), hdr(1000, 0.9);
        unitWithOneOver[7] = 1.0001;
        bytesWithOneOver[7] = 256;
        hdr[7] = 40;
        row("bytes, however dark", ScalarType::uint8, {0, 1, 1}, 255);
        row("words", ScalarType::uint16, {0, 40000, 65280}, 65535);
        row("bytes kept as words", ScalarType::uint16, {0, 128, 255}, 255);
        row("dark words with one bright byte", ScalarType::uint16, bytesWithOneOver, 255);
        row("unit floats", ScalarType::float32, {0, 0.25, 1}, 1);
        row("unit floats, one by rounding over 1", ScalarType::float32, unitWithOneOver, 1);
        row("one colour of 1.0001", ScalarType::float64, {1.0001}, 1);
        row("a highlight", ScalarType::float32, hdr, 1);
        row("floats of 0..255", ScalarType::float32, {0, 17, 255}, 255);
        row("floats of 0..65535", ScalarType::float64, {0, 300, 65535}, 65535);
        row("integers of 0..255", ScalarType::int32, {0, 1, 2}, 255);
        row("nothing finite", ScalarType::float32, {std::numeric_limits<double>::quiet_NaN()}, 1);
    }
    void coloursKnowTheirFullScale() {
        QFETCH(const int, type);
        QFETCH(const QList<double>, values);
        QFETCH(const double, full);
        const auto count = std::size_t(values.size());
        std::vector<Attribute> colours;
        for (const char* name : {"red", "green", "blue"}) {
            Attribute colour;
            colour.name = name;
            colour.type = ScalarType(type);
            colour.allocate(count);
            visitScalar(colour.type, [&]<class T>(std::type_identity<T>) {
                for (std::size_t i = 0; i < count; ++i) {
                    const auto value = static_cast<T>(values[qsizetype(i)]);
                    std::memcpy(colour.dataToFill() + i * sizeof(T), &value, sizeof(T));
                }
            });
            colours.push_back(std::move(colour));
        }
        const std::vector<Vec3f> points(count);
        const auto cloud = floatCloud(points, std::move(colours));
        QVERIFY(cloud.colourRange().has_value());
        QCOMPARE(cloud.colourRange()->min, 0.0);
        QCOMPARE(cloud.colourRange()->max, full);
    }
    void declaredScalesOfColoursComeFirst() {
        std::vector<Attribute> colours;
        for (const char* name : {"red", "green", "blue"}) {
            colours.push_back(makeAttribute<std::uint16_t>(name, ScalarType::uint16, {3, 1023}));
            colours.back().declared = ValueRange{0, 1023};
        }
        const std::vector<Vec3f> points(2);
        QVERIFY((floatCloud(points, std::move(colours)).colourRange() == ValueRange{0, 1023}));
        std::vector<Attribute> two;
        two.push_back(makeAttribute<std::uint8_t>("red", ScalarType::uint8, {3, 200}));
        two.push_back(makeAttribute<std::uint8_t>("green", ScalarType::uint8, {3, 200}));
        QVERIFY(!floatCloud(points, std::move(two)).colourRange());
    }
    void smallCoordinatesKeepTheirOrigin() {
        QVERIFY((floatCloud({{-80, -60, -10}, {79, 45, 3}}).origin() == Vec3d{}));
        QVERIFY((doubleCloud({{-1000, 2, 3}, {900, 50, 8}}).origin() == Vec3d{}));
    }
    void largeCoordinatesGetATidyOrigin() {
        const auto cloud = doubleCloud({{512701.25, 5403550.5, 295.25}, {512835.75, 5403850.25, 404.08}});
        QVERIFY((cloud.origin() == Vec3d{512800, 5403700, 0}));
        const auto view = cloud.floatView({});
        QCOMPARE(view[0].x, -98.75f);
        QCOMPARE(view[1].y, 150.25f);
        QCOMPARE(view[1].z, 404.08f);
        QVERIFY((cloud.position(0) == Vec3d{512701.25, 5403550.5, 295.25}));
    }
    void smallThingFarAwayGetsAnOrigin() {
        const auto cloud = doubleCloud({{100.0001, 0, 0}, {100.0052, 0.003, 0.001}});
        QVERIFY(std::abs(cloud.origin().x - 100.0026) < 0.002);
        QVERIFY(std::abs(cloud.floatView({})[1].x + cloud.origin().x - 100.0052) < 1e-9);
    }
    void nonsenseCoordinatesAreSurvived() {
        const auto cloud = floatCloud({{3e38f, 0, 0}, {-3e38f, 1, 1}});
        QVERIFY((cloud.origin() == Vec3d{}));
        QCOMPARE(cloud.floatView({})[0].x, 3e38f);
    }
    void scaledIntegers() {
        const std::vector<Vec3i> raw{{100, -200, 7}, {0, 0, 0}};
        const PointCloud cloud(ScaledPositions{hostCopy(std::span(raw)), {0.5, 0.01, -1}, {1000, 0, 5}}, {},
                               {});
        QVERIFY((cloud.position(0) == Vec3d{1050, -2, -2}));
        QVERIFY((cloud.bounds().min == Vec3d{1000, -2, -2}));
        QVERIFY((cloud.bounds().max == Vec3d{1050, 0, 5}));
        QCOMPARE(cloud.bytes(), std::uint64_t(24));
    }
    void attributesHaveLimits() {
        std::vector<Attribute> attributes;
        attributes.push_back(makeAttribute<float>("intensity", ScalarType::float32, {0.5f, kNan, -2}));
        attributes.push_back(makeAttribute<std::uint16_t>("ring", ScalarType::uint16, {3, 60000, 7}));
        attributes.push_back(
            makeAttribute<std::int64_t>("id", ScalarType::int64, {-(std::int64_t{1} << 52), 1, 2}));
        attributes.push_back(makeAttribute<double>("none", ScalarType::float64, {kNan, kNan, kNan}));
        const auto cloud = floatCloud({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}, std::move(attributes));
        const Attribute& intensity = *cloud.attribute("intensity");
        QCOMPARE(intensity.min(), -2.0);
        QCOMPARE(intensity.max(), 0.5);
        QCOMPARE(intensity.notFinite(), std::uint64_t(1));
        QCOMPARE(cloud.attribute("ring")->max(), 60000.0);
        QCOMPARE(cloud.attribute("ring")->value(0), 3.0);
        QCOMPARE(cloud.attribute("id")->min(), -4503599627370496.0);
        QCOMPARE(cloud.attribute("none")->max(), 0.0);
        QCOMPARE(cloud.attribute("none")->notFinite(), std::uint64_t(3));
        QVERIFY(!cloud.attribute("time"));
        QCOMPARE(cloud.bytes(), std::uint64_t(3 * (12 + 4 + 2 + 8 + 8)));
    }
    void attributeOfAnotherLengthIsRefused() {
        std::vector<Attribute> attributes;
        attributes.push_back(makeAttribute<float>("intensity", ScalarType::float32, {1}));
        QVERIFY_EXCEPTION_THROWN(floatCloud({{0, 0, 0}, {1, 1, 1}}, std::move(attributes)), Fault);
    }
    void cancel() {
        std::stop_source source;
        source.request_stop();
        const std::vector<Vec3f> points(1000);
        QVERIFY_EXCEPTION_THROWN(
            PointCloud(FloatPositions{hostCopy(std::span(points))}, {}, source.get_token()), Cancelled);
        QVERIFY_EXCEPTION_THROWN(floatCloud(points).floatView(source.get_token()), Cancelled);
    }
    void typesHaveSizesAndNames() {
        QCOMPARE(sizeOf(ScalarType::uint8), std::size_t(1));
        QCOMPARE(sizeOf(ScalarType::float64), std::size_t(8));
        QCOMPARE(nameOf(ScalarType::int16), "int16");
        QCOMPARE(nameOf(ScalarType::float64), "float64");
    }
};

SCANLOUPE_TEST(TestCloud)
#include "test_cloud.moc"
