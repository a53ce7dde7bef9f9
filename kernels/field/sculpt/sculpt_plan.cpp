// Finds the bricks that brush dabs write and read.
#include "kernels/field/sculpt/sculpt_plan.h"

#include "kernels/core/error.h"
#include "kernels/field/sculpt/sculpt_element.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

namespace scanloupe {

namespace {

// maximum number of bricks that one dab writes: 8 GiB of values
constexpr std::uint64_t kMaxBricks = std::uint64_t{1} << 22;
constexpr std::size_t kBatchBricks = std::size_t{1} << 14;

void check(const SculptDab& dab) {
    const bool isRight = isFinite(dab.from) && isFinite(dab.to) && dab.radius > 0 &&
                         std::isfinite(dab.radius) && std::isfinite(dab.strength) && dab.falloff >= 0 &&
                         dab.falloff <= 1 && std::isfinite(dab.level) && std::isfinite(dab.slope) &&
                         dab.slope != 0 && isFinite(dab.planeAt) && isFinite(dab.planeNormal);
    if (!isRight)
        throw KernelError("a brush stroke has a number that is not finite or is out of range",
                          "Undo the stroke.");
}

/// A box of bricks from `low` to `high`, inclusive; empty if `low` is above `high` on an axis.
struct BrickBox {
    Vec3i low, high;

