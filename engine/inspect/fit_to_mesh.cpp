// Fits points to a mesh by Gauss and Newton's method on the distances to the closest triangles.
#include "engine/inspect/fit_to_mesh.h"

#include "engine/cloud/error.h"
#include "kernels/core/parallel.h"
#include "kernels/core/symmetric_eigen.h"
#include "kernels/cut/cut_points.h"
#include "kernels/mesh/distance/triangle_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace scanloupe {

namespace {

using Vector6 = std::array<double, 6>;

/// The distance of a point from the mesh, and the direction in which it grows.
struct Residual {
    double distance = std::numeric_limits<double>::quiet_NaN(); ///< NaN: too far away
    Vec3d direction;                                            ///< unit vector
};

/// The closest point of the segment from a along ab to the origin.
Vec3d closestOfSegment(Vec3d a, Vec3d ab) {
    Vec3d nearest;
    nearestOfSegment(a, ab, nearest);
    return nearest;
}

/// Of the nearest triangle, relative to the point.
Residual residualOf(const TriangleMesh& mesh, std::uint32_t triangle, Vec3d p) {
    const auto corner = [&](std::size_t i) {
        return mesh.positions[mesh.indices[3 * std::size_t{triangle} + i]].as<double>() - p;
    };
    const Vec3d a = corner(0), b = corner(1), c = corner(2), ab = b - a, bc = c - b, ca = a - c;
    const Vec3d normal = cross(ab, bc);
    if (squaredNorm(normal) > 0 && dot(cross(a, ab), normal) >= 0 && dot(cross(b, bc), normal) >= 0 &&
        dot(cross(c, ca), normal) >= 0) {
        const Vec3d unit = normalized(normal);
        return {-dot(a, unit), unit};
    }
    const std::array<Vec3d, 3> nearest{closestOfSegment(a, ab), closestOfSegment(b, bc),
                                       closestOfSegment(c, ca)};
    const Vec3d to = *std::ranges::min_element(nearest, {}, [](Vec3d v) { return squaredNorm(v); });
    const double length = norm(to);
    return length > 0 ? Residual{length, -to / length} : Residual{0, normalized(normal)};
}

double medianOfMagnitudes(const std::vector<Residual>& residuals) {
    std::vector<double> magnitudes;
    for (const Residual& one : residuals)
        if (one.distance == one.distance)
            magnitudes.push_back(std::abs(one.distance));
    if (magnitudes.empty())
        return 0;
    const auto middle = magnitudes.begin() + std::ptrdiff_t(magnitudes.size() / 2);
    std::ranges::nth_element(magnitudes, middle);
    return *middle;
}

/// The normal equations of a step: turns about `centre` in units of 1 / size, then shifts.
struct Equations {
    double matrix[6][6] = {};
    Vector6 right{};
    double counted = 0; ///< points whose weight is not zero
};

class MeshFitter {
public:
    MeshFitter(std::span<const Vec3f> points, const ReferenceMesh& reference, const FitOptions& options,
               const std::stop_token& stop)
        : m_reference(reference), m_search(reference.mesh, reference.tree, stop), m_stop(stop),
          m_squaredLimit(options.largest > 0 ? options.largest * options.largest
                                             : std::numeric_limits<double>::infinity()) {
        const std::size_t stride = std::max<std::size_t>(1, chunkCount(points.size(), options.mostPoints));
        for (std::size_t i = 0; i < points.size(); i += stride)
            if (isPresent(points[i])) {
                m_points.push_back(points[i].as<double>());
                m_centre = m_centre + m_points.back();
            }
        constexpr std::size_t fewest = 10;
        if (m_points.size() < fewest)
            throw EngineError("There are too few points to fit.", "Take a scan with more of them.");
        m_centre = m_centre / double(m_points.size());
        for (const Vec3d p : m_points)
            m_size += squaredNorm(p - m_centre);
        m_size = std::sqrt(m_size / double(m_points.size()));
        if (!(m_size > 0))
            throw EngineError("All points lie at one place.", "Take another scan.");
    }

