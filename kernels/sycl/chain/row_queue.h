#pragma once
// Defines the render target of SYCL's kernels, and a queue of primitives that are drawn row by row.
#include "kernels/raster/core/raster_element.h"
#include "kernels/raster/core/raster_scene.h"
#include "kernels/sycl/chain/scan.h"

#include <cstdint>

namespace scanloupe::sycl_chain {

/// The visibility buffer during drawing.
template <class Q>
struct RasterTarget {
    std::uint64_t* pixels; ///< [height, width] values of the visibility buffer
    RasterView view;

    HD std::size_t at(int x, int y) const {
        return std::size_t(y) * std::size_t(view.width) + std::size_t(x);
    }
    /// Stores `value` if it is larger than the pixel.
    void draw(int x, int y, std::uint64_t value) const {
        if (Q::load(pixels + at(x, y)) < value) // a load is far cheaper than an atomic operation
            Q::max(pixels + at(x, y), value);
    }
    /// Returns a lower bound of the depth key of a pixel.
    std::uint32_t keyAt(int x, int y) const { return std::uint32_t(Q::load(pixels + at(x, y)) >> 32); }
};

/// Number of pixels above which a primitive is queued and drawn after all others, row by row: a single item
/// would take too long.
inline constexpr std::int64_t kQueuedPixels = 256;

/// A queue of primitives, each with the `box` of its pixels.
template <class Entry, class Q>
class RowQueue {
public:
    explicit RowQueue(Q& q) : m_queue(&q), m_entries(q, kCapacity), m_count(q, 1) { m_count.clear(); }

    struct View {
        Entry* entries;
        std::uint32_t* count;
        /// Appends an entry. @returns false if the queue is full
        bool push(const Entry& entry) const {
            const std::uint32_t at = Q::add(count, 1u);
            if (at < kCapacity)
                entries[at] = entry;
            return at < kCapacity;
        }
    };
    View view() const { return {m_entries.data(), m_count.data()}; }

    /// Calls `draw(entry, y)` for each row of each queued primitive. @note Synchronizes.
    template <class Draw>
    void drawRows(Draw draw) const {
        const std::uint32_t pushed = m_count.read(0), count = pushed < kCapacity ? pushed : kCapacity;
        if (count == 0)
            return;
        const DeviceArray<std::uint32_t, Q> begins(*m_queue, count), total(*m_queue, 1);
        std::uint32_t* const before = begins.data();
        const Entry* const entries = m_entries.data();
        m_queue->forEach(count, [=](std::size_t i) {
            before[i] = std::uint32_t(entries[i].box.maxY - entries[i].box.minY + 1);
        });
        exclusiveScan(*m_queue, before, count, total.data());
        m_queue->forEach(total.read(0), [=](std::size_t row) {
            std::uint32_t low = 0, high = count; // binary search for the last entry that begins at or before
                                                 // the row
            while (high - low > 1) {
                const std::uint32_t middle = (low + high) / 2;
                (before[middle] <= row ? low : high) = middle;
            }
            draw(entries[low], entries[low].box.minY + int(row - before[low]));
        });
    }

private:
    static constexpr std::uint32_t kCapacity = 1 << 16;

    Q* m_queue;
    DeviceArray<Entry, Q> m_entries;
    DeviceArray<std::uint32_t, Q> m_count;
};

} // namespace scanloupe::sycl_chain
