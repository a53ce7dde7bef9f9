// Paints into a dense field in place.
#include "tests/bench/variants/dense_brush.h"

#include "kernels/field/sculpt/cuda_sculpt.cuh"
#include "kernels/field/sculpt/sculpt_plan.h"

#include <cstring>
#include <numeric>
#include <vector>

namespace scanloupe::cuda {

struct DenseBrush::State {
    ScalarField& field;
    Buffer<FieldCounters> counters;
    Buffer<std::byte> plan; ///< keys of the bricks that are written, and the bricks around them
    Buffer<float> changed;
    Buffer<std::uint32_t> marks;
};

DenseBrush::DenseBrush(ScalarField& field, StreamView stream)
    : m_state(std::make_unique<State>(
          State{field, Buffer<FieldCounters>::in(MemorySpace::device, 1, stream), {}, {}, {}})) {
    check(cudaMemsetAsync(m_state->counters.data(), 0, m_state->counters.bytes(), ownStream(stream)),
          "cudaMemsetAsync");
}

DenseBrush::~DenseBrush() = default;

void DenseBrush::apply(const SculptDab& dab, StreamView stream) {
    State& state = *m_state;
    const ScalarField& field = state.field;
    const SculptReach reach = reachOf(field.lattice, field.brickDims, {&dab, 1}, {});
    const std::vector<std::uint32_t> places(reach.read.begin(), reach.read.end()); // a key is an index
    const SculptPlan plan = planOf(reach, {&dab, 1}, field.lattice, field.brickDims, places, places);
    const std::size_t count = plan.keys.size(), keyBytes = count * sizeof(std::uint64_t);
    std::vector<std::byte> bytes(keyBytes + plan.neighbours.size() * sizeof(std::uint32_t));
    std::memcpy(bytes.data(), plan.keys.data(), keyBytes);
    std::memcpy(bytes.data() + keyBytes, plan.neighbours.data(), bytes.size() - keyBytes);
    if (state.plan.size() < bytes.size())
        state.plan = Buffer<std::byte>::in(MemorySpace::device, 2 * bytes.size(), stream);
    if (state.changed.size() < count * kBrickNodes)
        state.changed = Buffer<float>::in(MemorySpace::device, 2 * count * kBrickNodes, stream);
    if (state.marks.size() < count * 2 * kBrickEdge)
        state.marks = Buffer<std::uint32_t>::in(MemorySpace::device, 2 * count * 2 * kBrickEdge, stream);
    detail::copyBytes(state.plan.data(), MemorySpace::device, bytes.data(), MemorySpace::host, bytes.size(),
                      stream);
    queueDab({dab, field.lattice, field.brickDims, reinterpret_cast<const std::uint64_t*>(state.plan.data()),
              reinterpret_cast<const std::uint32_t*>(state.plan.data() + keyBytes), nullptr,
              state.field.values.data(), reinterpret_cast<std::uint32_t*>(state.field.cellMask.data()),
              state.changed.data(), state.marks.data()},
             count, state.counters.data(), stream);
}

} // namespace scanloupe::cuda
