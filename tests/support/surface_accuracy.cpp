#include "tests/support/surface_accuracy.h"

#include "kernels/core/parallel.h"
#include "tests/support/scene_distance.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

namespace scanloupe::test {

namespace {

/// Finds points near a position: cells of one edge length, each with the indices of its points.
class PointHash {
public:
    PointHash(std::span<const Vec3f> points, float cell) : m_points(points), m_cell(cell) {
        std::vector<std::pair<std::uint64_t, std::uint32_t>> entries(points.size());
        for (std::size_t i = 0; i < points.size(); ++i)
            entries[i] = {key(cellOf(points[i])), std::uint32_t(i)};
        std::sort(entries.begin(), entries.end());
        m_order.reserve(entries.size());
        for (const auto& [k, i] : entries) {
            auto& range = m_ranges.try_emplace(k, m_order.size(), m_order.size()).first->second;
            m_order.push_back(i);
            range.second = m_order.size();
        }
    }
    /// Calls `visit(index, squared distance)` for the points within `radius` of p.
    template <class F>
    void within(Vec3f p, float radius, F&& visit) const {
        const int reach = int(std::ceil(radius / m_cell));
        const Vec3i centre = cellOf(p);
        for (int z = -reach; z <= reach; ++z)
            for (int y = -reach; y <= reach; ++y)
                for (int x = -reach; x <= reach; ++x) {
                    const auto found = m_ranges.find(key(centre + Vec3i{x, y, z}));
                    if (found == m_ranges.end())
                        continue;
                    for (std::size_t k = found->second.first; k < found->second.second; ++k) {
                        const float d = squaredNorm(m_points[m_order[k]] - p);
                        if (d <= radius * radius)
                            visit(m_order[k], d);
                    }
                }
    }

private:
    Vec3i cellOf(Vec3f p) const {
        return {int(std::floor(p.x / m_cell)), int(std::floor(p.y / m_cell)), int(std::floor(p.z / m_cell))};
    }
    static std::uint64_t key(Vec3i c) {
        return (std::uint64_t(std::uint32_t(c.x) & 0x1fffff) << 42) |
               (std::uint64_t(std::uint32_t(c.y) & 0x1fffff) << 21) | (std::uint32_t(c.z) & 0x1fffff);
    }
    std::span<const Vec3f> m_points;
    float m_cell;
    std::vector<std::uint32_t> m_order;
    std::unordered_map<std::uint64_t, std::pair<std::size_t, std::size_t>> m_ranges;
};

constexpr double kSameFace = 0.7; // minimum cosine between normals of one face of a scene

Vec3d gradient(synth::Scene scene, Vec3d p) {
    constexpr double h = 1e-4;
    const auto along = [&](Vec3d step) {
        return synth::signedDistance(scene, p + step) - synth::signedDistance(scene, p - step);
    };
    return normalized(Vec3d{along({h, 0, 0}), along({0, h, 0}), along({0, 0, h})});
}

/// The stride through a list that samples some 300,000 items.
std::size_t strideOf(std::size_t count) {
    return std::max<std::size_t>(1, count / 300'000);
}

/// Points on each triangle, evenly spread, at most `spacing` apart; at least its centroid.
std::vector<Vec3f> sampleMesh(const TriangleMesh& mesh, float spacing) {
    std::vector<Vec3f> samples;
    for (std::size_t t = 0; t < mesh.triangleCount(); ++t) {
        const Vec3f a = mesh.positions[mesh.indices[3 * t]], b = mesh.positions[mesh.indices[3 * t + 1]],
                    c = mesh.positions[mesh.indices[3 * t + 2]];
        const float longest =
            std::sqrt(std::max({squaredNorm(b - a), squaredNorm(c - a), squaredNorm(c - b)}));
        const int n = std::max(1, int(std::ceil(longest / spacing)));
        for (int i = 0; i < n; ++i)
            for (int j = 0; i + j < n; ++j) {
                const float u = (float(i) + 1.0f / 3) / float(n), v = (float(j) + 1.0f / 3) / float(n);
                samples.push_back(a + (b - a) * u + (c - a) * v);
            }
    }
    return samples;
}

/// Shares and sums over chunks, joined in order.
template <class F>
std::size_t countIf(std::size_t count, F&& test) {
    return parallelReduce(
        count, 2048, {}, std::size_t{0},
        [&](std::size_t begin, std::size_t end) {
            std::size_t n = 0;
            for (std::size_t i = begin; i < end; ++i)
                n += test(i);
            return n;
        },
        [](std::size_t a, std::size_t b) { return a + b; });
}

} // namespace

SurfaceAccuracy measureAccuracy(const TriangleMesh& mesh, std::span<const Vec3f> points, synth::Scene scene,
                                float voxel) {
    SurfaceAccuracy result;
    const auto vertices = mesh.positions.span();
    const std::vector<Vec3f> samples = sampleMesh(mesh, voxel);
    if (samples.empty())
        return result;

    // all triangles are about as large as a voxel, so that samples need no weights
    const std::size_t sampleStride = strideOf(samples.size());
    std::vector<double> distances(samples.size() / sampleStride);
    parallelFor(distances.size(), 1024, {}, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            distances[i] = std::abs(synth::signedDistance(scene, samples[i * sampleStride].as<double>()));
    });
    double sum = 0;
    for (const double d : distances)
        sum += d;
    result.meanToSurface = sum / double(distances.size());
    const auto p95 = distances.begin() + std::ptrdiff_t(0.95 * double(distances.size() - 1));
    std::nth_element(distances.begin(), p95, distances.end());
    result.p95ToSurface = *p95;

