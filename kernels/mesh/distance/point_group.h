#pragma once
// Measures sixteen points from one triangle at a time, in loops that compilers vectorize.
#include "kernels/mesh/distance/bvh.h"
#include "kernels/mesh/distance/triangle_distance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace scanloupe::cpu {

/// A triangle, and the planes through it and, across it, through its sides: by them a lower bound of a
/// distance takes a tenth of the time of the distance.
struct TriangleSlabs {
    Vec3f a, b, c;
    Vec3f normal;                    ///< unit vector; zero, as those below, of a triangle too narrow for it
    Vec3f outOfAb, outOfBc, outOfCa; ///< unit vectors in its plane, across its sides
    float height = 0;                ///< of b and c from a, along outOfBc
    std::uint32_t id = 0;
};
TriangleSlabs slabsOf(Vec3f a, Vec3f b, Vec3f c, std::uint32_t id);

/// `N` numbers that are computed with at once.
template <std::size_t N>
struct DoubleLanes {
    using Doubles [[gnu::vector_size(N * sizeof(double))]] = double;
    using Flags [[gnu::vector_size(N * sizeof(double))]] = std::int64_t; ///< what comparing them gives
    /// As Vec3 and its functions.
    struct Vectors {
        Doubles x, y, z;
    };

    [[gnu::always_inline]] static Vectors minus(const Vectors& a, const Vectors& b) {
        return {a.x - b.x, a.y - b.y, a.z - b.z};
    }
    [[gnu::always_inline]] static Doubles dot(const Vectors& a, const Vectors& b) {
        return a.x * b.x + a.y * b.y + a.z * b.z;
    }
    [[gnu::always_inline]] static Vectors cross(const Vectors& a, const Vectors& b) {
        return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    }

    /// As squaredDistanceToSegment(), bit for bit.
    [[gnu::always_inline]] static Doubles squaredDistancesToSegment(const Vectors& a, const Vectors& ab) {
        const Doubles along = -dot(a, ab), whole = dot(ab, ab), zero{}, one = zero + 1.0;
        const Doubles ratio = along / whole, upTo = along < whole ? ratio : one,
                      part = along > zero ? upTo : zero;
        const Vectors foot{a.x + ab.x * part, a.y + ab.y * part, a.z + ab.z * part};
        return dot(foot, foot);
    }

    /// As squaredDistanceToTriangle(), bit for bit, of points in lanes.
    [[gnu::always_inline]] static Doubles squaredDistancesToTriangle(const Vectors& points, Vec3f cornerA,
                                                                     Vec3f cornerB, Vec3f cornerC) {
        const Doubles zero{};
        const Vectors cornersA{zero + double(cornerA.x), zero + double(cornerA.y), zero + double(cornerA.z)},
            cornersB{zero + double(cornerB.x), zero + double(cornerB.y), zero + double(cornerB.z)},
            cornersC{zero + double(cornerC.x), zero + double(cornerC.y), zero + double(cornerC.z)};
        const Vectors a = minus(cornersA, points), b = minus(cornersB, points), c = minus(cornersC, points);
        const Vectors ab = minus(b, a), bc = minus(c, b), ca = minus(a, c), normal = cross(ab, bc);
        const Doubles area = dot(normal, normal), height = dot(a, normal);
        const Flags isInside = (area > zero) & (dot(cross(a, ab), normal) >= zero) &
                               (dot(cross(b, bc), normal) >= zero) & (dot(cross(c, ca), normal) >= zero);
        const Doubles onAb = squaredDistancesToSegment(a, ab), onBc = squaredDistancesToSegment(b, bc),
                      onCa = squaredDistancesToSegment(c, ca);
        const Doubles least = onAb < onBc ? onAb : onBc, outside = least < onCa ? least : onCa;
        return isInside ? height * height / area : outside;
    }
};

/// A float that is not below a squared distance, and hardly above it.
[[gnu::always_inline]] inline float limitOf(double squaredDistance) {
    constexpr double rounding = 1 + 1e-7;
    return float(squaredDistance * rounding);
}

/// Points that lie close together, and the nearest triangles that are known of each.
struct PointGroup {
    static constexpr std::size_t kSize = 16, kMostCandidates = 48;
    template <class T>
    using Each = std::array<T, kSize>;

    alignas(64) Each<float> x, y, z; ///< the last point fills the rest
    alignas(64) Each<float> limits;  ///< at least the squared distances to the nearest triangles
    alignas(64) Each<double> squaredDistances;
    alignas(64) Each<std::uint32_t> items;
    Box3f box; ///< around the points

    /// Triangles that were not measured from yet.
    std::size_t candidates = 0;
    std::array<const TriangleSlabs*, kMostCandidates> candidate;
    alignas(64) std::array<Each<float>, kMostCandidates> bounds; ///< of their squared distances, from below

    /// @param rows at least one, and at most kSize, of the points
    void set(std::span<const Vec3f> points, std::span<const std::uint32_t> rows, double squaredLimit);
    float largestLimit() const;
};

/// Adds those of some triangles, which lie in a box, to the candidates that may be nearer to one of the
/// points than what is known; with the widest vectors of the processor. @return whether there are any
bool addCandidates(std::span<const TriangleSlabs> triangles, const Box3f& box, PointGroup& group);
/// Measures from the candidates.
void measureCandidates(PointGroup& group);

