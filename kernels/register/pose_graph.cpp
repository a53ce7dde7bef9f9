// Optimizes pose graphs by the Levenberg-Marquardt method. A pose is updated by a translation and a rotation
// in its own frame. The error of an edge compares the motion between its two poses with the measured motion:
// the translation difference in the measured frame, and the rotation vector of the remaining rotation.
#include "kernels/register/pose_graph.h"
#include "kernels/core/number_text.h"

#include "kernels/core/error.h"

#define EIGEN_MPL2_ONLY
#include <Eigen/Dense>
#include <Eigen/SparseCholesky>

#include <algorithm>
#include <cmath>
#include <new>
#include <numeric>
#include <string>
#include <utility>

namespace scanloupe::cpu {

namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using SparseMatrix = Eigen::SparseMatrix<double>;

constexpr double kFirstDamping = 1e-6, kLeastDamping = 1e-12, kMaxDamping = 1e6, kDampingFactor = 10;
constexpr double kNarrowing = 3;     // factor by which the kernel's scale shrinks
constexpr double kCoarseStep = 1e-3; // metres and radians; the kernel is narrowed once steps are shorter

struct Pose {
    Eigen::Matrix3d rotation;
    Eigen::Vector3d position;
};

Eigen::Vector3d vectorOf(Vec3d v) {
    return {v.x, v.y, v.z};
}

Pose poseOf(const RigidTransform& transform) {
    Pose pose;
    for (int i = 0; i < 3; ++i)
        pose.rotation.row(i) = vectorOf(transform.rows[i]);
    pose.position = vectorOf(transform.translation);
    return pose;
}

RigidTransform transformOf(const Pose& pose) {
    // The product of many rotations accumulates rounding errors, so the quaternion is normalized.
    const Eigen::Matrix3d rotation = Eigen::Quaterniond(pose.rotation).normalized().toRotationMatrix();
    RigidTransform transform;
    for (int i = 0; i < 3; ++i)
        transform.rows[i] = {rotation(i, 0), rotation(i, 1), rotation(i, 2)};
    transform.translation = {pose.position.x(), pose.position.y(), pose.position.z()};
    return transform;
}

Eigen::Matrix3d crossMatrix(const Eigen::Vector3d& v) {
    Eigen::Matrix3d m;
    m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
    return m;
}

Eigen::Matrix3d rotationBy(const Eigen::Vector3d& turn) {
    const double angle = turn.norm();
    if (angle < 1e-12)
        return Eigen::Matrix3d::Identity() + crossMatrix(turn);
    return Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix();
}

Eigen::Vector3d turnVector(const Eigen::Matrix3d& rotation) {
    const Eigen::AngleAxisd turn(Eigen::Quaterniond(rotation).normalized());
    return turn.angle() * turn.axis();
}

/// Returns the derivative of the rotation vector of R Exp(w) by w at w = 0, where R = Exp(turn).
Eigen::Matrix3d inverseRightJacobian(const Eigen::Vector3d& turn) {
    const double angle = turn.norm();
    const Eigen::Matrix3d cross = crossMatrix(turn);
    const double square =
        angle < 1e-4 ? 1.0 / 12 : 1 / (angle * angle) - (1 + std::cos(angle)) / (2 * angle * std::sin(angle));
    return Eigen::Matrix3d::Identity() + 0.5 * cross + square * cross * cross;
}

/// The whitened error of an edge, and its derivatives by the motions of its two poses.
struct EdgeError {
    Vector6 error;
    Matrix6 from = Matrix6::Zero(), to = Matrix6::Zero();
};

class PoseGraph {
public:
    PoseGraph(std::span<const RigidTransform> poses, std::span<const PoseEdge> edges,
              const PoseGraphParams& params)
        : m_edges(edges), m_params(params) {
        for (const RigidTransform& pose : poses)
            m_poses.push_back(poseOf(pose));
        for (const PoseEdge& edge : edges)
            m_measured.push_back(poseOf(edge.motion));
    }

    PoseGraphResult run(const std::stop_token& stop) {
        PoseGraphResult result;
        m_scale = m_params.kernelScale;
        result.firstError = totalError(m_poses);
        // If a drive has drifted, a correct loop closure has an error of many standard deviations, and the
        // kernel would ignore it. Therefore the kernel starts wide enough for all edges, then narrows
        // (graduated non-convexity).
        for (m_scale = widestScale(); m_poses.size() > 1; m_scale = narrowed()) {
            const bool isLast = m_scale <= m_params.kernelScale;
            result.converged = minimize(isLast ? m_params.epsilon : kCoarseStep, result.iterations, stop);
            if (isLast)
                break;
        }
        m_scale = m_params.kernelScale;
        result.converged = result.converged || m_poses.size() < 2;
        result.lastError = totalError(m_poses);
        for (const Pose& pose : m_poses)
            result.poses.push_back(transformOf(pose));
        for (std::size_t i = 0; i < m_edges.size(); ++i)
            result.residuals.push_back(errorOf(i, m_poses, nullptr).norm());
        return result;
    }

private:
    double widestScale() const {
        double widest = m_params.kernelScale;
        for (std::size_t i = 0; i < m_edges.size(); ++i)
            if (m_edges[i].isRobust)
                widest = std::max(widest, errorOf(i, m_poses, nullptr).norm());
        return widest;
    }
    double narrowed() const { return std::max(m_params.kernelScale, m_scale / kNarrowing); }

