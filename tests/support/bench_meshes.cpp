#include "tests/support/bench_scenes.h"

#include "kernels/core/parallel.h"
#include "kernels/synth/hash.h"
#include "tests/support/bumpy_cell.h"

#include <cmath>
#include <initializer_list>

namespace scanloupe::test {

using synth::kPi;
using synth::sinCos;

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
    parallelFor(6 * edge * edge, 8192, {}, [&](std::size_t begin, std::size_t end) {
        for (std::size_t square = begin; square < end; ++square)
            hull.square(square, mesh.indices.data() + 6 * square);
    });
    return mesh;
}

std::vector<Vec3f> bumpyPoints(std::uint64_t points) {
    std::vector<Vec3f> cloud(points);
    parallelFor(points, 8192, {}, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            cloud[i] = bumpySurface(spiralDirection(i, points)).position;
        }
    });
    return cloud;
}

BenchMesh largeTriangles() {
    const Camera camera = benchCamera();
    const Vec3d forward = normalized(camera.target - camera.eye);
    const Vec3d right = normalized(cross(forward, camera.up)), up = cross(right, forward);
    const double halfHeight = std::tan(camera.verticalFov / 2); // half height of the picture, at 1 m
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
            const double away = depth + 0.4 * (random(3 + k) - 0.5); // tilted, so that triangles intersect
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
