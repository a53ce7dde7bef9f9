// Samples voxels by a hash of their keys, and tests whether their neighbourhoods are planar.
#include "engine/recipe/surface_share.h"

#include "kernels/core/parallel.h"
#include "kernels/field/core/surfel_element.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace scanloupe {

namespace {

constexpr std::size_t kSurfaceShareGrain = std::size_t{1} << 15;
constexpr double kSampledVoxels = 500; // the standard error of a share is at most 2.2 %
constexpr int kReach = 2;              // radius of a neighbourhood, voxels
constexpr double kSteps = 1 << 20;     // fixed-point steps per voxel edge

/// Packs voxel coordinates into keys with 21 bits per axis, which suffices for all automatic voxel sizes.
class VoxelKeys {
public:
    VoxelKeys(Vec3d origin, double size) : m_origin(origin), m_perMetre(1 / size) {}

    static std::uint64_t keyOf(Vec3<std::int64_t> cell) {
        return std::uint64_t(cell.x) | std::uint64_t(cell.y) << 21 | std::uint64_t(cell.z) << 42;
    }
    static Vec3<std::int64_t> cellOf(std::uint64_t key) {
        return {std::int64_t(key & kMaxPlace), std::int64_t(key >> 21 & kMaxPlace), std::int64_t(key >> 42)};
    }
    std::uint64_t key(Vec3d p) const {
        const Vec3d at = place(p);
        return keyOf({along(at.x), along(at.y), along(at.z)});
    }
    /// Returns the position relative to the corner of the voxel `key`, in voxel edges.
    Vec3d within(Vec3d p, std::uint64_t key) const { return place(p) - cellOf(key).as<double>(); }

private:
    static constexpr std::int64_t kMaxPlace = (1 << 21) - 1;
    /// Returns the position in voxel edges, shifted so that lower neighbours have valid coordinates. Never
    /// negative, so truncation rounds down.
    Vec3d place(Vec3d p) const { return (p - m_origin) * m_perMetre + Vec3d{kReach, kReach, kReach}; }
    static std::int64_t along(double place) {
        return std::clamp<std::int64_t>(std::int64_t(place), kReach, kMaxPlace - kReach);
    }
    Vec3d m_origin;
    double m_perMetre;
};

std::uint64_t mixed(std::uint64_t key) { // finalizer of SplitMix64 (Steele, Lea and Flood, 2014)
    key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9u;
    key = (key ^ (key >> 27)) * 0x94d049bb133111ebu;
    return key ^ (key >> 31);
}

/// A hash table (open addressing, linear probing) with the sums of the points in selected voxels, and a bit
/// filter in front of it. Sums are fixed-point integers, so that they do not depend on the order of addition.
class VoxelSums {
public:
    struct Slot {
        std::uint64_t key = kEmpty;
        std::int64_t x = 0, y = 0, z = 0; ///< relative to the voxel's corner, in fixed-point steps
        std::uint32_t count = 0;
    };
    explicit VoxelSums(std::size_t most)
        : m_slots(std::bit_ceil(2 * most + 1)), m_filter(std::bit_ceil(most + 8)) {}

    void want(std::uint64_t key) {
        m_slots[place(key)].key = key;
        m_filter[filterPlace(key) / 8] |= filterBit(key);
    }
    /// Whether the voxel may be selected: true for all selected voxels, false for most others.
    bool mayWant(std::uint64_t key) const { return m_filter[filterPlace(key) / 8] & filterBit(key); }
    /// Adds a point to its voxel if the voxel is selected. Thread-safe.
    void add(std::uint64_t key, Vec3d within) {
        Slot& slot = m_slots[place(key)];
        if (slot.key != key)
            return;
        const auto sum = [](std::int64_t& to, double part) {
            std::atomic_ref(to).fetch_add(std::int64_t(part * kSteps), std::memory_order_relaxed);
        };
        sum(slot.x, within.x);
        sum(slot.y, within.y);
        sum(slot.z, within.z);
        std::atomic_ref(slot.count).fetch_add(1, std::memory_order_relaxed);
    }
    const Slot& at(std::uint64_t key) const { return m_slots[place(key)]; }

private:
    static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};
    /// Returns the slot of the key, or the free slot where it would be inserted.
    std::size_t place(std::uint64_t key) const {
        const std::size_t mask = m_slots.size() - 1;
        std::size_t at = std::size_t(mixed(key)) & mask;
        while (m_slots[at].key != kEmpty && m_slots[at].key != key)
            at = (at + 1) & mask;
        return at;
    }
    std::size_t filterPlace(std::uint64_t key) const {
        return std::size_t(key * 0x9e3779b97f4a7c15u >> 32) & (8 * m_filter.size() - 1);
    }
    std::uint8_t filterBit(std::uint64_t key) const { return std::uint8_t(1u << (filterPlace(key) % 8)); }

