#pragma once
// Computes lower bounds of the distances from sixteen points to one triangle at a time, and measures selected
// pairs exactly, in loops that compilers vectorize.
#include "kernels/mesh/distance/bvh.h"
#include "kernels/mesh/distance/triangle_distance.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace scanloupe::cpu {

/// A triangle, its plane, and the planes through its sides perpendicular to the triangle. A lower bound of
/// the distance from these planes takes a tenth of the time of the exact distance.
struct TriangleSlabs {
    Vec3f a, b, c;
    Vec3f normal; ///< unit vector; zero, like the vectors below, for a triangle that is too narrow to have a
                  ///< normal
    Vec3f outOfAb, outOfBc, outOfCa; ///< unit vectors in the triangle's plane, perpendicular to its sides and
                                     ///< pointing outwards
    float height = 0;                ///< distance of b and c from a along outOfBc, metres
    std::uint32_t id = 0;
};
TriangleSlabs slabsOf(Vec3f a, Vec3f b, Vec3f c, std::uint32_t id);

/// A vector of `N` doubles.
template <std::size_t N>
struct DoubleLanes {
    using Doubles [[gnu::vector_size(N * sizeof(double))]] = double;
    using Flags [[gnu::vector_size(N * sizeof(double))]] = std::int64_t; ///< result of comparisons
    /// Vec3 with its functions, for vectors of numbers.
    struct Vectors {
        Doubles x, y, z;
    };
    [[gnu::always_inline]] static Doubles load(const std::array<double, N>& numbers) {
        Doubles lanes;
        std::memcpy(&lanes, numbers.data(), sizeof lanes);
        return lanes;
    }

    [[gnu::always_inline]] static Vectors minus(const Vectors& a, const Vectors& b) {
        return {a.x - b.x, a.y - b.y, a.z - b.z};
    }
    [[gnu::always_inline]] static Doubles dot(const Vectors& a, const Vectors& b) {
        return a.x * b.x + a.y * b.y + a.z * b.z;
    }
    [[gnu::always_inline]] static Vectors cross(const Vectors& a, const Vectors& b) {
        return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    }

    /// Same as squaredDistanceToSegment(), with identical bits, for all lanes.
    [[gnu::always_inline]] static Doubles squaredDistancesToSegment(const Vectors& a, const Vectors& ab) {
        const Doubles along = -dot(a, ab), whole = dot(ab, ab), zero{}, one = zero + 1.0;
        const Doubles ratio = along / whole, upTo = along < whole ? ratio : one,
                      part = along > zero ? upTo : zero;
        const Vectors foot{a.x + ab.x * part, a.y + ab.y * part, a.z + ab.z * part};
        return dot(foot, foot);
    }

