#pragma once
// Declares the collection of a mesh file's faces as triangles.
#include "kernels/core/vec3.h"

#include <cstdint>
#include <span>
#include <vector>

namespace scanloupe {

class PointCloud;

/// Triangles between vertices that were read as points, and the numbers of faces left out.
struct MeshFaces {
    std::vector<std::uint32_t> indices; ///< [T, 3] indices of the vertices' rows
    std::uint64_t polygons = 0;         ///< number of faces in the file
    std::uint64_t missing = 0;          ///< number of faces that can't be read or refer to a missing vertex
    std::uint64_t collapsed = 0;        ///< number of faces with fewer than three different vertices
    bool isCut = false;                 ///< whether the file ends within its faces
};

/// Triangulates polygons: convex ones as fans, others by ear clipping (Meisters, "Polygons have ears", 1975)
/// in the plane of the polygon's Newell normal.
class FaceCollector {
public:
    explicit FaceCollector(const PointCloud& vertices) : m_vertices(vertices) {}

    const PointCloud& vertices() const { return m_vertices; }
    void addPolygon(std::span<const std::int64_t> corners);
    void addTriangle(std::int64_t a, std::int64_t b, std::int64_t c) {
        const std::int64_t corners[] = {a, b, c};
        addPolygon(corners);
    }
    /// Adds triangles of consecutive vertices with alternating orientation. Negative indices separate strips.
    /// Triangles without area, which connect strips, are ignored.
    void addStrip(std::span<const std::int64_t> corners);
    /// Counts faces that can't be read.
    void addUnreadable(std::uint64_t faces) {
        m_faces.polygons += faces;
        m_faces.missing += faces;
    }
    std::uint64_t polygons() const { return m_faces.polygons; }
    void endsEarly() { m_faces.isCut = true; }
    MeshFaces finish() { return std::move(m_faces); }

private:
    void add(std::int64_t a, std::int64_t b, std::int64_t c);
    bool isConvex(std::span<const std::int64_t> corners, Vec3d normal) const;
    void clipEars(std::span<const std::int64_t> corners, Vec3d normal);

    const PointCloud& m_vertices;
    MeshFaces m_faces;
};

} // namespace scanloupe
