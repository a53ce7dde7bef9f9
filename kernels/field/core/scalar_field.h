#pragma once
// Declares scalar fields over a lattice, which are the input of marching cubes, and their computation from
// voxels or volumes.
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
    occupancy,      ///< 0 to 1: occupied voxels smoothed over `radius`; inside is above the iso-value
    density,        ///< points per cubic metre, spread over `radius`; inside is above the iso-value
    signedDistance, ///< metres to the surface; inside (the side away from the sensor) is below the iso-value
    volume,         ///< a raw 3D volume from a file, in the file's unit
};

/// A regular lattice of nodes: node (i, j, k) is at origin + (i, j, k) * spacing. A cell is the box between 8
/// nodes and has the coordinates of its lowest node.
struct LatticeShape {
    Vec3f origin;  ///< position of node (0, 0, 0), metres
    Vec3f spacing; ///< distance between adjacent nodes, metres
    Vec3i dims;    ///< number of nodes along x, y, z

    HD Vec3f position(Vec3i node) const { return origin + node.as<float>() * spacing; }
    bool operator==(const LatticeShape&) const = default;
};

/// Edge length of a brick. Nodes are stored in bricks of 8 x 8 x 8 nodes (x fastest), only in and around
/// occupied space; a dense field stores all bricks.
inline constexpr int kBrickEdge = 8;
inline constexpr int kBrickNodes = kBrickEdge * kBrickEdge * kBrickEdge;

struct ScalarField {
    FieldKind kind = FieldKind::occupancy;
    bool insideBelow = false; ///< true: inside is where the value is below the iso-value; false: above
    LatticeShape lattice;
    Vec3i brickDims;                  ///< number of bricks along x, y, z that cover the lattice
    Buffer<std::uint64_t> brickKeys;  ///< [B] ascending keys: (bz * brickDims.y + by) * brickDims.x + bx
    Buffer<float> values;             ///< [B, 512] value of each node; NaN where there is no value
    Buffer<std::uint64_t> cellMask;   ///< [B, 8] bit x + 8 y of word z: the cell may contain surface
    float minValue = 0, maxValue = 0; ///< range of all finite values
    /// signed distance only: number of voxels whose normals could be oriented neither by a sensor nor by the
    /// file
    std::uint64_t normalsGuessed = 0;
    Cost cost;

    std::size_t brickCount() const { return brickKeys.size(); }
    /// Returns a field of the same kind and lattice without bricks.
    ScalarField withoutBricks() const;
    std::uint64_t bytes() const { return brickKeys.bytes() + values.bytes() + cellMask.bytes(); }
    /// Returns a copy on the host. @note Synchronizes when the field is on the device. @throws KernelError
    ScalarField download(StreamView stream) const;
};

/// Sources of normals and of their orientation, for the signed distance.
struct NormalSource {
    VectorColumns normals;       ///< normals from the file
    VectorColumns sensors;       ///< sensor position of each point, metres, in the grid's frame
    std::optional<Vec3f> sensor; ///< common sensor position of all points, metres, in the grid's frame
};

struct FieldParams {
    FieldKind kind = FieldKind::occupancy;
    /// Radius in metres. 0 selects it automatically: no smoothing for occupancy, a multiple of the voxel size
    /// for density and signed distance.
    float radius = 0;
    NormalSource normals; ///< signed distance only
};

namespace cpu {
struct DistanceTrace;
struct PreviousDistance;
using BrickCheck = std::function<void(std::uint64_t bricks)>;

/// Computes the field around the occupied voxels. Deterministic, since each node gathers in a fixed order.
/// Nodes of occupancy and density are at voxel centres, with one additional layer of nodes on each side.
/// Nodes of the signed distance are at voxel corners, so that its cells are the voxels; its surface is
/// extracted only in occupied voxels and where it closes gaps of one voxel. @throws KernelError when there
/// are no voxels, a parameter is out of range or memory is exhausted; Cancelled.
/// @param check called with the number of bricks before they are filled, to forecast their memory
/// @param earlier a signed distance of nearly the same voxels, whose unchanged bricks are reused; null: none
/// @param trace receives the intermediate results of a signed distance that the next call can reuse; null:
/// not recorded
ScalarField computeField(const VoxelGrid& voxels, const FieldParams& params, const std::stop_token& stop,
                         const BrickCheck& check = {}, const PreviousDistance* earlier = nullptr,
                         DistanceTrace* trace = nullptr);

/// Returns a dense field with the values of a raw volume, [dims.z, dims.y, dims.x], x fastest. With
/// `clampBorder`, one additional layer of nodes repeats the last one on the upper side of each axis, so that
/// there are as many cells as samples.
/// @throws KernelError when the sizes do not match; Cancelled.
ScalarField volumeField(std::span<const float> values, const LatticeShape& lattice, bool clampBorder,
                        bool insideBelow, const std::stop_token& stop);

} // namespace cpu

namespace cuda {
/// Same as cpu::computeField, with an identical result; voxels and field are on the device.
/// @note Synchronizes with `stream` to read sizes.
ScalarField computeField(const VoxelGrid& voxels, const FieldParams& params, const std::stop_token& stop,
                         StreamView stream);

/// Same as cpu::volumeField, with an identical result; `values` are on the host, the field is on the device.
/// @note Synchronizes with `stream`.
ScalarField volumeField(std::span<const float> values, const LatticeShape& lattice, bool clampBorder,
                        bool insideBelow, const std::stop_token& stop, StreamView stream);
} // namespace cuda

} // namespace scanloupe
