#pragma once
// The scenes that operators are compared on: the same points, fields and meshes in every test and benchmark
// run.
#include "kernels/core/vec3.h"
#include "kernels/raster/core/camera.h"
#include "tests/support/shuffle_cell.h"

#include <cstdint>
#include <vector>

namespace scanloupe::test {

enum class PointOrder : std::uint8_t {
    scan,     ///< neighbours are consecutive, as from a scanner
    shuffled, ///< shuffled by a fixed bijection
};

/// Range for voxelizing the surface cloud, metres; the upper border is outside.
inline constexpr Vec3f kSurfaceMin{-54, -54, -5}, kSurfaceMax{54, 54, 3};
/// `surface`: three quarters raster a hilly terrain back and forth, with 2 cm of noise up and down; one
/// quarter is on 40 spheres on top of it, each a raster of latitudes and longitudes. [points, 3] metres.
std::vector<Vec3f> surfaceCloud(std::uint64_t points, PointOrder order);

/// Grid for the dense cloud: 128 x 128 x 128 voxels of 0.2 m.
inline constexpr int kDenseEdge = 128;
inline constexpr float kDenseVoxel = 0.2F;
inline constexpr Vec3f kDenseMin{-12.8F, -12.8F, -12.8F}, kDenseMax{12.8F, 12.8F, 12.8F};
/// `dense`: points in random order, spread evenly over 80 % of the voxels: numbers of points per voxel differ
/// by at most one. [points, 3] metres. If there are fewer points than such voxels (1,677,722), each occupies
/// its own voxel.
std::vector<Vec3f> denseCloud(std::uint64_t points);

/// `gyroid`: edge^3 nodes, x fastest, iso-value 0, 128 nodes a period.
std::vector<float> gyroidField(int edge);
/// `spheres`: edge^3 nodes, x fastest, iso-value 0: distances from six spheres in cells, negative inside;
/// node i is at (i + 0.5) / edge of the unit cube.
std::vector<float> spheresField(int edge);
/// `painter`: 128^3 nodes, x fastest, 1 inside and 0 outside: the intersection of a ball of radius 47 cells
/// with a gyroid of period 64.
std::vector<float> painterGrid();

/// An indexed mesh, counter-clockwise seen from outside.
struct BenchMesh {
    std::vector<Vec3f> positions;       ///< [V, 3] metres
    std::vector<Vec3f> normals;         ///< [V, 3] unit
    std::vector<std::uint32_t> indices; ///< [T, 3]
};
/// `bumpy`: a bumpy sphere of 12 n^2 triangles and 6 n^2 + 2 vertices, n from 1 to 18,000.
BenchMesh bumpyMesh(int n);
/// The same surface, sampled evenly: [points, 3] metres.
std::vector<Vec3f> bumpyPoints(std::uint64_t points);
/// `large`: 100 triangles, 1 to 3 m in front of benchCamera(), each covering a large part of its picture.
BenchMesh largeTriangles();
/// At (1.2, -1.5, 0.7), looking at the origin, 60 degrees high.
Camera benchCamera();

} // namespace scanloupe::test
