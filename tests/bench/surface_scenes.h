#pragma once
// The fields of the surface benchmark.
#include "kernels/field/core/scalar_field.h"

#include <filesystem>
#include <string>
#include <vector>

namespace scanloupe::bench {

/// A field, and the iso-value of its surface.
struct SurfaceScene {
    std::string name;
    int edge = 0; ///< nodes along an axis of the whole lattice; 0 for a sweep
    ScalarField field;
    float iso = 0;
    std::vector<float> values; ///< [edge^3] x fastest, of the dense scenes
};

/// @param name "gyroid" or "spheres". @throws KernelError
SurfaceScene denseScene(const std::string& name, int edge);
/// The bricks around a sphere with a radius of 0.4 edges, in a lattice of edge^3 nodes. @throws KernelError
SurfaceScene shellScene(int edge);
/// The signed distance to the surface of a sweep, in voxels of 0.1 m, with the sensor at the origin. @throws
/// KernelError
SurfaceScene sweepScene(const std::filesystem::path& file);

} // namespace scanloupe::bench
