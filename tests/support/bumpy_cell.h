#pragma once
// One vertex, square or point of the `bumpy` scene, for host and device.
#include "kernels/core/vec3.h"
#include "kernels/synth/poly_math.h"

#include <cmath>

namespace scanloupe::test {

struct SurfacePoint {
    Vec3f position, normal;
};

/// The point of the bumpy surface along the unit vector q.
HD inline SurfacePoint bumpySurface(Vec3d q) {
    const auto a = synth::sinCos(9 * q.x), b = synth::sinCos(8 * q.y + 1), c = synth::sinCos(7 * q.z + 2);
    const auto u = synth::sinCos(41 * q.x + 17 * q.y), v = synth::sinCos(37 * q.z + 11 * q.y);
    const double radius = 1 + 0.05 * a.sine * b.sine * c.sine + 0.01 * u.sine * v.sine;
    const Vec3d slope{0.45 * a.cosine * b.sine * c.sine + 0.41 * u.cosine * v.sine,
                      0.40 * a.sine * b.cosine * c.sine + 0.17 * u.cosine * v.sine + 0.11 * u.sine * v.cosine,
                      0.35 * a.sine * b.sine * c.cosine + 0.37 * u.sine * v.cosine};
    // The gradient of |p| - radius(p / |p|).
    const Vec3d gradient = q - (slope - dot(slope, q) * q) / radius;
    return {(radius * q).as<float>(), normalized(gradient).as<float>()};
}

/// The nodes on the hull of an n x n x n lattice, numbered layer by layer along z.
class CubeHull {
public:
    HD explicit CubeHull(std::uint64_t n) : m_n(n) {}
    HD std::uint64_t size() const { return 6 * m_n * m_n + 2; }

    HD std::uint32_t id(std::uint64_t i, std::uint64_t j, std::uint64_t k) const {
        const std::uint64_t row = m_n + 1;
        if (k == 0)
            return static_cast<std::uint32_t>(j * row + i);
        const std::uint64_t layer = row * row + (k - 1) * 4 * m_n;
        if (k == m_n)
            return static_cast<std::uint32_t>(layer + j * row + i);
        const std::uint64_t along = j == 0 ? i : i == m_n ? m_n + j : j == m_n ? 3 * m_n - i : 4 * m_n - j;
        return static_cast<std::uint32_t>(layer + along);
    }

    /// The unit vector towards a node.
    HD Vec3d direction(std::uint64_t id) const {
        const std::uint64_t row = m_n + 1, sides = 4 * m_n, lid = row * row + (m_n - 1) * sides;
        if (id < row * row)
            return towards(id % row, id / row, 0);
        if (id >= lid)
            return towards((id - lid) % row, (id - lid) / row, m_n);
        const std::uint64_t k = (id - row * row) / sides + 1, along = (id - row * row) % sides;
        if (along < m_n)
            return towards(along, 0, k);
        if (along < 2 * m_n)
            return towards(m_n, along - m_n, k);
        if (along < 3 * m_n)
            return towards(3 * m_n - along, m_n, k);
        return towards(0, sides - along, k);
    }

    /// The two triangles of a square: six sides of n rows of n squares, along rows of nodes. @param out [6]
    HD void square(std::uint64_t square, std::uint32_t* out) const {
        const std::uint64_t side = square / (m_n * m_n), row = square / m_n % m_n, place = square % m_n;
        const bool turned = (side / 2 == 1) == (side % 2 == 1); // nodes are numbered upwards
        const std::uint64_t u = turned ? row : place, v = turned ? place : row;
        const std::uint32_t a = node(side, u, v), b = node(side, u + 1, v), c = node(side, u + 1, v + 1),
                            d = node(side, u, v + 1);
        out[0] = a, out[1] = b, out[2] = c;
        out[3] = a, out[4] = c, out[5] = d;
    }

private:
    HD std::uint32_t node(std::uint64_t side, std::uint64_t across, std::uint64_t up) const {
        const std::uint64_t axis = side / 2;
        const bool far = side % 2 == 1;
        std::uint64_t at[3];
        at[axis] = far ? m_n : 0;
        at[(axis + 1) % 3] = far ? across : up; // turned over on the near side, to face outwards
        at[(axis + 2) % 3] = far ? up : across;
        return id(at[0], at[1], at[2]);
    }
    HD Vec3d towards(std::uint64_t i, std::uint64_t j, std::uint64_t k) const {
        const Vec3d lattice{static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)};
        return normalized(lattice * (2.0 / static_cast<double>(m_n)) - Vec3d{1, 1, 1});
    }
    std::uint64_t m_n;
};

/// Point i of a spiral by the golden ratio, even over the sphere.
HD inline Vec3d spiralDirection(std::uint64_t i, std::uint64_t points) {
    const double z = 1 - (2 * static_cast<double>(i) + 1) / static_cast<double>(points);
    const auto around =
        synth::sinCos(2 * synth::kPi * synth::fraction(static_cast<double>(i) * 0.6180339887498949));
    const double level = std::sqrt(1 - z * z);
    return {level * around.cosine, level * around.sine, z};
}

} // namespace scanloupe::test
