// Votes for the horizontal shifts between pairs of walls, and selects the peaks of the votes.
#include "engine/align/surface_correlation.h"

#include "kernels/core/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

namespace scanloupe {

namespace {

constexpr int kReachCells = 80, kHistogramEdge = 2 * kReachCells + 1; // half width and edge length of the
                                                                      // histogram, in bins
constexpr std::size_t kScanWalls = 250, kTargetWalls = 350; // maximum number of walls per orientation
constexpr float kMaxSlope = 0.5F;                           // maximum z component of a wall's normal
constexpr float kMinCosine = 0.9F;                          // cosine of 26 degrees
constexpr float kLeastShare = 0.02F; // added to each bin, relative to its value at the pose: a peak may lack
                                     // the walls of one orientation
constexpr int kApartCells = 2;
constexpr std::size_t kPeaks = 8, kTurnedPeaks = 4;

struct Wall {
    Vec3f place, normal; // position and normal relative to the index's base
};
/// Walls grouped by orientation: facing along a main horizontal direction, or perpendicular to it.
using Walls = std::array<std::vector<Wall>, 2>;

float heightOf(const Wall& wall) {
    return wall.place.z;
}

/// Returns the horizontal direction that most steep surfels face along.
Vec3f mainDirection(std::span<const Surfel> surfels) {
    double difference = 0, product = 0;
    for (const Surfel& s : surfels)
        if (std::abs(s.normal.z) <= kMaxSlope) {
            difference += double(s.normal.x * s.normal.x - s.normal.y * s.normal.y);
            product += double(2 * s.normal.x * s.normal.y);
        }
    const double angle = 0.5 * std::atan2(product, difference);
    return Vec3d{std::cos(angle), std::sin(angle), 0}.as<float>();
}

/// Selects up to `count` evenly spaced steep surfels of each orientation. Surfels that face along a corridor
/// are few, but only they distinguish positions along it. @param pose of the surfels relative to the index's
/// base
Walls wallsOf(std::span<const Surfel> surfels, Vec3d origin, const RigidTransform& pose, Vec3f direction,
              std::size_t count) {
    Walls walls;
    for (const Surfel& s : surfels) {
        const Vec3f n = pose.rotate(s.normal.as<double>()).as<float>();
        if (std::abs(n.z) > kMaxSlope)
            continue;
        const float along = dot(n, direction), across = n.y * direction.x - n.x * direction.y;
        walls[std::abs(along) < std::abs(across) ? 1 : 0].push_back(
            {pose(s.place.as<double>() + origin).as<float>(), n});
    }
    for (auto& some : walls) {
        const std::size_t size = std::min(count, some.size());
        for (std::size_t i = 0; i < size; ++i)
            some[i] = some[i * some.size() / size];
        some.resize(size);
    }
    return walls;
}

/// Rotates walls. @param isSwapped whether the rotation exchanges the two orientations
Walls turnedWalls(const Walls& walls, const RigidTransform& turn, bool isSwapped) {
    Walls turned;
    for (std::size_t way = 0; way < 2; ++way)
        for (const Wall& wall : walls[way])
            turned[isSwapped ? 1 - way : way].push_back({turn(wall.place.as<double>()).as<float>(),
                                                         turn.rotate(wall.normal.as<double>()).as<float>()});
    return turned;
}

using Histogram = std::vector<float>; // [kHistogramEdge, kHistogramEdge] row by row in y

std::size_t binOf(int i, int j) {
    return std::size_t(j * kHistogramEdge + i);
}

/// Smooths each bin with its neighbours, weighted 1, 2, 1 along both axes; 0 along the border.
Histogram smoothed(const Histogram& votes) {
    Histogram rows(votes.size()), smooth(votes.size());
    for (std::size_t i = 1; i + 1 < votes.size(); ++i)
        rows[i] = votes[i - 1] + 2 * votes[i] + votes[i + 1];
    for (int j = 1; j + 1 < kHistogramEdge; ++j)
        for (int i = 1; i + 1 < kHistogramEdge; ++i)
            smooth[binOf(i, j)] = rows[binOf(i, j - 1)] + 2 * rows[binOf(i, j)] + rows[binOf(i, j + 1)];
    return smooth;
}

/// Returns the smoothed histogram of shifts from `here` to `there`. @param there sorted by height @param cell
/// edge length of a bin, metres
Histogram votesFor(std::span<const Wall> here, std::span<const Wall> there, float cell) {
    Histogram votes(kHistogramEdge * kHistogramEdge);
    const float inverse = 1 / cell;
    constexpr float end = kHistogramEdge;
    for (const Wall& a : here) {
        const float x = float(kReachCells) + 0.5F - a.place.x * inverse;
        const float y = float(kReachCells) + 0.5F - a.place.y * inverse;
        for (auto b = std::ranges::lower_bound(there, a.place.z - cell, {}, heightOf);
             b != there.end() && b->place.z <= a.place.z + cell; ++b) {
            const float i = x + b->place.x * inverse, j = y + b->place.y * inverse;
            if (i >= 0 && i < end && j >= 0 && j < end && dot(a.normal, b->normal) >= kMinCosine)
                votes[binOf(int(i), int(j))] += 1;
        }
    }
    return smoothed(votes);
}

/// Returns the maximum value of the bins near zero shift.
float heightAbout(const Histogram& votes) {
    float highest = 0;
    for (int j = -kApartCells; j <= kApartCells; ++j)
        for (int i = -kApartCells; i <= kApartCells; ++i)
            highest = std::max(highest, votes[binOf(kReachCells + i, kReachCells + j)]);
    return highest;
}

/// Votes for shifts of both orientations, multiplied, relative to the votes at the pose itself.
class Correlation {
public:
    Correlation(const Walls& here, Walls there, float cell) : m_there(std::move(there)), m_cell(cell) {
        for (std::size_t way = 0; way < 2; ++way) {
            std::ranges::stable_sort(m_there[way], {}, heightOf);
            m_unturned[way] = votesFor(here[way], m_there[way], cell);
            m_scale[way] =
                std::max(heightAbout(m_unturned[way]), kLeastShare * std::ranges::max(m_unturned[way]));
        }
    }
    Histogram atPose() const { return product(m_unturned); }
    Histogram of(const Walls& here) const {
        return product({votesFor(here[0], m_there[0], m_cell), votesFor(here[1], m_there[1], m_cell)});
    }

private:
    Histogram product(const std::array<Histogram, 2>& votes) const {
        Histogram both(votes[0].size());
        for (std::size_t i = 0; i < both.size(); ++i) {
            both[i] = 1;
            for (std::size_t way = 0; way < 2; ++way)
                both[i] *= m_scale[way] > 0 ? votes[way][i] / m_scale[way] + kLeastShare : 1;
        }
        return both;
    }

