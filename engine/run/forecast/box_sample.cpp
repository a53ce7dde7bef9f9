// Chooses boxes with a random sample of points, and collects all points in them.
#include "engine/run/forecast/box_sample.h"

#include "engine/cloud/point_cloud.h"
#include "kernels/core/mix_bits.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace scanloupe {

namespace {

constexpr int kDeepest = 20;                 // bits of a coordinate
constexpr int kRimDepth = 2;                 // a part's edge is a box's edge / 2^2
constexpr std::size_t kMaxBoxes = 192;       // maximum number of boxes for each box size
constexpr double kMaxPoints = 1 << 19;       // maximum of the expected number of points for each box size
constexpr double kLeastInBox = 200;          // points; surfaces with fewer points per box need no smaller
                                             // boxes
constexpr std::size_t kFilterBits = 1 << 18; // bits of the filter for a box size: 32 KiB

using Cell = std::array<std::uint32_t, 3>;

CellKey keyOf(const Cell& cell) {
    return CellKey{cell[0]} | CellKey{cell[1]} << 21 | CellKey{cell[2]} << 42;
}

Cell cellOfKey(CellKey key) {
    constexpr CellKey mask = (CellKey{1} << 21) - 1;
    return {std::uint32_t(key & mask), std::uint32_t(key >> 21 & mask), std::uint32_t(key >> 42)};
}

Cell atDepth(Cell finest, int depth) {
    for (std::uint32_t& c : finest)
        c >>= kDeepest - depth;
    return finest;
}

Cell finestCell(const BoxSample& cube, Vec3f p) {
    constexpr auto last = float((1 << kDeepest) - 1);
    const float perMetre = float(1 << kDeepest) / cube.edge;
    Cell cell{};
    for (int axis = 0; axis < 3; ++axis)
        cell[std::size_t(axis)] =
            std::uint32_t(std::clamp((p[axis] - cube.low[axis]) * perMetre, 0.0f, last));
    return cell;
}

/// Returns the Morton code of a cell. Cells with close codes are close in space, and the prefixes of a code
/// are the larger boxes that contain the cell.
std::uint64_t mortonCode(const Cell& cell) {
    std::uint64_t code = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::uint64_t x = cell[axis];
        x = (x | x << 32) & 0x1f00000000ffff;
        x = (x | x << 16) & 0x1f0000ff0000ff;
        x = (x | x << 8) & 0x100f00f00f00f00f;
        x = (x | x << 4) & 0x10c30c30c30c30c3;
        x = (x | x << 2) & 0x1249249249249249;
        code |= x << axis;
    }
    return code;
}

struct MortonCell {
    std::uint64_t code;
    Cell cell;
};

/// Finds the part of a box that contains a point, for boxes of one size.
class PartIndex {
public:
    explicit PartIndex(std::vector<CellKey> keys) : m_keys(std::move(keys)), m_filter(kFilterBits / 64) {
        std::ranges::sort(m_keys);
        m_keys.erase(std::unique(m_keys.begin(), m_keys.end()), m_keys.end());
        for (const CellKey key : m_keys)
            m_filter[bitOf(key) / 64] |= std::uint64_t{1} << (bitOf(key) % 64);
    }
    /// Returns the index of the part; size() if there is none.
    std::size_t find(CellKey key) const {
        const std::size_t bit = bitOf(key);
        if (!(m_filter[bit / 64] >> (bit % 64) & 1))
            return size();
        const auto at = std::ranges::lower_bound(m_keys, key);
        return at != m_keys.end() && *at == key ? std::size_t(at - m_keys.begin()) : size();
    }
    std::size_t size() const { return m_keys.size(); }
    CellKey key(std::size_t part) const { return m_keys[part]; }

private:
    static std::size_t bitOf(CellKey key) {
        return std::size_t(key * 0x9e3779b97f4a7c15u >> 32) % kFilterBits;
    }
    std::vector<CellKey> m_keys;
    std::vector<std::uint64_t> m_filter;
};

/// Returns the parts of a box and of its rim, clipped to the cube.
std::vector<CellKey> partsOf(CellKey box, int depth) {
    constexpr std::int64_t edge = 1 << kRimDepth;
    const Cell cell = cellOfKey(box);
    const std::int64_t end = std::int64_t{1} << (depth + kRimDepth);
    const auto from = [&](std::size_t axis) { return std::max<std::int64_t>(cell[axis] * edge - 1, 0); };
    const auto to = [&](std::size_t axis) { return std::min(cell[axis] * edge + edge + 1, end); };
    std::vector<CellKey> parts;
    for (std::int64_t z = from(2); z < to(2); ++z)
        for (std::int64_t y = from(1); y < to(1); ++y)
            for (std::int64_t x = from(0); x < to(0); ++x)
                parts.push_back(keyOf({std::uint32_t(x), std::uint32_t(y), std::uint32_t(z)}));
    return parts;
}

struct Found {
    std::uint32_t part;
    Vec3f position;
};

/// Returns every n-th box along the Morton curve, which spreads them evenly, in random order.
std::vector<CellKey> chooseBoxes(const std::vector<CellKey>& occupied) {
    const std::size_t count = std::min(occupied.size(), kMaxBoxes);
    std::vector<CellKey> chosen;
    for (std::size_t i = 0; i < count; ++i)
        chosen.push_back(occupied[std::size_t((double(i) + 0.5) * double(occupied.size()) / double(count))]);
    std::ranges::sort(chosen, {}, [](CellKey key) { return mixBits(key + 1); });
    return chosen;
}

