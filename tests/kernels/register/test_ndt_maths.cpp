// The mathematics of registration: derivatives, the step, and the distributions of cells, each compared with
// another method.
#include "kernels/register/ndt/ndt_cell.h"
#include "kernels/register/ndt/ndt_step.h"
#include "tests/kernels/register/ndt_test_support.h"

#include <Eigen/Dense>
#include <Eigen/Geometry>
#include <set>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

Eigen::Vector3d eigen(Vec3d v) {
    return {v.x, v.y, v.z};
}
Eigen::Matrix3d eigen(const RigidTransform& pose) {
    Eigen::Matrix3d m;
    for (int i = 0; i < 3; ++i)
        m.row(i) = eigen(pose.rows[i]).transpose();
    return m;
}
Eigen::Matrix3d turn(Vec3d angles) {
    using Eigen::AngleAxisd;
    return (AngleAxisd(angles.x, Eigen::Vector3d::UnitX()) * AngleAxisd(angles.y, Eigen::Vector3d::UnitY()) *
            AngleAxisd(angles.z, Eigen::Vector3d::UnitZ()))
        .toRotationMatrix();
}
/// The generator of the rotation about an axis.
Eigen::Matrix3d generator(int axis) {
    Eigen::Vector3d e = Eigen::Vector3d::Zero();
    e[axis] = 1;
    Eigen::Matrix3d g;
    g << 0, -e[2], e[1], e[2], 0, -e[0], -e[1], e[0], 0;
    return g;
}

/// A map, and a scan of it at any attitude, with a small error.
struct Scene {
    NdtMap map;
    std::vector<Vec3f> scan;
    RigidTransform pose;
};
Scene someScene(std::mt19937_64& random, double pitch, double resolution) {
    NdtMapParams params;
    params.resolution = resolution;
    std::vector<Vec3d> points = sample(yard(), 8000, 0.03, random);
    NdtMap map = mapOf(toFloat(points), params);
    points.resize(400);
    std::uniform_real_distribution<double> any(-3.1, 3.1);
    const RigidTransform truth = fromRollPitchYaw({any(random), pitch, any(random)}, {4, -3, 1.5});
    std::vector<Vec3f> scan = seenFrom(truth, points, 100);
    return {std::move(map), std::move(scan), randomPose(random, 0.15, 0.02) * truth};
}

/// The pose rotated and shifted by `step` about the scan's middle, with Eigen's rotations.
RigidTransform stepped(const RigidTransform& pose, Vec3d middle, const Vector6& step) {
    const Eigen::Matrix3d rotation = turn({step[3], step[4], step[5]}) * eigen(pose);
    RigidTransform next;
    for (int i = 0; i < 3; ++i)
        next.rows[i] = {rotation(i, 0), rotation(i, 1), rotation(i, 2)};
    const Vec3d inScan = pose.inverse()(middle);
    next.translation = middle + Vec3d{step[0], step[1], step[2]} - next.rotate(inScan);
    return next;
}
Vector6 unit(int i, double size) {
    Vector6 v = Vector6::Zero();
    v[i] = size;
    return v;
}
Vector6 gradientOf(const NdtResult& result) {
    return Vector6(result.geometry.gradient.data());
}
Matrix6 hessianOf(const NdtResult& result) {
    return Eigen::Map<const Eigen::Matrix<double, 6, 6, Eigen::RowMajor>>(result.geometry.hessian.data());
}

