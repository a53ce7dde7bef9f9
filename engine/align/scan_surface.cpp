// Selects planar points as surfels, and finds neighbours among them with a hash table of cubes.
#include "engine/align/scan_surface.h"

#include "kernels/core/parallel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>
#include <utility>

namespace scanloupe {

namespace {

// Fitting planes to the points of the surrounding cells takes a quarter of the time of nearest neighbours,
// but needs many points per cell. It is not used indoors, where small faces constrain the pose, nor for
// sparse scans, whose cells have too few points for a stable normal.
constexpr double kOpenSpacing = 0.2; // metres; with a larger spacing the scene counts as open
constexpr std::size_t kDensePoints = 30'000;
constexpr int kOpenNeighbours = 0, kIndoorNeighbours = 16;

constexpr double kSpacingShare = 0.04;                   // spacing relative to the median range
constexpr double kMinSpacing = 0.08, kMaxSpacing = 0.25; // metres
constexpr double kReach = 2;                             // reach in spacings
constexpr double kToleranceShare = 0.4;                  // tolerance relative to the spacing
constexpr double kMinTolerance = 0.04;                   // metres; covers noise of sensors and of planes
constexpr double kMaxTolerance = 0.1;                    // metres
constexpr double kNoises = 2.8;                          // tolerance as a multiple of the standard deviation
                                                         // of the noise
constexpr std::size_t kRanges = 2000;
constexpr float kMinPlanarity = 0.2F;  // a plane hit by two rings reaches it, a plane hit by one ring does
                                       // not
constexpr double kMaxThickness = 0.54; // relative to the tolerance
constexpr float kSameNormal = 0.9F;    // cosine of 26 degrees
constexpr std::size_t kMaxSurfels = 8000;
constexpr std::uint64_t kNoKey = ~std::uint64_t{0};
constexpr int kKeyBits = 21; // bits per coordinate

std::uint64_t hashOf(std::uint64_t key) {
    key *= 0x9e3779b97f4a7c15U;
    return key ^ key >> 32;
}

/// Rounds down. std::floor() is a library call unless the compiler may assume a rounding instruction (SSE
/// 4.1).
int floorOf(double x) {
    const int below = int(x);
    return below - (x < below ? 1 : 0);
}

std::uint64_t keyOf(Vec3i cube) {
    constexpr int middle = 1 << (kKeyBits - 1);
    const auto part = [](int at) { return std::uint64_t(std::clamp(at + middle, 0, 2 * middle - 1)); };
    return part(cube.x) << (2 * kKeyBits) | part(cube.y) << kKeyBits | part(cube.z);
}

/// Returns the indices of the cubes sorted by x, then y, then z. Equal cubes keep their order.
std::vector<std::uint32_t> orderOf(std::span<const Vec3i> cubes) {
    std::vector<std::uint32_t> order;
    order.reserve(cubes.size());
    if (cubes.empty())
        return order;
    Vec3i low = cubes.front(), high = low;
    for (const Vec3i& cube : cubes) {
        low = min(low, cube);
        high = max(high, cube);
    }
    const auto bitsOf = [](int from, int to) {
        return std::bit_width(static_cast<std::uint32_t>(to) - static_cast<std::uint32_t>(from));
    };
    const int bitsY = bitsOf(low.y, high.y), bitsZ = bitsOf(low.z, high.z),
              bits = bitsOf(low.x, high.x) + bitsY + bitsZ;
    const auto sort = [&]<class Item>(std::type_identity<Item>, const auto& keyOfCube, int keyBits) {
        using Number = decltype(Item::key);
        std::vector<Item> items(cubes.size()), scratch(cubes.size());
        for (std::size_t i = 0; i < cubes.size(); ++i)
            items[i] = {static_cast<Number>(keyOfCube(cubes[i])), static_cast<Number>(i)};
        parallelSortByKey(items, scratch, keyBits, {});
        for (const Item& item : items)
            order.push_back(static_cast<std::uint32_t>(item.index));
    };
    if (bits >= 32) {
        sort(std::type_identity<KeyIndex>{}, keyOf, 3 * kKeyBits);
        return order;
    }
    const auto narrowKey = [&](Vec3i cube) { // uses as few digits as the range of cubes requires
        const auto at = (cube - low).as<std::uint32_t>();
        return (at.x << bitsY | at.y) << bitsZ | at.z;
    };
    sort(std::type_identity<KeyIndex32>{}, narrowKey, bits);
    return order;
}

} // namespace

SurfaceScale SurfaceScale::of(std::span<const Vec3f> points, Vec3d sensor) {
    std::vector<double> ranges;
    const std::size_t stride = std::max<std::size_t>(1, points.size() / kRanges);
    for (std::size_t i = 0; i < points.size(); i += stride)
        if (isFinite(points[i]))
            ranges.push_back(norm(points[i].as<double>() - sensor));
    double spacing = kMaxSpacing;
    if (!ranges.empty()) {
        const auto middle = ranges.begin() + std::ptrdiff_t(ranges.size() / 2);
        std::nth_element(ranges.begin(), middle, ranges.end());
        spacing = std::clamp(kSpacingShare * *middle, kMinSpacing, kMaxSpacing);
    }
    const bool isOpen = spacing >= kOpenSpacing && points.size() >= kDensePoints;
    return {spacing, kReach * spacing, std::max(kMinTolerance, kToleranceShare * spacing),
            isOpen ? kOpenNeighbours : kIndoorNeighbours};
}

void SurfaceScale::allowNoise(const PointShapes& shapes) {
    std::vector<float> thickness;
    for (std::size_t i = 0; i < shapes.size(); ++i)
        if (shapes.planarity[i] >= kMinPlanarity)
            thickness.push_back(shapes.thickness[i]);
    if (thickness.empty())
        return;
    const auto middle = thickness.begin() + std::ptrdiff_t(thickness.size() / 2);
    std::ranges::nth_element(thickness, middle);
    tolerance = std::clamp(kNoises * double(*middle), tolerance, kMaxTolerance);
}

std::vector<Surfel> surfelsOf(const PointShapes& shapes, const SurfaceScale& scale) {
    std::vector<Surfel> surfels;
    for (std::size_t i = 0; i < shapes.size(); ++i)
        if (shapes.planarity[i] >= kMinPlanarity && shapes.thickness[i] <= kMaxThickness * scale.tolerance)
            surfels.push_back({shapes.points[i], shapes.normals[i]});
    if (surfels.size() <= kMaxSurfels)
        return surfels;
    std::vector<Surfel> some;
    for (std::size_t i = 0; i < kMaxSurfels; ++i)
        some.push_back(surfels[i * surfels.size() / kMaxSurfels]);
    return some;
}

void SurfaceIndex::add(std::span<const Surfel> surfels, Vec3d origin, const RigidTransform& pose) {
    m_surfels.reserve(m_surfels.size() + surfels.size());
    if (m_surfels.empty() && !surfels.empty())
        m_base = pose(surfels.front().place.as<double>() + origin);
    for (const Surfel& surfel : surfels)
        m_surfels.push_back({(pose(surfel.place.as<double>() + origin) - m_base).as<float>(),
                             pose.rotate(surfel.normal.as<double>()).as<float>()});
}

void SurfaceIndex::build() {
    const double inverse = 0.5 / m_scale.reach; // with this size of cubes, a ball with the radius `reach`
                                                // overlaps at most 8 cubes
    std::vector<Vec3i> cubes;
    cubes.reserve(m_surfels.size());
    for (const Surfel& s : m_surfels) {
        const Vec3d p = s.place.as<double>() * inverse;
        cubes.push_back({floorOf(p.x), floorOf(p.y), floorOf(p.z)});
    }
    const std::vector<std::uint32_t> order = orderOf(cubes);
    std::vector<Surfel> sorted;
    sorted.reserve(order.size());
    for (std::vector<float>& places : m_places)
        places.assign(order.size() + kAtOnce, 0);
    std::vector<std::uint32_t> begins; // index of the first surfel of each cube
    for (std::size_t i = 0; i < order.size(); ++i) {
        sorted.push_back(m_surfels[order[i]]);
        for (int axis = 0; axis < 3; ++axis)
            m_places[std::size_t(axis)][i] = sorted.back().place[axis];
        if (i == 0 || !(cubes[order[i]] == cubes[order[i - 1]]))
            begins.push_back(std::uint32_t(i));
    }
    m_surfels = std::move(sorted);
    m_slots.assign(std::bit_ceil(2 * begins.size() + 2), {kNoKey, 0, 0});
    for (std::size_t i = 0; i < begins.size(); ++i) {
        const std::uint64_t key = keyOf(cubes[order[begins[i]]]);
        std::size_t at = hashOf(key) & (m_slots.size() - 1);
        while (m_slots[at].key != kNoKey)
            at = (at + 1) & (m_slots.size() - 1);
        m_slots[at] = {key, begins[i], i + 1 < begins.size() ? begins[i + 1] : std::uint32_t(order.size())};
    }
}

const SurfaceIndex::Slot* SurfaceIndex::slotOf(std::uint64_t key) const {
    for (std::size_t at = hashOf(key) & (m_slots.size() - 1);; at = (at + 1) & (m_slots.size() - 1)) {
        if (m_slots[at].key == key)
            return &m_slots[at];
        if (m_slots[at].key == kNoKey)
            return nullptr;
    }
}

std::array<float, SurfaceIndex::kAtOnce> SurfaceIndex::squaresFrom(Vec3f place, std::uint32_t begin) const {
    const float *const x = &m_places[0][begin], *const y = &m_places[1][begin],
                       *const z = &m_places[2][begin];
    std::array<float, kAtOnce> squares;
    for (std::uint32_t i = 0; i < kAtOnce; ++i) { // the compiler vectorizes this loop
        const Vec3f apart = place - Vec3f{x[i], y[i], z[i]};
        squares[i] = squaredNorm(apart);
    }
    return squares;
}

SurfaceMatch SurfaceIndex::find(Vec3d place, Vec3d normal) const {
    SurfaceMatch match;
    match.place = place;
    const double inverse = 0.5 / m_scale.reach;
    if (m_slots.empty() ||
        !(std::max({std::abs(place.x), std::abs(place.y), std::abs(place.z)}) * inverse < 1e6))
        return match;
    // The ball around `place` overlaps only its own cube and the nearer neighbour along each axis.
    Vec3i cube, beside;
    Vec3f gap; // squared distance to the adjacent cube along each axis
    for (int axis = 0; axis < 3; ++axis) {
        const double at = place[axis] * inverse;
        cube[axis] = floorOf(at);
        const double part = at - cube[axis];
        beside[axis] = part < 0.5 ? -1 : 1;
        gap[axis] = float(std::min(part, 1 - part) / inverse);
        gap[axis] *= gap[axis];
    }
    const Vec3f p = place.as<float>(), n = normal.as<float>();
    float nearest = float(m_scale.reach * m_scale.reach);
    const Surfel* found = nullptr;
    for (const int k : {0, 1, 2, 4, 3, 5, 6, 7}) { // the nearest cubes first
        const Vec3i step{k & 1, k >> 1 & 1, k >> 2};
        if (dot(step.as<float>(), gap) >= nearest)
            continue;
        const Slot* slot = slotOf(keyOf(cube + step * beside));
        if (!slot)
            continue;
        for (std::uint32_t begin = slot->begin; begin < slot->end; begin += kAtOnce) {
            const std::array<float, kAtOnce> squares = squaresFrom(p, begin);
            const std::uint32_t count = std::min(kAtOnce, slot->end - begin);
            for (std::uint32_t i = 0; i < count; ++i) {
                if (squares[i] >= nearest)
                    continue;
                const Surfel& there = m_surfels[begin + i];
                const float cosine = dot(there.normal, n);
                if ((m_isOriented ? cosine : std::abs(cosine)) < kSameNormal) {
                    match.state = SurfaceMatch::State::crossed;
                    continue;
                }
                nearest = squares[i];
                found = &there;
            }
        }
    }
    if (!found)
        return match;
    match.normal = found->normal.as<double>();
    match.offset = dot(match.normal, place - found->place.as<double>());
    match.state = std::abs(match.offset) < m_scale.tolerance ? SurfaceMatch::State::agrees
                                                             : SurfaceMatch::State::differs;
    return match;
}

} // namespace scanloupe
