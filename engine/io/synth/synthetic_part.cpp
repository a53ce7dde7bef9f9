// Generates a part with known faults: its signed distance, its surface, and points on the surface.
#include "engine/io/synth/synthetic_part.h"

#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/compute/memory.h"
#include "engine/io/synth/synthetic_cloud.h"
#include "kernels/core/parallel.h"
#include "kernels/field/operators.h"
#include "kernels/mesh/operators.h"
#include "kernels/synth/hash.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace scanloupe {

namespace {

constexpr double kMetres = 1e-3;        // metres per millimetre, the unit of the constants below
constexpr double kFlat = 3.5, kEnd = 6; // radii of a bump: of its flat top, and of its foot
constexpr double kThickness = 6;        // half the thickness of the plate
constexpr Vec3d kBoss{15, 8, 0};

constexpr double mm(double millimetres) {
    return millimetres * kMetres;
}
using Kind = PartFault::Kind;
constexpr PartFault fault(Kind kind, double x, double y, double z, double size) {
    return {kind, {mm(x), mm(y), mm(z)}, mm(size)};
}
constexpr std::array kFaults{
    fault(Kind::dent, -45, -28, kThickness, 0.1),       fault(Kind::dent, -45, 0, kThickness, 0.3),
    fault(Kind::dent, -45, 28, kThickness, 1),          fault(Kind::bump, -20, -28, kThickness, 0.1),
    fault(Kind::bump, -20, 0, kThickness, 0.2),         fault(Kind::bump, -20, 28, kThickness, 0.5),
    fault(Kind::bump, 45, 28, kThickness, 2),           fault(Kind::dent, -10, 0, -kThickness, 2),
    fault(Kind::bump, 32, -20, -kThickness, 0.3),       fault(Kind::missingHole, 10, -28, kThickness, 3),
    fault(Kind::shiftedBoss, kBoss.x, kBoss.y, 21, 0.6)};

/// Returns the smaller of two distances, with a smooth transition where they are about equal (Quilez).
double smoothMin(double a, double b, double width) {
    const double h = std::max(width - std::abs(a - b), 0.0) / width;
    return std::min(a, b) - h * h * width / 4;
}
double smoothMax(double a, double b, double width) {
    return -smoothMin(-a, -b, width);
}
double toRoundBox(Vec3d p, Vec3d half, double round) {
    const Vec3d q{std::abs(p.x) - half.x + round, std::abs(p.y) - half.y + round,
                  std::abs(p.z) - half.z + round};
    const Vec3d outside{std::max(q.x, 0.0), std::max(q.y, 0.0), std::max(q.z, 0.0)};
    return norm(outside) + std::min(std::max({q.x, q.y, q.z}), 0.0) - round;
}
double toRoundCylinder(Vec3d p, double radius, double half, double round) {
    const double across = std::hypot(p.x, p.y) - radius + round, along = std::abs(p.z) - half + round;
    return std::hypot(std::max(across, 0.0), std::max(along, 0.0)) + std::min(std::max(across, along), 0.0) -
           round;
}
/// Returns the relative height of a bump at a distance from its centre, 0 to 1.
double bumpAt(double distance) {
    const double t = std::clamp((kEnd - distance) / (kEnd - kFlat), 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

/// Returns the approximate signed distance to the part, mm; negative inside.
double toPart(Vec3d p, bool isFaulty) {
    constexpr double round = 2, blend = 2, rim = 1;
    const auto moved = [&](Kind kind) -> double {
        for (const PartFault& one : kFaults)
            if (isFaulty && one.kind == kind)
                return one.size / kMetres;
        return 0;
    };
    double d = toRoundBox(p, {60, 40, kThickness}, round);
    const Vec3d boss = p - kBoss - Vec3d{moved(Kind::shiftedBoss), 0, 10.5};
    d = smoothMin(d, toRoundCylinder(boss, 12, 10.5, round), blend);
    constexpr std::array holes{Vec3d{50, -30, 4}, Vec3d{50, 0, 4}, Vec3d{10, -28, 3}}; // x, y, radius, mm
    for (const Vec3d& hole : holes)
        if (!(isFaulty && hole == holes.back()))
            d = smoothMax(d, hole.z - std::hypot(p.x - hole.x, p.y - hole.y), rim);
    if (!isFaulty)
        return d;
    for (const PartFault& one : kFaults)
        if ((one.kind == Kind::bump || one.kind == Kind::dent) && one.at.z * p.z > 0)
            d -= (one.kind == Kind::bump ? 1 : -1) * one.size / kMetres *
                 bumpAt(std::hypot(p.x - one.at.x / kMetres, p.y - one.at.y / kMetres));
    return d;
}

Vec3d gradientAt(Vec3d p, bool isFaulty) {
    constexpr double step = 1e-3;
    Vec3d gradient;
    for (int axis = 0; axis < 3; ++axis) {
        Vec3d before = p, after = p;
        before[axis] -= step;
        after[axis] += step;
        gradient[axis] = (toPart(after, isFaulty) - toPart(before, isFaulty)) / (2 * step);
    }
    return gradient;
}
/// Moves a point onto the surface by Newton's method.
Vec3d ontoPart(Vec3d p, bool isFaulty) {
    for (int i = 0; i < 5; ++i) {
        const Vec3d gradient = gradientAt(p, isFaulty);
        p -= gradient * (toPart(p, isFaulty) / std::max(squaredNorm(gradient), 1e-6));
    }
    return p;
}

/// Returns the surface of the part, in millimetres.
TriangleMesh surfaceOf(bool isFaulty, const std::stop_token& stop) {
    constexpr float spacing = 0.5f;
    LatticeShape lattice;
    lattice.dims = {250, 170, 68};
    lattice.origin = {-62.25f, -42.25f, -9.25f};
    lattice.spacing = {spacing, spacing, spacing};
    const auto nx = std::size_t(lattice.dims.x), ny = std::size_t(lattice.dims.y),
               nz = std::size_t(lattice.dims.z);
    auto values = Buffer<float>::host(nx * ny * nz);
    parallelFor(ny * nz, 64, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row)
            for (std::size_t x = 0; x < nx; ++x) {
                const Vec3d at = lattice.origin.as<double>() +
                                 Vec3d{double(x), double(row % ny), double(row / ny)} * double(spacing);
                values[row * nx + x] = float(toPart(at, isFaulty));
            }
    });
    const ScalarField field = volumeField(values.span(), lattice, false, true, {std::nullopt, stop});
    TriangleMesh mesh = extractSurface(field, 0, {std::nullopt, stop});
    parallelFor(mesh.vertexCount(), 4096, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t v = begin; v < end; ++v) {
            const Vec3d at = ontoPart(mesh.positions[v].as<double>(), isFaulty);
            mesh.positions[v] = at.as<float>();
            mesh.normals[v] = normalized(gradientAt(at, isFaulty)).as<float>();
        }
    });
    return mesh;
}