    /// Takes steps until a step moves no pose by more than `shortStep`. @returns whether that was achieved
    bool minimize(double shortStep, int& iterations, const std::stop_token& stop) {
        double error = totalError(m_poses), damping = kFirstDamping;
        for (int i = 0; i < m_params.maxIterations; ++i, ++iterations) {
            if (stop.stop_requested())
                throw Cancelled();
            linearize();
            std::vector<Pose> moved = step(damping);
            double now = totalError(moved);
            for (; !(now <= error) && damping < kMaxDamping; now = totalError(moved)) {
                damping *= kDampingFactor;
                moved = step(damping);
            }
            if (!(now <= error))
                return true; // no step reduces the error further, since only rounding errors are left
            m_poses = std::move(moved);
            error = now;
            damping = std::max(damping / kDampingFactor, kLeastDamping);
            if (m_stepLength < shortStep)
                return true;
        }
        return false;
    }

    Vector6 errorOf(std::size_t number, const std::vector<Pose>& poses, EdgeError* derivatives) const {
        const PoseEdge& edge = m_edges[number];
        const Pose &from = poses[edge.from], &to = poses[edge.to], &measured = m_measured[number];
        const Eigen::Vector3d ahead = from.rotation.transpose() * (to.position - from.position);
        const Eigen::Matrix3d between = from.rotation.transpose() * to.rotation,
                              back = measured.rotation.transpose();
        const Eigen::Vector3d turn = turnVector(back * between);
        Vector6 error;
        error << back * (ahead - measured.position) / edge.distanceError, turn / edge.angleError;
        if (derivatives) {
            const Eigen::Matrix3d jacobian = inverseRightJacobian(turn) / edge.angleError;
            const Eigen::Matrix3d metres = back / edge.distanceError;
            derivatives->error = error;
            derivatives->to.topLeftCorner<3, 3>() = metres * between;
            derivatives->to.bottomRightCorner<3, 3>() = jacobian;
            derivatives->from.topLeftCorner<3, 3>() = -metres;
            derivatives->from.topRightCorner<3, 3>() = metres * crossMatrix(ahead);
            derivatives->from.bottomRightCorner<3, 3>() = -jacobian * between.transpose();
        }
        return error;
    }

    /// Returns half the squared error under the kernel of Geman and McClure, and its derivative by half the
    /// square.
    std::pair<double, double> robust(const PoseEdge& edge, double squared) const {
        if (!edge.isRobust)
            return {0.5 * squared, 1};
        const double unit = m_scale * m_scale, part = unit / (unit + squared);
        return {0.5 * squared * part, part * part};
    }

    double totalError(const std::vector<Pose>& poses) const {
        double sum = 0;
        for (std::size_t i = 0; i < m_edges.size(); ++i)
            sum += robust(m_edges[i], errorOf(i, poses, nullptr).squaredNorm()).first;
        return sum;
    }

    /// Computes the normal equations at the current poses; the first pose is fixed.
    void linearize() {
        const auto size = Eigen::Index(6 * (m_poses.size() - 1));
        std::vector<Eigen::Triplet<double>> entries;
        entries.reserve(m_edges.size() * 6 * 6 * 3 + std::size_t(size));
        m_gradient = Eigen::VectorXd::Zero(size);
        const auto add = [&](std::uint32_t row, std::uint32_t column, const Matrix6& block) {
            if (row == 0 || column == 0 || row < column)
                return; // the pose is fixed, or the block is above the diagonal
            for (int i = 0; i < 6; ++i)
                for (int j = 0; j < 6; ++j)
                    if (row != column || i >= j)
                        entries.emplace_back(int(6 * (row - 1)) + i, int(6 * (column - 1)) + j, block(i, j));
        };
        for (std::size_t i = 0; i < m_edges.size(); ++i) {
            const PoseEdge& edge = m_edges[i];
            EdgeError at;
            errorOf(i, m_poses, &at);
            const double weight = robust(edge, at.error.squaredNorm()).second;
            const Matrix6 from = weight * at.from.transpose(), to = weight * at.to.transpose();
            add(edge.from, edge.from, from * at.from);
            add(edge.to, edge.to, to * at.to);
            add(edge.to, edge.from, to * at.from);
            add(edge.from, edge.to, from * at.to);
            if (edge.from > 0)
                m_gradient.segment<6>(6 * Eigen::Index(edge.from - 1)) += from * at.error;
            if (edge.to > 0)
                m_gradient.segment<6>(6 * Eigen::Index(edge.to - 1)) += to * at.error;
        }
        // Explicit zeros ensure that the sparsity pattern includes the whole diagonal.
        for (Eigen::Index i = 0; i < size; ++i)
            entries.emplace_back(int(i), int(i), 0.0);
        m_hessian.resize(size, size);
        m_hessian.setFromTriplets(entries.begin(), entries.end());
        if (!m_hasPattern)
            m_solver.analyzePattern(m_hessian);
        m_hasPattern = true;
    }

