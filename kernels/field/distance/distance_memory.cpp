// Compares the input of a signed distance with the input of a previous one, brick by brick.
#include "kernels/field/distance/distance_memory.h"

#include "kernels/core/parallel.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

namespace scanloupe::cpu {

namespace {

constexpr std::size_t kDistanceMemoryGrain = 256; // number of bricks per chunk

template <class T>
bool areSame(const T* a, const T* b, std::size_t count) {
    return std::memcmp(a, b, count * sizeof(T)) == 0;
}

bool areSame(const Support& a, const Support& b) {
    return a.radius == b.radius && a.reach == b.reach;
}

bool areAlike(const VectorColumns& a, const VectorColumns& b) {
    return a.exist() == b.exist() && a.offset == b.offset;
}

/// Returns whether the previous field was computed with the same parameters on the same lattice.
bool isAlike(const PreviousDistance& earlier, const FieldParams& params, const FieldLayout& layout) {
    const FieldParams& before = earlier.params;
    if (before.kind != params.kind || earlier.voxels.size() == 0)
        return false;
    const FieldLayout known = layoutOf(earlier.voxels, before);
    return known.lattice == layout.lattice && areSame(known.nodes, layout.nodes) &&
           areSame(known.normals, layout.normals) &&
           areAlike(before.normals.normals, params.normals.normals) &&
           areAlike(before.normals.sensors, params.normals.sensors) &&
           before.normals.sensor == params.normals.sensor;
}

/// Calls `visit(first, before, count)` for each row of a brick, with the indices of its first voxel now and
/// before, until `visit` returns false. Returns whether all rows and all results were the same: false if rows
/// differ or `visit` returned false.
template <class Visit>
bool allRows(const VoxelBricks& now, std::size_t brick, const VoxelBricks& then, std::size_t before,
             Visit&& visit) {
    const std::uint32_t begin = now.rowBegins[brick], count = now.rowBegins[brick + 1] - begin;
    const std::uint32_t beginThen = then.rowBegins[before];
    if (then.rowBegins[before + 1] - beginThen != count)
        return false;
    for (std::uint32_t r = 0; r < count; ++r) {
        const VoxelRow &a = now.rows[begin + r], &b = then.rows[beginThen + r];
        if (a.mask != b.mask || a.row != b.row ||
            !visit(a.first, b.first, std::size_t(std::popcount(a.mask))))
            return false;
    }
    return true;
}

} // namespace

std::uint64_t DistanceTrace::bytes() const {
    return bricks.keys.bytes() + bricks.rowBegins.bytes() + bricks.rows.bytes() + around.bytes() +
           estimates.bytes() + oriented.bytes() + normals.bytes() + fieldAround.bytes() + ranges.bytes() +
           cells.keys.bytes() + cells.cells.bytes() + cells.occupied.bytes() + cells.nodes.bytes() +
           nodes.known.bytes() + nodes.inside.bytes();
}

DistanceMemory::DistanceMemory(const PreviousDistance* earlier, const VoxelGrid& voxels,
                               const FieldParams& params, const FieldLayout& layout)
    : m_earlier(earlier && isAlike(*earlier, params, layout) ? earlier : nullptr), m_voxels(voxels),
      m_params(params) {}

bool DistanceMemory::hasSameVoxels(std::size_t brick, std::size_t before) const {
    const VoxelGrid& then = m_earlier->voxels;
    const NormalSource &source = m_params.normals, &sourceThen = m_earlier->params.normals;
    return allRows(*m_bricks, brick, m_earlier->trace.bricks, before,
                   [&](std::size_t first, std::size_t old, std::size_t count) {
                       bool same = areSame(&m_voxels.counts[first], &then.counts[old], count);
                       for (std::size_t axis = 0; axis < 3; ++axis)
                           same = same && areSame(m_voxels.mean(axis) + first, then.mean(axis) + old, count);
                       const auto haveSame = [&](const VectorColumns& a, const VectorColumns& b) {
                           return !a.exist() || (areSame(a.x + first, b.x + old, count) &&
                                                 areSame(a.y + first, b.y + old, count) &&
                                                 areSame(a.z + first, b.z + old, count));
                       };
                       return same && haveSame(source.normals, sourceThen.normals) &&
                              haveSame(source.sensors, sourceThen.sensors);
                   });
}

void DistanceMemory::compareVoxels(const VoxelBricks& bricks, const Buffer<std::uint32_t>& around,
                                   const std::stop_token& stop) {
    m_bricks = &bricks;
    m_around = around.data();
    if (!m_earlier)
        return;
    m_before = matchedBricks(bricks.keys.span(), m_earlier->trace.bricks.keys.span());
    m_sameVoxels.assign(bricks.keys.size(), 0);
    parallelFor(bricks.keys.size(), kDistanceMemoryGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b)
            m_sameVoxels[b] = m_before[b] != kNoBrick && hasSameVoxels(b, m_before[b]);
    });
    std::vector<std::uint64_t> here, gone;
    for (std::size_t b = 0; b < bricks.keys.size(); ++b)
        if (!m_sameVoxels[b])
            here.push_back(bricks.keys[b]);
    std::ranges::set_difference(m_earlier->trace.bricks.keys.span(), bricks.keys.span(),
                                std::back_inserter(gone));
    std::ranges::merge(here, gone, std::back_inserter(m_changed));
    m_cells.emplace(PreviousCells{m_earlier->trace.cells, m_changed});
}

