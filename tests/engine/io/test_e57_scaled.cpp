// Scaled integers of E57: coordinates stay integers as long as all scans have the same scale and offset.
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "tests/engine/io/e57_file.h"

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr int kScaledPoints = 100;

struct ScaledAxis {
    double scale = 0.001, offset = 5400000;
    double valueOf(int i) const { return 7 * i * scale + offset; }
};

/// A scan whose raw coordinates are 7 i.
E57TestScan scaledScan(const ScaledAxis (&axes)[3]) {
    E57TestScan scan;
    Bits bits;
    for (int i = 0; i < kScaledPoints; ++i)
        bits.put(std::uint64_t(1000000000 + i * 7), 31);
    for (int axis = 0; axis < 3; ++axis) {
        scan.prototype += fmt::format("<cartesian{} type=\"ScaledInteger\" minimum=\"-1000000000\" "
                                      "maximum=\"1000000000\" scale=\"{}\" offset=\"{}\"/>",
                                      "XYZ"[axis], axes[axis].scale, axes[axis].offset);
        scan.streams.push_back(bits.bytes);
    }
    scan.claimed = kScaledPoints;
    return scan;
}

} // namespace

class TestE57Scaled : public QObject {
    Q_OBJECT
private slots:
    void scaledIntegersStayIntegers() {
        const Scratch scratch;
        const auto cloud = readScan(scratch.file("a.e57", e57File({scaledScan({})})), {}, {});
        QCOMPARE(std::get<ScaledPositions>(cloud->positions()).xyz[3].x, 21);
        QCOMPARE(cloud->position(3).x, 5400000.021);
    }
    void scansOfDifferentScales_data() {
        QTest::addColumn<int>("axis"); // axis whose scale differs in the third scan
        QTest::addColumn<double>("scale");
        QTest::addColumn<double>("offset");
        QTest::newRow("none") << 0 << 0.001 << 5400000.0;
        for (const int axis : {0, 1, 2}) {
            QTest::addRow("scale of %c", "xyz"[axis]) << axis << 0.002 << 5400000.0;
            QTest::addRow("offset of %c", "xyz"[axis]) << axis << 0.001 << 5400001.0;
        }
    }
    void scansOfDifferentScales() {
        QFETCH(int, axis);
        QFETCH(double, scale);
        QFETCH(double, offset);
        ScaledAxis axes[3];
        const E57TestScan alike = scaledScan(axes);
        axes[axis] = {scale, offset};
        const Scratch scratch;
        const auto cloud = readScan(scratch.file("a.e57", e57File({alike, alike, scaledScan(axes)})), {}, {});
        const bool differs = !(scale == 0.001 && offset == 5400000);
        QCOMPARE(std::holds_alternative<ScaledPositions>(cloud->positions()), !differs);
        QCOMPARE(cloud->size(), std::size_t(3 * kScaledPoints));
        for (int i = 0; i < 3 * kScaledPoints; ++i)
            for (int a = 0; a < 3; ++a) {
                const ScaledAxis& of = i < 2 * kScaledPoints ? ScaledAxis{} : axes[a];
                QVERIFY(std::abs(cloud->position(std::size_t(i))[a] - of.valueOf(i % kScaledPoints)) < 1e-8);
            }
    }
};

SCANLOUPE_TEST(TestE57Scaled)
#include "test_e57_scaled.moc"
