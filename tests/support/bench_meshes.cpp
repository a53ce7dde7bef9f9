#include "tests/support/bench_scenes.h"

#include "kernels/core/parallel.h"
#include "kernels/synth/hash.h"
#include "kernels/synth/poly_math.h"

#include <cmath>
#include <initializer_list>

namespace scanloupe::test {
namespace {

using synth::kPi;
using synth::sinCos;

struct SurfacePoint {
    Vec3f position, normal;
};

/// The point of the bumpy surface along the unit vector q.
SurfacePoint bumpySurface(Vec3d q) {
    const auto a = sinCos(9 * q.x), b = sinCos(8 * q.y + 1), c = sinCos(7 * q.z + 2);
    const auto u = sinCos(41 * q.x + 17 * q.y), v = sinCos(37 * q.z + 11 * q.y);
    const double radius = 1 + 0.05 * a.sine * b.sine * c.sine + 0.01 * u.sine * v.sine;
    const Vec3d slope{0.45 * a.cosine * b.sine * c.sine + 0.41 * u.cosine * v.sine,
                      0.40 * a.sine * b.cosine * c.sine + 0.17 * u.cosine * v.sine + 0.11 * u.sine * v.cosine,
                      0.35 * a.sine * b.sine * c.cosine + 0.37 * u.sine * v.cosine};
    // The gradient of |p| - radius(p / |p|).
    const Vec3d gradient = q - (slope - dot(slope, q) * q) / radius;
    return {(radius * q).as<float>(), normalized(gradient).as<float>()};
}

/// The nodes of an n x n x n lattice that lie on its hull, numbered layer by layer along z.
class CubeHull {
public:
    explicit CubeHull(std::uint64_t n) : m_n(n) {}
    std::uint64_t size() const { return 6 * m_n * m_n + 2; }

    std::uint32_t id(std::uint64_t i, std::uint64_t j, std::uint64_t k) const {
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
    Vec3d direction(std::uint64_t id) const {
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

private:
    Vec3d towards(std::uint64_t i, std::uint64_t j, std::uint64_t k) const {
        const Vec3d lattice{static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)};
        return normalized(lattice * (2.0 / static_cast<double>(m_n)) - Vec3d{1, 1, 1});
    }
    std::uint64_t m_n;
};

} // namespace

BenchMesh bumpyMesh(int n) {
    const auto edge = static_cast<std::uint64_t>(n);
    const CubeHull hull(edge);
    BenchMesh mesh;
    mesh.positions.resize(hull.size());
    mesh.normals.resize(hull.size());
    mesh.indices.resize(36 * edge * edge);
    parallelFor(hull.size(), 8192, {}, [&](std::size_t begin, std::size_t end) {
        for (std::size_t v = begin; v < end; ++v) {
            const SurfacePoint point = bumpySurface(hull.direction(v));
            mesh.positions[v] = point.position;
            mesh.normals[v] = point.normal;
        }
    });
    // One row of squares of one of the six sides at a time.
    parallelFor(6 * edge, 8, {}, [&](std::size_t begin, std::size_t end) {
        for (std::size_t strip = begin; strip < end; ++strip) {
            const std::uint64_t side = strip / edge, v = strip % edge;
            const int axis = static_cast<int>(side / 2);
            const bool far = side % 2 == 1;
            const auto node = [&](std::uint64_t across, std::uint64_t up) {
                std::uint64_t at[3];
                at[axis] = far ? edge : 0;
                at[(axis + 1) % 3] = far ? across : up; // turned over on the near side, to face outwards
                at[(axis + 2) % 3] = far ? up : across;
                return hull.id(at[0], at[1], at[2]);
            };
            std::uint32_t* out = mesh.indices.data() + 6 * edge * strip;
            for (std::uint64_t u = 0; u < edge; ++u) {
                const std::uint32_t a = node(u, v), b = node(u + 1, v), c = node(u + 1, v + 1),
                                    d = node(u, v + 1);
                for (const std::uint32_t corner : {a, b, c, a, c, d})
                    *out++ = corner;
            }
        }
    });
    return mesh;
}

std::vector<Vec3f> bumpyPoints(std::uint64_t points) {
    std::vector<Vec3f> cloud(points);
    parallelFor(points, 8192, {}, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            // A spiral by the golden ratio: even over the sphere.
            const double z = 1 - (2 * static_cast<double>(i) + 1) / static_cast<double>(points);
            const auto around =
                sinCos(2 * kPi * synth::fraction(static_cast<double>(i) * 0.6180339887498949));
            const double level = std::sqrt(1 - z * z);
            cloud[i] = bumpySurface({level * around.cosine, level * around.sine, z}).position;
        }
    });
    return cloud;
}

BenchMesh largeTriangles() {
    const Camera camera = benchCamera();
    const Vec3d forward = normalized(camera.target - camera.eye);
    const Vec3d right = normalized(cross(forward, camera.up)), up = cross(right, forward);
    const double halfHeight = std::tan(camera.verticalFov / 2); // of the picture, at 1 m
    BenchMesh mesh;
    for (std::uint64_t i = 0; i < 100; ++i) {
        const auto random = [&](std::uint64_t stream) {
            return synth::uniform(synth::randomBits(3, stream, i));
        };
        const double turn = 2 * kPi * random(0), depth = 1.2 + 1.6 * random(1),
                     size = (1.4 + 0.6 * random(2)) * halfHeight;
        Vec3d corners[3];
        for (std::uint64_t k = 0; k < 3; ++k) {
            const auto angle = sinCos(turn + 2 * kPi / 3 * static_cast<double>(k));
            const double away =
                depth + 0.4 * (random(3 + k) - 0.5); // tilted, so that triangles cut each other
            corners[k] = camera.eye + away * (forward + size * (angle.cosine * right + angle.sine * up));
        }
        const Vec3d normal = normalized(cross(corners[1] - corners[0], corners[2] - corners[0]));
        for (const Vec3d& corner : corners) {
            mesh.indices.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
            mesh.positions.push_back(corner.as<float>());
            mesh.normals.push_back(normal.as<float>());
        }
    }
    return mesh;
}

Camera benchCamera() {
    Camera camera;
    camera.eye = {1.2, -1.5, 0.7};
    camera.target = {0, 0, 0};
    camera.up = {0, 0, 1};
    camera.verticalFov = kPi / 3;
    return camera;
}

} // namespace scanloupe::test
