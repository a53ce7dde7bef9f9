// Simplifies meshes by vertex clustering (after Rossignac and Borrel, 1993): fast, and good enough for a mesh
// that moves.
#include "gui/views/geometry/colour_look.h"
#include "gui/views/geometry/view_geometry.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <bit>

namespace scanloupe::gui {

namespace {

constexpr std::size_t kGrain = 1 << 15;
/// Uniform grid of cubes over the extent of a mesh; keys number the cubes along x, then y, then z.
class CubeGrid {
public:
    CubeGrid(const std::vector<MeshVertex>& vertices, float cell) : m_low(vertices.front().position) {
        Vec3f high = m_low;
        for (const MeshVertex& v : vertices) {
            m_low = scanloupe::min(v.position, m_low); // this order of arguments ignores NaN
            high = scanloupe::max(v.position, high);
        }
        constexpr float most = (1 << 21) - 2; // cubes per axis: 63 bits in all
        const Vec3f extent = high - m_low;
        m_inverse = 1 / std::max({cell, extent.x / most, extent.y / most, extent.z / most});
        for (int axis = 0; axis < 3; ++axis)
            m_dims[axis] = static_cast<std::uint64_t>(extent[axis] * m_inverse) + 1;
    }
    std::uint64_t key(Vec3f p) const {
        const Vec3f at = (p - m_low) * m_inverse;
        const auto part = [&](int axis) {
            return at[axis] > 0 ? std::min(static_cast<std::uint64_t>(at[axis]), m_dims[axis] - 1) : 0;
        };
        return (part(2) * m_dims[1] + part(1)) * m_dims[0] + part(0);
    }
    int keyBits() const { return std::bit_width(m_dims[0] * m_dims[1] * m_dims[2]); }

private:
    Vec3f m_low;
    float m_inverse;
    std::uint64_t m_dims[3];
};

/// Merges each run of equal keys into a vertex; `clusterOf` receives the merged vertex of every fine one.
std::vector<MeshVertex> mergedVertices(const MeshPart& fine, const std::vector<KeyIndex>& items,
                                       ColourLook::Mode mode, std::vector<std::uint32_t>& clusterOf) {
    std::vector<MeshVertex> merged;
    for (std::size_t i = 0; i < items.size();) {
        Vec3f position{}, normal{};
        ColourMean colour(mode);
        const std::uint64_t key = items[i].key;
        const std::size_t first = i;
        for (; i < items.size() && items[i].key == key; ++i) {
            const MeshVertex& v = fine.vertices[items[i].index];
            position += v.position;
            normal += Vec3f{float(v.normal[0]), float(v.normal[1]), float(v.normal[2])};
            colour.add(v.colour);
            clusterOf[items[i].index] = static_cast<std::uint32_t>(merged.size());
        }
        normal = normalized(normal) * 32767.0f;
        const std::array<std::int16_t, 4> direction{static_cast<std::int16_t>(normal.x),
                                                    static_cast<std::int16_t>(normal.y),
                                                    static_cast<std::int16_t>(normal.z), 0};
        merged.push_back({position / static_cast<float>(i - first), direction, colour.bits()});
    }
    return merged;
}

} // namespace

MeshPart clusterVertices(const MeshPart& fine, float cell, ColourLook::Mode mode,
                         const std::stop_token& stop) {
    const std::size_t count = fine.vertices.size();
    if (count == 0)
        return {};
    const CubeGrid cubes(fine.vertices, cell);
    std::vector<KeyIndex> items(count), scratch(count);
    parallelFor(count, kGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            items[i] = {cubes.key(fine.vertices[i].position), i};
    });
    parallelSortByKey(items, scratch, cubes.keyBits(), stop);
    std::vector<std::uint32_t> clusterOf(count);
    MeshPart level;
    level.vertices = mergedVertices(fine, items, mode, clusterOf);
    if (stop.stop_requested())
        throw Cancelled();
    for (std::size_t i = 0; i + 2 < fine.indices.size(); i += 3) {
        const std::uint32_t a = clusterOf[fine.indices[i]], b = clusterOf[fine.indices[i + 1]],
                            c = clusterOf[fine.indices[i + 2]];
        if (a != b && b != c && a != c)
            level.indices.insert(level.indices.end(), {a, b, c});
    }
    return level;
}

} // namespace scanloupe::gui
