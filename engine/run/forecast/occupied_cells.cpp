// Counts the cells that a sample occupies, and extrapolates the number to all points.
#include "engine/run/forecast/occupied_cells.h"

#include "kernels/field/core/scalar_field.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace scanloupe {

namespace {

constexpr double kPart = 8;              // the sample is compared with an eighth of it
constexpr double kCountingError = 0.002; // relative error of linear counting for the numbers that occur

/// Returns the expected fraction of cells with at least one point in a sample of `size`, where 1 is the whole
/// sample. The points per cell have a negative binomial distribution with shape `k` and, in the whole sample,
/// `mean` points per cell.
double seenShare(double size, double k, double mean) {
    return -std::expm1(-k * std::log1p(mean * size / k));
}

/// Returns the number of cells that a sample `factor` times as large would occupy, by the gamma-Poisson model
/// that fits `growth` best.
double gammaPoisson(const std::array<double, 4>& growth, double factor) {
    const double wanted = growth[0] / growth[3];
    double best = growth[3], least = 1e300;
    for (double k = 0.05; k < 30; k *= 1.9) {
        double low = -12, high = 12;            // logarithm of the mean
        for (int step = 0; step < 24; ++step) { // the larger the mean, the larger the fraction that an eighth
                                                // of the sample occupies
            const double mean = std::exp(0.5 * (low + high));
            (seenShare(1 / kPart, k, mean) / seenShare(1, k, mean) < wanted ? low : high) = std::log(mean);
        }
        const double mean = std::exp(0.5 * (low + high)), cells = growth[3] / seenShare(1, k, mean);
        double error = 0;
        for (int i = 0; i < 3; ++i)
            error +=
                std::abs(std::log(cells * seenShare(std::exp2(i - 3), k, mean) / growth[std::size_t(i)]));
        if (error < least) {
            least = error;
            best = cells * seenShare(factor, k, mean);
        }
    }
    return best;
}

constexpr std::size_t kBits = std::size_t{1} << 20; // bits of a bitmap for the whole sample: 128 KiB

/// Counts distinct cells by linear counting, accurate to 0.1 % for a sample: Whang, Vander-Zanden, Taylor, "A
/// linear-time probabilistic counting algorithm for database applications", 1990. Has no branches, because a
/// processor could not predict them here.
class CellCounter {
public:
    explicit CellCounter(std::size_t bits) : m_words(bits / 64), m_mask(bits - 1) {}

    void add(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
        std::uint64_t hash = x * 0x9e3779b97f4a7c15u + y * 0xc2b2ae3d27d4eb4fu + z * 0x165667b19e3779f9u;
        hash = (hash ^ (hash >> 32)) * 0xbf58476d1ce4e5b9u;
        hash = (hash >> 40) & m_mask;
        m_words[hash / 64] |= std::uint64_t{1} << (hash % 64);
    }
    double count() const {
        std::size_t set = 0;
        for (const std::uint64_t word : m_words)
            set += std::size_t(std::popcount(word));
        const double bits = double(m_mask + 1);
        return -bits * std::log1p(-std::min(double(set), bits - 1) / bits);
    }

private:
    std::vector<std::uint64_t> m_words;
    std::uint64_t m_mask;
};

/// Maps positions in the box to cells.
struct CellOf {
    Vec3f perMetre;
    explicit CellOf(Vec3f size) : perMetre{1 / size.x, 1 / size.y, 1 / size.z} {}
    std::uint32_t along(int axis, Vec3f p) const {
        constexpr float most = 4e9f; // fits in 32 bits
        return std::uint32_t(std::int64_t(std::min(p[axis] * perMetre[axis], most)));
    }
};

} // namespace

OccupiedCells::OccupiedCells(const PointSample& sample, Vec3f low, Vec3f high, const PointCut& cut,
                             double part)
    : m_share(sample.share * part) {
    const auto looked =
        std::span(sample.positions).first(std::size_t(part * double(sample.positions.size())));
    m_points.reserve(looked.size());
    for (const Vec3f p : looked)
        if ((p.x >= low.x) & (p.x < high.x) & (p.y >= low.y) & (p.y < high.y) & (p.z >= low.z) &
                (p.z < high.z) &&
            cut.keeps(p))
            m_points.push_back(p - low);
}

Estimate OccupiedCells::points() const {
    const double seen = double(m_points.size());
    if (m_share >= 1)
        return Estimate::exact(seen);
    // without a sampled point in the box, the true number exceeds 3 / m_share in only one of twenty cases
    if (seen == 0)
        return {1 / m_share, 1, 3 / m_share};
    return Estimate::withSpread(seen / m_share, 1 / std::sqrt(std::max(seen, 1.0)));
}