/// Score, gradient and the three parts of the Hessian, summed pair by pair as in the textbook.
struct Textbook {
    double score = 0;
    Vector6 gradient = Vector6::Zero();
    Matrix6 first = Matrix6::Zero(), second = Matrix6::Zero(), third = Matrix6::Zero(); ///< J C J, d2, h
    std::uint64_t pairs = 0;
};
Textbook textbook(const Scene& scene, Vec3d middle, NdtNeighbours neighbours) {
    const double r = scene.map.params().resolution, o = 0.55;
    const double c1 = 10 * (1 - o), c2 = o / (r * r * r), d3 = -std::log(c2), d1 = -std::log(c1 + c2) - d3,
                 d2 = -2 * std::log((-std::log(c1 * std::exp(-0.5) + c2) - d3) / d1);
    Textbook sum;
    for (const Vec3f p : scene.scan) {
        const Vec3d x = scene.pose(p.as<double>()) - scene.map.origin();
        const Vec3i home{int(std::floor(x.x / r)), int(std::floor(x.y / r)), int(std::floor(x.z / r))};
        const Eigen::Vector3d y = eigen(x + scene.map.origin() - middle);
        for (std::size_t c = 0; c < scene.map.cells().size(); ++c) {
            const NdtCell& cell = scene.map.cells()[c];
            const Vec3i away = scene.map.cellPlace(c) - home;
            const int apart = std::abs(away.x) + std::abs(away.y) + std::abs(away.z);
            const int widest = std::max({std::abs(away.x), std::abs(away.y), std::abs(away.z)});
            if (neighbours == NdtNeighbours::direct27 ? widest > 1
                                                      : apart > (neighbours == NdtNeighbours::direct7))
                continue;
            Eigen::Matrix3d inverse;
            inverse << cell.inverse[0], cell.inverse[1], cell.inverse[2], cell.inverse[1], cell.inverse[3],
                cell.inverse[4], cell.inverse[2], cell.inverse[4], cell.inverse[5];
            const Eigen::Vector3d d = eigen(x - cell.mean);
            const double exponent = d2 / 2 * d.dot(inverse * d), e = std::exp(-exponent), w = d1 * d2 * e;
            if (exponent >= 50)
                continue;
            ++sum.pairs;
            sum.score += -d1 * e;
            Eigen::Matrix<double, 3, 6> jacobian;
            jacobian.leftCols<3>() = Eigen::Matrix3d::Identity();
            for (int i = 0; i < 3; ++i)
                jacobian.col(3 + i) = generator(i) * y;
            const Vector6 dcj = jacobian.transpose() * (inverse * d);
            sum.gradient += w * dcj;
            sum.first += w * (jacobian.transpose() * inverse * jacobian);
            sum.second -= w * d2 * dcj * dcj.transpose();
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j) // order of the rotations: Rx before Ry before Rz
                    sum.third(3 + i, 3 + j) +=
                        w * (inverse * d).dot(generator(std::min(i, j)) * generator(std::max(i, j)) * y);
        }
    }
    return sum;
}

} // namespace

constexpr double kAnyLength = std::numeric_limits<double>::infinity();

