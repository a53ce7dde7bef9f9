// Applies brush dabs to a field on the device, with one block per brick that a dab writes.
#include "kernels/core/device_copy.h"
#include "kernels/core/lower_bound.h"
#include "kernels/field/sculpt/cuda_sculpt.cuh"
#include "kernels/field/sculpt/sculpt_plan.h"

#include <vector>

namespace scanloupe::cuda {

namespace {

/// Finds wanted bricks in the field. `found` [2, wantedCount] receives the parameters `before` and `rank` of
/// planOf().
__global__ void findBricks(const std::uint64_t* wanted, std::uint32_t wantedCount, const std::uint64_t* keys,
                           std::uint32_t count, std::uint32_t* found) {
    const auto i = static_cast<std::uint32_t>(globalIndex());
    if (i >= wantedCount)
        return;
    const std::uint32_t rank = lowerBound(keys, count, wanted[i]);
    found[i] = rank < count && keys[rank] == wanted[i] ? rank : kNoBrick;
    found[wantedCount + i] = rank;
}

struct BrickData {
    std::uint64_t* keys;
    float4* values;      ///< [B, 128] four values each
    std::uint64_t* mask; ///< [B, 8] cell mask
};
BrickData dataOf(ScalarField& field) {
    return {field.brickKeys.data(), reinterpret_cast<float4*>(field.values.data()), field.cellMask.data()};
}

/// Copies each brick to its index in the list that also contains the added bricks.
__global__ void __launch_bounds__(kGatherThreads)
    moveBricks(const std::uint64_t* keys, const float4* values, const std::uint64_t* mask,
               const std::uint64_t* added, std::uint32_t addedCount, BrickData to) {
    const std::size_t brick = blockIdx.x;
    const std::uint64_t key = keys[brick];
    const std::size_t place = brick + lowerBound(added, addedCount, key);
    to.values[place * kGatherThreads + threadIdx.x] = values[brick * kGatherThreads + threadIdx.x];
    if (threadIdx.x < kBrickEdge)
        to.mask[place * kBrickEdge + threadIdx.x] = mask[brick * kBrickEdge + threadIdx.x];
    if (threadIdx.x == 0)
        to.keys[place] = key;
}
static_assert(kGatherThreads * 4 == kBrickNodes);

__global__ void __launch_bounds__(kGatherThreads)
    makeBricks(const std::uint64_t* keys, std::uint32_t count, const std::uint64_t* added, BrickData to) {
    const std::uint64_t key = added[blockIdx.x];
    const std::size_t place = std::size_t{blockIdx.x} + lowerBound(keys, count, key);
    const float none = std::numeric_limits<float>::quiet_NaN();
    to.values[place * kGatherThreads + threadIdx.x] = {none, none, none, none};
    if (threadIdx.x < kBrickEdge)
        to.mask[place * kBrickEdge + threadIdx.x] = 0;
    if (threadIdx.x == 0)
        to.keys[place] = key;
}

class Sculptor {
public:
    Sculptor(const ScalarField& field, const std::stop_token& stop, StreamView stream)
        : m_before(field), m_stop(stop), m_stream(stream), m_counters(buffer<FieldCounters>(1)),
          m_field(field.withoutBricks()) {
        FieldCounters counters{};
        if (field.minValue != 0 || field.maxValue != 0) {
            counters.invertedMin = ~orderedBits(field.minValue);
            counters.max = orderedBits(field.maxValue);
        }
        detail::copyBytes(m_counters.data(), MemorySpace::device, &counters, MemorySpace::host,
                          sizeof counters, m_stream);
    }

    void apply(std::span<const SculptDab> dabs, std::uint64_t most) {
        const SculptReach reach = reachOf(m_field.lattice, m_field.brickDims, dabs, m_stop);
        const std::vector<std::uint32_t> found = find(reach.read);
        const auto half = found.size() / 2;
        const SculptPlan plan = planOf(reach, dabs, m_field.lattice, m_field.brickDims,
                                       std::span(found).first(half), std::span(found).last(half));
        requireBricks(current().brickCount() + plan.added.size(), most);
        if (!m_isCopied || !plan.added.empty())
            addBricks(plan.added);
        const auto keys = deviceCopy<std::uint64_t>(plan.keys, m_stream);
        const auto neighbours = deviceCopy<std::uint32_t>(plan.neighbours, m_stream);
        const auto sources = deviceCopy<std::uint32_t>(plan.sources, m_stream);
        auto changed = buffer<float>(plan.most() * kBrickNodes);
        auto marks = buffer<std::uint32_t>(plan.most() * 2 * kBrickEdge);
        for (std::size_t i = 0; i < dabs.size(); ++i) {
            const std::size_t begin = plan.begins[i], count = plan.begins[i + 1] - begin;
            const DabView view{dabs[i],
                               m_field.lattice,
                               m_field.brickDims,
                               keys.data() + begin,
                               neighbours.data() + begin * kNeighbours,
                               plan.sources.empty() ? nullptr : sources.data() + begin * kSourceBricks,
                               m_field.values.data(),
                               reinterpret_cast<std::uint32_t*>(m_field.cellMask.data()),
                               changed.data(),
                               marks.data()};
            queueDab(view, count, m_counters.data(), m_stream);
        }
        if (m_stop.stop_requested())
            throw Cancelled();
    }

