// Cuts parts out of surfaces on the CPU.
#include "kernels/core/parallel.h"
#include "kernels/mesh/part/part_layout.h"

#include <algorithm>
#include <array>

namespace scanloupe::cpu {

namespace {

using Corners = std::array<CornerBrick, kCornerBricks>;

Corners cornersOf(const PartBricks& bricks, std::uint32_t brick) {
    Corners corners;
    for (unsigned bits = 0; bits < kCornerBricks; ++bits)
        corners[bits] = cornerBrick(bricks, brick, bits);
    return corners;
}

unsigned ownerIn(const Corners& corners, std::uint32_t vertex) {
    const unsigned bits = ownerOf(corners.data(), vertex);
    if (bits == kCornerBricks)
        throw Fault(kStrayVertex);
    return bits;
}

/// Returns the ascending numbers, in the whole surface, of the vertices that the part's triangles use but
/// that bricks outside the part own.
std::vector<std::uint32_t> sharedVertices(const BrickedSurface& surface, const PartBricks& bricks,
                                          const PartLayout& layout, const IndexBox& owned,
                                          const std::stop_token& stop) {
    std::vector<std::uint32_t> shared;
    for (const std::uint32_t b : layout.own) {
        const Vec3i last = brickOf(bricks.keys[b], bricks.dims) + Vec3i{1, 1, 1};
        if (last.x != owned.high.x && last.y != owned.high.y && last.z != owned.high.z)
            continue; // the part owns all bricks whose vertices this brick uses
        if (stop.stop_requested())
            throw Cancelled();
        const Corners corners = cornersOf(bricks, b);
        if (std::ranges::none_of(corners, &CornerBrick::isShared))
            continue;
        for (std::uint64_t i = 3 * surface.bricks.firstTriangle[b];
             i < 3 * surface.bricks.firstTriangle[b + 1]; ++i) {
            const std::uint32_t vertex = surface.mesh.indices[i];
            if (corners[ownerIn(corners, vertex)].isShared())
                shared.push_back(vertex);
        }
    }
    std::ranges::sort(shared);
    shared.erase(std::unique(shared.begin(), shared.end()), shared.end());
    return shared;
}

/// Processes bricks one at a time: computes a brick's digest, and writes its triangles with vertex numbers of
/// the part.
class BrickCutter {
public:
    BrickCutter(const BrickedSurface& surface, std::span<const VertexColumn> columns,
                const PartBricks& bricks, std::span<const std::uint32_t> shared, std::uint64_t ownVertices)
        : m_surface(surface), m_columns(columns), m_bricks(bricks), m_shared(shared),
          m_ownVertices(ownVertices) {}

    /// Returns the digest of a brick. @param indices receives the brick's triangles
    Sha256Digest cut(std::uint32_t brick, std::span<std::uint32_t> indices) {
        const SurfaceBricks& bricks = m_surface.bricks;
        const TriangleMesh& mesh = m_surface.mesh;
        const Corners corners = cornersOf(m_bricks, brick);
        const std::uint64_t vertex = bricks.firstVertex[brick], triangle = bricks.firstTriangle[brick],
                            vertices = bricks.firstVertex[brick + 1] - vertex;
        m_codes.clear();
        for (std::size_t i = 0; i < indices.size(); ++i) {
            const std::uint32_t index = mesh.indices[3 * triangle + i];
            const unsigned bits = ownerIn(corners, index);
            const CornerBrick& owner = corners[bits];
            m_codes.push_back(cornerCode(owner, bits, index));
            indices[i] =
                owner.isShared() ? sharedNumber(index) : owner.firstInPart + (index - owner.firstVertex);
        }
        Sha256 sum;
        sum.add(std::span<const std::uint64_t>(&bricks.keys[brick], 1));
        sum.add(std::span<const Vec3f>(mesh.positions.span().subspan(vertex, vertices)));
        sum.add(std::span<const Vec3f>(mesh.normals.span().subspan(vertex, vertices)));
        for (const VertexColumn& column : m_columns)
            sum.add(column.subspan(4 * vertex, 4 * vertices));
        sum.add(std::span<const std::uint16_t>(m_codes));
        return sum.digest();
    }

private:
    std::uint32_t sharedNumber(std::uint32_t index) const {
        const auto found = std::ranges::lower_bound(m_shared, index);
        return std::uint32_t(m_ownVertices + std::uint64_t(found - m_shared.begin()));
    }

    const BrickedSurface& m_surface;
    std::span<const VertexColumn> m_columns;
    const PartBricks& m_bricks;
    std::span<const std::uint32_t> m_shared;
    std::uint64_t m_ownVertices;
    std::vector<std::uint16_t> m_codes;
};

} // namespace

SurfacePart cutSurface(const BrickedSurface& surface, std::span<const VertexColumn> columns, Vec3i brickDims,
                       const IndexBox& owned, const std::stop_token& stop) {
    constexpr std::size_t grain = 32; // number of bricks per chunk
    const TriangleMesh& mesh = surface.mesh;
    const PartLayout layout(surface, columns, brickDims, owned);
    const PartBricks bricks{surface.bricks.keys.data(), layout.firstVertex.data(), layout.firstInPart.data(),
                            std::uint32_t(surface.bricks.size()), brickDims};
    const std::vector<std::uint32_t> shared = sharedVertices(surface, bricks, layout, owned, stop);
    SurfacePart part = describedPart(surface.bricks, layout, shared);
    part.mesh.positions = Buffer<Vec3f>::host(layout.ownVertices + shared.size());
    part.mesh.normals = Buffer<Vec3f>::host(part.mesh.positions.size());
    part.mesh.indices = Buffer<std::uint32_t>::host(3 * layout.triangles());
    parallelFor(layout.own.size(), grain, stop, [&](std::size_t begin, std::size_t end) {
        BrickCutter cutter(surface, columns, bricks, shared, layout.ownVertices);
        for (std::size_t i = begin; i < end; ++i) {
            const std::uint32_t b = layout.own[i];
            part.bricks[i].digest =
                cutter.cut(b, part.mesh.indices.span().subspan(3 * layout.firstTriangle[i],
                                                               3 * std::size_t(part.bricks[i].triangles)));
            const std::uint32_t first = layout.firstVertex[b], to = layout.firstInPart[b];
            std::copy_n(mesh.positions.data() + first, part.bricks[i].vertices,
                        part.mesh.positions.data() + to);
            std::copy_n(mesh.normals.data() + first, part.bricks[i].vertices, part.mesh.normals.data() + to);
        }
    });
    for (std::size_t i = 0; i < shared.size(); ++i) {
        part.mesh.positions[layout.ownVertices + i] = mesh.positions[shared[i]];
        part.mesh.normals[layout.ownVertices + i] = mesh.normals[shared[i]];
    }
    return part;
}

} // namespace scanloupe::cpu
