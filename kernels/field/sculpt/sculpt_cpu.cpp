// Applies brush dabs to a field on the CPU.
#include "kernels/core/cost.h"
#include "kernels/core/parallel.h"
#include "kernels/field/core/brick_bits.h"
#include "kernels/field/sculpt/sculpt_element.h"
#include "kernels/field/sculpt/sculpt_plan.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace scanloupe::cpu {

namespace {

/// Merges the field's bricks and the bricks of `added`, which have no values yet, into a new field. Both
/// lists are ascending.
void addBricks(ScalarField& into, const ScalarField& field, std::span<const std::uint64_t> added,
               const std::stop_token& stop) {
    const auto keys = field.brickKeys.span();
    const std::size_t count = keys.size() + added.size();
    auto newKeys = Buffer<std::uint64_t>::host(count);
    auto from = Buffer<std::uint32_t>::host(count);
    for (std::size_t i = 0, old = 0, next = 0; i < count; ++i) {
        const bool isOld = next == added.size() || (old < keys.size() && keys[old] < added[next]);
        newKeys[i] = isOld ? keys[old] : added[next];
        from[i] = isOld ? std::uint32_t(old++) : kNoBrick;
        next += !isOld;
    }
    auto values = Buffer<float>::host(count * kBrickNodes);
    auto mask = Buffer<std::uint64_t>::host(count * kBrickEdge);
    parallelFor(count, 512, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (from[i] == kNoBrick) {
                std::fill_n(&values[i * kBrickNodes], kBrickNodes, std::numeric_limits<float>::quiet_NaN());
                std::fill_n(&mask[i * kBrickEdge], kBrickEdge, std::uint64_t{0});
                continue;
            }
            std::memcpy(&values[i * kBrickNodes], &field.values[std::size_t{from[i]} * kBrickNodes],
                        kBrickNodes * sizeof(float));
            std::memcpy(&mask[i * kBrickEdge], &field.cellMask[std::size_t{from[i]} * kBrickEdge],
                        kBrickEdge * sizeof(std::uint64_t));
        }
    });
    into.brickKeys = std::move(newKeys);
    into.values = std::move(values);
    into.cellMask = std::move(mask);
}

/// Computes one dab on one brick. The field itself is not changed.
class BrickSculptor {
public:
    /// @param sources [8] indices of the bricks that `clone` copies from, or null
    BrickSculptor(const ScalarField& field, const SculptDab& dab, std::uint64_t key,
                  const std::uint32_t* neighbours, const std::uint32_t* sources)
        : m_field(field), m_dab(dab), m_neighbours(neighbours), m_sources(sources),
          m_first(brickOf(key, field.brickDims) * kBrickEdge) {
        const Vec3f edges = field.lattice.spacing;
        const Vec3i dims = field.lattice.dims;
        for (int i = 0; i < kNodes; ++i) {
            const Vec3i local = localOf(i), node = m_first + local;
            const Vec3f place = field.lattice.position(node);
            const auto at = [&](int dx, int dy, int dz) { return value(local + Vec3i{dx, dy, dz}); };
            const auto source = [&] { return sourceValue(local); };
            m_depths[std::size_t(i)] = depthInBall(dab, place);
            const float depth = m_depths[std::size_t(i)];
            m_before[std::size_t(i)] = at(0, 0, 0);
            const bool isInLattice = node.x < dims.x && node.y < dims.y && node.z < dims.z;
            m_after[std::size_t(i)] = isInLattice && isReached(dab, depth, edges)
                                          ? sculptedValue(dab, place, depth, edges, at, source)
                                          : m_before[std::size_t(i)];
        }
    }

