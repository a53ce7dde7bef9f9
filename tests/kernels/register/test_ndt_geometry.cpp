// Unconstrained motions of a scene: eigenvalues, degenerate motions and their directions.
#include "tests/kernels/register/ndt_backends.h"
#include "tests/kernels/register/ndt_test_support.h"

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

NdtBackend& geometryBackend() {
    return NdtBackend::current();
}

} // namespace

class TestNdtGeometry : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { SKIP_WITHOUT_NDT_BACKEND(); }
    void corridorIsFlagged() {
        auto random = seededRandom("corridorIsFlagged");
        for (const double resolution : {1.0, 2.0}) {
            NdtMapParams mapParams;
            mapParams.resolution = resolution;
            const NdtMap map = mapOf(toFloat(sample(corridor(), 200'000, 0.01, random)), mapParams);
            const RigidTransform truth = fromRollPitchYaw({0, 0, 0.1}, {2, 0.3, 1.4});
            const auto scan = seenFrom(truth, sample(corridor(), 6000, 0.01, random), 25);
            for (const auto neighbours :
                 {NdtNeighbours::direct1, NdtNeighbours::direct7, NdtNeighbours::direct27}) {
                NdtParams params;
                params.neighbours = neighbours;
                const NdtResult result = geometryBackend().align(map, {scan, {}}, truth, params);
                const NdtGeometry& geometry = result.geometry;
                QCOMPARE(geometry.degenerate, 1);
                QVERIFY2(std::abs(geometry.directions[0]) > 0.99,
                         qPrintable(QString::number(geometry.directions[0])));
                QVERIFY(geometry.eigenvalues[0] < 0.5 * geometry.eigenvalues[1]);
                QVERIFY(geometry.covariance[0] < geometry.covariance[7]); // no accuracy is claimed along x
            }
        }
    }
    void floorIsFlagged() {
        auto random = seededRandom("floorIsFlagged");
        for (const double resolution : {1.0, 2.0}) {
            NdtMapParams mapParams;
            mapParams.resolution = resolution;
            const NdtMap map = mapOf(toFloat(sample(floorOnly(), 300'000, 0.01, random)), mapParams);
            const RigidTransform truth = fromRollPitchYaw({0, 0, 0.1}, {2, 0.3, 2.4});
            const auto scan = seenFrom(truth, sample(floorOnly(), 20'000, 0.01, random), 25);
            for (const auto neighbours :
                 {NdtNeighbours::direct1, NdtNeighbours::direct7, NdtNeighbours::direct27}) {
                NdtParams params;
                params.neighbours = neighbours;
                const NdtResult result = geometryBackend().align(map, {scan, {}}, truth, params);
                QCOMPARE(result.geometry.degenerate, 3);
                for (int k = 0; k < 3; ++k) { // any combination of x, y and yaw
                    const double* d = result.geometry.directions.data() + 6 * k;
                    const double lever = 17; // RMS lever arm: metres per radian of yaw
                    QVERIFY(std::abs(d[2]) < 0.02 && std::abs(d[3]) * lever < 0.05 &&
                            std::abs(d[4]) * lever < 0.05);
                }
                // the constrained directions are correct
                QVERIFY(std::abs(result.pose.translation.z - truth.translation.z) < 0.01);
                QVERIFY(std::abs(result.pose.rows[2].z - 1) < 1e-6);
            }
        }
    }
    /// A scan whose frame is turned, with a pose that turns it back, is the same scan.
    void frameOfTheScanDoesNotMatter() {
        auto random = seededRandom("frameOfTheScanDoesNotMatter");
        const NdtMap map = mapOf(toFloat(sample(corridor(), 200'000, 0.01, random)));
        const RigidTransform truth = fromRollPitchYaw({0, 0, 0.1}, {2, 0.3, 1.4});
        // the scan is longest along x
        const auto scan = seenFrom(truth, sample(corridor(), 6000, 0.01, random), 25);
        const NdtGeometry expected = geometryBackend().score(map, {scan, {}}, truth, {}).geometry;
        const RigidTransform quarter{{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}, {}};
        for (const RigidTransform& turn : {quarter, fromRollPitchYaw({1.1, 0.4, -0.8}, {})}) {
            std::vector<Vec3f> turned;
            for (const Vec3f p : scan)
                turned.push_back(turn.inverse()(p.as<double>()).as<float>());
            const NdtGeometry found = geometryBackend().score(map, {turned, {}}, truth * turn, {}).geometry;
            QCOMPARE(found.degenerate, expected.degenerate);
            for (std::size_t k = 0; k < 6; ++k)
                QVERIFY2(std::abs(found.eigenvalues[k] - expected.eigenvalues[k]) <
                             1e-3 * expected.eigenvalues[5],
                         qPrintable(QString("%1: %2 instead of %3")
                                        .arg(k)
                                        .arg(found.eigenvalues[k])
                                        .arg(expected.eigenvalues[k])));
        }
    }
};

NDT_TEST(TestNdtGeometry)
#include "test_ndt_geometry.moc"