/// Random points on a mesh, uniformly distributed by area.
class SurfaceSampler {
public:
    explicit SurfaceSampler(const TriangleMesh& mesh) : m_mesh(mesh), m_areas(mesh.triangleCount()) {
        double sum = 0;
        for (std::size_t t = 0; t < m_areas.size(); ++t) {
            const Vec3d a = corner(t, 0);
            m_areas[t] = sum += norm(cross(corner(t, 1) - a, corner(t, 2) - a)) / 2;
        }
    }
    /// @param which selects the triangle; u, v select the position in it; all in [0, 1)
    Vec3d at(double which, double u, double v) const {
        const auto found = std::ranges::upper_bound(m_areas, which * m_areas.back());
        const auto t = std::min(std::size_t(found - m_areas.begin()), m_areas.size() - 1);
        if (u + v > 1) {
            u = 1 - u;
            v = 1 - v;
        }
        const Vec3d a = corner(t, 0);
        return a + (corner(t, 1) - a) * u + (corner(t, 2) - a) * v;
    }

private:
    Vec3d corner(std::size_t t, std::size_t i) const {
        return m_mesh.positions[m_mesh.indices[3 * t + i]].as<double>();
    }
    const TriangleMesh& m_mesh;
    std::vector<double> m_areas; // cumulative area up to and including each triangle
};

} // namespace

std::span<const PartFault> partFaults() {
    return kFaults;
}

TriangleMesh partModel(const std::stop_token& stop) {
    TriangleMesh mesh = surfaceOf(false, stop);
    for (Vec3f& p : mesh.positions.span())
        p = p * float(kMetres);
    return mesh;
}

PointCloud partScan(const PartScanParams& params, bool normals, const ProgressFunction& progress,
                    const std::stop_token& stop) {
    constexpr std::uint64_t fewest = 1000, most = 1'000'000'000;
    if (params.points < fewest || params.points > most)
        throw EngineError(
            fmt::format("The number of points must be between 1000 and 1000000000 (got {}).", params.points),
            "Request a number of points in this range (--points).");
    requireMemory({fmt::format("A scan of {} points", params.points),
                   params.points * (normals ? 2 : 1) * sizeof(Vec3f), "Request fewer points (--points)."},
                  availableHostMemory());
    const TriangleMesh mesh = surfaceOf(true, stop);
    const SurfaceSampler surface(mesh);
    FloatPositions positions{Buffer<Vec3f>::host(params.points)};
    std::array<Attribute, 3> components;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        components[axis].name = std::array{"normal_x", "normal_y", "normal_z"}[axis];
        if (normals)
            components[axis].allocate(params.points);
    }
    constexpr std::size_t batch = std::size_t{1} << 18;
    for (std::size_t first = 0; first < params.points; first += batch) {
        const std::size_t count = std::min<std::size_t>(batch, params.points - first);
        parallelFor(count, 4096, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = first + begin; i < first + end; ++i) {
                const auto random = [&](std::uint64_t stream) {
                    return synth::randomBits(params.seed, stream, i);
                };
                const auto part = [&](std::uint64_t stream) { return synth::uniform(random(stream)); };
                const Vec3d at = ontoPart(surface.at(part(0), part(1), part(2)), true);
                const Vec3d normal = normalized(gradientAt(at, true));
                const double noise = params.noise / kMetres * synth::gaussian(random(3), random(4));
                positions.xyz[i] = ((at + normal * noise) * kMetres).as<float>();
                for (int axis = 0; axis < 3 && normals; ++axis)
                    reinterpret_cast<float*>(components[std::size_t(axis)].dataToFill())[i] =
                        float(normal[axis]);
            }
        });
        if (progress)
            progress(double(first + count) / double(params.points));
    }
    std::vector<Attribute> attributes;
    if (normals)
        for (Attribute& component : components)
            attributes.push_back(std::move(component));
    PointCloud cloud(std::move(positions), std::move(attributes), stop);
    cloud.format = kGeneratedFormat;
    return cloud;
}

} // namespace scanloupe
