#pragma once
// Declares picking: the primitive behind a pixel, and single voxels of a grid.
#include "engine/cloud/categories.h"
#include "engine/compute/device_or_host.h"
#include "kernels/core/vec3.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace scanloupe {

class Attribute;
struct Picture;
struct Snapshot;
struct VoxelGrid;

/// The primitive that a pixel shows.
struct PickedPixel {
    std::uint32_t id = 0; ///< 0: background
    float depth = 0;      ///< metres along the view; infinite for the background
};

/// Reads a pixel; of a picture on the device, this pixel alone is copied. @throws KernelError
PickedPixel pickPixel(const Picture& picture, int x, int y);

/// One voxel of a grid.
struct PickedVoxel {
    Vec3i cell;
    std::uint32_t points = 0; ///< number of points that were averaged
    Vec3f mean;               ///< their mean position, metres, relative to the cloud's origin
};
/// An attribute of one voxel: the mean of its points' values, or their most frequent class.
struct PickedAttribute {
    const Attribute* attribute = nullptr;
    double mean = 0;  ///< NaN if the range of values is too large for averaging
    Category classes; ///< for a categorical attribute: the most frequent class alone
};

/// Reads a voxel; of a grid on the device, this voxel alone is copied. @throws KernelError
PickedVoxel pickVoxel(const DeviceOrHost<VoxelGrid>& grid, std::size_t voxel);

/// All attributes of a voxel, in the order of files, numbers first. Searches all points for the voxel's: not
/// for the GUI thread. @throws KernelError; Cancelled.
std::vector<PickedAttribute> pickAttributes(const Snapshot& snapshot, std::size_t voxel,
                                            const std::stop_token& stop);

/// The index of the voxel in a cell, if it is occupied, by binary search of the keys; for a grid on the
/// device, some twenty keys are copied. @throws KernelError
std::optional<std::size_t> voxelInCell(const DeviceOrHost<VoxelGrid>& grid, Vec3i cell);

} // namespace scanloupe
