#pragma once
// Collects the faces of a mesh from a file as triangles.
#include "kernels/core/vec3.h"

#include <cstdint>
#include <span>
#include <vector>

namespace scanloupe {

class PointCloud;

/// Triangles between vertices that were read as points, and the number of faces left out.
struct MeshFaces {
    std::vector<std::uint32_t> indices; ///< [T, 3] rows of the vertices
    std::uint64_t polygons = 0;         ///< faces in the file
    std::uint64_t missing = 0;          ///< faces that can't be read or name a missing vertex
    std::uint64_t collapsed = 0;        ///< faces with fewer than three different vertices
    bool isCut = false;                 ///< the file ends within them
};

/// Triangulates polygons: fans of convex ones, and ear clipping of others (Meisters, "Polygons have ears",
/// 1975), in the plane of the polygon's normal by Newell.
class FaceCollector {
public:
    explicit FaceCollector(const PointCloud& vertices) : m_vertices(vertices) {}

    const PointCloud& vertices() const { return m_vertices; }
    void addPolygon(std::span<const std::int64_t> corners);
    void addTriangle(std::int64_t a, std::int64_t b, std::int64_t c) {
        const std::int64_t corners[] = {a, b, c};
        addPolygon(corners);
    }
    /// Triangles of consecutive vertices with alternating order; negative ones part strips. Those that have
    /// no area stitch strips together, and are no faces.
    void addStrip(std::span<const std::int64_t> corners);
    /// Faces that can't be read.
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
