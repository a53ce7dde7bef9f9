#pragma once
// Voxels of generated and real scans, and their fields.
#include "kernels/field/core/scalar_field.h"
#include "kernels/synth/scan_generator.h"
#include "tests/kernels/field/field_backends.h"

#include <QString>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <vector>

namespace scanloupe::test {

/// Calls `check(params, what)` for all kinds with these radii in metres, and for the signed distance with and
/// without its normals.
template <class Check>
void forEachField(std::initializer_list<float> radii, const NormalSource& normals, Check&& check) {
    for (const FieldKind kind : {FieldKind::occupancy, FieldKind::density, FieldKind::signedDistance})
        for (const float radius : radii)
            for (const bool known : {true, false}) {
                if (known && kind != FieldKind::signedDistance)
                    continue;
                check(FieldParams{kind, radius, known ? normals : NormalSource{}},
                      QString("kind %1, radius %2, %3 normals: ")
                          .arg(int(kind))
                          .arg(double{radius})
                          .arg(known ? "known" : "guessed"));
            }
}

inline NormalSource sensorAt(Vec3f place) {
    NormalSource normals;
    normals.sensor = place;
    return normals;
}

struct Points {
    std::vector<Vec3f> positions;
    std::vector<std::vector<float>> features;
};

inline VoxelGrid voxelized(const Points& points, Vec3f low, Vec3f high, Vec3f size) {
    std::vector<FeatureView> views;
    for (const auto& values : points.features) {
        const auto [least, most] = std::minmax_element(values.begin(), values.end());
        views.push_back({values.data(), ScalarType::float32, double{*least}, double{*most}});
    }
    VoxelizeParams params{low, high, size};
    params.pointVoxels = false;
    return cpu::voxelize({points.positions.data(), points.positions.size(), views}, params, {});
}

/// A generated scan; each point has its sensor (channels 3 to 5) and its true normal (6 to 8).
inline Points scanOf(synth::Scene scene, std::size_t count, std::uint64_t seed) {
    synth::ScanParams params;
    params.scene = scene;
    params.points = count;
    params.seed = seed;
    std::vector<synth::ScanPoint> scan(count);
    synth::generate(params, 0, scan, {});
    Points points;
    points.features.resize(6);
    for (const auto& p : scan) {
        points.positions.push_back(p.position);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            points.features[axis].push_back(p.sensor[static_cast<int>(axis)]);
            points.features[3 + axis].push_back(p.normal[static_cast<int>(axis)]);
        }
    }
    return points;
}

inline Vec3f leastOf(const Points& points, std::size_t feature) {
    Vec3f least;
    for (std::size_t axis = 0; axis < 3; ++axis)
        least[static_cast<int>(axis)] =
            *std::min_element(points.features[feature + axis].begin(), points.features[feature + axis].end());
    return least;
}

inline Points sweepOf(const std::filesystem::path& path, std::size_t columns) {
    std::ifstream file(path, std::ios::binary);
    std::vector<float> row(columns);
    Points points;
    while (file.read(reinterpret_cast<char*>(row.data()), std::streamsize(columns * sizeof(float))))
        points.positions.push_back({row[0], row[1], row[2]});
    return points;
}

} // namespace scanloupe::test
