#pragma once
// Collects the faces of a mesh from a file as triangles.
#include "kernels/core/buffer.h"

#include <cstdint>
#include <span>
#include <vector>

namespace scanloupe {

/// Triangles of vertices that were read as points, and what was left out.
struct MeshFaces {
    std::vector<std::uint32_t> indices; ///< [T, 3] rows of the vertices
    std::uint64_t polygons = 0;         ///< faces in the file
    std::uint64_t missing = 0;          ///< faces that name a vertex that is not there
    std::uint64_t collapsed = 0;        ///< faces with fewer than three different vertices
    bool isCut = false;                 ///< the file ends within them
};

/// Takes polygons and makes triangles of them: fans from their first vertex.
class FaceCollector {
public:
    explicit FaceCollector(std::uint64_t vertices) : m_vertices(vertices) {}

    void addPolygon(std::span<const std::int64_t> corners);
    void addTriangle(std::int64_t a, std::int64_t b, std::int64_t c) {
        const std::int64_t corners[] = {a, b, c};
        addPolygon(corners);
    }
    /// Triangles of consecutive vertices with alternating order; negative ones part strips.
    void addStrip(std::span<const std::int64_t> corners);
    void endsEarly() { m_faces.isCut = true; }
    MeshFaces finish() { return std::move(m_faces); }

private:
    std::uint64_t m_vertices;
    MeshFaces m_faces;
};

} // namespace scanloupe