/// As measureCandidates, compiled for the instruction set of the caller. `N`: doubles in one of its vectors.
template <std::size_t N>
[[gnu::always_inline]] inline void measureCandidatesInline(PointGroup& group) {
    for (std::size_t c = 0; c < group.candidates; ++c) {
        const TriangleSlabs& t = *group.candidate[c];
        const PointGroup::Each<float>& bounds = group.bounds[c];
        PointGroup::Each<std::uint32_t> mayBeNearer;
        for (std::size_t i = 0; i < PointGroup::kSize; ++i)
            mayBeNearer[i] = bounds[i] > group.limits[i] ? 0u : 1u;
        for (std::size_t begin = 0; begin < PointGroup::kSize; begin += N) {
            std::uint32_t any = 0;
            for (std::size_t k = 0; k < N; ++k)
                any |= mayBeNearer[begin + k];
            if (any == 0)
                continue;
            typename DoubleLanes<N>::Vectors points;
            for (std::size_t k = 0; k < N; ++k) {
                points.x[k] = double(group.x[begin + k]);
                points.y[k] = double(group.y[begin + k]);
                points.z[k] = double(group.z[begin + k]);
            }
            const auto distances = DoubleLanes<N>::squaredDistancesToTriangle(points, t.a, t.b, t.c);
            for (std::size_t k = 0; k < N; ++k) {
                const std::size_t i = begin + k;
                const double d = distances[k], known = group.squaredDistances[i];
                if (d < known || (d == known && t.id < group.items[i])) {
                    group.squaredDistances[i] = d;
                    group.items[i] = t.id;
                    group.limits[i] = std::min(group.limits[i], limitOf(d));
                }
            }
        }
    }
    group.candidates = 0;
}

/// As addCandidates, compiled for the instruction set of the caller.
template <std::size_t N>
[[gnu::always_inline]] inline bool addCandidatesInline(std::span<const TriangleSlabs> triangles, Box3f box,
                                                       PointGroup& group) {
    constexpr std::size_t size = PointGroup::kSize;
    constexpr float rounding = 1e-6f; // of a distance, in single precision: twice its bound
    std::uint32_t any = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const float x = group.x[i], y = group.y[i], z = group.z[i];
        const float leftX = box.low.x - x, leftY = box.low.y - y, leftZ = box.low.z - z;
        const float rightX = x - box.high.x, rightY = y - box.high.y, rightZ = z - box.high.z;
        const float atX = leftX > rightX ? leftX : rightX, atY = leftY > rightY ? leftY : rightY,
                    atZ = leftZ > rightZ ? leftZ : rightZ;
        const float outX = atX > 0.0f ? atX : 0.0f, outY = atY > 0.0f ? atY : 0.0f,
                    outZ = atZ > 0.0f ? atZ : 0.0f;
        const float bound = (outX * outX + outY * outY + outZ * outZ) * (1.0f - rounding);
        any |= bound > group.limits[i] ? 0u : 1u;
    }
    if (any == 0)
        return false;
    bool hasAdded = false;
    for (const TriangleSlabs& triangle : triangles) {
        if (group.candidates == PointGroup::kMostCandidates)
            measureCandidatesInline<N>(group);
        const TriangleSlabs t = triangle;
        PointGroup::Each<float>& bounds = group.bounds[group.candidates];
        any = 0;
        for (std::size_t i = 0; i < size; ++i) {
            const float dx = group.x[i] - t.a.x, dy = group.y[i] - t.a.y, dz = group.z[i] - t.a.z;
            const float off = t.normal.x * dx + t.normal.y * dy + t.normal.z * dz;
            const float ab = t.outOfAb.x * dx + t.outOfAb.y * dy + t.outOfAb.z * dz;
            const float bc = t.outOfBc.x * dx + t.outOfBc.y * dy + t.outOfBc.z * dz - t.height;
            const float ca = t.outOfCa.x * dx + t.outOfCa.y * dy + t.outOfCa.z * dz;
            const float error = (std::fabs(dx) + std::fabs(dy) + std::fabs(dz)) * rounding;
            const float outside = ab > bc ? ab : bc, across = outside > ca ? outside : ca;
            const float alongNormal = std::fabs(off) - error, alongPlane = across - error;
            const float u = alongNormal > 0.0f ? alongNormal : 0.0f,
                        v = alongPlane > 0.0f ? alongPlane : 0.0f;
            const float bound = (u * u + v * v) * (1.0f - rounding);
            const float limit = group.limits[i];
            bounds[i] = bound;
            any |= bound > limit ? 0u : 1u;
            // where the foot of the perpendicular lies inside of the triangle, its length is the distance;
            // else that is at most the one to a corner
            const float length = std::fabs(off) + error;
            const float atMost =
                (across + error < 0.0f ? length * length : dx * dx + dy * dy + dz * dz) * (1.0f + rounding);
            group.limits[i] = atMost < limit ? atMost : limit;
        }
        if (any != 0) {
            group.candidate[group.candidates++] = &triangle;
            hasAdded = true;
        }
    }
    return hasAdded;
}

} // namespace scanloupe::cpu
