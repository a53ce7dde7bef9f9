#pragma once
// The maths of clustering, for both backends: which cube a vertex lies in, and where the planes of a
// cluster's triangles meet best.
#include "kernels/core/hd.h"
#include "kernels/core/vec3.h"
#include "kernels/field/symmetric_eigen.h"

#include <cstdint>

namespace scanloupe {

/// Cubes over the extent of a mesh.
struct ClusteringGrid {
    Vec3f low;  ///< where the first cube begins
    float edge; ///< metres

    /// Cubes along an axis, at most: 21 bits, so that three make a key.
    static constexpr float kMaxCubes = 2097151.0f;

    HD std::uint64_t key(Vec3f p) const {
        return part(p.x, low.x) | part(p.y, low.y) << 21 | part(p.z, low.z) << 42;
    }

    /// The point on the way from `from`, which lies in the cube `key`, to `from + step` that is farthest
    /// along without leaving the cube by more than half its edge.
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
        return at > 0.0f ? static_cast<std::uint64_t>(at < kMaxCubes ? at : kMaxCubes)
                         : 0u; // of what is no number: 0
    }
};

/// The sum of squared distances to planes as a quadratic form about a centre: Garland, Heckbert, "Surface
/// simplification using quadric error metrics", 1997.
struct QuadricError {
    double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
    Vec3d b;

    /// The plane through `a` with a normal that is as long as its triangle's area counts.
    HD void add(Vec3d a, Vec3d normal) {
        xx += normal.x * normal.x;
        xy += normal.x * normal.y;
        xz += normal.x * normal.z;
        yy += normal.y * normal.y;
        yz += normal.y * normal.z;
        zz += normal.z * normal.z;
        b += normal * dot(normal, a);
    }
    /// The point with the least sum that is nearest to the centre; the centre where nothing is known. A
    /// direction counts as known when the planes bend by more than a thousandth into it: Lindstrom,
    /// "Out-of-core simplification of large polygonal models", 2000.
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