    std::uint64_t count() const {
        std::uint64_t product = 1;
        for (int axis = 0; axis < 3; ++axis)
            product *= std::uint64_t(std::max(0, high[axis] - low[axis] + 1));
        return product;
    }
};

double rimOf(const SculptDab& dab, const LatticeShape& lattice) {
    return traitsOf(dab.tool).combinesBall ? double{kSculptRim} * double{largestEdge(lattice.spacing)} : 0;
}

/// Returns the bricks that contain nodes within reach of a dab, or cells that have such a node as corner.
BrickBox boxOf(const SculptDab& dab, const LatticeShape& lattice, Vec3i brickDims) {
    const double reach = double{dab.radius} + rimOf(dab, lattice);
    BrickBox box;
    for (int axis = 0; axis < 3; ++axis) {
        const double origin = double{lattice.origin[axis]}, edge = double{lattice.spacing[axis]};
        const double a = double{dab.from[axis]}, b = double{dab.to[axis]};
        // minus 1 for the cell whose upper corner is at the bound
        const double low = std::floor((std::min(a, b) - reach - origin) / edge) - 1;
        const double high = std::ceil((std::max(a, b) + reach - origin) / edge);
        const double last = brickDims[axis] - 1;
        box.low[axis] = int(std::clamp(std::floor(low / kBrickEdge), 0.0, last + 1));
        box.high[axis] = int(std::clamp(std::floor(high / kBrickEdge), -1.0, last));
    }
    return box;
}

/// Returns whether a dab may reach a node of a brick, or a corner of the brick's cells.
bool reaches(const SculptDab& dab, const LatticeShape& lattice, Vec3i brick) {
    const Vec3d edge = lattice.spacing.as<double>();
    const Vec3d half = edge * (0.5 * (kBrickEdge + 1));
    const Vec3d middle = lattice.origin.as<double>() + (brick * kBrickEdge).as<double>() * edge + half;
    const Vec3d from = dab.from.as<double>(), way = dab.to.as<double>() - from;
    const double length = squaredNorm(way);
    const double t = length > 0 ? std::clamp(dot(middle - from, way) / length, 0.0, 1.0) : 0;
    const double most = 1.001 * norm(half); // half of the brick's diagonal, with a margin for rounding
    return norm(middle - (from + way * t)) <= double{dab.radius} + rimOf(dab, lattice) + most;
}

/// Returns whether `flatten` may set a value in a brick that does not exist yet.
bool isNearPlane(const SculptDab& dab, const LatticeShape& lattice, Vec3i brick) {
    const Vec3d edge = lattice.spacing.as<double>(), half = edge * (0.5 * (kBrickEdge + 1));
    const Vec3d middle = lattice.origin.as<double>() + (brick * kBrickEdge).as<double>() * edge + half;
    const double off = dot(middle - dab.planeAt.as<double>(), dab.planeNormal.as<double>());
    return std::abs(off) <= 2 * double{largestEdge(lattice.spacing)} + 1.001 * norm(half);
}

bool isInside(Vec3i brick, Vec3i brickDims) {
    return brick.x >= 0 && brick.y >= 0 && brick.z >= 0 && brick.x < brickDims.x && brick.y < brickDims.y &&
           brick.z < brickDims.z;
}

/// Calls `visit(slot, brick)` for each brick that `clone` copies from, if it is in the lattice.
template <class Visit>
void forSourceBricks(const SculptDab& dab, Vec3i brick, Vec3i brickDims, Visit&& visit) {
    const Vec3i first = firstSourceBrick(dab, brick);
    for (int slot = 0; slot < kSourceBricks; ++slot)
        if (const Vec3i at = first + Vec3i{slot & 1, slot >> 1 & 1, slot >> 2}; isInside(at, brickDims))
            visit(std::size_t(slot), at);
}

template <class Visit>
void forNeighbourBricks(Vec3i brick, Vec3i brickDims, Visit&& visit) {
    for (int slot = 0; slot < int(kNeighbours); ++slot) {
        const Vec3i at = brick + Vec3i{slot % 3 - 1, slot / 3 % 3 - 1, slot / 9 - 1};
        visit(std::size_t(slot), at, isInside(at, brickDims));
    }
}

} // namespace

float largestRaise(const LatticeShape& lattice) {
    return 0.5f * std::min({lattice.spacing.x, lattice.spacing.y, lattice.spacing.z});
}

std::size_t dabsOfBatch(const LatticeShape& lattice, Vec3i brickDims, std::span<const SculptDab> dabs) {
    std::uint64_t bricks = 0;
    for (std::size_t i = 0; i < dabs.size(); ++i) {
        check(dabs[i]);
        bricks += boxOf(dabs[i], lattice, brickDims).count();
        if (bricks > kBatchBricks)
            return std::max<std::size_t>(i, 1);
    }
    return dabs.size();
}

SculptReach reachOf(const LatticeShape& lattice, Vec3i brickDims, std::span<const SculptDab> dabs,
                    const std::stop_token& stop) {
    SculptReach reach;
    reach.begins.push_back(0);
    for (const SculptDab& dab : dabs) {
        const BrickBox box = boxOf(dab, lattice, brickDims);
        if (box.count() > kMaxBricks)
            throw KernelError("the brush reaches " + std::to_string(box.count() * kBrickNodes) +
                                  " nodes of the field; at most " + std::to_string(kMaxBricks * kBrickNodes) +
                                  " can be changed at once",
                              "Use a smaller radius or a larger voxel size.");
        for (int z = box.low.z; z <= box.high.z; ++z) {
            if (stop.stop_requested())
                throw Cancelled();
            for (int y = box.low.y; y <= box.high.y; ++y)
                for (int x = box.low.x; x <= box.high.x; ++x)
                    if (reaches(dab, lattice, {x, y, z}))
                        reach.written.push_back(brickKey({x, y, z}, brickDims));
        }
        if (traitsOf(dab.tool).takesFromElsewhere)
            for (std::size_t i = reach.begins.back(); i < reach.written.size(); ++i)
                forSourceBricks(
                    dab, brickOf(reach.written[i], brickDims), brickDims,
                    [&](std::size_t, Vec3i at) { reach.read.push_back(brickKey(at, brickDims)); });
        reach.begins.push_back(reach.written.size());
    }
    std::vector<std::uint64_t> once = reach.written;
    std::ranges::sort(once);
    once.erase(std::unique(once.begin(), once.end()), once.end());
    for (const std::uint64_t key : once)
        forNeighbourBricks(brickOf(key, brickDims), brickDims, [&](std::size_t, Vec3i at, bool isThere) {
            if (isThere)
                reach.read.push_back(brickKey(at, brickDims));
        });
    std::ranges::sort(reach.read);
    reach.read.erase(std::unique(reach.read.begin(), reach.read.end()), reach.read.end());
    return reach;
}

std::vector<std::uint64_t> bricksNearDabs(const LatticeShape& lattice, Vec3i brickDims,
                                          std::span<const SculptDab> dabs, const std::stop_token& stop) {
    std::vector<std::uint64_t> bricks;
    while (!dabs.empty()) {
        const std::size_t count = dabsOfBatch(lattice, brickDims, dabs);
        const std::vector<std::uint64_t> near = reachOf(lattice, brickDims, dabs.first(count), stop).read;
        dabs = dabs.subspan(count);
        std::vector<std::uint64_t> merged;
        std::ranges::set_union(bricks, near, std::back_inserter(merged));
        bricks = std::move(merged);
    }
    return bricks;
}

std::size_t SculptPlan::most() const {
    std::size_t most = 0;
    for (std::size_t dab = 0; dab + 1 < begins.size(); ++dab)
        most = std::max(most, begins[dab + 1] - begins[dab]);
    return most;
}

void requireBricks(std::uint64_t bricks, std::uint64_t most) {
    requireIndexableBricks(bricks);
    if (bricks > most)
        throw KernelError("the brush strokes enlarge the field to " +
                              std::to_string(bricks * kBrickNodes >> 20) + " million values; at most " +
                              std::to_string(most * kBrickNodes >> 20) + " million are possible",
                          "Use a smaller radius or a larger voxel size.");
}

SculptPlan planOf(const SculptReach& reach, std::span<const SculptDab> dabs, const LatticeShape& lattice,
                  Vec3i brickDims, std::span<const std::uint32_t> before,
                  std::span<const std::uint32_t> rank) {
    const auto placeOf = [&](std::uint64_t key) {
        return std::size_t(std::ranges::lower_bound(reach.read, key) - reach.read.begin());
    };
    std::vector<std::uint8_t> isThere(reach.read.size());
    for (std::size_t i = 0; i < isThere.size(); ++i)
        isThere[i] = before[i] != kNoBrick;
    SculptPlan plan;
    plan.begins.push_back(0);
    std::vector<std::uint64_t> grown;
    for (std::size_t dab = 0; dab < dabs.size(); ++dab) {
        const SculptTraits traits = traitsOf(dabs[dab].tool);
        const auto adds = [&](std::uint64_t key) {
            return traits.fillsBall ||
                   (traits.usesPlane && isNearPlane(dabs[dab], lattice, brickOf(key, brickDims)));
        };
        grown.clear(); // the bricks that a dab adds depend only on the bricks before the dab
        for (std::size_t i = reach.begins[dab]; i < reach.begins[dab + 1]; ++i) {
            const std::uint64_t key = reach.written[i];
            bool isWritten = isThere[placeOf(key)] || adds(key);
            if (!isWritten && traits.takesFromElsewhere)
                forSourceBricks(dabs[dab], brickOf(key, brickDims), brickDims, [&](std::size_t, Vec3i at) {
                    isWritten = isWritten || isThere[placeOf(brickKey(at, brickDims))];
                });
            if (!isWritten && traits.continuesSurface)
                forNeighbourBricks(
                    brickOf(key, brickDims), brickDims, [&](std::size_t, Vec3i at, bool canExist) {
                        isWritten = isWritten || (canExist && isThere[placeOf(brickKey(at, brickDims))]);
                    });
            if (!isWritten)
                continue;
            plan.keys.push_back(key);
            grown.push_back(key);
        }
        plan.begins.push_back(plan.keys.size());
        for (const std::uint64_t key : grown)
            isThere[placeOf(key)] = 1;
    }
    std::vector<std::uint32_t> places(reach.read.size(), kNoBrick);
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (!isThere[i])
            continue;
        places[i] = rank[i] + std::uint32_t(plan.added.size());
        if (before[i] == kNoBrick)
            plan.added.push_back(reach.read[i]);
    }
    plan.neighbours.resize(plan.keys.size() * kNeighbours, kNoBrick);
    for (std::size_t i = 0; i < plan.keys.size(); ++i)
        forNeighbourBricks(
            brickOf(plan.keys[i], brickDims), brickDims, [&](std::size_t slot, Vec3i at, bool canExist) {
                if (canExist)
                    plan.neighbours[i * kNeighbours + slot] = places[placeOf(brickKey(at, brickDims))];
            });
    const auto copies = [](const SculptDab& dab) { return traitsOf(dab.tool).takesFromElsewhere; };
    if (std::ranges::none_of(dabs, copies))
        return plan;
    plan.sources.resize(plan.keys.size() * kSourceBricks, kNoBrick);
    for (std::size_t dab = 0; dab < dabs.size(); ++dab)
        if (copies(dabs[dab]))
            for (std::size_t i = plan.begins[dab]; i < plan.begins[dab + 1]; ++i)
                forSourceBricks(
                    dabs[dab], brickOf(plan.keys[i], brickDims), brickDims, [&](std::size_t slot, Vec3i at) {
                        plan.sources[i * kSourceBricks + slot] = places[placeOf(brickKey(at, brickDims))];
                    });
    return plan;
}

} // namespace scanloupe
