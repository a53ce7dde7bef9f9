#pragma once
// Sorts items along the Hilbert curve on the CPU, so that neighbouring items are close to each other in
// memory.
#include "kernels/core/buffer.h"
#include "kernels/core/parallel.h"
#include "kernels/mesh/distance/hilbert_grid.h"

#include <cstdint>
#include <stop_token>

namespace scanloupe::cpu {

/// Returns the bounding box of `count` items. `itemAt(i)` returns an item, below 2^32; `placeOf(item)`
/// returns its position.
template <class ItemAt, class PlaceOf>
Box3f boxAround(std::size_t count, ItemAt&& itemAt, PlaceOf&& placeOf, const std::stop_token& stop) {
    return parallelReduce(
        count, std::size_t{1} << 14, stop, emptyBox(),
        [&](std::size_t begin, std::size_t end) {
            Box3f box = emptyBox();
            for (std::size_t i = begin; i < end; ++i) {
                const Vec3f p = placeOf(itemAt(i));
                box = joined(box, {p, p});
            }
            return box;
        },
        joined);
}

/// Sorts `count` items along the Hilbert curve through the cells of a box, with `bits` bits per coordinate.
/// @tparam Key KeyIndex, or KeyIndex32 if 3 * `bits` is at most 32
template <class Key, class ItemAt, class PlaceOf>
Buffer<std::uint32_t> hilbertOrder(std::size_t count, const Box3f& box, int bits, ItemAt&& itemAt,
                                   PlaceOf&& placeOf, const std::stop_token& stop) {
    constexpr std::size_t grain = std::size_t{1} << 14;
    const HilbertGrid grid(box, bits);
    auto keys = Buffer<Key>::host(count), scratch = Buffer<Key>::host(count);
    parallelFor(count, grain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const auto item = itemAt(i);
            keys[i].key = decltype(Key::key)(grid.key(placeOf(item)));
            keys[i].index = decltype(Key::index)(item);
        }
    });
    parallelSortByKey(keys.span(), scratch.span(), 3 * bits, stop);
    auto order = Buffer<std::uint32_t>::host(count);
    parallelFor(count, grain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            order[i] = static_cast<std::uint32_t>(keys[i].index);
    });
    return order;
}

} // namespace scanloupe::cpu
