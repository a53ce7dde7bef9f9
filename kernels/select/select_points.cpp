// Selects points, and changes points of sets.
#include "kernels/select/select_points.h"

#include "kernels/core/queue/queue_body.h"
#include "kernels/select/outline_block.h"

#include <bit>
#include <concepts>

namespace scanloupe {

namespace {

/// Whether a point is selected.
template <class Predicate>
struct IsSelected {
    const Vec3f* points;
    Predicate predicate;

    HD bool operator()(std::size_t i) const {
        const Vec3f p = points[i];
        return isPresent(p) && predicate(p, i);
    }
    /// For 32 points from `first` on; on the host.
    std::uint32_t word(std::size_t first) const requires std::same_as<Predicate, OutlinePredicate> {
        return cpu::outlineWord(predicate, points + first);
    }
};

PointSet newSet(Queue& q, std::size_t size) {
    return {size, bufferOn<std::uint32_t>(q, PointSet::wordsOf(size))};
}

} // namespace

PointSet selectPoints(Queue& q, std::span<const Vec3f> points, const PointPredicate& predicate) {
    PointSet set = newSet(q, points.size());
    std::visit(
        [&]<class Predicate>(const Predicate& one) {
            // a point in the boxes of many long segments takes a millisecond
            const std::size_t chunk = std::same_as<Predicate, StrokePredicate> ? 32 : std::size_t{1} << 16;
            q.writeBits(points.size(), set.words.data(), IsSelected<Predicate>{points.data(), one}, chunk);
        },
        predicate);
    return set;
}

void combine(Queue& q, PointSet& set, const PointSet& other, SetOperation operation) {
    std::uint32_t* const words = set.words.data();
    const std::uint32_t* const others = other.words.data();
    q.forEach(set.words.size(),
              [=] HD(std::size_t i) { words[i] = detail::combinedWord(words[i], others[i], operation); });
}

std::uint64_t countOf(Queue& q, const PointSet& set) {
    const std::uint32_t* const words = set.words.data();
    return q.sum<std::uint64_t>(set.words.size(), [=] HD(std::size_t i) {
        return static_cast<std::uint64_t>(std::popcount(words[i]));
    });
}

Buffer<std::uint32_t> nearestDepths(Queue& q, std::span<const Vec3f> points, const ViewWindow& window,
                                    float radius) {
    const std::size_t pixels = std::size_t(window.width) * std::size_t(window.height);
    auto nearest = bufferOn<std::uint32_t>(q, pixels);
    std::uint32_t* const depths = nearest.data();
    const Vec3f* const from = points.data();
    constexpr std::uint32_t infinity = 0x7f800000u;
    q.forEach(pixels, [=] HD(std::size_t i) { depths[i] = infinity; });
    q.forEach(points.size(), [=] HD(std::size_t i) {
        const ViewWindow::Place at = window.placeOf(from[i]);
        if (!isPresent(from[i]) || !window.holds(at))
            return;
        const auto bits = std::bit_cast<std::uint32_t>(at.depth);
        const detail::CoveredPixels covered = detail::coveredPixels(window, at, radius);
        for (int y = covered.firstY; y <= covered.lastY; ++y)
            for (int x = covered.firstX; x <= covered.lastX; ++x) {
                std::uint32_t* const depth =
                    depths + std::size_t(y) * std::size_t(window.width) + std::size_t(x);
                if (bits < *static_cast<volatile std::uint32_t*>(depth)) // a stale value is larger: safe
                    Queue::min(depth, bits);
            }
    });
    return nearest;
}

PointSet voxelsOf(Queue& q, const PointSet& set, const Buffer<std::uint32_t>& pointVoxel,
                  std::size_t voxels) {
    PointSet found = newSet(q, voxels);
    q.fillBytes(found.words.data(), found.words.bytes(), 0);
    std::uint32_t* const words = found.words.data();
    const std::uint32_t* const voxelOf = pointVoxel.data();
    q.forEachBit(set.words.data(), set.size, [=] HD(std::size_t i) {
        const std::uint32_t voxel = voxelOf[i];
        if (voxel < voxels)
            Queue::bitOr(words + voxel / 32, 1u << voxel % 32);
    });
    return found;
}

void removePoints(Queue& q, Buffer<Vec3f>& points, const PointSet& set) {
    Vec3f* const to = points.data();
    q.forEachBit(set.words.data(), set.size, [=] HD(std::size_t i) {
        to[i] = {kCutAway, kCutAway, kCutAway};
    });
}

void tintChosen(Queue& q, Buffer<std::uint32_t>& rgba, const PointSet& set, const std::uint32_t* items) {
    std::uint32_t* const colours = rgba.data();
    const std::uint32_t* const words = set.words.data();
    const std::size_t size = set.size;
    q.forEach(rgba.size(), [=] HD(std::size_t i) {
        const std::size_t item = items ? items[i] : i;
        if (item < size && words[item / 32] >> (item % 32) & 1u)
            colours[i] = detail::tinted(colours[i]);
    });
}

} // namespace scanloupe