    Walls m_there;
    float m_cell;
    std::array<Histogram, 2> m_unturned;
    std::array<float, 2> m_scale{};
};

struct Peak {
    float height;
    int i, j; ///< shift along x and y, in bins
};

/// Returns the highest local maxima, the highest first.
std::vector<Peak> peaksOf(const Histogram& votes, bool isTurned) {
    const std::size_t most = isTurned ? kTurnedPeaks : kPeaks;
    std::vector<Peak> peaks;
    for (int j = kApartCells; j + kApartCells < kHistogramEdge; ++j)
        for (int i = kApartCells; i + kApartCells < kHistogramEdge; ++i) {
            const float height = votes[binOf(i, j)];
            if (peaks.size() == most && height <= peaks.back().height)
                continue;
            bool isPeak = isTurned || i != kReachCells || j != kReachCells;
            for (int dj = -kApartCells; dj <= kApartCells && isPeak; ++dj)
                for (int di = -kApartCells; di <= kApartCells && isPeak; ++di)
                    isPeak = votes[binOf(i + di, j + dj)] <= height;
            if (!isPeak)
                continue;
            const Peak peak{height, i - kReachCells, j - kReachCells};
            peaks.insert(std::ranges::upper_bound(peaks, height, std::greater{}, &Peak::height), peak);
            peaks.resize(std::min(most, peaks.size()));
        }
    return peaks;
}

Vec3d middleOf(std::span<const Surfel> surfels) {
    Vec3d middle;
    for (const Surfel& s : surfels)
        middle += s.place.as<double>();
    return middle / double(std::max<std::size_t>(surfels.size(), 1));
}

} // namespace

std::vector<CorrelatedPose> correlatedPoses(const SurfaceComparison& comparison, const RigidTransform& pose,
                                            const std::stop_token& stop) {
    const ScanSurface& scan = comparison.scan();
    const double cell = comparison.target().scale().reach;
    const Vec3d base = comparison.target().base();
    RigidTransform toBase;
    toBase.translation = -base;
    const Vec3f direction = mainDirection(comparison.target().surfels());
    const Walls unturned = wallsOf(scan.surfels, scan.origin, toBase * pose, direction, kScanWalls);
    const Correlation correlation(
        unturned, wallsOf(comparison.target().surfels(), {}, {}, direction, kTargetWalls), float(cell));
    const Vec3d middle = pose(middleOf(scan.surfels) + scan.origin);
    Vec3d targetMiddle = middleOf(comparison.target().surfels()) + base;
    targetMiddle.z = middle.z;
    std::array<std::vector<CorrelatedPose>, 4> found;
    parallelFor(found.size(), 1, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t quarter = begin; quarter < end; ++quarter) {
            RigidTransform turn = fromRollPitchYaw({0, 0, double(quarter) * std::numbers::pi / 2}, {});
            // Shifts a rotated scan to where it overlaps the target most: their centres coincide.
            turn.translation = (quarter == 0 ? middle : targetMiddle) - turn.rotate(middle);
            const RigidTransform turned = turn * pose;
            const Histogram votes =
                quarter == 0 ? correlation.atPose()
                             : correlation.of(
                                   turnedWalls(unturned, toBase * turn * toBase.inverse(), quarter % 2 == 1));
            for (const Peak& peak : peaksOf(votes, quarter > 0)) {
                RigidTransform start = turned;
                start.translation += Vec3d{peak.i * cell, peak.j * cell, 0};
                found[quarter].push_back({start, peak.height});
            }
        }
    });
    std::vector<CorrelatedPose> poses;
    for (const auto& some : found)
        poses.insert(poses.end(), some.begin(), some.end());
    return poses;
}

} // namespace scanloupe