    MeshFit fit(int mostIterations) {
        constexpr double still = 1e-9; // of the points' size
        MeshFit result;
        std::vector<Residual> residuals = measure(result.motion);
        result.before = medianOfMagnitudes(residuals);
        for (; result.iterations < mostIterations && !result.hasConverged; ++result.iterations) {
            const Vector6 step = stepOf(residuals, result);
            result.motion = motionOf(step, result.motion) * result.motion;
            double moved = 0;
            for (const double part : step)
                moved = std::max(moved, std::abs(part));
            result.hasConverged = moved < still * m_size;
            residuals = measure(result.motion);
        }
        result.after = medianOfMagnitudes(residuals);
        return result;
    }

private:
    std::vector<Residual> measure(const RigidTransform& motion) const {
        std::vector<Vec3f> moved(m_points.size());
        for (std::size_t i = 0; i < moved.size(); ++i)
            moved[i] = motion(m_points[i]).as<float>();
        std::vector<Residual> residuals(moved.size());
        cpu::forNearestTriangles(
            moved, m_search, m_squaredLimit, m_stop, [&](std::size_t i, NearestItem nearest) {
                if (nearest.item != kNoItem)
                    residuals[i] = residualOf(m_reference.mesh, nearest.item, motion(m_points[i]));
            });
        return residuals;
    }

    /// The step of least squares, along directions that the residuals hold.
    Vector6 stepOf(const std::vector<Residual>& residuals, MeshFit& result) const {
        constexpr double tukey = 4.685, deviationOfMedian = 1.4826, weak = 1e-5;
        const double scale =
            std::max(tukey * deviationOfMedian * medianOfMagnitudes(residuals), 1e-7 * m_size);
        const Vec3d centre = result.motion(m_centre);
        Equations sums;
        for (std::size_t i = 0; i < residuals.size(); ++i) {
            const auto& [distance, direction] = residuals[i];
            const double part = distance / scale;
            if (!(std::abs(part) < 1))
                continue;
            const double weight = (1 - part * part) * (1 - part * part);
            const Vec3d turn = cross(result.motion(m_points[i]) - centre, direction) / m_size;
            const Vector6 row{turn.x, turn.y, turn.z, direction.x, direction.y, direction.z};
            for (std::size_t r = 0; r < 6; ++r) {
                for (std::size_t c = 0; c < 6; ++c)
                    sums.matrix[r][c] += weight * row[r] * row[c];
                sums.right[r] -= weight * row[r] * distance;
            }
            ++sums.counted;
        }
        result.share = sums.counted / double(residuals.size());
        if (sums.counted < 6)
            throw EngineError("Scan and reference lie too far from each other to be fitted.",
                              "Bring them together first, or check the unit of the reference.");
        double axes[6][6];
        jacobiEigen(sums.matrix, axes);
        Vector6 step{};
        result.weakDirections = 0;
        for (std::size_t k = 0; k < 6; ++k) {
            const double held = sums.matrix[k][k];
            if (!(held > weak * sums.matrix[5][5])) {
                ++result.weakDirections;
                continue;
            }
            double along = 0;
            for (std::size_t r = 0; r < 6; ++r)
                along += axes[k][r] * sums.right[r];
            for (std::size_t r = 0; r < 6; ++r)
                step[r] += axes[k][r] * along / held;
        }
        return step;
    }

    /// The motion of a step: a turn about the points' middle, then a shift.
    RigidTransform motionOf(const Vector6& step, const RigidTransform& before) const {
        const Vec3d axis = Vec3d{step[0], step[1], step[2]} / m_size;
        const double angle = norm(axis);
        RigidTransform turn;
        if (angle > 0) { // Rodrigues' formula
            const Vec3d k = axis / angle;
            const double s = std::sin(angle), c = std::cos(angle);
            for (int row = 0; row < 3; ++row) {
                Vec3d unit;
                unit[row] = 1;
                turn.rows[row] = unit * c + cross(unit, k) * s + k * (k[row] * (1 - c));
            }
        }
        const Vec3d centre = before(m_centre);
        turn.translation = centre - turn.rotate(centre) + Vec3d{step[3], step[4], step[5]};
        return turn;
    }

    const ReferenceMesh& m_reference;
    cpu::TriangleSearch m_search;
    const std::stop_token& m_stop;
    double m_squaredLimit;
    std::vector<Vec3d> m_points;
    Vec3d m_centre;
    double m_size = 0; ///< root mean square distance of the points from their middle
};

} // namespace

MeshFit fitToMesh(std::span<const Vec3f> points, const ReferenceMesh& reference, const FitOptions& options,
                  const std::stop_token& stop) {
    return MeshFitter(points, reference, options, stop).fit(options.mostIterations);
}

RigidTransform inScanFrame(const RigidTransform& motion, Vec3d origin) {
    RigidTransform moved = motion;
    moved.translation = motion.translation + origin - motion.rotate(origin);
    return moved;
}

} // namespace scanloupe