/// Fills the parts of boxes with their points, and computes the weights of the boxes.
void fill(SampledBoxes& boxes, const PartIndex& index, const std::vector<std::vector<Found>>& chunks,
          double sampled) {
    boxes.pointsOffset.assign(index.size() + 1, 0);
    for (const auto& found : chunks)
        for (const Found& f : found)
            ++boxes.pointsOffset[f.part];
    const std::size_t count = exclusiveScan(std::span(boxes.pointsOffset));
    boxes.points.resize(count);
    std::vector<std::uint32_t> next = boxes.pointsOffset;
    for (const auto& found : chunks)
        for (const Found& f : found)
            boxes.points[next[f.part]++] = f.position;
    boxes.partsOffset.push_back(0);
    for (const CellKey cell : boxes.cells) {
        double inside = 0;
        for (const CellKey key : partsOf(cell, boxes.depth)) {
            const std::size_t part = index.find(key);
            const std::uint32_t points = boxes.pointsOffset[part + 1] - boxes.pointsOffset[part];
            if (points == 0)
                continue;
            boxes.parts.push_back(std::uint32_t(part));
            Cell box = cellOfKey(key);
            for (std::uint32_t& c : box)
                c >>= kRimDepth;
            if (keyOf(box) == cell)
                inside += points;
        }
        boxes.partsOffset.push_back(std::uint32_t(boxes.parts.size()));
        // inverse of the probability that the sample contains a point of the box (Horvitz, Thompson, 1952)
        const double points = std::max(inside / boxes.share, 1.0);
        boxes.weights.push_back(sampled < 1 ? 1 / -std::expm1(points * std::log1p(-sampled)) : 1);
    }
}

} // namespace

double BoxSample::boxEdge(const SampledBoxes& boxes) const {
    return std::ldexp(double(edge), -boxes.depth);
}

CellKey BoxSample::cellOf(Vec3f position, int depth) const {
    return keyOf(atDepth(finestCell(*this, position), depth));
}

Vec3f BoxSample::lowerCorner(CellKey cell, int depth) const {
    const Cell c = cellOfKey(cell);
    const float box = std::ldexp(edge, -depth);
    return low + Vec3f{float(c[0]), float(c[1]), float(c[2])} * box;
}

BoxSample sampleBoxes(const PointCloud& cloud, const PointSample& sample, const std::stop_token& stop) {
    BoxSample made;
    if (sample.positions.empty())
        return made;
    Vec3f high = made.low = sample.positions.front();
    for (const Vec3f p : sample.positions)
        for (int axis = 0; axis < 3; ++axis) {
            made.low[axis] = std::min(made.low[axis], p[axis]);
            high[axis] = std::max(high[axis], p[axis]);
        }
    made.edge = std::max({high.x - made.low.x, high.y - made.low.y, high.z - made.low.z}) * 1.001f;
    if (!(made.edge > 0) || !std::isfinite(made.edge))
        return {};

    std::vector<MortonCell> order(sample.positions.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Cell cell = finestCell(made, sample.positions[i]);
        order[i] = {mortonCode(cell), cell};
    }
    std::ranges::sort(order, {}, &MortonCell::code);
    std::vector<PartIndex> indices;
    for (int depth = 0; depth + kRimDepth <= kDeepest; ++depth) {
        std::vector<CellKey> occupied;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const int shift = 3 * (kDeepest - depth);
            if (i == 0 || order[i].code >> shift != order[i - 1].code >> shift)
                occupied.push_back(keyOf(atDepth(order[i].cell, depth)));
        }
        const double inBox = double(sample.points) / double(occupied.size());
        if (!made.sizes.empty() && inBox < kLeastInBox)
            break;
        SampledBoxes boxes;
        boxes.depth = depth;
        boxes.cells = chooseBoxes(occupied);
        boxes.coverage = double(boxes.cells.size()) / double(occupied.size());
        std::vector<CellKey> keys;
        for (const CellKey cell : boxes.cells)
            std::ranges::copy(partsOf(cell, depth), std::back_inserter(keys));
        PartIndex index(std::move(keys));
        double seen = 0;
        for (const MortonCell& m : order)
            seen += index.find(keyOf(atDepth(m.cell, depth + kRimDepth))) < index.size() ? 1 : 0;
        boxes.share = std::min(1.0, kMaxPoints * sample.share / seen);
        if (boxes.coverage >= 1) { // the boxes of this size are larger than the previous ones, and also
                                   // contain all points
            made.sizes.clear();
            indices.clear();
        }
        made.sizes.push_back(std::move(boxes));
        indices.push_back(std::move(index));
    }

    constexpr std::size_t grain = 1 << 16;
    const std::size_t chunks = chunkCount(cloud.size(), grain);
    std::vector<std::vector<std::vector<Found>>> found(made.sizes.size(),
                                                       std::vector<std::vector<Found>>(chunks));
    const Vec3d origin = cloud.origin();
    parallelChunks(cloud.size(), grain, stop, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Vec3f p = (cloud.position(i) - origin).as<float>();
            bool isInside = true;
            for (int axis = 0; axis < 3; ++axis) // false for NaN
                isInside &= p[axis] >= made.low[axis] && p[axis] < made.low[axis] + made.edge;
            if (!isInside)
                continue;
            const Cell cell = finestCell(made, p);
            const double random = double(mixBits(i) >> 11) * 0x1p-53;
            for (std::size_t size = 0; size < made.sizes.size(); ++size) {
                if (random >= made.sizes[size].share)
                    continue;
                const PartIndex& index = indices[size];
                const std::size_t part = index.find(keyOf(atDepth(cell, made.sizes[size].depth + kRimDepth)));
                if (part < index.size())
                    found[size][chunk].push_back({std::uint32_t(part), p});
            }
        }
    });
    for (std::size_t size = 0; size < made.sizes.size(); ++size)
        fill(made.sizes[size], indices[size], found[size], sample.share);
    return made;
}

} // namespace scanloupe