double OccupiedCells::countCells(Vec3f size, std::size_t points) const {
    CellCounter counter(points > m_points.size() / 2 ? kBits : kBits / std::size_t(kPart));
    const CellOf cell(size);
    for (const Vec3f& p : std::span(m_points).first(points))
        counter.add(cell.along(0, p), cell.along(1, p), cell.along(2, p));
    return counter.count();
}

template <class Add>
OccupiedCells::Growth OccupiedCells::growth(std::size_t points, Add&& add) const {
    CellCounter counter(kBits);
    Growth growth{};
    std::size_t i = 0;
    for (std::size_t part = 0; part < growth.size(); ++part) {
        for (; i < points >> (growth.size() - 1 - part); ++i)
            add(counter, m_points[i]);
        growth[part] = counter.count();
    }
    return growth;
}

double OccupiedCells::selfSimilar(Vec3f size, double all, double factor) const {
    const std::size_t part = std::size_t(double(m_points.size()) / kPart);
    const auto larger = [&](double times, double dimension) {
        return size * float(std::pow(times, 1 / dimension));
    };
    double low = 1, high = 4; // range of dimensions; the larger the dimension, the more cells are estimated
    for (int step = 0; step < 5; ++step) {
        const double d = 0.5 * (low + high);
        (kPart * countCells(larger(kPart, d), part) < all ? low : high) = d;
    }
    return factor * countCells(larger(factor, 0.5 * (low + high)), m_points.size());
}

Estimate OccupiedCells::between(double seen) const {
    const Estimate all = points();
    const double least = std::max(seen, 1.0);
    // at least the seen cells, at most as many cells per point as in the sample
    const double most = std::max(least, all.high * least / std::max(double(m_points.size()), 1.0));
    return {std::sqrt(least * most), least, most};
}

Estimate OccupiedCells::cells(Vec3f size) const {
    if (m_share >= 1)
        return Estimate::withSpread(countCells(size, m_points.size()), kCountingError)
            .clamped(0, points().high);
    if (isUnsure())
        return between(countCells(size, m_points.size()));
    const CellOf cell(size);
    const Growth growth = this->growth(m_points.size(), [&](CellCounter& counter, Vec3f p) {
        counter.add(cell.along(0, p), cell.along(1, p), cell.along(2, p));
    });
    const double factor = 1 / m_share, most = double(m_points.size()) * factor;
    const double seen = std::min(growth.back(), double(m_points.size())); // limited, because counting has a
                                                                          // small error
    const double similar = std::clamp(selfSimilar(size, seen, factor), seen, most);
    const double modelled = std::clamp(gammaPoisson(growth, factor), seen, most);
    const double spread = 0.5 * std::abs(std::log(similar / modelled)) + 0.01 * std::log2(factor);
    return Estimate::withSpread(std::sqrt(similar * modelled), spread).clamped(seen, most);
}

Estimate OccupiedCells::bricks(Vec3f size, const BrickReach& reach) const {
    const CellOf cell(size);
    const bool isWhole = m_share >= 1;
    // bricks contain many points, so half of the sample is accurate enough
    const std::size_t points = isWhole ? m_points.size() : m_points.size() / 2;
    const auto brick = [](std::int64_t node) {
        return std::uint32_t(std::max<std::int64_t>(node, 0) / kBrickEdge);
    };
    const Growth growth = this->growth(points, [&](CellCounter& counter, Vec3f p) {
        std::array<std::uint32_t, 3> low{}, high{};
        for (int axis = 0; axis < 3; ++axis) {
            const std::int64_t node = std::int64_t(cell.along(axis, p)) + reach.shift;
            low[std::size_t(axis)] = brick(node - reach.nodes[axis]);
            high[std::size_t(axis)] = brick(node + reach.nodes[axis]);
        }
        for (std::uint32_t z = low[2]; z <= high[2]; ++z)
            for (std::uint32_t y = low[1]; y <= high[1]; ++y)
                for (std::uint32_t x = low[0]; x <= high[0]; ++x)
                    counter.add(x, y, z);
    });
    if (isWhole)
        return Estimate::withSpread(growth.back(), kCountingError);
    if (isUnsure())
        return between(growth.back());
    const double factor = 2 / m_share, seen = growth.back();
    const double modelled = std::max(gammaPoisson(growth, factor), seen);
    return Estimate::withSpread(modelled, 0.3 * std::log(modelled / seen) + 0.01 * std::log2(factor));
}

} // namespace scanloupe