    /// Returns the poses after a step. Stores the largest component of the step in m_stepLength.
    std::vector<Pose> step(double damping) {
        SparseMatrix damped = m_hessian;
        damped.diagonal() *= 1 + damping;
        m_solver.factorize(damped);
        if (m_solver.info() != Eigen::Success)
            throw KernelError("the poses of a graph could not be determined",
                              "Check that all motions between poses are finite.");
        const Eigen::VectorXd motion = m_solver.solve(-m_gradient);
        m_stepLength = motion.lpNorm<Eigen::Infinity>();
        std::vector<Pose> moved = m_poses;
        for (std::size_t i = 1; i < moved.size(); ++i) {
            const Vector6 by = motion.segment<6>(6 * Eigen::Index(i - 1));
            moved[i].position += moved[i].rotation * by.head<3>();
            moved[i].rotation *= rotationBy(by.tail<3>());
        }
        return moved;
    }

    std::span<const PoseEdge> m_edges;
    const PoseGraphParams& m_params;
    std::vector<Pose> m_poses, m_measured; ///< current poses, and measured motions of the edges
    SparseMatrix m_hessian;                ///< lower triangle of the normal equations
    Eigen::VectorXd m_gradient;
    Eigen::SimplicialLDLT<SparseMatrix> m_solver;
    bool m_hasPattern = false;
    double m_stepLength = 0;
    double m_scale = 1; ///< current scale of the robust kernel
};

void checkConnected(std::size_t poses, std::span<const PoseEdge> edges) {
    std::vector<std::size_t> root(poses);
    std::iota(root.begin(), root.end(), std::size_t{0});
    const auto rootOf = [&](std::size_t i) {
        while (root[i] != i)
            i = root[i] = root[root[i]];
        return i;
    };
    for (const PoseEdge& edge : edges)
        root[rootOf(edge.from)] = rootOf(edge.to);
    for (std::size_t i = 1; i < poses; ++i)
        if (rootOf(i) != rootOf(0))
            throw KernelError("no edges connect pose " + std::to_string(i) + " of a graph to the first pose",
                              "Add a motion between this pose and a connected pose.");
}

void checkGraph(std::span<const RigidTransform> poses, std::span<const PoseEdge> edges,
                const PoseGraphParams& params) {
    const auto isPositive = [](double value) { return value > 0 && std::isfinite(value); };
    if (!isPositive(params.kernelScale) || !isPositive(params.epsilon) || params.maxIterations < 1)
        throw KernelError("a pose graph needs a positive scale and epsilon and at least 1 iteration (got " +
                              shortNumber(params.kernelScale) + ", " + shortNumber(params.epsilon) + " and " +
                              std::to_string(params.maxIterations) + ")",
                          "Set values in these ranges.");
    for (const PoseEdge& edge : edges) {
        if (edge.from >= poses.size() || edge.to >= poses.size() || edge.from == edge.to)
            throw KernelError("an edge of a graph of " + std::to_string(poses.size()) +
                                  " poses does not connect two of them (got " + std::to_string(edge.from) +
                                  " and " + std::to_string(edge.to) + ")",
                              "Correct the two poses of the edge.");
        if (!isPositive(edge.distanceError) || !isPositive(edge.angleError))
            throw KernelError("the errors of an edge of a pose graph must be positive numbers (got " +
                                  shortNumber(edge.distanceError) + " and " + shortNumber(edge.angleError) +
                                  ")",
                              "Set positive errors.");
        if (!isFinite(edge.motion))
            throw KernelError("the motion between the poses " + std::to_string(edge.from) + " and " +
                                  std::to_string(edge.to) + " is not finite",
                              "Remove the edge.");
    }
    if (!std::ranges::all_of(poses, [](const RigidTransform& pose) { return isFinite(pose); }))
        throw KernelError("a pose of a graph is not finite", "Check the poses that were read.");
    checkConnected(poses.size(), edges);
}

} // namespace

PoseGraphResult optimizePoseGraph(std::span<const RigidTransform> poses, std::span<const PoseEdge> edges,
                                  const PoseGraphParams& params, const std::stop_token& stop) {
    checkGraph(poses, edges, params);
    try {
        PoseGraphResult result = PoseGraph(poses, edges, params).run(stop);
        if (!poses.empty())
            result.poses.front() = poses.front();
        return result;
    } catch (const std::bad_alloc&) {
        throw KernelError("not enough memory for a graph of " + std::to_string(poses.size()) + " poses",
                          "Use fewer scans, or close other programs.");
    }
}

} // namespace scanloupe::cpu
