// Selects points on all CPU cores, in words of 32 points.
#include "kernels/core/parallel.h"
#include "kernels/select/outline_block.h"
#include "kernels/select/select_points.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

namespace scanloupe {

PointSet PointSet::none(std::size_t size) {
    PointSet set{size, Buffer<std::uint32_t>::host(wordsOf(size))};
    std::ranges::fill(set.words.span(), 0u);
    return set;
}

namespace cpu {

namespace {

constexpr std::size_t kWordGrain = 2048; // words per chunk: 65,536 points

template <class Predicate>
PointSet select(std::span<const Vec3f> points, const Predicate& predicate, const std::stop_token& stop) {
    PointSet set{points.size(), Buffer<std::uint32_t>::host(PointSet::wordsOf(points.size()))};
    constexpr bool isStroke = std::is_same_v<Predicate, StrokePredicate>;
    constexpr std::size_t grain = isStroke ? kWordGrain / 32 : kWordGrain;
    parallelFor(set.words.size(), grain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t w = begin; w < end; ++w) {
            if (isStroke && stop.stop_requested())
                throw Cancelled(); // checked per word, since a point in the boxes of many long segments takes
                                   // up to a millisecond
            const std::size_t first = w * 32, count = std::min<std::size_t>(32, points.size() - first);
            if constexpr (std::is_same_v<Predicate, OutlinePredicate>) {
                if (count == kWordPoints) {
                    set.words[w] = outlineWord(predicate, &points[first]);
                    continue;
                }
            }
            std::uint32_t word = 0;
            for (std::size_t b = 0; b < count; ++b) {
                const Vec3f p = points[first + b];
                word |= std::uint32_t(isPresent(p) && predicate(p, first + b)) << b;
            }
            set.words[w] = word;
        }
    });
    return set;
}

/// Calls `change(i)` for each item of a set.
template <class Change>
void forEach(const PointSet& set, const std::stop_token& stop, Change&& change) {
    parallelFor(set.words.size(), kWordGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t w = begin; w < end; ++w)
            for (std::uint32_t word = set.words[w]; word != 0; word &= word - 1)
                change(w * 32 + std::size_t(std::countr_zero(word)));
    });
}

} // namespace

PointSet selectPoints(std::span<const Vec3f> points, const PointPredicate& predicate,
                      const std::stop_token& stop) {
    return std::visit([&](const auto& one) { return select(points, one, stop); }, predicate);
}

void combine(PointSet& set, const PointSet& other, SetOperation operation) {
    for (std::size_t w = 0; w < set.words.size(); ++w)
        set.words[w] = detail::combinedWord(set.words[w], other.words[w], operation);
}

std::uint64_t countOf(const PointSet& set) {
    return parallelReduce(
        set.words.size(), std::size_t{1} << 16, {}, std::uint64_t{0},
        [&](std::size_t begin, std::size_t end) {
            std::uint64_t count = 0;
            for (std::size_t w = begin; w < end; ++w)
                count += std::uint64_t(std::popcount(set.words[w]));
            return count;
        },
        [](std::uint64_t a, std::uint64_t b) { return a + b; });
}

Buffer<std::uint32_t> nearestDepths(std::span<const Vec3f> points, const ViewWindow& window, float radius,
                                    const std::stop_token& stop) {
    auto depths = Buffer<std::uint32_t>::host(std::size_t(window.width) * std::size_t(window.height));
    std::ranges::fill(depths.span(), std::bit_cast<std::uint32_t>(std::numeric_limits<float>::infinity()));
    parallelFor(points.size(), 1 << 15, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const ViewWindow::Place at = window.placeOf(points[i]);
            if (!isPresent(points[i]) || !window.holds(at))
                continue;
            const auto bits = std::bit_cast<std::uint32_t>(at.depth);
            const detail::CoveredPixels covered = detail::coveredPixels(window, at, radius);
            for (int y = covered.firstY; y <= covered.lastY; ++y)
                for (int x = covered.firstX; x <= covered.lastX; ++x) {
                    std::atomic_ref<std::uint32_t> depth(
                        depths[std::size_t(y) * std::size_t(window.width) + std::size_t(x)]);
                    std::uint32_t known = depth.load(std::memory_order_relaxed);
                    while (bits < known &&
                           !depth.compare_exchange_weak(known, bits, std::memory_order_relaxed)) {
                    }
                }
        }
    });
    return depths;
}

PointSet voxelsOf(const PointSet& set, std::span<const std::uint32_t> pointVoxel, std::size_t voxels,
                  const std::stop_token& stop) {
    PointSet found = PointSet::none(voxels);
    forEach(set, stop, [&](std::size_t i) {
        const std::uint32_t voxel = pointVoxel[i];
        if (voxel < voxels)
            std::atomic_ref<std::uint32_t>(found.words[voxel / 32])
                .fetch_or(1u << voxel % 32, std::memory_order_relaxed);
    });
    return found;
}

void removePoints(std::span<Vec3f> points, const PointSet& set, const std::stop_token& stop) {
    forEach(set, stop, [&](std::size_t i) { points[i] = {kCutAway, kCutAway, kCutAway}; });
}

void tintChosen(std::span<std::uint32_t> rgba, const PointSet& set, const std::uint32_t* items,
                const std::stop_token& stop) {
    parallelFor(rgba.size(), 1 << 16, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t item = items ? items[i] : i;
            if (item < set.size && set.has(item))
                rgba[i] = detail::tinted(rgba[i]);
        }
    });
}

} // namespace cpu
} // namespace scanloupe
