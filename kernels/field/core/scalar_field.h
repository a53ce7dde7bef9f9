#pragma once
// Declares scalar fields over a lattice, the input of marching cubes, and their computation from voxels or
// volumes.
#include "kernels/core/buffer.h"
#include "kernels/core/cost.h"
#include "kernels/core/stream.h"
#include "kernels/core/vec3.h"
#include "kernels/field/core/vector_columns.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>

namespace scanloupe {

enum class FieldKind : std::uint8_t {
    occupancy,      ///< 0 to 1: occupied voxels, smoothed over `radius`; inside is above the iso-value
    density,        ///< points per cubic metre, splat over `radius`; inside is above the iso-value
    signedDistance, ///< metres to the surface; inside (away from the sensor) is below the iso-value
    volume,         ///< a raw 3D volume from a file, in its own unit
};

/// Samples at the nodes of a regular lattice: node (i, j, k) lies at origin + (i, j, k) * spacing. A cell is
/// the box between 8 nodes and is named by its lowest one.
struct LatticeShape {
    Vec3f origin;  ///< position of node (0, 0, 0), metres
    Vec3f spacing; ///< metres
    Vec3i dims;    ///< nodes along x, y, z

    HD Vec3f position(Vec3i node) const { return origin + node.as<float>() * spacing; }
    bool operator==(const LatticeShape&) const = default;
};

/// Nodes are stored in bricks of 8 x 8 x 8 (x fastest), over occupied space and its rim only; a dense field
/// simply has all its bricks.
inline constexpr int kBrickEdge = 8;
inline constexpr int kBrickNodes = kBrickEdge * kBrickEdge * kBrickEdge;

struct ScalarField {
    FieldKind kind = FieldKind::occupancy;
    bool insideBelow = false; ///< inside is where the value is below the iso-value (else: above)
    LatticeShape lattice;
    Vec3i brickDims;                  ///< bricks along x, y, z that would cover the lattice
    Buffer<std::uint64_t> brickKeys;  ///< [B] (bz * brickDims.y + by) * brickDims.x + bx, ascending
    Buffer<float> values;             ///< [B, 512]; NaN where there is no value
    Buffer<std::uint64_t> cellMask;   ///< [B, 8] bit (x + 8 y) of word z: this cell may carry surface
    float minValue = 0, maxValue = 0; ///< over all finite samples
    /// Signed distance: voxels whose normals neither a sensor nor the file could orient.
    std::uint64_t normalsGuessed = 0;
    Cost cost;

    std::size_t brickCount() const { return brickKeys.size(); }
    /// A field of the same kind and lattice, still without bricks.
    ScalarField withoutBricks() const;
    std::uint64_t bytes() const { return brickKeys.bytes() + values.bytes() + cellMask.bytes(); }
    /// A copy on the host. @note Synchronizes when the field lies on the device. @throws KernelError
    ScalarField download(StreamView stream) const;
};

/// Sources of normals and of their orientation, for the signed distance.
struct NormalSource {
    VectorColumns normals;       ///< the file's normals
    VectorColumns sensors;       ///< the sensor's position for each point, metres, in the grid's frame
    std::optional<Vec3f> sensor; ///< one sensor position for all points, metres, in the grid's frame
};

struct FieldParams {
    FieldKind kind = FieldKind::occupancy;
    /// Metres; 0: automatic, that is unsmoothed occupancy, and a radius from the voxel size for density and
    /// signed distance.
    float radius = 0;
    NormalSource normals; ///< signed distance only
};

namespace cpu {
struct DistanceTrace;
struct PreviousDistance;
using BrickCheck = std::function<void(std::uint64_t bricks)>;

/// Evaluates the field around the occupied voxels. Deterministic: each sample gathers in a fixed order.
/// Occupancy and density have their nodes at voxel centres (a rim of one more on each side), the signed
/// distance at voxel corners, so that its cells are the voxels; its surface is extracted only in occupied
/// voxels and where it closes one-voxel gaps between them. @throws KernelError when there are no voxels, a
/// parameter is out of range or memory is short; Cancelled.
/// @param check called with the number of bricks before they are filled, for a forecast of their memory
/// @param earlier a signed distance of nearly the same voxels, whose unchanged bricks are reused; null: none
/// @param trace receives the intermediate results of a signed distance that the next call can reuse; null:
/// not recorded
ScalarField computeField(const VoxelGrid& voxels, const FieldParams& params, const std::stop_token& stop,
                         const BrickCheck& check = {}, const PreviousDistance* earlier = nullptr,
                         DistanceTrace* trace = nullptr);

/// A dense field of a raw volume: `values` [dims.z, dims.y, dims.x], x fastest. With `clampBorder` one more
/// layer of nodes repeats the last one on the upper side of each axis, so that there are as many cells as
/// samples.
/// @throws KernelError when sizes do not match; Cancelled.
ScalarField volumeField(std::span<const float> values, const LatticeShape& lattice, bool clampBorder,
                        bool insideBelow, const std::stop_token& stop);

} // namespace cpu

namespace cuda {
/// As cpu::computeField, with the same bytes as its result; voxels and field lie on the device.
/// @note Synchronizes with `stream` to learn sizes.
ScalarField computeField(const VoxelGrid& voxels, const FieldParams& params, const std::stop_token& stop,
                         StreamView stream);

/// As cpu::volumeField, with the same bytes as its result; `values` lie on the host, the field on the device.
/// @note Synchronizes with `stream`.
ScalarField volumeField(std::span<const float> values, const LatticeShape& lattice, bool clampBorder,
                        bool insideBelow, const std::stop_token& stop, StreamView stream);
} // namespace cuda

} // namespace scanloupe
