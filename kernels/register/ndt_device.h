#pragma once
// Declares NDT registration on the GPU: maps and scans in device memory, and the ways to align them.
#include "kernels/core/buffer.h"
#include "kernels/register/ndt.h"
#include "kernels/register/ndt_float.h"
#include "kernels/register/ndt_order.h"
#include "kernels/register/ndt_report.h"

#include <span>
#include <vector>

namespace scanloupe::cuda {

/// A map's cells on the device: built or copied once, then there for any number of alignments.
class NdtDeviceMap {
public:
    /// A copy of a map. @note Synchronizes with `stream`. @throws KernelError
    NdtDeviceMap(const NdtMap& map, StreamView stream);
    /// The cells that NdtMap::add makes of these points, [N, 3] on the device, to rounding.
    /// @note Synchronizes to learn how many cells there are. @throws as NdtMap::add
    NdtDeviceMap(const Buffer<Vec3f>& points, Vec3d origin, const RigidTransform& pose,
                 const NdtMapParams& params, const std::stop_token& stop, StreamView stream);

    const NdtMapParams& params() const { return m_params; }
    Vec3d origin() const { return m_origin; }
    std::size_t cellCount() const { return m_cells.size(); }
    std::uint64_t bytes() const {
        return m_buckets.bytes() + m_slots.bytes() + m_cells.bytes() + m_places.bytes() +
               m_neighbourLists.bytes() + m_neighbourListBuckets.bytes();
    }
    /// As NdtMap::cells. @note Synchronizes.
    std::vector<NdtCell> cells(StreamView stream) const;
    /// As NdtMap::cellPlace, of all cells. @note Synchronizes.
    std::vector<Vec3i> cellPlaces(StreamView stream) const;
    /// What kernels look cells up in.
    NdtTableView table(NdtNeighbours neighbours, double outlierRatio) const;

private:
    /// Fills m_neighbourLists and their index from the other columns. Synchronizes.
    void buildNeighbourLists(StreamView stream);

    NdtMapParams m_params;
    Vec3d m_origin;
    Buffer<std::uint32_t> m_buckets;              ///< of NdtTableView::index
    Buffer<NdtSlot> m_slots;                      ///< of m_cells
    Buffer<NdtCell> m_cells;                      ///< ascending by key
    Buffer<Vec3i> m_places;                       ///< of m_cells
    Buffer<NdtNeighbourList> m_neighbourLists;    ///< of all cells that have any
    Buffer<std::uint32_t> m_neighbourListBuckets; ///< of NdtTableView::neighbourListIndex
};

/// A scan's points on the device, in ndtOrder: neighbours look the same cells up.
class NdtDeviceScan {
public:
    /// @note Synchronizes with `stream`: the points may go when this returns. @throws KernelError; Cancelled
    NdtDeviceScan(const NdtScan& scan, const std::stop_token& stop, StreamView stream);

    Vec3d origin() const { return m_origin; }
    const NdtSpread& spread() const { return m_spread; }
    const Buffer<Vec3f>& points() const { return m_points; }
    /// Which of the scan's points is the i-th here.
    const std::vector<std::uint32_t>& order() const { return m_order; }

private:
    Vec3d m_origin;
    NdtSpread m_spread;
    std::vector<std::uint32_t> m_order;
    Buffer<Vec3f> m_points;
};

/// How the iterations of one alignment run. All give the same bits, but for two that NdtTuning names.
enum class NdtLaunch : std::uint8_t {
    automatic,
    block,   ///< a single block
    cluster, ///< one cluster of blocks, which meet over their shared memory: from compute capability 9.0
    grid,    ///< blocks that are all resident, launched cooperatively, and meet over device memory
    graph,   ///< a graph that repeats two kernels as long as it needs
};
/// How cells are read and terms added up: for comparing, one change at a time and with 7 neighbours; the
/// first of each is the default.
enum class NdtFetch : std::uint8_t { global, texture, sharedCache };
enum class NdtReduction : std::uint8_t { shuffle, sharedMemory };
/// Who solves for the step. Where -H isn't positive definite, 32 shifts of it may have to be tried.
enum class NdtSolve : std::uint8_t {
    lanes,  ///< each lane of a warp tries another shift
    thread, ///< one thread tries one after the other
    warp,   ///< the lanes of a warp share the unshifted matrix, which is factored: other rounding than the
            ///< others; where that doesn't do, one thread takes over
};
struct NdtTuning {
    NdtLaunch launch = NdtLaunch::automatic;
    unsigned threads = 0; ///< of a block, 32, 64, 128 or 256; 0: by the number of points
    unsigned blocks = 0;  ///< at most, a power of two: up to 16 of a cluster; 0: by the number of points
    NdtFetch fetch = NdtFetch::global;
    NdtReduction reduction = NdtReduction::shuffle;
    NdtSolve solve = NdtSolve::lanes;
    bool alwaysRead = false; ///< cells are read in each iteration, also around points that stay in theirs
    double settled =
        0; ///< metres: a point that moves less keeps its terms: changes bits, as NdtSolve::warp does
    bool operator==(const NdtTuning&) const = default;
};

/// As cpu::alignNdt, with pairs in single precision. `map` and `scan` lie on the device of `stream`.
/// @note Synchronizes with `stream`. @throws as cpu::alignNdt
NdtResult alignNdt(const NdtDeviceMap& map, const NdtDeviceScan& scan, const RigidTransform& start,
                   const NdtParams& params, const NdtTuning& tuning, const std::stop_token& stop,
                   StreamView stream);

/// As cpu::scoreNdt. @note Synchronizes with `stream`.
NdtResult scoreNdt(const NdtDeviceMap& map, const NdtDeviceScan& scan, const RigidTransform& pose,
                   const NdtParams& params, const std::stop_token& stop, StreamView stream);

/// As cpu::alignNdtBatch: each gives the bits that alignNdt gives. @note Synchronizes with `stream`.
std::vector<NdtResult> alignNdtBatch(const NdtDeviceMap& map, std::span<const NdtDeviceScan> scans,
                                     std::span<const NdtJob> jobs, const NdtParams& params,
                                     const std::stop_token& stop, StreamView stream);

/// As cpu::findPoseNdt. @note Synchronizes with `stream`.
NdtFound findPoseNdt(const NdtDeviceMap& map, const NdtScan& scan, std::span<const RigidTransform> starts,
                     const NdtParams& params, const NdtSearch& search, const std::stop_token& stop,
                     StreamView stream);

/// A map and some points of a cloud, in a stream of their own. All parts lie on the current device: memory
/// and launches are that of one device in this program, so that several are tried as parts of one.
struct NdtPart {
    const NdtDeviceMap* map = nullptr;
    const NdtDeviceScan* scan = nullptr;
    StreamView stream{nullptr};
};
/// Aligns one cloud whose points lie in parts, each part being scored on its own device and the sums added up
/// on the host, part by part. `whole` is the spread of all points. Without pointScores.
/// @note Synchronizes with all streams, once an iteration.
NdtResult alignNdtSplit(std::span<const NdtPart> parts, const NdtSpread& whole, const RigidTransform& start,
                        const NdtParams& params, const std::stop_token& stop);

/// Shares jobs out over parts that all have the whole map: job i goes to part i % parts. `scans[k]` are all
/// scans where part k lies. Results are in the order of the jobs; one part runs after the other.
std::vector<NdtResult> alignNdtSharded(std::span<const NdtPart> parts,
                                       std::span<const std::span<const NdtDeviceScan>> scans,
                                       std::span<const NdtJob> jobs, const NdtParams& params,
                                       const std::stop_token& stop);

} // namespace scanloupe::cuda
