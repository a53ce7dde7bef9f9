#pragma once
// Scenes with all kinds of primitives, and the comparison of two pictures.
#include "tests/kernels/raster/test_raster_support.h"

#include <string>

namespace scanloupe::test {

/// A scene with all kinds of primitives, which it owns.
struct Crowd {
    std::vector<Vec3f> points;
    std::vector<float> values;
    TriangleMesh mesh;
    VoxelGrid grid;
    RasterScene scene;
};

/// @param size largest size of triangles and voxels, metres
inline void fill(Crowd& crowd, int count, float size, std::mt19937_64& random) {
    std::uniform_real_distribution<float> uniform(-1, 1);
    const auto anywhere = [&] { return Vec3f{2 * uniform(random), 2 * uniform(random), uniform(random)}; };
    std::vector<Vec3f> corners;
    std::vector<std::uint32_t> indices;
    std::vector<Vec3i> cells;
    for (int i = 0; i < count; ++i) {
        crowd.points.push_back(anywhere());
        const Vec3f a = anywhere();
        const float part = uniform(random), reach = size * part * part * part * part;
        for (int k = 0; k < 3; ++k) {
            indices.push_back(static_cast<std::uint32_t>(corners.size()));
            corners.push_back(a + anywhere() * (reach + 0.002f));
        }
        if (i % 4 == 0)
            cells.push_back({int(random() % 60), int(random() % 60), int(random() % 30)});
    }
    const float nan = std::numeric_limits<float>::quiet_NaN();
    crowd.points[7].y = nan;
    corners[33].x = std::numeric_limits<float>::infinity();
    corners[66].z = nan;
    crowd.mesh = meshOf(corners, indices);
    crowd.values.resize(corners.size());
    for (float& value : crowd.values)
        value = uniform(random);
    crowd.grid = gridOf({{-2, -2, -1}, {size / 15, size / 15, size / 15}, {60, 60, 30}}, cells);
    crowd.scene.points = crowd.points;
    crowd.scene.mesh = &crowd.mesh;
    crowd.scene.meshColour.values = crowd.values.data();
    crowd.scene.meshColour.low = -1;
    crowd.scene.voxels = &crowd.grid;
    crowd.scene.voxelScale = 0.8f;
}

/// Describes the first difference between two pictures; empty if they are the same.
inline std::string difference(const VisibilityBuffer& a, const VisibilityBuffer& b) {
    if (a.width != b.width || a.height != b.height)
        return "other sizes";
    int count = 0;
    std::string first;
    for (std::size_t i = 0; i < a.pixels.size(); ++i)
        if (a.pixels[i] != b.pixels[i] && count++ == 0)
            first = "pixel " + std::to_string(i % std::size_t(a.width)) + ", " +
                    std::to_string(i / std::size_t(a.width)) + ": " +
                    QString::number(qulonglong(a.pixels[i]), 16).toStdString() + " against " +
                    QString::number(qulonglong(b.pixels[i]), 16).toStdString();
    return count == 0 ? "" : first + ", and " + std::to_string(count - 1) + " more";
}

inline std::string difference(const Image& a, const Image& b) {
    int count = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i)
        count += a.pixels[i] != b.pixels[i];
    return count == 0 ? "" : std::to_string(count) + " pixels have other colours";
}

/// Views from outside, from the middle, and from far away, with both kinds of projection.
inline std::vector<Projection> views(int width, int height) {
    return {Projection(cameraAt({0.3, -4, 0.5}, {0, 0, 0}), width, height),
            Projection(cameraAt({0.1, 0.2, 0.1}, {0.5, 1, 0.1}), width, height), // in the middle of the scene
            Projection(cameraAt({0.3, -4, 0.5}, {0, 0, 0}, true, 3), width, height),
            Projection(cameraAt({0, 0, 0}, {1, 0.5, -0.2}, true, 1), width, height),
            Projection(cameraAt({300, -400, 50}, {0, 0, 0}), width, height)};
}

} // namespace scanloupe::test
