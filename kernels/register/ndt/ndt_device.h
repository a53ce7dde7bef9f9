#pragma once
// Declares NDT registration on the GPU: maps and scans in device memory, and the ways to align them.
#include "kernels/core/buffer.h"
#include "kernels/register/ndt/ndt.h"
#include "kernels/register/ndt/ndt_float.h"
#include "kernels/register/ndt/ndt_order.h"
#include "kernels/register/ndt/ndt_report.h"

#include <span>
#include <vector>

namespace scanloupe::cuda {

/// A map's cells on the device, built or copied once and then used by any number of alignments.
class NdtDeviceMap {
public:
    /// Copies a map. @note Synchronizes with `stream`. @throws KernelError
    NdtDeviceMap(const NdtMap& map, StreamView stream);
    /// Builds the same cells as NdtMap::add, up to rounding. @param points [N, 3] on the device
    /// @note Synchronizes to read the number of cells. @throws as NdtMap::add
    NdtDeviceMap(const Buffer<Vec3f>& points, Vec3d origin, const RigidTransform& pose,
                 const NdtMapParams& params, const std::stop_token& stop, StreamView stream);

    const NdtMapParams& params() const { return m_params; }
    Vec3d origin() const { return m_origin; }
    std::size_t cellCount() const { return m_cells.size(); }
    std::uint64_t bytes() const {
        return m_buckets.bytes() + m_slots.bytes() + m_cells.bytes() + m_places.bytes() +
               m_neighbourLists.bytes() + m_neighbourListBuckets.bytes();
    }
    /// Same as NdtMap::cells. @note Synchronizes.
    std::vector<NdtCell> cells(StreamView stream) const;
    /// Same as NdtMap::cellPlace, for all cells. @note Synchronizes.
    std::vector<Vec3i> cellPlaces(StreamView stream) const;
    /// Returns the tables in which kernels look up cells.
    NdtTableView table(NdtNeighbours neighbours, double outlierRatio) const;

private:
    /// Fills m_neighbourLists and their index from the other columns. Synchronizes.
    void buildNeighbourLists(StreamView stream);

    NdtMapParams m_params;
    Vec3d m_origin;
    Buffer<std::uint32_t> m_buckets;              ///< buckets of NdtTableView::index
    Buffer<NdtSlot> m_slots;                      ///< slots of the cells in m_cells
    Buffer<NdtCell> m_cells;                      ///< cells with a distribution, ascending by key
    Buffer<Vec3i> m_places;                       ///< coordinates of the cells in m_cells
    Buffer<NdtNeighbourList> m_neighbourLists;    ///< lists of all cells that have at least one neighbour
    Buffer<std::uint32_t> m_neighbourListBuckets; ///< buckets of NdtTableView::neighbourListIndex
};

/// A scan's points on the device, in ndtOrder, so that neighbouring threads look up the same cells.
class NdtDeviceScan {
public:
    /// Copies a scan. @note Synchronizes with `stream`, so the caller may free the points afterwards. @throws
    /// KernelError; Cancelled
    NdtDeviceScan(const NdtScan& scan, const std::stop_token& stop, StreamView stream);

    Vec3d origin() const { return m_origin; }
    const NdtSpread& spread() const { return m_spread; }
    const Buffer<Vec3f>& points() const { return m_points; }
    /// Returns the index in the scan of each of these points, [points()].
    const std::vector<std::uint32_t>& order() const { return m_order; }

private:
    Vec3d m_origin;
    NdtSpread m_spread;
    std::vector<std::uint32_t> m_order;
    Buffer<Vec3f> m_points;
};

/// Limits of the kernel that runs an alignment. They affect its run time, but no bit of its result.
struct NdtLaunchBounds {
    unsigned threads = 0; ///< threads per block: 32, 64, 128 or 256; 0: chosen by the number of points
    unsigned blocks = 0;  ///< maximum number of blocks, a power of two; 0: chosen by the number of points
};

/// Same as cpu::alignNdt, with pairs in single precision. `map` and `scan` are on the device of `stream`.
/// @note Synchronizes with `stream`. @throws as cpu::alignNdt
NdtResult alignNdt(const NdtDeviceMap& map, const NdtDeviceScan& scan, const RigidTransform& start,
                   const NdtParams& params, const NdtLaunchBounds& bounds, const std::stop_token& stop,
                   StreamView stream);

/// Same as cpu::scoreNdt. @note Synchronizes with `stream`.
NdtResult scoreNdt(const NdtDeviceMap& map, const NdtDeviceScan& scan, const RigidTransform& pose,
                   const NdtParams& params, const std::stop_token& stop, StreamView stream);

/// Same as cpu::alignNdtBatch; each result is bit-identical to that of alignNdt. @note Synchronizes with
/// `stream`.
std::vector<NdtResult> alignNdtBatch(const NdtDeviceMap& map, std::span<const NdtDeviceScan> scans,
                                     std::span<const NdtJob> jobs, const NdtParams& params,
                                     const std::stop_token& stop, StreamView stream);

/// Same as cpu::findPoseNdt. @note Synchronizes with `stream`.
NdtFound findPoseNdt(const NdtDeviceMap& map, const NdtScan& scan, std::span<const RigidTransform> starts,
                     const NdtParams& params, const NdtSearch& search, const std::stop_token& stop,
                     StreamView stream);

} // namespace scanloupe::cuda
