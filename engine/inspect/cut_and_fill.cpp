// Computes the volumes between the heights of two scans.
#include "engine/inspect/cut_and_fill.h"

#include "engine/cloud/point_cloud.h"
#include "engine/inspect/spread_prior.h"
#include "kernels/change/student_quantile.h"
#include "kernels/core/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace scanloupe {

namespace {

constexpr double kQuantile = 1.959963984540054; // normal quantile of a two-sided 95 % interval
/// Coverage factor for sums, from the Guide to the Expression of Uncertainty in Measurement; covers 95.4 %.
constexpr double kCoverage = 2;
constexpr double kFewForSlope = 12; // minimum number of points for a cell's own slope; with fewer points, the
                                    // cells around it are included

/// Sums of squares and products of deviations from a mean.
struct Scatter {
    double xx = 0, xy = 0, yy = 0, xz = 0, yz = 0, zz = 0;

    Scatter& operator+=(const Scatter& other) {
        xx += other.xx, xy += other.xy, yy += other.yy;
        xz += other.xz, yz += other.yz, zz += other.zz;
        return *this;
    }
};

/// Sums over the points of one scan in a cell. Positions are relative to the cell's centre, heights to a
/// height near the ground.
struct HeightSums {
    double count = 0, x = 0, y = 0, z = 0;
    Scatter products;

    void add(double px, double py, double pz) {
        count += 1;
        x += px, y += py, z += pz;
        products += {px * px, px * py, py * py, px * pz, py * pz, pz * pz};
    }
    Scatter scatter() const {
        const Scatter& p = products;
        return {p.xx - x * x / count, p.xy - x * y / count, p.yy - y * y / count,
                p.xz - x * z / count, p.yz - y * z / count, std::max(0.0, p.zz - z * z / count)};
    }
};

struct HeightCell {
    HeightSums scans[2];
    double height = 0; ///< height of the first point in the cell

    bool hasBoth() const { return scans[0].count > 0 && scans[1].count > 0; }
};

using CellKey = std::pair<std::int64_t, std::int64_t>;
using HeightCells = std::map<CellKey, HeightCell>; // ordered, so that sums are the same in every run

/// The common slope of the ground in both scans, and its precision.
struct Slope {
    double x = 0, y = 0;
    double xx = 0, xy = 0, yy = 0; ///< inverse of the scatter matrix of all positions; zero without a slope
    Scatter scans[2];              ///< scatter of each scan from which the slope was estimated

    bool isKnown() const { return xx > 0; }
    double trace(const Scatter& s) const { return xx * s.xx + 2 * xy * s.xy + yy * s.yy; }
};

/// Fits the slope by least squares to the scatters within cells. Returns no slope if the positions are on a
/// line.
Slope slopeOf(const Scatter& first, const Scatter& second) {
    Slope slope{0, 0, 0, 0, 0, {first, second}};
    Scatter all = first;
    all += second;
    constexpr double thin = 1e-4; // threshold of the ratio between squared width and squared length
    const double determinant = all.xx * all.yy - all.xy * all.xy, trace = all.xx + all.yy;
    if (!(determinant > thin * trace * trace))
        return slope;
    slope.xx = all.yy / determinant;
    slope.xy = -all.xy / determinant;
    slope.yy = all.xx / determinant;
    slope.x = slope.xx * all.xz + slope.xy * all.yz;
    slope.y = slope.xy * all.xz + slope.yy * all.yz;
    return slope;
}

/// Returns the slope in a cell: its own, or that of the cells around it if the cell has few points.
Slope slopeIn(const HeightCells& cells, const CellKey& key, const HeightCell& cell) {
    Scatter sums[2] = {cell.scans[0].scatter(), cell.scans[1].scatter()};
    if (cell.scans[0].count + cell.scans[1].count >= kFewForSlope)
        if (const Slope own = slopeOf(sums[0], sums[1]); own.isKnown())
            return own;
    for (int step = 0; step < 9; ++step) {
        const auto found = cells.find({key.first + step / 3 - 1, key.second + step % 3 - 1});
        if (step == 4 || found == cells.end())
            continue;
        for (int which = 0; which < 2; ++which)
            if (const HeightSums& scan = found->second.scans[which]; scan.count > 0)
                sums[which] += scan.scatter();
    }
    return slopeOf(sums[0], sums[1]);
}

/// The change of height in a cell.
struct CellChange {
    double rise = 0;
    bool hasSlope = false;              ///< false: the ground is assumed to be level
    std::array<NoiseSpread, 2> spreads; ///< spread of each scan's points about the sloped ground
    std::array<NoiseSpread, 2> levels;  ///< spread of each scan's points about level ground
    std::array<double, 2> factors;      ///< weights of the scans' variances in the variance of `rise`

