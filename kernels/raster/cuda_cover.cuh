#pragma once
// Triangles that are set up -> pixels, by a warp: many small ones row by row, or one in stamps of 8 x 4.
#include "kernels/raster/cuda_warp.cuh"

namespace scanloupe::cuda {

/// What a warp's small triangles are drawn from, slot by slot: word w of all slots lies together.
class SmallTriangles {
public:
    /// For the lane's triangle, which is narrow. @param slot how many lanes before have one
    __device__ void put(unsigned slot, const TriangleSetup& t, std::uint32_t id) {
        const auto e = edgesAt<std::int32_t>(t, t.box.minX, t.box.minY);
        std::uint32_t biases = 0;
#pragma unroll
        for (int i = 0; i < 3; ++i) {
            m_words[kAt + i][slot] = static_cast<std::uint32_t>(e.at[i]);
            m_words[kStepX + i][slot] = static_cast<std::uint32_t>(e.stepX[i]);
            m_words[kStepY + i][slot] = static_cast<std::uint32_t>(e.stepY[i]);
            m_words[kDepth + i][slot] = __float_as_uint(t.depth[i]);
            biases |= static_cast<std::uint32_t>(e.bias[i]) << i;
        }
        m_words[kPlace][slot] = static_cast<std::uint32_t>(t.box.minX) | // pictures have up to 2^14 columns
                                static_cast<std::uint32_t>(t.box.minY) << 16;
        m_words[kWidth][slot] = static_cast<std::uint32_t>(t.box.maxX - t.box.minX) | biases << 16;
        m_words[kId][slot] = id;
    }
    template <class Pixels>
    __device__ void drawRow(const Pixels& pixels, bool orthographic, unsigned slot, unsigned row) const {
        const auto r = static_cast<std::int32_t>(row);
        std::int32_t e0 = word(kAt, slot) + r * word(kStepY, slot),
                     e1 = word(kAt + 1, slot) + r * word(kStepY + 1, slot),
                     e2 = word(kAt + 2, slot) + r * word(kStepY + 2, slot);
        const std::int32_t s0 = word(kStepX, slot), s1 = word(kStepX + 1, slot), s2 = word(kStepX + 2, slot);
        const float depth[3] = {__int_as_float(word(kDepth, slot)), __int_as_float(word(kDepth + 1, slot)),
                                __int_as_float(word(kDepth + 2, slot))};
        const std::uint32_t place = m_words[kPlace][slot], width = m_words[kWidth][slot],
                            id = m_words[kId][slot];
        const auto b0 = static_cast<std::int32_t>(width >> 16 & 1),
                   b1 = static_cast<std::int32_t>(width >> 17 & 1),
                   b2 = static_cast<std::int32_t>(width >> 18 & 1);
        const int first = static_cast<int>(place & 0xffff), last = first + static_cast<int>(width & 0xffff),
                  y = static_cast<int>(place >> 16) + r;
        for (int x = first; x <= last; ++x) {
            if ((e0 | e1 | e2) >= 0) {
                const float at = depthBetween(depth, e0 + b0, e1 + b1, e2 + b2);
                pixels.draw(x, y, fragment(depthKey(at, orthographic), id));
            }
            e0 += s0, e1 += s1, e2 += s2;
        }
    }

private:
    enum Word { kAt = 0, kStepX = 3, kStepY = 6, kDepth = 9, kPlace = 12, kWidth, kId, kWords };
    __device__ std::int32_t word(int which, unsigned slot) const {
        return static_cast<std::int32_t>(m_words[which][slot]);
    }
    std::uint32_t m_words[kWords][32];
};

/// Pixels of a triangle's box up to which a lane draws it by itself: handing its rows out would cost more.
inline constexpr int kAlonePixels = 16;

/// Draws a lane's own triangle, which is narrow.
template <class Pixels>
__device__ void drawAlone(const Pixels& pixels, const TriangleSetup& t, int count, std::uint32_t id,
                          bool orthographic) {
    const auto e = edgesAt<std::int32_t>(t, t.box.minX, t.box.minY);
    std::int32_t r0 = e.at[0], r1 = e.at[1], r2 = e.at[2], e0 = r0, e1 = r1, e2 = r2;
    int x = t.box.minX, y = t.box.minY;
    for (int i = 0; i < count; ++i) {
        if ((e0 | e1 | e2) >= 0) {
            const float at = depthBetween(t.depth, e0 + e.bias[0], e1 + e.bias[1], e2 + e.bias[2]);
            pixels.draw(x, y, fragment(depthKey(at, orthographic), id));
        }
        if (x < t.box.maxX) {
            ++x, e0 += e.stepX[0], e1 += e.stepX[1], e2 += e.stepX[2];
        } else {
            r0 += e.stepY[0], r1 += e.stepY[1], r2 += e.stepY[2];
            x = t.box.minX, ++y, e0 = r0, e1 = r1, e2 = r2;
        }
    }
}

/// What a warp needs to draw triangles; in shared memory.
struct TriangleSlots {
    SmallTriangles small;
    QueuedTriangle one;
    std::uint32_t list[WarpList::kRoom];
};

template <class Int, class Pixels>
__device__ void coverStamps(const Pixels& pixels, const TriangleSetup& t, std::uint32_t id,
                            bool orthographic) {
    const int lane = static_cast<int>(laneIndex()), x0 = t.box.minX + lane % 8, y0 = t.box.minY + lane / 8;
    const EdgeFunctions<Int> e = edgesAt<Int>(t, x0, y0);
    Int r0 = e.at[0], r1 = e.at[1], r2 = e.at[2];
    for (int y = y0; y <= t.box.maxY; y += 4) {
        Int e0 = r0, e1 = r1, e2 = r2;
        for (int x = x0; x <= t.box.maxX; x += 8) {
            if ((e0 | e1 | e2) >= 0) {
                const float at = depthBetween(t.depth, e0 + e.bias[0], e1 + e.bias[1], e2 + e.bias[2]);
                pixels.draw(x, y, fragment(depthKey(at, orthographic), id));
            }
            e0 += 8 * e.stepX[0], e1 += 8 * e.stepX[1], e2 += 8 * e.stepX[2];
        }
        r0 += 4 * e.stepY[0], r1 += 4 * e.stepY[1], r2 += 4 * e.stepY[2];
    }
}

/// Draws one triangle, the same in all lanes, of any size.
template <class Pixels>
__device__ void drawByWarp(const Pixels& pixels, const TriangleSetup& t, std::uint32_t id,
                           bool orthographic) {
    if (isNarrow(t))
        coverStamps<std::int32_t>(pixels, t, id, orthographic);
    else
        coverStamps<std::int64_t>(pixels, t, id, orthographic);
}

/// Draws the triangles of the lanes that `has` names, one after another.
template <class Pixels>
__device__ void drawOneByOne(const Pixels& pixels, TriangleSlots& slots, bool has, const TriangleSetup& t,
                             std::uint32_t id, bool orthographic) {
    for (unsigned left = __ballot_sync(kAllLanes, has); left != 0; left &= left - 1) {
        if (laneIndex() == static_cast<unsigned>(__ffs(static_cast<int>(left)) - 1))
            slots.one = {t, id};
        __syncwarp();
        drawByWarp(pixels, slots.one.setup, slots.one.id, orthographic);
        __syncwarp();
    }
}

template <class Pixels>
__device__ void drawSmall(const Pixels& pixels, TriangleSlots& slots, bool has, const TriangleSetup& t,
                          std::uint32_t id, bool orthographic) {
    const unsigned which = __ballot_sync(kAllLanes, has);
    if (which == 0)
        return;
    if (has)
        slots.small.put(static_cast<unsigned>(__popc(which & lanesBefore())), t, id);
    __syncwarp();
    forEachRow(has ? static_cast<unsigned>(t.box.maxY - t.box.minY + 1) : 0u,
               [&](unsigned slot, unsigned row) { slots.small.drawRow(pixels, orthographic, slot, row); });
    __syncwarp(); // the slots are written again
}

/// Draws the lanes' triangles or queues them for their tier. @param mediumWaits false: all medium ones are
/// drawn here
template <class Pixels>
__device__ void drawOrQueue(const RasterWork& work, const Pixels& pixels, TriangleSlots& slots, bool has,
                            const TriangleSetup& t, std::uint32_t id, bool mediumWaits) {
    const int count = has ? (t.box.maxX - t.box.minX + 1) * (t.box.maxY - t.box.minY + 1) : 0;
    const bool small = has && count <= work.smallPixels && isNarrow(t);
    const bool large = has && !small && count > work.mediumPixels;
    const bool medium = has && !small && !large;
    const QueuedTriangle item{t, id};
    const bool largeLeft = append(work.large, &work.counts->large, large, item);
    const bool waits = medium && mediumWaits && count > work.atOncePixels;
    const bool mediumLeft = append(work.medium, &work.counts->medium, waits, item);
    const bool overflow = largeLeft || mediumLeft, now = overflow || (medium && !waits);
    const bool orthographic = work.view().orthographic;
    const bool alone = small && count <= kAlonePixels;
    if (alone)
        drawAlone(pixels, t, count, id, orthographic);
    __syncwarp();
    drawSmall(pixels, slots, small && !alone, t, id, orthographic);
    if (__any_sync(kAllLanes, now)) {
        drawOneByOne(pixels, slots, now, t, id, orthographic);
        addOverWarp(&work.counts->drawnInline, overflow ? 1u : 0u);
    }
}

} // namespace scanloupe::cuda
