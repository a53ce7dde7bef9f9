// Sums points and normals by cell and direction, and finds cells by hashing.
#include "kernels/register/surface_map.h"
#include "kernels/core/number_text.h"

#include "kernels/core/error.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <string>

namespace scanloupe {

namespace {

constexpr std::size_t kFirstSlots = 1024;
constexpr double kLevelRatio = 3;
constexpr Vec3i kNotAddedTo{kNdtReach, kNdtReach, kNdtReach}; // out of range

void checkEdge(double edge) {
    if (!(edge > 0) || !std::isfinite(edge))
        throw KernelError("the edge length of cells must be above 0 m (got " + shortNumber(edge) + ")",
                          "Set a length such as 0.25 m.");
}

} // namespace

SurfacePlacing placeSurfaces(Vec3d origin, const RigidTransform& pose, const SurfaceLevel& level,
                             bool hasPatches, Vec3d& mapOrigin) {
    if (!isFinite(origin) || !isFinite(pose))
        throw KernelError("the pose or origin of a scan is not finite", "Check the poses that were read.");
    if (!hasPatches)
        mapOrigin = ndtMapOrigin(pose(origin), level.edge);
    SurfacePlacing placing{pose, level};
    placing.local.translation = pose(origin) - mapOrigin;
    return placing;
}

void throwSurfacesBeyond(double edge) {
    throw KernelError("a scan extends more than 2^20 cells of " + shortNumber(edge) +
                          " m from the origin of the map",
                      "Use a larger resolution, or check the scan's pose.");
}

std::vector<SurfaceLevel> surfaceLevels(double edge, double coarsest, bool isOriented) {
    checkEdge(edge);
    std::vector<SurfaceLevel> all{{edge, isOriented, kThinPlane * edge}, {edge, isOriented}};
    const double coarser = std::round(std::log(coarsest / edge) / std::log(kLevelRatio));
    for (int level = 1; level <= int(std::clamp(coarser, 0.0, kMaxSurfaceLevels - 2.0)); ++level)
        all.push_back({edge * std::pow(coarsest / edge, level / coarser), isOriented});
    return all;
}

SurfaceMap::SurfaceMap(const SurfaceLevel& level) : m_level(level) {
    checkEdge(level.edge);
}

SurfaceSlot& SurfaceMap::slotOf(std::uint64_t key) {
    std::size_t slot = ndtHash(key) & (m_slots.size() - 1);
    while (m_slots[slot].key != key && m_slots[slot].key != kNoNdtKey)
        slot = (slot + 1) & (m_slots.size() - 1);
    return m_slots[slot];
}

void SurfaceMap::growSlots() {
    std::vector<SurfaceSlot> old(m_slots.empty() ? kFirstSlots : 2 * m_slots.size());
    old.swap(m_slots);
    for (const SurfaceSlot& slot : old)
        if (slot.key != kNoNdtKey)
            slotOf(slot.key) = slot;
}

std::uint32_t SurfaceMap::patchOf(SurfaceSlot& slot, std::uint32_t direction) {
    std::uint32_t last = kNoPatch;
    for (std::uint32_t patch = slot.patch; patch != kNoPatch; patch = m_patches[patch].next) {
        if (m_sums[patch].direction == direction)
            return patch;
        last = patch;
    }
    const auto added = static_cast<std::uint32_t>(m_patches.size());
    m_patches.emplace_back();
    m_sums.emplace_back().direction = direction;
    (last == kNoPatch ? slot.patch : m_patches[last].next) = added;
    return added;
}

void SurfaceMap::add(const PointShapes& shapes, Vec3d origin, const RigidTransform& pose) {
    const SurfacePlacing placing = placeSurfaces(origin, pose, m_level, !m_patches.empty(), m_origin);
    std::vector<Vec3i> cells(m_patches.size(), kNotAddedTo); // of the patches that points are added to
    const auto setPatches = [&] {
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (!(cells[i] == kNotAddedTo))
                m_sums[i].setPatch(placing.middleOf(cells[i]), m_patches[i]);
    };
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        PlacedSurface placed;
        const SurfacePlace where =
            placing.place(shapes.points[i], shapes.normals[i], shapes.thickness[i], placed);
        if (where == SurfacePlace::beyond) {
            setPatches();
            throwSurfacesBeyond(m_level.edge);
        }
        if (where == SurfacePlace::none)
            continue;
        if (m_slots.size() < 2 * (m_cells + 1))
            growSlots();
        SurfaceSlot& slot = slotOf(ndtKey(placed.cell));
        if (slot.key == kNoNdtKey)
            ++m_cells;
        slot.key = ndtKey(placed.cell);
        const std::uint32_t patch = patchOf(slot, placed.direction);
        m_sums[patch].add(placed.offset, placed.normal);
        cells.resize(m_patches.size(), kNotAddedTo);
        cells[patch] = placed.cell;
    }
    setPatches();
}

void SurfaceMap::keepNear(Vec3d place, double radius) {
    const Vec3d middle = place - m_origin;
    // New number of each patch after the removal of others.
    std::vector<std::uint32_t> numbers(m_patches.size(), kNoPatch);
    std::vector<SurfaceSlot> kept;
    for (const SurfaceSlot& slot : m_slots) {
        if (slot.key == kNoNdtKey || !isCellNear(ndtCellOfKey(slot.key), m_level.edge, middle, radius))
            continue;
        kept.push_back(slot);
        for (std::uint32_t i = slot.patch; i != kNoPatch; i = m_patches[i].next)
            numbers[i] = 0;
    }
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        if (numbers[i] != kNoPatch) {
            numbers[i] = count;
            m_patches[count] = m_patches[i];
            m_sums[count] = m_sums[i];
            ++count;
        }
    m_patches.resize(count);
    m_sums.resize(count);
    for (SurfacePatch& patch : m_patches)
        if (patch.next != kNoPatch)
            patch.next = numbers[patch.next];
    m_cells = kept.size();
    m_slots.assign(std::bit_ceil(std::max(kFirstSlots, 2 * (m_cells + 1))), {kNoNdtKey, kNoPatch});
    for (const SurfaceSlot& slot : kept)
        slotOf(slot.key) = {slot.key, numbers[slot.patch]};
}

std::uint64_t SurfaceMap::bytes() const {
    return m_patches.size() * (sizeof(SurfacePatch) + sizeof(SurfaceSums)) +
           m_slots.size() * sizeof(SurfaceSlot);
}

SurfacePyramid::SurfacePyramid(double edge, double coarsest, bool isOriented) {
    for (const SurfaceLevel& level : surfaceLevels(edge, coarsest, isOriented))
        m_levels.emplace_back(level);
}

void SurfacePyramid::add(const PointShapes& shapes, Vec3d origin, const RigidTransform& pose) {
    for (SurfaceMap& level : m_levels)
        level.add(shapes, origin, pose);
}

void SurfacePyramid::keepNear(Vec3d place, double radius) {
    for (SurfaceMap& level : m_levels)
        level.keepNear(place, radius);
}

std::uint64_t SurfacePyramid::bytes() const {
    return std::accumulate(m_levels.begin(), m_levels.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const SurfaceMap& level) { return sum + level.bytes(); });
}

} // namespace scanloupe
