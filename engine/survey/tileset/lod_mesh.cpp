// Clusters vertices by cells, and builds the meshes of octree nodes.
#include "engine/survey/tileset/lod_mesh.h"

#include "kernels/field/core/brick_neighbours.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace scanloupe {

namespace {

constexpr double kUnit = 1 << 12; // fixed-point steps per lattice cell, and per unit of a normal
constexpr int kApronCells = 2;    // width of the apron; clustering moves a vertex by less than one cell

void sortUnique(std::vector<LodTriangle>& triangles) {
    std::ranges::sort(triangles);
    triangles.erase(std::unique(triangles.begin(), triangles.end()), triangles.end());
}

/// Whether a cell is inside a node, or at most `cells` cells away from it.
bool isNear(const LodGrid& grid, const LodNode& node, Vec3i cell, int cells) {
    const Vec3i low = node.place * grid.cellsPerNode();
    for (int axis = 0; axis < 3; ++axis)
        if (cell[axis] < low[axis] - cells || cell[axis] >= low[axis] + grid.cellsPerNode() + cells)
            return false;
    return true;
}

/// The order of vertices in a node's mesh: own vertices first, then those of neighbours that triangles use.
class VertexOrder {
public:
    static constexpr std::uint32_t kUnused = 0xffffffffu;

    /// @param keys in ascending order
    template <class IsOwn>
    VertexOrder(std::span<const std::uint64_t> keys, std::span<const LodTriangle> triangles, IsOwn&& isOwn)
        : m_numbers(keys.size(), kUnused) {
        std::vector<char> isUsed(keys.size());
        for (const LodTriangle& triangle : triangles)
            for (const std::uint64_t key : triangle)
                isUsed[placeOf(keys, key)] = 1;
        for (std::size_t v = 0; v < keys.size(); ++v)
            if (isOwn(keys[v]))
                m_numbers[v] = m_count++;
        m_own = m_count;
        for (std::size_t v = 0; v < keys.size(); ++v)
            if (m_numbers[v] == kUnused && isUsed[v])
                m_numbers[v] = m_count++;
    }
    std::uint32_t numberOf(std::size_t place) const { return m_numbers[place]; }
    /// Returns the mesh without positions and normals.
    NodeMesh mesh(std::span<const std::uint64_t> keys, std::span<const LodTriangle> triangles) const {
        NodeMesh result;
        result.ownVertices = m_own;
        result.mesh.positions = Buffer<Vec3f>::host(m_count);
        result.mesh.normals = Buffer<Vec3f>::host(m_count);
        result.colours.resize(m_count);
        result.mesh.indices = Buffer<std::uint32_t>::host(3 * triangles.size());
        for (std::size_t t = 0; t < triangles.size(); ++t)
            for (std::size_t i = 0; i < 3; ++i)
                result.mesh.indices[3 * t + i] = m_numbers[placeOf(keys, triangles[t][i])];
        return result;
    }

private:
    static std::size_t placeOf(std::span<const std::uint64_t> keys, std::uint64_t key) {
        return std::size_t(std::ranges::lower_bound(keys, key) - keys.begin());
    }

    std::vector<std::uint32_t> m_numbers; // [keys] index of the vertex in the mesh
    std::uint32_t m_count = 0, m_own = 0;
};

Vec3f unitOf(Vec3d v) {
    const double length = norm(v);
    return length > 0 ? (v / length).as<float>() : Vec3f{0, 0, 1};
}

} // namespace

LodTriangle fromLeastCorner(const LodTriangle& t) {
    if (t[0] <= t[1] && t[0] <= t[2])
        return t;
    return t[1] <= t[2] ? LodTriangle{t[1], t[2], t[0]} : LodTriangle{t[2], t[0], t[1]};
}

NodeMesh LeafMesh::finish(const LodGrid& grid, const LodNode& node) {
    std::ranges::sort(vertices, {}, &LeafVertex::key);
    const auto isSame = [](const LeafVertex& a, const LeafVertex& b) { return a.key == b.key; };
    vertices.erase(std::unique(vertices.begin(), vertices.end(), isSame), vertices.end());
    sortUnique(triangles);
    std::vector<std::uint64_t> keys;
    std::ranges::transform(vertices, std::back_inserter(keys), &LeafVertex::key);
    std::erase_if(triangles, [&](const LodTriangle& triangle) {
        return !std::ranges::all_of(triangle,
                                    [&](std::uint64_t key) { return std::ranges::binary_search(keys, key); });
    });
    const VertexOrder order(keys, triangles, [&](std::uint64_t key) {
        return grid.nodeOfBrick(brickOf(key >> LeafVertex::kNumberBits, grid.brickDims()), 0) == node;
    });
    NodeMesh result = order.mesh(keys, triangles);
    for (std::size_t v = 0; v < vertices.size(); ++v)
        if (const std::uint32_t number = order.numberOf(v); number != VertexOrder::kUnused) {
            result.mesh.positions[number] = vertices[v].position;
            result.mesh.normals[number] = vertices[v].normal;
            result.colours[number] = vertices[v].colour;
        }
    vertices = {};
    triangles = {};
    return result;
}