    void newValues(float* values) const {
        for (int i = 0; i < kBrickNodes; ++i)
            values[i] = m_after[indexOf(
                {i % kBrickEdge, i / kBrickEdge % kBrickEdge, i / (kBrickEdge * kBrickEdge)})];
    }
    /// Returns the cells that the dab marks in slice z.
    std::uint64_t marks(int z) const {
        std::uint64_t word = 0;
        for (int y = 0; y < kBrickEdge; ++y)
            for (int x = 0; x < kBrickEdge; ++x) {
                CellChange change;
                for (int i = 0; i < 8; ++i) {
                    const std::size_t node = indexOf({x + (i & 1), y + (i >> 1 & 1), z + (i >> 2)});
                    change.add(m_dab, m_before[node], m_after[node], m_depths[node], m_field.lattice.spacing);
                }
                word |= std::uint64_t{change.marks(m_dab, isSourceSurface({x, y, z}))}
                        << (x + kBrickEdge * y);
            }
        return word & bits::before(m_field.lattice.dims - Vec3i{1, 1, 1} - m_first, z);
    }

private:
    static constexpr int kSide = kBrickEdge + 1; // number of nodes along an axis: the corners of the brick's
                                                 // cells
    static constexpr int kNodes = kSide * kSide * kSide;

    static Vec3i localOf(int i) { return {i % kSide, i / kSide % kSide, i / (kSide * kSide)}; }
    static std::size_t indexOf(Vec3i local) {
        return std::size_t((local.z * kSide + local.y) * kSide + local.x);
    }
    float value(Vec3i local) const {
        const std::uint32_t brick = m_neighbours[neighbourSlot(local.x >> 3, local.y >> 3, local.z >> 3)];
        if (brick == kNoBrick)
            return std::numeric_limits<float>::quiet_NaN();
        return m_field
            .values[std::size_t{brick} * kBrickNodes +
                    std::size_t(((local.z & 7) * kBrickEdge + (local.y & 7)) * kBrickEdge + (local.x & 7))];
    }

    float sourceValue(Vec3i local) const {
        const CloneSource from(m_dab, local);
        return m_sources[from.slot] == kNoBrick
                   ? std::numeric_limits<float>::quiet_NaN()
                   : m_field.values[std::size_t{m_sources[from.slot]} * kBrickNodes + from.node()];
    }
    bool isSourceSurface(Vec3i cell) const {
        if (!traitsOf(m_dab.tool).takesFromElsewhere)
            return false;
        const CloneSource from(m_dab, cell);
        if (m_sources[from.slot] == kNoBrick)
            return false;
        const std::uint64_t word =
            m_field.cellMask[std::size_t{m_sources[from.slot]} * kBrickEdge + std::size_t(from.local.z)];
        return (word >> (from.local.x + kBrickEdge * from.local.y) & 1u) != 0;
    }

    const ScalarField& m_field;
    const SculptDab& m_dab;
    const std::uint32_t *m_neighbours, *m_sources;
    Vec3i m_first;
    std::array<float, kNodes> m_depths, m_before, m_after;
};

/// The initial range of values of a field; empty if the field has no values.
struct ValueRange {
    float min = std::numeric_limits<float>::infinity(), max = -min;

    explicit ValueRange() = default;
    explicit ValueRange(const ScalarField& field) {
        if (field.minValue != 0 || field.maxValue != 0)
            min = field.minValue, max = field.maxValue;
    }
    void add(float value) {
        if (std::fabs(value) <= std::numeric_limits<float>::max()) {
            min = std::min(min, value);
            max = std::max(max, value);
        }
    }
    void add(ValueRange other) {
        min = std::min(min, other.min);
        max = std::max(max, other.max);
    }
};

/// The new values and marks of the bricks that a dab writes.
struct ChangedBricks {
    Buffer<float> values;        ///< [written bricks, 512]
    Buffer<std::uint64_t> marks; ///< [written bricks, 8]

    explicit ChangedBricks(std::size_t bricks)
        : values(Buffer<float>::host(bricks * kBrickNodes)),
          marks(Buffer<std::uint64_t>::host(bricks * kBrickEdge)) {}
};

