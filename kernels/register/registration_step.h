#pragma once
// Solves the Gauss-Newton step of a registration, for both backends. It does not move along degenerate
// directions (solution remapping: Zhang, Kaess, Singh, "On degeneracy of optimization-based state estimation
// problems", 2016).
#include "kernels/core/symmetric_eigen.h"
#include "kernels/register/ndt/ndt_report.h"
#include "kernels/register/registration_factor.h"

#include <cmath>

namespace scanloupe {

/// Share of the curvature below which a direction is weak. Measured on generated sweeps with 16 to 128 rings:
/// at most 0.0004 along endless corridors, where normals at edges are wrong; at least 0.0009 in rooms.
inline constexpr double kWeakCurvature = 6e-4;

/// Rotation vectors, radians, that each move the points of a scan by 1 m (RMS), about perpendicular,
/// uncoupled axes. Together with translations by 1 m they are the unit motions.
struct UnitTurns {
    Vec3d axes[3];

    /// Returns these rotations at a pose. @param pose local pose, see NdtFrame
    HD UnitTurns at(const RigidTransform& pose) const {
        return {{pose.rotate(axes[0]), pose.rotate(axes[1]), pose.rotate(axes[2])}};
    }
    /// Converts a motion from unit motions to metres and radians.
    HD void toStep(const double (&motion)[6], double (&step)[6]) const {
        const Vec3d turn = axes[0] * motion[3] + axes[1] * motion[4] + axes[2] * motion[5];
        for (int i = 0; i < 3; ++i) {
            step[i] = motion[i];
            step[3 + i] = turn[i];
        }
    }
    /// Converts a motion from metres and radians to unit motions.
    HD void toMotion(const double (&step)[6], double (&motion)[6]) const {
        const Vec3d turn{step[3], step[4], step[5]};
        for (int i = 0; i < 3; ++i) {
            motion[i] = step[i];
            motion[3 + i] = dot(axes[i], turn) / squaredNorm(axes[i]);
        }
    }
};
/// Returns the unit rotations of a scan. @param moments see NdtSpread
HD inline UnitTurns unitTurns(const double (&moments)[6]) {
    double lever[3];
    Vec3d axes[3];
    spreadAxes(moments, lever, axes);
    return {{axes[0] / lever[0], axes[1] / lever[1], axes[2] / lever[2]}};
}

/// Quadratic model of an error, in terms of the unit motions.
struct UnitModel {
    double hessian[6][6], gradient[6];
    double all; ///< sum of the curvatures along the translations
};
HD inline UnitModel unitModel(const FactorSums& sums, const UnitTurns& turns) {
    UnitModel model;
    const auto row = [&sums](int i) {
        return Vec3d{sums.hessian(i, 3), sums.hessian(i, 4), sums.hessian(i, 5)};
    };
    const Vec3d slope{sums.gradient(3), sums.gradient(4), sums.gradient(5)};
    for (int i = 0; i < 3; ++i) {
        const Vec3d axis = turns.axes[i], moment{dot(row(3), axis), dot(row(4), axis), dot(row(5), axis)};
        for (int j = 0; j < 3; ++j) {
            model.hessian[i][j] = sums.hessian(i, j);
            model.hessian[3 + i][j] = model.hessian[j][3 + i] = dot(row(j), axis);
        }
        for (int j = i; j < 3; ++j)
            model.hessian[3 + i][3 + j] = model.hessian[3 + j][3 + i] = dot(turns.axes[j], moment);
        model.gradient[i] = sums.gradient(i);
        model.gradient[3 + i] = dot(axis, slope);
    }
    model.all = sums.hessian(0, 0) + sums.hessian(1, 1) + sums.hessian(2, 2);
    return model;
}

/// Factorizes the Hessian minus `shift` times the identity as L D L^T, and solves for the descent step.
/// @returns whether the matrix is positive definite, i.e. all curvatures are above `shift`; otherwise the
/// motion is undefined
HD inline bool solveAbove(const UnitModel& model, double shift, double (&motion)[6]) {
    double l[6][6], d[6], inverse[6];
    bool isPositive = true;
    for (int j = 0; j < 6; ++j) {
        d[j] = model.hessian[j][j] - shift;
        for (int k = 0; k < j; ++k)
            d[j] -= l[j][k] * l[j][k] * d[k];
        isPositive = isPositive && d[j] > 0;
        inverse[j] = 1 / d[j];
        for (int i = j + 1; i < 6; ++i) {
            l[i][j] = model.hessian[i][j];
            for (int k = 0; k < j; ++k)
                l[i][j] -= l[i][k] * l[j][k] * d[k];
            l[i][j] *= inverse[j];
        }
    }
    for (int i = 0; i < 6; ++i) {
        motion[i] = -model.gradient[i];
        for (int k = 0; k < i; ++k)
            motion[i] -= l[i][k] * motion[k];
    }
    for (int i = 5; i >= 0; --i) {
        motion[i] *= inverse[i];
        for (int k = i + 1; k < 6; ++k)
            motion[i] -= l[k][i] * motion[k];
    }
    return isPositive;
}

/// Curvatures of an error, along directions that each move the points by 1 m (RMS).
struct RegistrationDirections {
    double vectors[6][6]; ///< rows: unit vectors, in terms of the unit motions, ascending by curvature
    double curvatures[6]; ///< [6] curvatures, divided by the sum of the curvatures along the translations
    int weak = 0;
};
HD inline RegistrationDirections registrationDirections(const UnitModel& model) {
    RegistrationDirections directions;
    double a[6][6];
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j)
            a[i][j] = model.hessian[i][j];
    jacobiEigen(a, directions.vectors);
    for (int k = 0; k < 6; ++k) {
        directions.curvatures[k] = model.all > 0 ? a[k][k] / model.all : 0;
        directions.weak += !(directions.curvatures[k] > kWeakCurvature);
    }
    return directions;
}