CellSum& CellSum::operator+=(const CellSum& other) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        position[axis] += other.position[axis];
        normal[axis] += other.normal[axis];
        colour[axis] += other.colour[axis];
    }
    count += other.count;
    return *this;
}

CellSum cellSum(const LodGrid& grid, std::uint64_t key, Vec3f position, Vec3f normal, std::uint32_t colour) {
    CellSum sum;
    sum.key = key;
    sum.count = 1;
    const LatticeShape& lattice = grid.lattice();
    for (int axis = 0; axis < 3; ++axis) {
        const double at =
            (double(position[axis]) - double(lattice.origin[axis])) / double(lattice.spacing[axis]);
        sum.position[std::size_t(axis)] = std::llround(at * kUnit);
        sum.normal[std::size_t(axis)] = std::llround(double(normal[axis]) * kUnit);
        sum.colour[std::size_t(axis)] = colour >> 8 * axis & 0xff;
    }
    return sum;
}

void ClusterMesh::compact() {
    std::ranges::sort(cells, {}, &CellSum::key);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (kept > 0 && cells[kept - 1].key == cells[i].key)
            cells[kept - 1] += cells[i];
        else
            cells[kept++] = cells[i];
    }
    cells.resize(kept);
    sortUnique(triangles);
}

void ClusterMesh::addChild(const LodGrid& grid, const ClusterMesh& child) {
    const auto keyAbove = [&](std::uint64_t key) {
        const Vec3i cell = grid.cellOf(key);
        return grid.cellKey({cell.x >> 1, cell.y >> 1, cell.z >> 1});
    };
    for (CellSum cell : child.cells) {
        cell.key = keyAbove(cell.key);
        cells.push_back(cell);
    }
    for (const LodTriangle& triangle : child.triangles) {
        const LodTriangle above{keyAbove(triangle[0]), keyAbove(triangle[1]), keyAbove(triangle[2])};
        if (above[0] != above[1] && above[1] != above[2] && above[2] != above[0])
            triangles.push_back(fromLeastCorner(above));
    }
}

NodeMesh clusteredMesh(const LodGrid& grid, const LodNode& node, const ClusterNeighbours& around) {
    std::vector<LodTriangle> triangles;
    for (std::size_t slot = 0; slot < around.size(); ++slot) {
        if (!around[slot])
            continue;
        const bool isOwn = slot == neighbourSlot(0, 0, 0);
        for (const LodTriangle& triangle : around[slot]->triangles)
            if (isOwn || std::ranges::any_of(triangle, [&](std::uint64_t key) {
                    return isNear(grid, node, grid.cellOf(key), kApronCells);
                }))
                triangles.push_back(triangle);
    }
    sortUnique(triangles);
    const auto sumOf = [&](std::uint64_t key) -> const CellSum* {
        const Vec3i owner = grid.nodeOfCell(grid.cellOf(key), node.level).place - node.place;
        if (std::abs(owner.x) > 1 || std::abs(owner.y) > 1 || std::abs(owner.z) > 1)
            return nullptr;
        const ClusterMesh* mesh = around[neighbourSlot(owner.x, owner.y, owner.z)];
        if (!mesh)
            return nullptr;
        const auto found = std::ranges::lower_bound(mesh->cells, key, {}, &CellSum::key);
        return found != mesh->cells.end() && found->key == key ? &*found : nullptr;
    };
    // If a tile lacks points, neighbours may refer to vertices that don't exist.
    std::erase_if(triangles, [&](const LodTriangle& triangle) {
        return std::ranges::any_of(triangle, [&](std::uint64_t key) { return !sumOf(key); });
    });
    const ClusterMesh* own = around[neighbourSlot(0, 0, 0)];
    std::vector<std::uint64_t> keys;
    if (own)
        std::ranges::transform(own->cells, std::back_inserter(keys), &CellSum::key);
    for (const LodTriangle& triangle : triangles)
        keys.insert(keys.end(), triangle.begin(), triangle.end());
    std::ranges::sort(keys);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    const VertexOrder order(keys, triangles, [&](std::uint64_t key) {
        return grid.nodeOfCell(grid.cellOf(key), node.level) == node;
    });
    NodeMesh result = order.mesh(keys, triangles);
    const LatticeShape& lattice = grid.lattice();
    for (std::size_t v = 0; v < keys.size(); ++v) {
        const std::uint32_t number = order.numberOf(v);
        const CellSum* sum = sumOf(keys[v]);
        if (number == VertexOrder::kUnused || !sum)
            continue;
        Vec3d normal;
        for (int axis = 0; axis < 3; ++axis) {
            const double at = double(sum->position[std::size_t(axis)]) / double(sum->count) / kUnit;
            result.mesh.positions[number][axis] =
                float(double(lattice.origin[axis]) + at * double(lattice.spacing[axis]));
            normal[axis] = double(sum->normal[std::size_t(axis)]);
        }
        result.mesh.normals[number] = unitOf(normal);
        result.colours[number] = 0xff000000u;
        for (std::size_t c = 0; c < 3; ++c)
            result.colours[number] |= std::uint32_t((sum->colour[c] + sum->count / 2) / sum->count) << 8 * c;
    }
    return result;
}

} // namespace scanloupe
