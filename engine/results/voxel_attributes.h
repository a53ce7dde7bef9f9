#pragma once
// Declares the attributes of voxels: means of numbers and most frequent classes. Each is computed on first
// use.
#include "engine/compute/device_or_host.h"
#include "engine/io/common/write/write_options.h"
#include "kernels/core/execution.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace scanloupe {

class Attribute;
struct Category;
class PointAttributes;

namespace cpu {
struct VoxelUpdate;
}

/// One attribute of the voxels in one memory space. Either `means` or `modes` is empty.
struct VoxelAttribute {
    Buffer<float>
        means; ///< [V] relative to Attribute::min; NaN if the range of values is too large for averaging
    std::shared_ptr<const Category> category; ///< null: the attribute has numbers
    Buffer<std::uint32_t> modes;              ///< [V] the most frequent class
};

/// The attributes of the voxels of a grid, computed from the grid and its points, and cached. Thread-safe.
class VoxelAttributes {
public:
    VoxelAttributes(std::shared_ptr<const PointAttributes> points, DeviceOrHost<VoxelGrid> voxels);
    /// Creates attributes for voxels some of which have no points: each gets the attributes of the nearest
    /// voxel of `nearest`.
    VoxelAttributes(std::shared_ptr<const VoxelAttributes> nearest, DeviceOrHost<VoxelGrid> voxels);

    /// Creates attributes for voxels that are an incremental update of the voxels of `before`. Reuses
    /// attributes that were computed on the host and whose values are unchanged.
    /// @param wanted attributes of the points' cloud
    VoxelAttributes(std::shared_ptr<const PointAttributes> points, DeviceOrHost<VoxelGrid> voxels,
                    const VoxelAttributes& before, const cpu::VoxelUpdate& update,
                    std::span<const Attribute* const> wanted, const std::stop_token& stop);

    const PointAttributes& points() const { return *m_points; }
    const DeviceOrHost<VoxelGrid>& voxels() const { return m_voxels; }

    /// Returns an attribute of the points' cloud on the host. @throws KernelError; Cancelled.
    std::shared_ptr<const VoxelAttribute> onHost(const Attribute& attribute,
                                                 const std::stop_token& stop) const;
    /// Returns an attribute on the device; it is complete on return. @throws Fault for voxels on the host;
    /// DeviceMemoryShort, KernelError; Cancelled.
    std::shared_ptr<const VoxelAttribute> onDevice(const Attribute& attribute,
                                                   const std::stop_token& stop) const;
    /// Returns an attribute in the memory space in which `on` computes.
    std::shared_ptr<const VoxelAttribute> on(const Execution& on, const Attribute& attribute) const {
        return on.onDevice() ? onDevice(attribute, on.stop) : onHost(attribute, on.stop);
    }

    /// Computes those of the attributes that are not computed yet on the backend of `on`. Numbers are
    /// averaged in one pass over the points. @throws as onHost() and onDevice()
    void prepare(std::span<const Attribute* const> attributes, const Execution& on) const;

private:
    struct Entry {
        std::mutex mutex; ///< locked while the attribute is computed
        std::shared_ptr<const VoxelAttribute> onHost, onDevice;
    };
    Entry& entry(const Attribute& attribute) const;
    std::shared_ptr<const VoxelAttribute> computedOnHost(const Attribute& attribute,
                                                         const std::stop_token& stop) const;
    std::shared_ptr<const VoxelAttribute> computedOnDevice(const Attribute& attribute,
                                                           const std::stop_token& stop) const;

    /// Gathers the attribute of the nearest voxels, in the memory space in which `on` computes.
    VoxelAttribute gathered(const VoxelAttribute& nearest, const Execution& on) const;

    std::shared_ptr<const PointAttributes> m_points;
    std::shared_ptr<const VoxelAttributes> m_nearest; ///< null: attributes are computed from the voxels' own
                                                      ///< points
    struct NearestVoxels {
        std::mutex mutex;                       ///< locked while the nearest voxels are searched
        Buffer<std::uint32_t> onHost, onDevice; ///< [V] indices into `m_nearest`; empty until first use
    };
    std::unique_ptr<NearestVoxels> m_nearestVoxels;
    DeviceOrHost<VoxelGrid> m_voxels;
    std::unique_ptr<Entry[]> m_entries; ///< one entry per attribute, in the order of PointCloud::attributes
};

/// A grid on the host with all attributes of its cloud, for files. Means are channels from index 3 on.
struct VoxelTable {
    VoxelGrid grid;                                          ///< the grid without VoxelGrid::pointVoxel
    std::vector<VoxelChannel> channels;                      ///< [F]
    std::vector<std::shared_ptr<const Category>> categories; ///< [C]

    /// Returns the channel of VoxelGrid::mean that holds the means of an attribute, or -1.
    int channelOf(std::string_view name) const;
    /// Returns the index in VoxelGrid::mode of an attribute, or -1.
    int categoryOf(std::string_view name) const;
};
/// Computes the table of all attributes. @throws KernelError; Cancelled.
VoxelTable voxelTable(const VoxelAttributes& attributes, const std::stop_token& stop);

} // namespace scanloupe
