#pragma once
// Computes the cube that contains a vertex, and the representative vertex of a cluster from its quadric
// error, for vertex clustering on both backends.
#include "kernels/core/hd.h"
#include "kernels/core/symmetric_eigen.h"
#include "kernels/core/vec3.h"

#include <cstdint>

namespace scanloupe {

/// A grid of cubes over the extent of a mesh.
struct ClusteringGrid {
    Vec3f low;  ///< lower corner of the first cube, metres
    float edge; ///< edge length of a cube, metres

    /// Maximum number of cubes along an axis: 21 bits, so that three coordinates fit into a key.
    static constexpr float kMaxCubes = 2097151.0f;

    HD std::uint64_t key(Vec3f p) const {
        return part(p.x, low.x) | part(p.y, low.y) << 21 | part(p.z, low.z) << 42;
    }

    /// Returns `from + step`, shortened along `step` so that it is outside of the cube `key` by at most half
    /// an edge. `from` must be in the cube.
    HD Vec3d clampStep(std::uint64_t key, Vec3d from, Vec3d step) const {
        double share = 1.0;
        for (int axis = 0; axis < 3; ++axis) {
            const double cell = static_cast<double>(key >> (21 * axis) & 0x1fffffu);
            const double length = static_cast<double>(edge);
            const double begin = static_cast<double>(low[axis]) + (cell - 0.5) * length,
                         end = begin + 2.0 * length;
            const double to = from[axis] + step[axis];
            const double reach = to > end     ? (end - from[axis]) / step[axis]
                                 : to < begin ? (begin - from[axis]) / step[axis]
                                              : 1.0;
            share = reach < share ? reach : share;
        }
        return from + step * (share > 0.0 ? share : 0.0);
    }

private:
    HD std::uint64_t part(float value, float begin) const {
        const float at = (value - begin) / edge;
        // NaN yields 0
        return at > 0.0f ? static_cast<std::uint64_t>(at < kMaxCubes ? at : kMaxCubes) : 0u;
    }
};

/// The sum of squared distances to planes, stored as a quadratic form about a centre (Garland and Heckbert,
/// "Surface simplification using quadric error metrics", 1997).
struct QuadricError {
    double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
    Vec3d b;

    /// Adds the plane through `a`. The length of `normal` is the plane's weight and should be proportional to
    /// the area of its triangle.
    HD void add(Vec3d a, Vec3d normal) {
        xx += normal.x * normal.x;
        xy += normal.x * normal.y;
        xz += normal.x * normal.z;
        yy += normal.y * normal.y;
        yz += normal.y * normal.z;
        zz += normal.z * normal.z;
        b += normal * dot(normal, a);
    }
    /// Returns the point of minimum error that is nearest to the centre, or the centre if no planes were
    /// added. Ignores directions whose eigenvalue is below a thousandth of the largest one (Lindstrom,
    /// "Out-of-core simplification of large polygonal models", 2000).
    HD Vec3d minimizer() const {
        constexpr float minEigenvalueRatio = 1e-3f;
        const double trace = xx + yy + zz;
        if (!(trace > 0.0))
            return {};
        const auto share = [trace](double value) { return static_cast<float>(value / trace); };
        const Eigen3f eigen =
            symmetricEigen({share(xx), share(xy), share(xz), share(yy), share(yz), share(zz)});
        Vec3d point;
        for (int i = 0; i < 3; ++i) {
            if (!(eigen.values[i] > minEigenvalueRatio * eigen.values[2]))
                continue;
            const Vec3d along = eigen.vectors[i].as<double>();
            point += along * (dot(along, b) / (trace * static_cast<double>(eigen.values[i])));
        }
        return point;
    }
};

} // namespace scanloupe