bool DistanceMemory::hasSameAround(const std::uint32_t* now, const std::uint32_t* before,
                                   const std::vector<std::uint8_t>& isSame) const {
    for (std::size_t i = 0; i < kNeighbours; ++i) {
        if (now[i] == kNoBrick ? before[i] != kNoBrick : !isSame[now[i]] || m_before[now[i]] != before[i])
            return false;
    }
    return true;
}

bool DistanceMemory::takeEstimates(std::size_t brick, std::span<Vec3f> estimates,
                                   std::span<std::uint8_t> oriented) const {
    if (!m_earlier || m_before[brick] == kNoBrick)
        return false;
    const DistanceTrace& then = m_earlier->trace;
    if (!hasSameAround(m_around + brick * kNeighbours, &then.around[m_before[brick] * kNeighbours],
                       m_sameVoxels))
        return false;
    return allRows(*m_bricks, brick, then.bricks, m_before[brick],
                   [&](std::size_t first, std::size_t old, std::size_t count) {
                       std::copy_n(&then.estimates[old], count, &estimates[first]);
                       std::copy_n(&then.oriented[old], count, &oriented[first]);
                       return true;
                   });
}

void DistanceMemory::compareNormals(std::span<const Vec3f> normals, const std::stop_token& stop) {
    if (!m_earlier)
        return;
    const std::span<const Vec3f> then = m_earlier->trace.gathered();
    m_sameNormals.assign(m_sameVoxels.size(), 0);
    parallelFor(m_sameVoxels.size(), kDistanceMemoryGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b)
            m_sameNormals[b] =
                m_sameVoxels[b] && allRows(*m_bricks, b, m_earlier->trace.bricks, m_before[b],
                                           [&](std::size_t first, std::size_t old, std::size_t count) {
                                               return areSame(&normals[first], &then[old], count);
                                           });
    });
}

void DistanceMemory::matchField(std::span<const std::uint64_t> keys) {
    if (m_earlier)
        m_fieldBefore = matchedBricks(keys, m_earlier->field.brickKeys.span());
}

bool DistanceMemory::takeValues(std::size_t brick, ScalarField& field, DistanceTrace& trace) const {
    if (!m_earlier || m_fieldBefore[brick] == kNoBrick)
        return false;
    const DistanceTrace& then = m_earlier->trace;
    const std::size_t before = m_fieldBefore[brick], words = brick * kBrickEdge, old = before * kBrickEdge;
    if (!areSame(&trace.cells.nodes[words], &then.cells.nodes[old], kBrickEdge) ||
        !hasSameAround(&trace.fieldAround[brick * kNeighbours], &then.fieldAround[before * kNeighbours],
                       m_sameNormals))
        return false;
    std::copy_n(&m_earlier->field.values[before * kBrickNodes], kBrickNodes,
                &field.values[brick * kBrickNodes]);
    std::copy_n(&then.nodes.known[old], kBrickEdge, &trace.nodes.known[words]);
    std::copy_n(&then.nodes.inside[old], kBrickEdge, &trace.nodes.inside[words]);
    trace.ranges[brick] = then.ranges[before];
    return true;
}

std::optional<std::vector<std::uint64_t>>
DistanceMemory::changedBricks(const ScalarField& field, const std::vector<std::uint8_t>& taken,
                              const std::stop_token& stop) const {
    if (!m_earlier)
        return std::nullopt;
    const ScalarField& then = m_earlier->field;
    const std::size_t bricks = field.brickCount();
    std::vector<std::uint8_t> isChanged(bricks);
    parallelFor(bricks, kDistanceMemoryGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b) {
            const std::size_t before = m_fieldBefore[b];
            isChanged[b] =
                before == kNoBrick ||
                !(taken[b] ||
                  areSame(&field.values[b * kBrickNodes], &then.values[before * kBrickNodes], kBrickNodes)) ||
                !areSame(&field.cellMask[b * kBrickEdge], &then.cellMask[before * kBrickEdge], kBrickEdge);
        }
    });
    std::vector<std::uint64_t> here, gone, changed;
    for (std::size_t b = 0; b < bricks; ++b)
        if (isChanged[b])
            here.push_back(field.brickKeys[b]);
    std::ranges::set_difference(then.brickKeys.span(), field.brickKeys.span(), std::back_inserter(gone));
    std::ranges::merge(here, gone, std::back_inserter(changed));
    return changed;
}

} // namespace scanloupe::cpu