    std::vector<Slot> m_slots;
    /// A Bloom filter with one hash function and at least eight bits per selected voxel, so that few bits are
    /// set.
    std::vector<std::uint8_t> m_filter;
};

/// Returns the keys, ascending, of the voxels whose hash is in the lowest `share` of all hashes.
/// @param voxelOf the key of each point's voxel
std::vector<std::uint64_t> chooseVoxels(std::span<const std::uint64_t> voxelOf, double share,
                                        const std::stop_token& stop) {
    const auto most = std::uint64_t(std::min(share, 1.0) * 0x1p32);
    std::vector<std::vector<std::uint64_t>> parts(chunkCount(voxelOf.size(), kSurfaceShareGrain));
    parallelChunks(voxelOf.size(), kSurfaceShareGrain, stop,
                   [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                       for (std::size_t i = begin; i < end; ++i) {
                           if (mixed(voxelOf[i]) >> 32 < most)
                               parts[chunk].push_back(voxelOf[i]);
                       }
                   });
    std::vector<std::uint64_t> chosen;
    for (const auto& part : parts)
        chosen.insert(chosen.end(), part.begin(), part.end());
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
}

template <class Visit>
void forNeighbours(std::uint64_t key, Visit&& visit) {
    const auto cell = VoxelKeys::cellOf(key);
    for (int z = -kReach; z <= kReach; ++z)
        for (int y = -kReach; y <= kReach; ++y)
            for (int x = -kReach; x <= kReach; ++x)
                visit(VoxelKeys::keyOf({cell.x + x, cell.y + y, cell.z + z}),
                      Vec3d{double(x), double(y), double(z)});
}

Vec3d meanOf(const VoxelSums::Slot& slot) {
    return Vec3d{double(slot.x), double(slot.y), double(slot.z)} / (kSteps * double(slot.count));
}

} // namespace

SurfaceShare measureSurfaceShare(std::span<const Vec3d> points, Vec3d origin, double voxelSize,
                                 double occupied, const std::stop_token& stop) {
    const VoxelKeys keys(origin, voxelSize);
    std::vector<std::uint64_t> voxelOf(points.size());
    parallelFor(points.size(), kSurfaceShareGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            voxelOf[i] = keys.key(points[i]);
    });
    const auto chosen = chooseVoxels(voxelOf, kSampledVoxels / std::max(occupied, 1.0), stop);
    constexpr std::size_t neighbours = (2 * kReach + 1) * (2 * kReach + 1) * (2 * kReach + 1);
    VoxelSums sums(chosen.size() * neighbours);
    for (const std::uint64_t key : chosen)
        forNeighbours(key, [&](std::uint64_t other, Vec3d) { sums.want(other); });
    parallelFor(points.size(), kSurfaceShareGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (sums.mayWant(voxelOf[i]))
                sums.add(voxelOf[i], keys.within(points[i], voxelOf[i]));
        }
    });
    const Vec3f inverse = inverseSquares(Vec3f{kReach, kReach, kReach});
    constexpr std::size_t grain = 64; // voxels
    SurfaceShare share = parallelReduce(
        chosen.size(), grain, stop, SurfaceShare{},
        [&](std::size_t begin, std::size_t end) {
            SurfaceShare part;
            for (std::size_t i = begin; i < end; ++i) {
                const Vec3d middle = meanOf(sums.at(chosen[i]));
                WeightedMoments near;
                forNeighbours(chosen[i], [&](std::uint64_t other, Vec3d from) {
                    const VoxelSums::Slot& slot = sums.at(other);
                    if (slot.count > 0)
                        near.add((from + meanOf(slot) - middle).as<float>(), confidence(slot.count), inverse);
                });
                const Eigen3f eigen = symmetricEigen(near.covariance());
                if (near.means < 6)
                    ++part.sparse;
                else
                    part.flat +=
                        eigen.values[0] < 0.1f * eigen.values[1] && eigen.values[1] > 0.02f * eigen.values[2];
            }
            return part;
        },
        [](SurfaceShare a, const SurfaceShare& other) {
            a.sparse += other.sparse;
            a.flat += other.flat;
            return a;
        });
    share.voxels = chosen.size();
    return share;
}

} // namespace scanloupe