    /// Returns the variance of `rise` from the variances of the points.
    SpreadSum variance(const NoiseSpread& first, const NoiseSpread& second) const {
        SpreadSum sum;
        sum.add({first.variance * factors[0], first.freedom});
        sum.add({second.variance * factors[1], second.freedom});
        return sum;
    }
};

CellChange changeIn(const HeightCell& cell, const Slope& slope, double edge) {
    const double exact = 1e-9 * edge; // smaller spreads are rounding errors
    CellChange change;
    change.hasSlope = slope.isKnown();
    const HeightSums &one = cell.scans[0], &other = cell.scans[1];
    const double dx = other.x / other.count - one.x / one.count,
                 dy = other.y / other.count - one.y / one.count;
    change.rise = other.z / other.count - one.z / one.count - slope.x * dx - slope.y * dy;
    // the slope contributes to the error by its scatter along the vector between the two means
    const double wx = slope.xx * dx + slope.xy * dy, wy = slope.xy * dx + slope.yy * dy;
    for (std::size_t which = 0; which < 2; ++which) {
        const HeightSums& scan = cell.scans[which];
        const Scatter s = scan.scatter(), &all = slope.scans[which];
        const double squares = s.zz - 2 * (slope.x * s.xz + slope.y * s.yz) + slope.x * slope.x * s.xx +
                               2 * slope.x * slope.y * s.xy + slope.y * slope.y * s.yy;
        const double freedom = scan.count - 1 - slope.trace(s);
        if (scan.count > 1)
            change.levels[which] = {s.zz / (scan.count - 1), scan.count - 1};
        if (freedom > 1e-9)
            change.spreads[which] = {std::max(exact * exact, squares / freedom), freedom};
        change.factors[which] = 1 / scan.count + wx * wx * all.xx + 2 * wx * wy * all.xy + wy * wy * all.yy;
    }
    return change;
}

/// Sums the changes of cells. The errors of cells are independent, except for the registration error.
class VolumeSummation {
public:
    /// Adds a cell. @param isKnown whether the variance is known; if one is unknown, so is the variance of
    /// the sum
    void add(double rise, const SpreadSum& variance, bool isKnown = true) {
        m_isKnown = m_isKnown && isKnown;
        m_rise += rise;
        m_cells += 1;
        m_variance.add({variance.variance(), variance.freedom()});
    }
    VolumeSum sum(double cellArea, double registrationError, bool isJudged = true) const {
        VolumeSum volume;
        volume.value = std::abs(m_rise) * cellArea;
        if (isJudged && m_isKnown)
            volume.uncertainty = kCoverage *
                                 std::hypot(studentQuantile95(m_variance.freedom()) / kQuantile *
                                                std::sqrt(m_variance.variance()),
                                            registrationError * m_cells) *
                                 cellArea;
        return volume;
    }
    double rise() const { return m_rise; }

private:
    double m_rise = 0, m_cells = 0;
    SpreadSum m_variance;
    bool m_isKnown = true;
};

/// Returns the variance of a cell's change for its level of detection; none if it is unknown. The prior from
/// other cells counts only once, because rough ground is rough in both scans.
std::optional<SpreadSum> judgedVariance(const CellChange& change, const std::array<SpreadPrior, 2>& priors) {
    if (!change.hasSlope)
        return std::nullopt;
    std::array<NoiseSpread, 2> spreads;
    double sum = 0;
    for (std::size_t which = 0; which < 2; ++which) {
        spreads[which] = priors[which].moderated(change.spreads[which]);
        if (!(spreads[which].freedom > 0))
            return std::nullopt;
        sum += spreads[which].variance * change.factors[which];
    }
    for (std::size_t which = 0; which < 2; ++which) {
        const double part = sum > 0 ? spreads[which].variance * change.factors[which] / sum : 0.5;
        if (std::isfinite(spreads[which].freedom))
            spreads[which].freedom -= (1 - part) * priors[which].common.freedom;
    }
    return change.variance(spreads[0], spreads[1]);
}

CutAndFill sumUp(const std::vector<CellChange>& changes, const CutAndFillOptions& options) {
    std::array<SpreadPrior, 2> priors, levels;
    for (std::size_t which = 0; which < 2; ++which) {
        std::vector<NoiseSpread> about, level;
        for (const CellChange& change : changes) {
            if (change.hasSlope)
                about.push_back(change.spreads[which]);
            level.push_back(change.levels[which]);
        }
        priors[which] = spreadPrior(about);
        levels[which] = spreadPrior(level);
    }
    CutAndFill volume;
    VolumeSummation all, gained, lost;
    const double cellArea = options.cell * options.cell;
    double detections = 0;
    for (const CellChange& change : changes) {
        const auto known = [&](std::size_t which) {
            return change.hasSlope ? priors[which].unbiased(change.spreads[which])
                                   : levels[which].unbiased(change.levels[which]);
        };
        const NoiseSpread first = known(0), second = known(1);
        const SpreadSum variance = change.variance(first, second);
        all.add(change.rise, variance, first.freedom > 0 && second.freedom > 0);
        (change.rise > 0 ? volume.rawGained : volume.rawLost) += std::abs(change.rise) * cellArea;
        const std::optional<SpreadSum> judged = judgedVariance(change, priors);
        if (!judged)
            continue;
        const double detection = studentQuantile95(judged->freedom()) * std::sqrt(judged->variance()) +
                                 kQuantile * options.registrationError;
        ++volume.judged;
        detections += detection;
        if (!(std::abs(change.rise) > detection))
            continue;
        ++volume.significant;
        (change.rise > 0 ? gained : lost).add(change.rise, variance);
    }
    volume.net = all.sum(cellArea, options.registrationError, !changes.empty());
    volume.net.value = all.rise() * cellArea;
    volume.gained = gained.sum(cellArea, options.registrationError, volume.judged > 0);
    volume.lost = lost.sum(cellArea, options.registrationError, volume.judged > 0);
    volume.meanDetection = volume.judged > 0 ? detections / double(volume.judged) : 0;
    volume.cells = changes.size();
    volume.area = double(volume.cells) * cellArea;
    return volume;
}

/// Adds the points of a scan to the cells that contain them.
void addHeights(HeightCells& cells, const PointCloud& scan, std::size_t which,
                const CutAndFillOptions& options, const std::stop_token& stop) {
    int axis = 2;
    for (int other = 0; other < 2; ++other)
        if (std::abs(options.up[other]) > std::abs(options.up[axis]))
            axis = other;
    const double sign = options.up[axis] < 0 ? -1 : 1;
    const auto whole = [&](double v) {
        return std::int64_t(std::floor(std::clamp(v / options.cell, -1e18, 1e18)));
    };
    auto at = cells.end(); // consecutive points are mostly in the same cell
    for (std::size_t i = 0; i < scan.size(); ++i) {
        if (i % 65536 == 0 && stop.stop_requested())
            throw Cancelled();
        const Vec3d p = scan.position(i);
        if (!isFinite(p))
            continue;
        const double x = p[(axis + 1) % 3], y = p[(axis + 2) % 3], z = sign * p[axis];
        const CellKey key{whole(x), whole(y)};
        if (at == cells.end() || at->first != key) {
            const auto [found, isNew] = cells.try_emplace(key);
            at = found;
            if (isNew)
                at->second.height = z;
        }
        at->second.scans[which].add(x - (double(key.first) + 0.5) * options.cell,
                                    y - (double(key.second) + 0.5) * options.cell, z - at->second.height);
    }
}

} // namespace

CutAndFill cutAndFill(const PointCloud& first, const PointCloud& second, const CutAndFillOptions& options,
                      const std::stop_token& stop) {
    HeightCells cells;
    addHeights(cells, first, 0, options, stop);
    addHeights(cells, second, 1, options, stop);
    std::vector<CellChange> changes;
    std::uint64_t onlyFirst = 0, onlySecond = 0;
    for (const auto& [key, cell] : cells) {
        if (cell.hasBoth())
            changes.push_back(changeIn(cell, slopeIn(cells, key, cell), options.cell));
        else
            ++(cell.scans[0].count > 0 ? onlyFirst : onlySecond);
    }
    CutAndFill volume = sumUp(changes, options);
    volume.onlyFirst = onlyFirst;
    volume.onlySecond = onlySecond;
    return volume;
}

} // namespace scanloupe