    const PointHash byPoint(points, voxel);
    const std::size_t vertexStride = strideOf(vertices.size());
    const std::size_t looked = vertices.size() / vertexStride;
    std::vector<std::uint8_t> right(looked), seen(looked);
    parallelFor(looked, 1024, {}, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Vec3f vertex = vertices[i * vertexStride];
            const Vec3d face = gradient(scene, vertex.as<double>());
            right[i] = dot(face, mesh.normals[i * vertexStride].as<double>()) > 0;
            byPoint.within(vertex, voxel, [&](std::uint32_t p, float) {
                seen[i] = seen[i] || dot(gradient(scene, points[p].as<double>()), face) > kSameFace;
            });
        }
    });
    const auto shareOf = [&](auto&& which) {
        std::size_t count = 0, rightOnes = 0;
        for (std::size_t i = 0; i < looked; ++i)
            if (which(i)) {
                ++count;
                rightOnes += right[i];
            }
        return double(rightOnes) / double(count);
    };
    result.rightNormals = shareOf([](std::size_t) { return true; });
    result.rightWhereSeen = shareOf([&](std::size_t i) { return seen[i] != 0; });

    std::vector<double> farthest(chunkCount(vertices.size(), 2048));
    parallelChunks(vertices.size(), 2048, {}, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            float nearest = 16 * voxel * voxel;
            byPoint.within(vertices[i], 2.5f * voxel,
                           [&](std::uint32_t, float d) { nearest = std::min(nearest, d); });
            farthest[chunk] = std::max(farthest[chunk], std::sqrt(double(nearest)) / double(voxel));
        }
    });
    result.farthestFromPoint = *std::max_element(farthest.begin(), farthest.end());

    // the visible part of the true surface: the points, moved onto it
    const std::size_t pointStride = strideOf(points.size());
    std::vector<Vec3f> truth(points.size() / pointStride);
    parallelFor(truth.size(), 1024, {}, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Vec3d p = points[i * pointStride].as<double>();
            truth[i] = (p - gradient(scene, p) * synth::signedDistance(scene, p)).as<float>();
        }
    });
    const PointHash bySample(samples, voxel);
    std::vector<std::uint8_t> dense(truth.size());
    const std::size_t denseCount = countIf(truth.size(), [&](std::size_t i) {
        int near = 0;
        byPoint.within(truth[i], voxel, [&](std::uint32_t, float) { ++near; });
        dense[i] = near >= 5;
        return bool(dense[i]);
    });
    const std::size_t covered = countIf(truth.size(), [&](std::size_t i) {
        if (!dense[i])
            return false;
        bool found = false;
        bySample.within(truth[i], voxel, [&](std::uint32_t, float) { found = true; });
        return found;
    });
    result.coveredShare = denseCount ? double(covered) / double(denseCount) : 0;
    return result;
}

} // namespace scanloupe::test
