#pragma once
// Rasterizes triangles that have been set up, with the 32 lanes of a warp: many small triangles row by row,
// or one large triangle in stamps of 8 x 4 pixels.
#include "kernels/raster/core/cuda_cull.cuh"
#include "kernels/raster/core/cuda_warp.cuh"
#include "kernels/raster/triangles/queued_triangle.cuh"

namespace scanloupe::cuda {

/// Small triangles of a warp, one per slot, as a structure of arrays: word w of all slots is contiguous.
class SmallTriangles {
public:
    /// Stores the lane's triangle, which is narrow (see isNarrow). @param slot number of lower lanes that
    /// store a triangle
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
        // columns fit 14 bits, since pictures are at most 2^14 pixels wide
        m_words[kPlace][slot] =
            static_cast<std::uint32_t>(t.box.minX) | static_cast<std::uint32_t>(t.box.minY) << 16;
        m_words[kWidth][slot] = static_cast<std::uint32_t>(t.box.maxX - t.box.minX) | biases << 16;
        m_words[kId][slot] = id;
    }
    /// The covered pixels of a row, which are contiguous.
    struct Span {
        unsigned first, count; ///< first covered column, relative to the box, and number of covered columns
    };
    __device__ Span spanOf(unsigned slot, unsigned row) const {
        int first = 0, last = static_cast<int>(m_words[kWidth][slot] & 0xffff);
#pragma unroll
        for (int i = 0; i < 3; ++i) {
            // Edge functions divided by kSubpixels, rounded down. Their signs are unchanged, since their
            // steps are multiples of kSubpixels.
            const int at =
                (word(kAt + i, slot) + static_cast<int>(row) * word(kStepY + i, slot)) >> kSubpixelBits;
            const int step = word(kStepX + i, slot) >> kSubpixelBits;
            if (step == 0)
                last = at < 0 ? -1 : last;
            else if (step > 0)
                first = ::max(first, -floorOver(at, step));
            else
                last = ::min(last, floorOver(at, -step));
        }
        return {static_cast<unsigned>(first), static_cast<unsigned>(::max(0, last - first + 1))};
    }
    __device__ void drawPixel(const Pixels& pixels, bool orthographic, unsigned slot, unsigned row,
                              unsigned column) const {
        const auto x = static_cast<std::int32_t>(column), y = static_cast<std::int32_t>(row);
        const std::uint32_t place = m_words[kPlace][slot], biases = m_words[kWidth][slot] >> 16;
        std::int32_t e[3];
        float depth[3];
#pragma unroll
        for (int i = 0; i < 3; ++i) {
            e[i] = word(kAt + i, slot) + x * word(kStepX + i, slot) + y * word(kStepY + i, slot) +
                   static_cast<std::int32_t>(biases >> i & 1);
            depth[i] = __int_as_float(word(kDepth + i, slot));
        }
        const float at = depthBetween(depth, e[0], e[1], e[2]);
        pixels.draw(static_cast<int>(place & 0xffff) + x, static_cast<int>(place >> 16) + y,
                    fragment(depthKey(at, orthographic), m_words[kId][slot]));
    }

private:
    /// Returns floor(at / step), for `at` up to 2^21 and `step` up to 2^14.
    __device__ static int floorOver(int at, int step) {
        const float inverse = ApproximateReciprocal{}(static_cast<float>(step));
        const int steps = __float2int_rd(static_cast<float>(at) * inverse); // the quotient may be off by one
        const int rest = at - steps * step;
        return steps + (rest < 0 ? -1 : rest >= step ? 1 : 0);
    }
    enum Word { kAt = 0, kStepX = 3, kStepY = 6, kDepth = 9, kPlace = 12, kWidth, kId, kWords };
    __device__ std::int32_t word(int which, unsigned slot) const {
        return static_cast<std::int32_t>(m_words[which][slot]);
    }
    std::uint32_t m_words[kWords][32];
};

/// Maximum bounding box, in pixels, of a triangle that a lane draws by itself; distributing so few pixels
/// over the warp would cost more.
inline constexpr int kAlonePixels = 16;

/// Draws the lane's own triangle, which is narrow (see isNarrow).
__device__ inline void drawAlone(const Pixels& pixels, const TriangleSetup& t, int count, std::uint32_t id,
                                 bool orthographic) {
    const auto e = edgesAt<std::int32_t>(t, t.box.minX, t.box.minY);
    const int columns = t.box.maxX - t.box.minX + 1;
    unsigned covered = 0; // mask of covered pixels, collected first so that lanes compute the depths of
                          // covered pixels together
    std::int32_t e0 = e.at[0], e1 = e.at[1], e2 = e.at[2];
    // increments from a row's last pixel to the first pixel of the next row
    const std::int32_t n0 = e.stepY[0] - (columns - 1) * e.stepX[0],
                       n1 = e.stepY[1] - (columns - 1) * e.stepX[1],
                       n2 = e.stepY[2] - (columns - 1) * e.stepX[2];
    int left = columns; // number of remaining pixels in the row
#pragma unroll 1
    for (unsigned bit = 1, end = 1u << count; bit != end; bit *= 2) {
        covered |= (e0 | e1 | e2) >= 0 ? bit : 0u;
        const bool last = --left == 0;
        e0 += last ? n0 : e.stepX[0], e1 += last ? n1 : e.stepX[1], e2 += last ? n2 : e.stepX[2];
        left = last ? columns : left;
    }
    const float aRow = ApproximateReciprocal{}(static_cast<float>(columns));
    const std::int32_t at0 = e.at[0] + e.bias[0], at1 = e.at[1] + e.bias[1], at2 = e.at[2] + e.bias[2];
    for (; covered != 0; covered &= covered - 1) {
        const int i = __ffs(static_cast<int>(covered)) - 1;
        const int y = __float2int_rz((static_cast<float>(i) + 0.5f) * aRow), x = i - y * columns;
        const float at =
            depthBetween(t.depth, at0 + x * e.stepX[0] + y * e.stepY[0],
                         at1 + x * e.stepX[1] + y * e.stepY[1], at2 + x * e.stepX[2] + y * e.stepY[2]);
        pixels.draw(t.box.minX + x, t.box.minY + y, fragment(depthKey(at, orthographic), id));
    }
}

