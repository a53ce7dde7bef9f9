// Compares the normals of points with those of a reference.
#include "engine/inspect/turned_points.h"

#include "engine/cloud/error.h"
#include "engine/inspect/closest_point.h"
#include "engine/inspect/reference.h"
#include "kernels/change/nearest_points.h"
#include "kernels/core/parallel.h"
#include "kernels/mesh/nearest_triangles.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <vector>

namespace scanloupe {

namespace {

Buffer<std::uint32_t> nearestOf(const Reference& reference, const Buffer<Vec3f>& points,
                                const Execution& on) {
    if (const ReferenceMesh* mesh = reference.mesh())
        return NearestTriangles(mesh->mesh, mesh->tree, on).of(points, kAnyDistance);
    const ReferenceScan& scan = *reference.scan();
    const cpu::PointSearch search({scan.tree.view(), scan.points.data()}, on.stop);
    return NearestPoints(scan.points, scan.tree, search, on).of(points, kAnyDistance);
}

/// Finds the triangles at each vertex of a mesh.
class TrianglesAtVertices {
public:
    explicit TrianglesAtVertices(const TriangleMesh& mesh) : m_mesh(mesh), m_begins(mesh.vertexCount() + 1) {
        for (const std::uint32_t vertex : mesh.indices.span())
            ++m_begins[vertex + 1];
        std::partial_sum(m_begins.begin(), m_begins.end(), m_begins.begin());
        std::vector<std::uint64_t> next(m_begins.begin(), m_begins.end() - 1);
        m_triangles.resize(mesh.indices.size());
        for (std::size_t i = 0; i < mesh.indices.size(); ++i)
            m_triangles[next[mesh.indices[i]]++] = std::uint32_t(i / 3);
    }
    /// Calls `is` with each triangle that shares the feature (edge or vertex) of a triangle, until `is`
    /// returns true.
    /// @returns whether `is` has returned true
    template <class Is>
    bool anySharing(std::uint32_t triangle, MeshFeature feature, Is&& is) const {
        if (feature == MeshFeature::face || feature == MeshFeature::none)
            return is(triangle);
        const bool isEdge = feature < MeshFeature::vertexA;
        const auto place =
            std::size_t(feature) - std::size_t(isEdge ? MeshFeature::edgeAB : MeshFeature::vertexA);
        const auto corner = [&](std::size_t i) { return m_mesh.indices[3 * std::size_t{triangle} + i % 3]; };
        const std::uint32_t from = corner(place), to = isEdge ? corner(place + 1) : from;
        for (std::uint64_t i = m_begins[from]; i < m_begins[from + 1]; ++i) {
            const auto corners = m_mesh.indices.span().subspan(3 * std::size_t{m_triangles[i]}, 3);
            if (std::ranges::find(corners, to) != corners.end() && is(m_triangles[i]))
                return true;
        }
        return false;
    }

private:
    const TriangleMesh& m_mesh;
    std::vector<std::uint64_t> m_begins;    // [M + 1] into `m_triangles`
    std::vector<std::uint32_t> m_triangles; // [3 T]
};

} // namespace

void leaveOutTurned(SignedDistances& distances, const Buffer<Vec3f>& points, const Buffer<Vec3f>& normals,
                    const Reference& reference, double degrees, const Execution& on) {
    if (normals.empty() || !reference.hasSigns())
        throw EngineError(normals.empty() ? "The maximum angle between normals (--largest-angle) needs a "
                                            "scan with normals, but the scan has none."
                                          : "The maximum angle between normals (--largest-angle) needs "
                                            "normals, but the reference is a scan without normals.",
                          "Omit --largest-angle, or set it to 0 for no limit; or use scans with normals.");
    const Buffer<std::uint32_t> items = nearestOf(reference, points, on);
    const double least = std::cos(degrees * std::numbers::pi / 180);
    // beyond an edge or a corner, a point is equally far from several faces: the best of their normals counts
    const auto around = reference.mesh() ? std::optional<TrianglesAtVertices>(reference.mesh()->mesh)
                                         : std::optional<TrianglesAtVertices>();
    parallelFor(points.size(), 1 << 14, on.stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (std::isnan(distances.values[i]) || items[i] == kNoItem)
                continue;
            const Vec3d mine = normals[i].as<double>();
            bool isCompared = false;
            const auto isAlike = [&](std::uint32_t item) {
                const Vec3d its = normalOf(reference, item);
                isCompared |= squaredNorm(its) > 0;
                return squaredNorm(its) > 0 && std::max(dot(mine, its), -1.0) >= least;
            };
            const auto feature = MeshFeature(distances.features[i] & ~kAtBorder);
            const bool isKept =
                !(squaredNorm(mine) > 0) ||
                (around ? around->anySharing(items[i], feature, isAlike) : isAlike(items[i])) || !isCompared;
            if (isKept)
                continue;
            distances.values[i] = kNoDistance;
            distances.features[i] = kTurned;
        }
    });
}

} // namespace scanloupe