void apply(ScalarField& field, const SculptDab& dab, const SculptPlan& plan, std::size_t index,
           ChangedBricks& bricks, ValueRange& range, const std::stop_token& stop) {
    const std::size_t begin = plan.begins[index], count = plan.begins[index + 1] - begin;
    const auto neighbours = [&](std::size_t i) { return &plan.neighbours[(begin + i) * kNeighbours]; };
    const auto sources = [&](std::size_t i) {
        return plan.sources.empty() ? nullptr : &plan.sources[(begin + i) * kSourceBricks];
    };
    const auto placeOf = [&](std::size_t i) { return std::size_t{neighbours(i)[neighbourSlot(0, 0, 0)]}; };
    parallelFor(count, 4, stop, [&](std::size_t first, std::size_t end) {
        for (std::size_t i = first; i < end; ++i) {
            const BrickSculptor sculptor(field, dab, plan.keys[begin + i], neighbours(i), sources(i));
            sculptor.newValues(&bricks.values[i * kBrickNodes]);
            for (int z = 0; z < kBrickEdge; ++z)
                bricks.marks[i * kBrickEdge + std::size_t(z)] = sculptor.marks(z);
        }
    });
    const ValueRange changed = parallelReduce(
        count, 16, stop, ValueRange(),
        [&](std::size_t first, std::size_t end) {
            ValueRange part;
            for (std::size_t i = first; i < end; ++i) {
                const float* from = &bricks.values[i * kBrickNodes];
                std::copy_n(from, kBrickNodes, &field.values[placeOf(i) * kBrickNodes]);
                for (std::size_t z = 0; z < kBrickEdge; ++z)
                    field.cellMask[placeOf(i) * kBrickEdge + z] |= bricks.marks[i * kBrickEdge + z];
                for (int node = 0; node < kBrickNodes; ++node)
                    part.add(from[node]);
            }
            return part;
        },
        [](ValueRange a, ValueRange b) {
            a.add(b);
            return a;
        });
    range.add(changed);
}

} // namespace

ScalarField sculpt(const ScalarField& field, std::span<const SculptDab> dabs, std::uint64_t most,
                   const std::stop_token& stop) {
    const WallTimer timer;
    ScalarField result = field.withoutBricks();
    ValueRange range(field);
    const ScalarField* from = &field;
    do {
        const std::size_t count = dabsOfBatch(field.lattice, field.brickDims, dabs);
        const auto batch = dabs.first(count);
        dabs = dabs.subspan(count);
        const SculptReach reach = reachOf(field.lattice, field.brickDims, batch, stop);
        std::vector<std::uint32_t> before(reach.read.size()), rank(reach.read.size());
        const auto keys = from->brickKeys.span();
        for (std::size_t i = 0; i < reach.read.size(); ++i) {
            const auto place = std::lower_bound(keys.begin(), keys.end(), reach.read[i]);
            rank[i] = std::uint32_t(place - keys.begin());
            before[i] = place != keys.end() && *place == reach.read[i] ? rank[i] : kNoBrick;
        }
        const SculptPlan plan = planOf(reach, batch, field.lattice, field.brickDims, before, rank);
        requireBricks(from->brickCount() + plan.added.size(), most);
        if (from == &field || !plan.added.empty())
            addBricks(result, *from, plan.added, stop);
        from = &result;
        ChangedBricks bricks(plan.most());
        for (std::size_t i = 0; i < batch.size(); ++i)
            apply(result, batch[i], plan, i, bricks, range, stop);
    } while (!dabs.empty());
    if (range.min <= range.max) {
        result.minValue = range.min + 0.0f; // adding 0 turns -0 into +0
        result.maxValue = range.max + 0.0f;
    }
    result.cost.bytes = result.bytes();
    result.cost.wallMs = timer.elapsedMs();
    return result;
}

} // namespace scanloupe::cpu
