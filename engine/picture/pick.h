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

/// The primitive that is shown at a pixel.
struct PickedPixel {
    std::uint32_t id = 0; ///< 0: background
    float depth = 0;      ///< distance along the view, metres; infinite for the background
};

/// Reads a pixel. Of a picture on the device, only this pixel is copied. @throws KernelError
PickedPixel pickPixel(const Picture& picture, int x, int y);

/// One voxel of a grid.
struct PickedVoxel {
    Vec3i cell;
    std::uint32_t points = 0; ///< number of points that were averaged
    Vec3f mean;               ///< mean position of these points, metres, relative to the cloud's origin
};
/// An attribute of one voxel: the mean of its points' values, or their most frequent class.
struct PickedAttribute {
    const Attribute* attribute = nullptr;
    double mean = 0;  ///< NaN if the range of values is too large for averaging
    Category classes; ///< only the most frequent class, for a categorical attribute
};

/// Reads a voxel. Of a grid on the device, only this voxel is copied. @throws KernelError
PickedVoxel pickVoxel(const DeviceOrHost<VoxelGrid>& grid, std::size_t voxel);

/// Returns all attributes of a voxel in the order of files, numbers first. Searches all points for those of
/// the voxel, so it must not run on the GUI thread. @throws KernelError; Cancelled.
std::vector<PickedAttribute> pickAttributes(const Snapshot& snapshot, std::size_t voxel,
                                            const std::stop_token& stop);

/// Returns the index of the voxel in a cell; none if the cell is not occupied. Uses binary search of the
/// keys; for a grid on the device, about twenty keys are copied. @throws KernelError
std::optional<std::size_t> voxelInCell(const DeviceOrHost<VoxelGrid>& grid, Vec3i cell);

} // namespace scanloupe