/// Minimizes the model over the directions that are not weak.
HD inline void stepAlongStrong(const UnitModel& model, const RegistrationDirections& directions,
                               double (&motion)[6]) {
    for (double& part : motion)
        part = 0;
    for (int k = directions.weak; k < 6; ++k) {
        double slope = 0;
        for (int i = 0; i < 6; ++i)
            slope += directions.vectors[k][i] * model.gradient[i];
        const double by = -slope / (directions.curvatures[k] * model.all);
        for (int i = 0; i < 6; ++i)
            motion[i] += by * directions.vectors[k][i];
    }
}

/// Returns the rotation vector of a pose, radians, with identical bits on both backends.
HD inline Vec3d rotationVector(const RigidTransform& pose) {
    const Vec3d axis{pose.rows[2].y - pose.rows[1].z, pose.rows[0].z - pose.rows[2].x,
                     pose.rows[1].x - pose.rows[0].y};
    const double twice = norm(axis);
    if (!(twice > 0))
        return {};
    return axis * (angleOf(twice, pose.rows[0].x + pose.rows[1].y + pose.rows[2].z - 1) / twice);
}

/// Computes the motion from `pose` that undoes its displacement from `start` along the weak directions.
HD inline void backAlongWeak(const RigidTransform& pose, const RigidTransform& start, const UnitTurns& turns,
                             const RegistrationDirections& directions, double (&motion)[6]) {
    const Vec3d shift = pose.translation - start.translation, turn = rotationVector(pose * start.inverse());
    const double step[6] = {shift.x, shift.y, shift.z, turn.x, turn.y, turn.z};
    double gone[6];
    turns.toMotion(step, gone);
    for (double& part : motion)
        part = 0;
    for (int k = 0; k < directions.weak; ++k) {
        double by = 0;
        for (int c = 0; c < 6; ++c)
            by -= directions.vectors[k][c] * gone[c];
        for (int c = 0; c < 6; ++c)
            motion[c] += by * directions.vectors[k][c];
    }
}

/// Returns how far a motion moves the points, metres (RMS).
HD inline double lengthOf(const double (&motion)[6]) {
    double square = 0;
    for (const double part : motion)
        square += part * part;
    return squareRoot(square);
}

} // namespace scanloupe