class TestNdtMaths : public QObject {
    Q_OBJECT
private slots:
    void gaussConstants() { // values from the design's table
        const NdtGauss one = ndtGauss(1, 0.55), two = ndtGauss(2, 0.55);
        QVERIFY(std::abs(one.d1 - -2.217225) < 1e-6 && std::abs(one.d2 - 0.433123) < 1e-6);
        QVERIFY(std::abs(two.d1 - -4.196518) < 1e-6 && std::abs(two.d2 - 0.248479) < 1e-6);
    }
    void rotationsAreRxRyRz() {
        auto random = seededRandom("rotationsAreRxRyRz");
        std::uniform_real_distribution<double> any(-1.5, 1.5);
        for (int round = 0; round < 1000; ++round) {
            const Vec3d angles{any(random) * 2, any(random), any(random) * 2};
            const RigidTransform pose = fromRollPitchYaw(angles, {1, 2, 3});
            QVERIFY((eigen(pose) - turn(angles)).cwiseAbs().maxCoeff() < 1e-15);
            QVERIFY(norm(rollPitchYaw(pose) - angles) < 1e-12);
            const double angle = Eigen::AngleAxisd(turn(angles)).angle();
            QVERIFY(std::abs(rotationAngle(pose) - angle) < 1e-7);
        }
        for (const double pitch : {-1.0, 1.0}) { // pitch angles at which roll and yaw coincide
            const RigidTransform pose = fromRollPitchYaw({0.3, pitch * 1.5707963267948966, 0.4}, {});
            QVERIFY((eigen(fromRollPitchYaw(rollPitchYaw(pose), {})) - eigen(pose)).cwiseAbs().maxCoeff() <
                    1e-7);
        }
    }
    void firstAndSecondDerivativesOfATurn() {
        // published tables have wrong signs of the rotation's derivatives: compare element by element
        const double h = 1e-4;
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                const auto at = [&](double a, double b) {
                    double step[6] = {};
                    step[3 + i] += a;
                    step[3 + j] += b;
                    return eigen(moved({}, step));
                };
                const Eigen::Matrix3d second = (at(h, h) - at(h, -h) - at(-h, h) + at(-h, -h)) / (4 * h * h);
                const Eigen::Matrix3d expected = generator(std::min(i, j)) * generator(std::max(i, j));
                QVERIFY((second - expected).cwiseAbs().maxCoeff() < 1e-6);
            }
            double step[6] = {}, back[6] = {};
            step[3 + i] = h;
            back[3 + i] = -h;
            const Eigen::Matrix3d first = (eigen(moved({}, step)) - eigen(moved({}, back))) / (2 * h);
            QVERIFY((first - generator(i)).cwiseAbs().maxCoeff() < 1e-7);
        }
    }
    void derivativesAgainstDifferences() {
        auto random = seededRandom("derivativesAgainstDifferences");
        int crossed = 0, looked = 0;
        double worstGradient = 0, worstHessian = 0;
        for (int round = 0; round < 120; ++round) {
            const double pitches[] = {0, 0.4, -1.2, 1.5, -1.5707963267948966, 3};
            const Scene scene = someScene(random, pitches[round % 6], round % 2 ? 1 : 2);
            NdtParams params;
            params.neighbours = NdtNeighbours(round % 3);
            const auto at = [&](const Vector6& step, Vec3d middle) {
                return cpu::scoreNdt(scene.map, {scene.scan, {}}, stepped(scene.pose, middle, step), params,
                                     {});
            };
            const NdtResult here = cpu::scoreNdt(scene.map, {scene.scan, {}}, scene.pose, params, {});
            const Vec3d middle = here.geometry.middle;
            const Matrix6 hessian = hessianOf(here);
            const Vector6 scale = hessian.diagonal().cwiseAbs().cwiseSqrt();
            for (int i = 0; i < 6; ++i) {
                const double h = i < 3 ? 1e-5 : 1e-6;
                const NdtResult above = at(unit(i, h), middle), below = at(unit(i, -h), middle);
                // a point that crosses a cell's border makes the score jump: not tested here
                if (std::abs(above.score - below.score) >
                    2.2 * h * std::abs(here.geometry.gradient[std::size_t(i)]) + 1e-4) {
                    ++crossed;
                    continue;
                }
                ++looked;
                const double slope = (above.score - below.score) / (2 * h);
                const double error = std::abs(slope - here.geometry.gradient[std::size_t(i)]) / scale[i];
                worstGradient = std::max(worstGradient, error);
                QVERIFY2(error < 1e-4, qPrintable(QString("gradient %1: %2").arg(i).arg(error)));
                // The gradient of a stepped pose is relative to that pose: rotate it back to this one's axes.
                // To first order only rotations mix, by half their commutator: the difference between h_ij =
                // G_i G_j for i <= j and its symmetric part.
                const Vector6 change = (gradientOf(above) - gradientOf(below)) / (2 * h);
                for (int j = 0; j < 6; ++j) {
                    double expected = hessian(i, j);
                    if (i >= 3 && j >= 3 && i != j) {
                        // the derivative of gradient component j about axis i is G_j G_i; h_ij is G_min G_max
                        const Eigen::Matrix3d bracket =
                            generator(j - 3) * generator(i - 3) -
                            generator(std::min(i, j) - 3) * generator(std::max(i, j) - 3);
                        // the commutator is 0, or plus or minus the generator of the third axis
                        for (int k = 0; k < 3; ++k)
                            expected += 0.5 * (bracket.transpose() * generator(k)).trace() *
                                        here.geometry.gradient[std::size_t(3 + k)];
                    }
                    const double off = std::abs(change[j] - expected) / (scale[i] * scale[j]);
                    worstHessian = std::max(worstHessian, off);
                    QVERIFY2(off < 2e-5, qPrintable(QString("hessian %1 %2: %3").arg(i).arg(j).arg(off)));
                }
            }
        }
        std::printf("%d directions, %d left out; worst %.2g of the gradient, %.2g of the Hessian\n", looked,
                    crossed, worstGradient, worstHessian);
        QVERIFY(looked > 600 && crossed < looked / 10);
    }
    void sumsAgainstTheTextbook() {
        auto random = seededRandom("sumsAgainstTheTextbook");
        for (int round = 0; round < 12; ++round) {
            const Scene scene = someScene(random, 0.3 * round, round % 2 ? 1 : 2);
            NdtParams params;
            params.neighbours = NdtNeighbours(round % 3);
            const NdtResult found = cpu::scoreNdt(scene.map, {scene.scan, {}}, scene.pose, params, {});
            const Textbook expected = textbook(scene, found.geometry.middle, params.neighbours);
            QVERIFY(std::abs(found.score - expected.score) < 1e-12 * expected.score);
            const Vector6 scale =
                (expected.first.diagonal().cwiseAbs() + expected.second.diagonal().cwiseAbs()).cwiseSqrt();
            const Vector6 gradientError = gradientOf(found) - expected.gradient;
            const Matrix6 hessian = expected.first + expected.second + expected.third;
            const Matrix6 hessianError = hessianOf(found) - hessian;
            for (int i = 0; i < 6; ++i) {
                QVERIFY(std::abs(gradientError[i]) < 1e-12 * scale[i] * scale[i]);
                for (int j = 0; j < 6; ++j) {
                    QVERIFY(std::abs(hessianError(i, j)) < 1e-11 * scale[i] * scale[j]);
                    // each part is large enough that its omission would be noticed
                    const bool turns = i >= 3 && j >= 3;
                    QVERIFY(std::abs(expected.second(i, j)) > 1e-7 * scale[i] * scale[j]);
                    QVERIFY(!turns || std::abs(expected.third(i, j)) > 1e-7 * scale[i] * scale[j]);
                }
            }
        }
    }
    void allNeighboursCount() { // neighbours after the first eight count, too
        NdtMapParams params;
        params.resolution = 1;
        auto random = seededRandom("allNeighboursCount");
        std::uniform_real_distribution<float> along(0, 3);
        std::vector<Vec3f> points;
        for (int i = 0; i < 3000; ++i)
            points.push_back({along(random), along(random), along(random)});
        const NdtMap map = mapOf(points, params);
        QCOMPARE(map.cells().size(), std::size_t{27});
        const std::vector<Vec3f> middle{{1.5f, 1.5f, 1.5f}};
        NdtParams with;
        const std::uint64_t expected[] = {1, 7, 27};
        for (int n = 0; n < 3; ++n) {
            with.neighbours = NdtNeighbours(n);
            with.maxIterations = 1;
            const NdtResult result = cpu::alignNdt(map, {middle, {}}, {}, with, {});
            QCOMPARE(result.trace.front().pairs, expected[n]);
        }
        std::set<std::tuple<int, int, int>> seen;
        for (int i = 0; i < 27; ++i) {
            const Vec3i n = ndtNeighbour(i);
            const int kind = std::abs(n.x) + std::abs(n.y) + std::abs(n.z);
            QVERIFY(std::max({std::abs(n.x), std::abs(n.y), std::abs(n.z)}) <= 1);
            QCOMPARE(kind, i == 0 ? 0 : i < 7 ? 1 : i < 19 ? 2 : 3);
            seen.insert({n.x, n.y, n.z});
        }
        QCOMPARE(seen.size(), std::size_t{27});
    }
    void stepsGoUphill() {
        auto random = seededRandom("stepsGoUphill");
        std::normal_distribution<double> normal(0, 1);
        int definite = 0, indefinite = 0, flat = 0;
        for (int round = 0; round < 10000; ++round) {
            Matrix6 m;
            Vector6 g;
            for (int i = 0; i < 6; ++i) {
                g[i] = normal(random);
                for (int j = 0; j < 6; ++j)
                    m(i, j) = normal(random);
            }
            Matrix6 a = m * m.transpose(); // the negative Hessian
            if (round % 5 == 1)            // indefinite
                a = m + m.transpose();
            if (round % 5 == 2) // no curvature in some directions
                a = m.leftCols(3) * m.leftCols(3).transpose();
            if (round % 5 == 3) // scales that differ by orders of magnitude
                for (int i = 0; i < 6; ++i) {
                    const double s = std::pow(10.0, 3 * normal(random));
                    a.row(i) *= s;
                    a.col(i) *= s;
                    g[i] *= s;
                }
            if (round % 5 == 4) // a minimum instead of a maximum
                a = -a;
            if (round == 2)
                a.setZero();
            NdtTotals totals;
            for (int i = 0; i < 6; ++i) {
                totals.terms[1 + i] = g[i];
                for (int j = i; j < 6; ++j)
                    totals.terms[NdtTotals::place(i, j)] = -a(i, j);
            }
            double step[6];
            const double length = std::sqrt(limitStep(solveBySearch(totals, 1.0 / 3), kAnyLength, step));
            const Eigen::Map<const Vector6> delta(step);
            if (round == 2) {
                QCOMPARE(length, 0.0);
                continue;
            }
            QVERIFY(std::isfinite(length) && std::abs(delta.norm() - length) <= 1e-12 * length);
            QVERIFY2(g.dot(delta) > 0, qPrintable(QString("round %1").arg(round)));
            const Eigen::SelfAdjointEigenSolver<Matrix6> solver(a);
            const double low = solver.eigenvalues()[0], high = solver.eigenvalues()[5];
            if (low > 1e-7 * high) {
                ++definite;
                const Vector6 expected = a.ldlt().solve(g);
                QVERIFY((delta - expected).norm() < 1e-6 * expected.norm());
            }
            flat += low < 1e-12 * high && high > 0;
            if (low < -1e-3 * std::abs(high)) { // no maximum nearby: the curvature is increased, and
                                                // rotations are steps along arcs
                Vector6 scale;
                scale << 1, 1, 1, 1.0 / 3, 1.0 / 3, 1.0 / 3;
                const Matrix6 scaled = scale.asDiagonal() * a * scale.asDiagonal();
                const Eigen::SelfAdjointEigenSolver<Matrix6> sizes(scaled);
                const double most = scaled.cwiseAbs().maxCoeff(), least = -sizes.eigenvalues()[0];
                if (least < 1e-3 * most)
                    continue;
                ++indefinite;
                const Vector6 along = delta.cwiseQuotient(scale), up = scale.cwiseProduct(g);
                const Vector6 missing = up - scaled * along; // added diagonal times the step
                const double added = missing.dot(along) / along.squaredNorm();
                QVERIFY((missing - added * along).norm() < 1e-6 * (up.norm() + missing.norm()));
                QVERIFY2(added >= 1.999 * least && added <= 3.001 * least,
                         qPrintable(QString("%1 of %2").arg(added).arg(least)));
            }
        }
        QVERIFY(definite > 2000 && indefinite > 3000 && flat > 2000);
    }
    void stepsOfNonsense() {
        for (const double bad :
             {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e308}) {
            for (int term = 1; term < kNdtTerms; ++term) {
                NdtTotals totals;
                for (int i = 0; i < 6; ++i) {
                    totals.terms[1 + i] = 1;
                    totals.terms[NdtTotals::place(i, i)] = -1;
                }
                totals.terms[term] = bad;
                double step[6];
                QVERIFY(std::isfinite(limitStep(solveBySearch(totals, 1), kAnyLength, step)));
                for (const double part : step)
                    QVERIFY(std::isfinite(part));
            }
        }
    }
    void eigenvaluesOfJacobi() {
        auto random = seededRandom("eigenvaluesOfJacobi");
        std::normal_distribution<double> normal(0, 1);
        for (int round = 0; round < 3000; ++round) {
            Matrix6 m;
            for (int i = 0; i < 36; ++i)
                m(i / 6, i % 6) = normal(random) * std::pow(10.0, round % 7 - 3);
            m = (m + m.transpose()).eval();
            if (round % 3 == 0) // several equal eigenvalues
                m = (m.col(0) * m.col(0).transpose() + Matrix6::Identity()).eval();
            double a[6][6], v[6][6];
            for (int i = 0; i < 36; ++i)
                a[i / 6][i % 6] = m(i / 6, i % 6);
            jacobiEigen(a, v);
            const Eigen::SelfAdjointEigenSolver<Matrix6> solver(m);
            const double scale = m.norm();
            for (int k = 0; k < 6; ++k) {
                const Eigen::Map<const Vector6> vector(v[k]);
                QVERIFY(std::abs(a[k][k] - solver.eigenvalues()[k]) < 1e-13 * scale * 10);
                QVERIFY((m * vector - a[k][k] * vector).norm() < 1e-12 * scale * 10);
                QVERIFY(std::abs(vector.norm() - 1) < 1e-13);
            }
        }
    }
    void covarianceVariants() {
        auto random = seededRandom("covarianceVariants");
        std::uniform_real_distribution<double> along(0.05, 0.95);
        for (const std::uint32_t count : {6U, 7U, 40U}) {
            std::vector<Vec3d> points;
            for (std::uint32_t i = 0; i < count; ++i)
                points.push_back(
                    Vec3f{float(along(random)), float(along(random)), float(along(random))}.as<double>());
            Vec3d mean;
            for (const Vec3d p : points)
                mean += p / double(count);
            Eigen::Matrix3d s = Eigen::Matrix3d::Zero(), squares = Eigen::Matrix3d::Zero();
            for (const Vec3d p : points) {
                s += eigen(p - mean) * eigen(p - mean).transpose();
                squares += eigen(p) * eigen(p).transpose();
            }
            const double n = count;
            const Eigen::Vector3d m = eigen(mean);
            // the order of the published sources: sums from the identity, then one pass
            const Eigen::Matrix3d started = Eigen::Matrix3d::Identity() + squares;
            const Eigen::Matrix3d pcl =
                ((started - 2 * (n * m * m.transpose())) / n + m * m.transpose()) * ((n - 1) / n);
            const Eigen::Matrix3d autoware = (started - n * m * m.transpose()) / (n - 1);
            const Eigen::Matrix3d expected[] = {s / (n - 1), pcl, autoware};
            for (int kind = 0; kind < 3; ++kind) {
                NdtMapParams params;
                params.resolution = 1;
                params.covariance = NdtCovariance(kind);
                const NdtMap map = mapOf(toFloat(points), params);
                QCOMPARE(map.cells().size(), std::size_t{1});
                const NdtCell& cell = map.cells().front();
                Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(expected[kind]);
                Eigen::Vector3d values = solver.eigenvalues();
                values = values.cwiseMax(0.01 * values[2]);
                const Eigen::Matrix3d inverse = solver.eigenvectors() * values.cwiseInverse().asDiagonal() *
                                                solver.eigenvectors().transpose();
                const int places[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
                for (int i = 0; i < 6; ++i)
                    QVERIFY(std::abs(cell.inverse[std::size_t(i)] - inverse(places[i][0], places[i][1])) <
                            1e-9 * inverse.cwiseAbs().maxCoeff());
                for (int i = 0; i < 3; ++i)
                    QVERIFY(std::abs(cell.deviations[i] - std::sqrt(values[i])) < 1e-10);
                QVERIFY(norm(cell.mean + map.origin() - mean) < 1e-12);
                QCOMPARE(cell.count, count);
            }
        }
    }
    void flatCellsAreRaised() {
        auto random = seededRandom("flatCellsAreRaised");
        std::uniform_real_distribution<float> along(0, 1);
        std::vector<Vec3f> flat, line, dot;
        for (int i = 0; i < 50; ++i) {
            flat.push_back({along(random), along(random), 0.5f});
            line.push_back({along(random), 0.5f, 0.5f});
            dot.push_back({0.5f, 0.5f, 0.5f});
        }
        NdtMapParams params;
        params.resolution = 1;
        const NdtMap flatMap = mapOf(flat, params), lineMap = mapOf(line, params);
        const Vec3d a = flatMap.cells().front().deviations, b = lineMap.cells().front().deviations;
        QVERIFY(std::abs(a.x - 0.1 * a.z) < 1e-12 && a.y > 0.5 * a.z);
        QVERIFY(std::abs(b.x - 0.1 * b.z) < 1e-12 && std::abs(b.y - 0.1 * b.z) < 1e-12);
        QCOMPARE(mapOf(dot, params).cells().size(), std::size_t{0}); // degenerate: no distribution at all
    }
};

SCANLOUPE_TEST(TestNdtMaths)
#include "test_ndt_maths.moc"