    ScalarField result() {
        FieldCounters counted{};
        detail::copyBytes(&counted, MemorySpace::host, m_counters.data(), MemorySpace::device, sizeof counted,
                          m_stream);
        m_stream.synchronize();
        if (counted.max != 0) {
            m_field.minValue = fromOrderedBits(~counted.invertedMin) + 0.0f; // adding 0 turns -0 into +0
            m_field.maxValue = fromOrderedBits(counted.max) + 0.0f;
        }
        return std::move(m_field);
    }

private:
    template <class T>
    Buffer<T> buffer(std::size_t size) const {
        return Buffer<T>::in(MemorySpace::device, size, m_stream);
    }
    const ScalarField& current() const { return m_isCopied ? m_field : m_before; }

    std::vector<std::uint32_t> find(std::span<const std::uint64_t> wanted) const {
        std::vector<std::uint32_t> found(2 * wanted.size());
        if (wanted.empty())
            return found;
        const auto keys = deviceCopy(wanted, m_stream);
        auto results = buffer<std::uint32_t>(found.size());
        const Buffer<std::uint64_t>& known = current().brickKeys;
        launch("findBricks", wanted.size(), m_stream, findBricks, keys.data(),
               static_cast<std::uint32_t>(wanted.size()), known.data(),
               static_cast<std::uint32_t>(known.size()), results.data());
        detail::copyBytes(found.data(), MemorySpace::host, results.data(), MemorySpace::device,
                          results.bytes(), m_stream);
        m_stream.synchronize();
        return found;
    }

    /// Copies the field's bricks, and adds new bricks without values, in new memory.
    void addBricks(std::span<const std::uint64_t> added) {
        const ScalarField& from = current();
        const std::size_t old = from.brickCount(), count = old + added.size();
        ScalarField to;
        to.brickKeys = buffer<std::uint64_t>(count);
        to.values = buffer<float>(count * kBrickNodes);
        to.cellMask = buffer<std::uint64_t>(count * kBrickEdge);
        const auto keys = deviceCopy(added, m_stream);
        launchBricks("moveBricks", old, m_stream, moveBricks, from.brickKeys.data(),
                     reinterpret_cast<const float4*>(from.values.data()), from.cellMask.data(), keys.data(),
                     static_cast<std::uint32_t>(added.size()), dataOf(to));
        launchBricks("makeBricks", added.size(), m_stream, makeBricks, from.brickKeys.data(),
                     static_cast<std::uint32_t>(old), keys.data(), dataOf(to));
        m_field.brickKeys = std::move(to.brickKeys);
        m_field.values = std::move(to.values);
        m_field.cellMask = std::move(to.cellMask);
        m_isCopied = true;
    }

    const ScalarField& m_before;
    const std::stop_token& m_stop;
    StreamView m_stream;
    Buffer<FieldCounters> m_counters;
    ScalarField m_field;
    bool m_isCopied = false; ///< true: the bricks are in m_field; false: still in m_before
};

} // namespace

ScalarField sculpt(const ScalarField& field, std::span<const SculptDab> dabs, std::uint64_t most,
                   const std::stop_token& stop, StreamView stream) {
    const WallTimer timer;
    if (!field.brickKeys.empty() && field.brickKeys.space() != MemorySpace::device)
        throw Fault("a field is to be changed on the device that lies on the host");
    EventTimer deviceTimer(stream);
    Sculptor sculptor(field, stop, stream);
    do {
        const std::size_t count = dabsOfBatch(field.lattice, field.brickDims, dabs);
        sculptor.apply(dabs.first(count), most);
        dabs = dabs.subspan(count);
    } while (!dabs.empty());
    ScalarField result = sculptor.result();
    deviceTimer.stop();
    result.cost.deviceMs = deviceTimer.elapsedMs();
    result.cost.bytes = result.bytes();
    result.cost.wallMs = timer.elapsedMs();
    return result;
}

} // namespace scanloupe::cuda
