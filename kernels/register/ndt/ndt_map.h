#pragma once
// Declares NdtMap: a sparse grid of cubic cells, each with the normal distribution of the points in it.
#include "kernels/core/rigid_transform.h"
#include "kernels/core/vec3.h"

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

inline constexpr std::uint32_t kNoCell = std::numeric_limits<std::uint32_t>::max();

/// Estimator of a cell's covariance, with S = sum (x - mean)(x - mean)^T over n points. Published matchers
/// differ; the estimators other than `sample` allow comparisons with them. `pcl` and `autoware` initialize
/// their sums with the identity I, 1 square metre in all directions.
enum class NdtCovariance : std::uint8_t {
    sample,   ///< S / (n - 1), as in newer PCL versions
    pcl,      ///< (I + S)(n - 1) / n^2, as in ndt_omp and older PCL versions
    autoware, ///< (I + S) / (n - 1)
};

struct NdtMapParams {
    double resolution = 2;       ///< edge length of a cell, metres
    std::uint32_t minPoints = 6; ///< cells with fewer points have no distribution
    double leastRatio = 0.01; ///< smaller eigenvalues are raised to this fraction of the largest eigenvalue
    NdtCovariance covariance = NdtCovariance::sample;
    bool operator==(const NdtMapParams&) const = default;
};

/// Normal distribution of a cell's points.
struct NdtCell {
    Vec3d mean;                      ///< relative to the map's origin, metres
    std::array<double, 6> inverse{}; ///< inverse covariance: xx, xy, xz, yy, yz, zz
    Vec3d deviations;                ///< standard deviations along the axes, ascending, metres
    std::array<Vec3d, 3> axes{};     ///< unit eigenvectors in that order
    std::uint32_t count = 0;         ///< number of points
};

/// Cells of scans that were added one after another, each with its pose. The lowest corner of cell (i, j, k)
/// is at origin + (i, j, k) * resolution. The map's origin is a multiple of the resolution near the first
/// scan's origin.
class NdtMap {
public:
    /// Makes an empty map. @throws KernelError for parameters out of range
    explicit NdtMap(const NdtMapParams& params);
    ~NdtMap();
    NdtMap(const NdtMap&);
    NdtMap& operator=(const NdtMap&);
    NdtMap(NdtMap&&) noexcept;
    NdtMap& operator=(NdtMap&&) noexcept;

    /// Adds points, [N, 3] metres relative to `origin` in the scan's frame, moved by T_map_scan. Points that
    /// are not finite are ignored. The order of scans affects cells only by rounding.
    /// @throws KernelError when out of memory or the points reach further than 2^20 cells; Cancelled. The map
    /// is then unchanged.
    void add(std::span<const Vec3f> points, Vec3d origin, const RigidTransform& pose,
             const std::stop_token& stop);

    /// Removes the cells whose centres are farther than `radius` from `place`, both in metres, in the frame
    /// of the poses. @throws KernelError when out of memory
    void keepNear(Vec3d place, double radius);

    const NdtMapParams& params() const { return m_params; }
    Vec3d origin() const { return m_origin; }
    /// Returns the cells with enough points, ascending by key.
    std::span<const NdtCell> cells() const { return m_cells; }
    /// Returns the coordinates of cell i of cells().
    Vec3i cellPlace(std::size_t i) const;
    /// Returns the number of added points, including those of removed cells.
    std::uint64_t points() const { return m_points; }
    std::uint64_t bytes() const; ///< memory of the map
    /// Returns the index in cells() of the cell at these coordinates, or kNoCell.
    std::uint32_t find(Vec3i cell) const;

private:
    struct Sums;
    struct Slot {
        std::uint64_t key;
        std::uint32_t cell;
    };
    class Insertion;
    /// Returns a hash table of the cells with these keys.
    static std::vector<Slot> slotsOf(std::span<const std::uint64_t> keys);

    NdtMapParams m_params;
    Vec3d m_origin;
    std::uint64_t m_points = 0;
    std::vector<Sums> m_sums;          ///< sums of every occupied cell, ascending by key
    std::vector<NdtCell> m_cells;      ///< cells with enough points
    std::vector<std::uint64_t> m_keys; ///< keys of the cells in m_cells
    std::vector<Slot> m_slots; ///< hash table with open addressing; the number of slots is a power of two
};

} // namespace scanloupe
