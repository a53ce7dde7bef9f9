// Draws a random sample of points by a pseudo-random permutation of their indices.
#include "engine/run/forecast/point_sample.h"

#include "engine/cloud/point_cloud.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <bit>

namespace scanloupe {

namespace {

constexpr std::size_t kMaxPoints = 1 << 17; // counting the voxels of the sample takes about 0.5 ms

/// A pseudo-random permutation of 0 ... count - 1. Invertible operations on numbers below the next power of
/// two are repeated until the result is below `count`.
class Permutation {
public:
    explicit Permutation(std::uint64_t count)
        : m_count(count), m_mask(std::bit_ceil(std::max<std::uint64_t>(count, 4)) - 1),
          m_shift(std::bit_width(m_mask) / 2 + 1) {}

    std::uint64_t operator()(std::uint64_t i) const {
        do {
            for (int round = 0; round < 3; ++round) {
                i = (i * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u) & m_mask;
                i ^= i >> m_shift;
            }
        } while (i >= m_count);
        return i;
    }

private:
    std::uint64_t m_count, m_mask;
    int m_shift;
};

} // namespace

PointSample samplePoints(const PointCloud& cloud, const std::stop_token& stop) {
    PointSample sample;
    sample.points = cloud.size();
    const std::size_t drawn = std::min(cloud.size(), kMaxPoints);
    sample.share = drawn > 0 ? double(drawn) / double(cloud.size()) : 1;
    sample.positions.resize(drawn);
    const Permutation order(cloud.size());
    parallelFor(drawn, 1 << 13, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            sample.positions[i] = (cloud.position(order(i)) - cloud.origin()).as<float>();
    });
    std::erase_if(sample.positions, [](Vec3f p) { return !isFinite(p.as<double>()); });
    return sample;
}

} // namespace scanloupe