/// Shared memory of a warp that draws triangles.
struct TriangleSlots {
    SmallTriangles small;
    QueuedTriangle one;
    std::uint32_t spans[32]; ///< spans of rows: slot, row and first column of each, 7 bits each
};

template <class Int>
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

/// Draws one triangle of any size with the whole warp; the arguments must be uniform over the warp.
__device__ inline void drawByWarp(const Pixels& pixels, const TriangleSetup& t, std::uint32_t id,
                                  bool orthographic) {
    if (isNarrow(t))
        coverStamps<std::int32_t>(pixels, t, id, orthographic);
    else
        coverStamps<std::int64_t>(pixels, t, id, orthographic);
}

/// Draws the triangles of the lanes with `has`, one after another, with the whole warp.
__device__ inline void drawSerially(const Pixels& pixels, TriangleSlots& slots, bool has,
                                    const TriangleSetup& t, std::uint32_t id, bool orthographic) {
    for (unsigned left = __ballot_sync(kAllLanes, has); left != 0; left &= left - 1) {
        if (laneIndex() == static_cast<unsigned>(__ffs(static_cast<int>(left)) - 1))
            slots.one = {t, id};
        __syncwarp();
        drawByWarp(pixels, slots.one.setup, slots.one.id, orthographic);
        __syncwarp();
    }
}

__device__ inline void drawSmall(const Pixels& pixels, TriangleSlots& slots, bool has, const TriangleSetup& t,
                                 std::uint32_t id, bool orthographic) {
    const unsigned which = __ballot_sync(kAllLanes, has);
    if (which == 0)
        return;
    if (has)
        slots.small.put(static_cast<unsigned>(__popc(which & lanesBefore())), t, id);
    __syncwarp();
    // balances rows over the lanes, then the pixels of their spans; the spans are less than half of the boxes
    balanceOverWarp(has ? static_cast<unsigned>(t.box.maxY - t.box.minY + 1) : 0u,
                    [&](bool hasRow, unsigned slot, unsigned row) {
                        SmallTriangles::Span span{};
                        if (hasRow)
                            span = slots.small.spanOf(slot, row);
                        const unsigned rows = __ballot_sync(kAllLanes, span.count != 0);
                        if (span.count != 0)
                            slots.spans[__popc(rows & lanesBefore())] = slot | row << 7 | span.first << 14;
                        __syncwarp();
                        balanceOverWarp(span.count, [&](bool hasPixel, unsigned which, unsigned i) {
                            if (!hasPixel)
                                return;
                            const std::uint32_t of = slots.spans[which];
                            slots.small.drawPixel(pixels, orthographic, of & 127, of >> 7 & 127,
                                                  (of >> 14) + i);
                        });
                        __syncwarp(); // all lanes have read the spans
                    });
    __syncwarp(); // all lanes have read the slots
}

/// Draws the lanes' triangles, or queues them for a warp or for the tiles, by their size. Must be called by
/// all lanes.
__device__ inline void drawOrQueue(const RasterWork& work, const Pixels& pixels, TriangleSlots& slots,
                                   bool has, const TriangleSetup& t, std::uint32_t id) {
    const int count = has ? (t.box.maxX - t.box.minX + 1) * (t.box.maxY - t.box.minY + 1) : 0;
    const bool small = has && count <= work.maxSmallPixels && isNarrow(t);
    const bool orthographic = work.view().orthographic;
    const bool alone = small && count <= kAlonePixels;
    if (alone)
        drawAlone(pixels, t, count, id, orthographic);
    __syncwarp();
    drawSmall(pixels, slots, small && !alone, t, id, orthographic);
    if (!__any_sync(kAllLanes, has && !small))
        return;
    const bool large = has && !small && count > work.maxMediumPixels;
    const bool medium = has && !small && !large;
    const QueuedTriangle item{t, id};
    const bool largeLeft = append(work.large, &work.counts->large, large, item);
    const bool waits = medium && count > work.maxSmallPixels;
    const bool mediumLeft = append(work.medium, &work.counts->medium, waits, item);
    const bool overflow = largeLeft || mediumLeft, now = overflow || (medium && !waits);
    if (__any_sync(kAllLanes, now)) {
        drawSerially(pixels, slots, now, t, id, orthographic);
        addOverWarp(&work.counts->drawnInline, overflow ? 1u : 0u);
    }
}

} // namespace scanloupe::cuda