    /// Same as squaredDistanceToTriangle(), with identical bits; each lane has a point and a triangle.
    [[gnu::always_inline]] static Doubles squaredDistancesToTriangles(const Vectors& points,
                                                                      const Vectors& cornersA,
                                                                      const Vectors& cornersB,
                                                                      const Vectors& cornersC) {
        const Doubles zero{};
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

/// Returns a float that is >= a squared distance, and only slightly larger.
[[gnu::always_inline]] inline float limitOf(double squaredDistance) {
    constexpr double rounding = 1 + 1e-7;
    return float(squaredDistance * rounding);
}

/// Points that are close to each other, and the nearest known triangle of each point.
struct PointGroup {
    static constexpr std::size_t kSize = 16, kMaxCandidates = 48;
    template <class T>
    using Each = std::array<T, kSize>;

    alignas(64) Each<float> x, y, z; ///< unused lanes repeat the last point
    alignas(64) Each<float> limits;  ///< upper bounds of the squared distance from each point to its nearest
                                     ///< triangle
    alignas(64) Each<double> squaredDistances;
    alignas(64) Each<std::uint32_t> items;
    Box3f box; ///< bounding box of the points

    /// number of triangles in `candidate`, whose exact distances have not been computed yet
    std::size_t candidates = 0;
    std::array<const TriangleSlabs*, kMaxCandidates> candidate;
    /// lower bounds of the squared distances from each point to each candidate
    alignas(64) std::array<Each<float>, kMaxCandidates> bounds;

    /// Sets the points of the group. @param rows indices of the points, at least one and at most kSize @param
    /// squaredLimit maximum squared distance of the search
    void set(std::span<const Vec3f> points, std::span<const std::uint32_t> rows, double squaredLimit);
    float largestLimit() const;
};

/// Appends triangles to the candidates if they may be nearer to a point of the group than its nearest known
/// triangle. Uses the widest vectors of the processor. @param triangles triangles to test, all inside `box`
/// @return whether any candidate was added
bool addCandidates(std::span<const TriangleSlabs> triangles, const Box3f& box, PointGroup& group);
/// Computes the exact distances to the candidates, and clears the list.
void measureCandidates(PointGroup& group);

/// Returns a word with bit i set if `bounds[i]` <= `limits[i]`.
[[gnu::always_inline]] inline std::uint32_t bitsUpTo(const PointGroup::Each<float>& bounds,
                                                     const PointGroup::Each<float>& limits) {
    using Floats [[gnu::vector_size(sizeof bounds)]] = float;
    using Bits [[gnu::vector_size(sizeof bounds)]] = std::int32_t;
    Floats bound, limit;
    std::memcpy(&bound, bounds.data(), sizeof bound);
    std::memcpy(&limit, limits.data(), sizeof limit);
    Bits bits = ~(bound > limit) & Bits{1,      1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
                                        1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
    bits |= __builtin_shufflevector(bits, bits, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
    bits |= __builtin_shufflevector(bits, bits, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11);
    bits |= __builtin_shufflevector(bits, bits, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
    return std::uint32_t(bits[0] | bits[1]);
}

/// Pairs of a point and a candidate, collected until they fill a vector. Pairs are used since most candidates
/// are near only one or two of the points. `N`: number of doubles in a vector.
template <std::size_t N>
class CandidatePairs {
public:
    [[gnu::always_inline]] void add(PointGroup& group, std::size_t point, const TriangleSlabs& t) {
        m_point[m_count] = std::uint32_t(point);
        m_item[m_count] = t.id;
        const float numbers[kNumbers] = {group.x[point], group.y[point], group.z[point], t.a.x, t.a.y, t.a.z,
                                         t.b.x,          t.b.y,          t.b.z,          t.c.x, t.c.y, t.c.z};
        for (std::size_t n = 0; n < kNumbers; ++n)
            m_numbers[n][m_count] = double(numbers[n]);
        if (++m_count == N)
            measure(group);
    }
    /// Measures the collected pairs; lanes beyond the last pair contain older pairs and are ignored.
    [[gnu::always_inline]] void measure(PointGroup& group) {
        const auto vectorsFrom = [&](std::size_t n) {
            return typename DoubleLanes<N>::Vectors{DoubleLanes<N>::load(m_numbers[n]),
                                                    DoubleLanes<N>::load(m_numbers[n + 1]),
                                                    DoubleLanes<N>::load(m_numbers[n + 2])};
        };
        const auto distances = DoubleLanes<N>::squaredDistancesToTriangles(vectorsFrom(0), vectorsFrom(3),
                                                                           vectorsFrom(6), vectorsFrom(9));
        for (std::size_t k = 0; k < m_count; ++k) {
            const std::size_t i = m_point[k];
            const double d = distances[k], known = group.squaredDistances[i];
            if (d < known || (d == known && m_item[k] < group.items[i])) {
                group.squaredDistances[i] = d;
                group.items[i] = m_item[k];
                group.limits[i] = std::min(group.limits[i], limitOf(d));
            }
        }
        m_count = 0;
    }
    std::size_t count() const { return m_count; }

private:
    static constexpr std::size_t kNumbers = 12; // numbers per pair: coordinates of the point and of the
                                                // triangle's corners

    std::size_t m_count = 0;
    std::array<std::uint32_t, N> m_point, m_item;
    alignas(64) std::array<std::array<double, N>, kNumbers> m_numbers{};
};

/// Same as measureCandidates, compiled for the instruction set of the caller.
template <std::size_t N>
[[gnu::always_inline]] inline void measureCandidatesInline(PointGroup& group) {
    CandidatePairs<N> pairs;
    for (std::size_t c = 0; c < group.candidates; ++c)
        for (std::uint32_t near = bitsUpTo(group.bounds[c], group.limits); near != 0; near &= near - 1)
            pairs.add(group, std::size_t(std::countr_zero(near)), *group.candidate[c]);
    if (pairs.count() > 0)
        pairs.measure(group);
    group.candidates = 0;
}

/// Same as addCandidates, compiled for the instruction set of the caller.
template <std::size_t N>
[[gnu::always_inline]] inline bool addCandidatesInline(std::span<const TriangleSlabs> triangles, Box3f box,
                                                       PointGroup& group) {
    constexpr std::size_t size = PointGroup::kSize;
    constexpr float rounding = 1e-6f; // relative error of a single-precision distance, with a safety factor
                                      // of two
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
        if (group.candidates == PointGroup::kMaxCandidates)
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
            // if the foot of the perpendicular is inside the triangle, the perpendicular's length is the
            // distance; otherwise the distance is at most the distance to the nearest corner
            const float length = std::fabs(off) + error;
            const float bx = group.x[i] - t.b.x, by = group.y[i] - t.b.y, bz = group.z[i] - t.b.z;
            const float cx = group.x[i] - t.c.x, cy = group.y[i] - t.c.y, cz = group.z[i] - t.c.z;
            const float toA = dx * dx + dy * dy + dz * dz, toB = bx * bx + by * by + bz * bz,
                        toC = cx * cx + cy * cy + cz * cz;
            const float toAb = toB < toA ? toB : toA, toCorner = toC < toAb ? toC : toAb;
            const float atMost = (across + error < 0.0f ? length * length : toCorner) * (1.0f + rounding);
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
