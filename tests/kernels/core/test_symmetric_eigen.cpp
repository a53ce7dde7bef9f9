// The eigen-solver in single precision, compared with Eigen.
#include "kernels/core/symmetric_eigen.h"
#include "tests/support/test_support.h"

#include <Eigen/Eigenvalues>

using namespace scanloupe;

namespace {
void compare(const Symmetric3f& m) {
    Eigen::Matrix3d matrix;
    matrix << m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz;
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> oracle(matrix);
    const Eigen3f mine = symmetricEigen(m);
    const double scale = std::max(1e-30, matrix.cwiseAbs().maxCoeff());
    for (int i = 0; i < 3; ++i) {
        const double value = double{mine.values[i]};
        QVERIFY(std::abs(value - oracle.eigenvalues()[i]) < 3e-6 * scale);
        const Eigen::Vector3d v(mine.vectors[i].x, mine.vectors[i].y, mine.vectors[i].z);
        QVERIFY(std::abs(v.norm() - 1) < 3e-6);
        QVERIFY((matrix * v - value * v).norm() <
                5e-6 * scale); // an eigenvector, even if the eigenvalue is repeated
        for (int j = 0; j < i; ++j)
            QVERIFY(std::abs(dot(mine.vectors[i], mine.vectors[j])) < 3e-6f);
    }
}
} // namespace

class TestSymmetricEigen : public QObject {
    Q_OBJECT
private slots:
    void random() {
        auto generator = test::seededRandom("random");
        std::normal_distribution<float> normal;
        for (int i = 0; i < 20000; ++i) {
            const float scale = std::pow(10.0f, static_cast<float>(i % 13 - 6));
            compare({normal(generator) * scale, normal(generator) * scale, normal(generator) * scale,
                     normal(generator) * scale, normal(generator) * scale, normal(generator) * scale});
        }
    }
    void flatNeighbourhoods() { // one eigenvalue is far below the others, as in voxels of a plane
        auto generator = test::seededRandom("flatNeighbourhoods");
        std::normal_distribution<float> normal;
        for (int i = 0; i < 2000; ++i) {
            const Vec3f n = normalized(Vec3f{normal(generator), normal(generator), normal(generator)});
            Symmetric3f m{0.01f * (1 - n.x * n.x), -0.01f * n.x * n.y, -0.01f * n.x * n.z,
                          0.01f * (1 - n.y * n.y), -0.01f * n.y * n.z, 0.01f * (1 - n.z * n.z)};
            compare(m);
            QVERIFY(std::abs(dot(symmetricEigen(m).vectors[0], n)) > 0.99999f);
        }
    }
    void special() {
        compare({});
        compare({1, 0, 0, 1, 0, 1});
        compare({3, 0, 0, 2, 0, 1});
        compare({0, 1, 0, 0, 0, 0});
        compare({1, 1, 1, 1, 1, 1});
        compare({1e-20f, 1e-21f, 0, 1e-20f, 0, 1e-20f});
        compare({1, 1e-12f, 0, 2, 0, 3});
    }
};

SCANLOUPE_TEST(TestSymmetricEigen)
#include "test_symmetric_eigen.moc"
