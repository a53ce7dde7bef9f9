// Generates the kernels that call a user's function for each node, runs them, and finds the new cells of the
// surface.
#include "kernels/core/device_copy.h"
#include "kernels/core/number_text.h"
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/field/core/cuda_gather.cuh"
#include "kernels/field/function/field_function.h"
#include "kernels/field/sculpt/sculpt_element.h"
#include "kernels/field/sculpt/sculpt_plan.h"
#include "kernels/formula/guarded_module.cuh"

#include <string>
#include <vector>

namespace scanloupe::cuda {

namespace {

// 2 billion nodes: a function that takes 1 ns per node takes 2 s
constexpr std::uint64_t kMaxLatticeBricks = std::uint64_t{1} << 22;
constexpr int kProbeEdge = kBrickEdge + 1; // number of corners of a brick's cells along an axis
constexpr int kProbeNodes = kProbeEdge * kProbeEdge * kProbeEdge;

/// Arguments of the kernels; the kernel source below contains the same declaration.
struct Arguments {
    float origin[3], spacing[3];
    int dims[3], brickDims[3];
    double frame[3], up[3];
    float level, slope, band, size;
};

/// The effect of the function on a brick, as a combination of bits; `present`: the field already has the
/// brick.
enum Found : std::uint32_t { changes = 1, inside = 2, outside = 4, present = 8 };

constexpr const char* kTypes = R"(
struct Node { double x, y, z, height, depth, size; };
)";

constexpr const char* kKernels = R"(
struct Arguments {
    float origin[3], spacing[3];
    int dims[3], brickDims[3];
    double frame[3], up[3];
    float level, slope, band, size;
};
// Returns the new depth of a node; `depth` if unchanged.
__device__ inline float depthAt(const Arguments& a, int x, int y, int z, float depth) {
    Node node;
    node.x = a.frame[0] + (double)(a.origin[0] + (float)x * a.spacing[0]);
    node.y = a.frame[1] + (double)(a.origin[1] + (float)y * a.spacing[1]);
    node.z = a.frame[2] + (double)(a.origin[2] + (float)z * a.spacing[2]);
    node.height = a.up[0] * node.x + a.up[1] * node.y + a.up[2] * node.z;
    node.depth = depth;
    node.size = a.size;
    const float wanted = scanloupe_function(node);
    if (wanted != wanted || wanted == depth)
        return depth;
    return wanted > a.band ? a.band : wanted < -a.band ? -a.band : wanted;
}
extern "C" __global__ void scanloupe_probe(unsigned long long first, Arguments a, unsigned long long count, unsigned int* found) {
    const unsigned long long i = first + (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const unsigned long long brick = i / 729;
    if (found[brick] & 8)
        return;
    const int local = (int)(i % 729), lx = local % 9, ly = local / 9 % 9, lz = local / 81;
    const int x = (int)(brick % a.brickDims[0]) * 8 + lx;
    const int y = (int)(brick / a.brickDims[0] % a.brickDims[1]) * 8 + ly;
    const int z = (int)(brick / a.brickDims[0] / a.brickDims[1]) * 8 + lz;
    if (x >= a.dims[0] || y >= a.dims[1] || z >= a.dims[2])
        return;
    const float depth = depthAt(a, x, y, z, -a.band);
    const bool isOwn = lx < 8 && ly < 8 && lz < 8;
    const unsigned int seen = (isOwn && depth != -a.band ? 1 : 0) | (depth > 0 ? 2 : 4);
    if ((found[brick] & seen) != seen)
        atomicOr(found + brick, seen);
}
extern "C" __global__ void scanloupe_field(unsigned long long first, Arguments a, unsigned long long count, const unsigned long long* keys,
                                           const unsigned int* from, const float* before, float* values) {
    const unsigned long long i = first + (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const unsigned long long brick = keys[i / 512];
    const unsigned int old = from[i / 512];
    const int local = (int)(i % 512);
    const int x = (int)(brick % a.brickDims[0]) * 8 + local % 8;
    const int y = (int)(brick / a.brickDims[0] % a.brickDims[1]) * 8 + local / 8 % 8;
    const int z = (int)(brick / a.brickDims[0] / a.brickDims[1]) * 8 + local / 64;
    const float value = old == 0xffffffffu ? __int_as_float(0x7fc00000) : before[(unsigned long long)old * 512 + local];
    float result = value;
    if (x < a.dims[0] && y < a.dims[1] && z < a.dims[2] && !(value - value != 0 && value == value)) {
        const float depth = value == value ? (value - a.level) / a.slope : -a.band;
        const float wanted = depthAt(a, x, y, z, depth);
        if (wanted != depth)
            result = a.level + a.slope * wanted;
    }
    values[i] = result;
}
)";

Arguments argumentsOf(const ScalarField& field, const FieldFrame& frame) {
    Arguments a{};
    const LatticeShape& lattice = field.lattice;
    for (int axis = 0; axis < 3; ++axis) {
        a.origin[axis] = lattice.origin[axis];
        a.spacing[axis] = lattice.spacing[axis];
        a.dims[axis] = lattice.dims[axis];
        a.brickDims[axis] = field.brickDims[axis];
        a.frame[axis] = frame.origin[axis];
        a.up[axis] = frame.up[axis];
    }
    a.level = frame.level;
    a.slope = frame.slope;
    a.size = largestEdge(lattice.spacing);
    a.band = kSculptBand * a.size;
    return a;
}

/// The bricks of the field after applying the function, and their indices before (kNoBrick for added bricks).
struct BrickTable {
    std::vector<std::uint64_t> keys;
    std::vector<std::uint32_t> from;
};

/// Lists all existing bricks, the bricks in which the function creates surface, and the changed bricks
/// adjacent to either, whose values are needed for normals.
BrickTable tableOf(std::span<const std::uint32_t> found, Vec3i dims) {
    const auto isNear = [&](Vec3i brick) {
        for (int dz = -1; dz <= 1; ++dz)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    const Vec3i other = brick + Vec3i{dx, dy, dz};
                    if (other.x < 0 || other.y < 0 || other.z < 0 || other.x >= dims.x || other.y >= dims.y ||
                        other.z >= dims.z)
                        continue;
                    const std::uint32_t there = found[brickKey(other, dims)];
                    if ((there & present) || ((there & inside) && (there & outside)))
                        return true;
                }
        return false;
    };
    BrickTable table;
    std::uint32_t before = 0;
    for (std::uint64_t key = 0; key < found.size(); ++key) {
        const bool isThere = found[key] & present;
        if (!isThere && !((found[key] & changes) && isNear(brickOf(key, dims))))
            continue;
        table.keys.push_back(key);
        table.from.push_back(isThere ? before++ : kNoBrick);
    }
    return table;
}

/// The values before and after applying the function, and their layout.
struct Change {
    const std::uint32_t* from;
    const std::uint32_t* neighbours; ///< [B, 27] neighbours of the bricks after
    const float* before;
    const std::uint32_t* maskBefore;
    const float* after;
    std::uint32_t* mask; ///< [B, 16] cell mask after, in 32-bit halves
    Vec3i dims;
    Vec3i brickDims;
    const std::uint64_t* keys;
    float level;
};

/// Marks the cells that the surface has moved into, since they may contain surface now.
__global__ void __launch_bounds__(kGatherThreads) markCells(Change change, FieldCounters* counters) {
    const std::size_t brick = blockIdx.x;
    const Vec3i first = brickOf(change.keys[brick], change.brickDims) * kBrickEdge;
    const float none = std::numeric_limits<float>::quiet_NaN();
    MinMax range;
    for (unsigned i = threadIdx.x; i < kBrickNodes; i += kGatherThreads) {
        const Vec3i local = nodeAt(i);
        range.add(change.after[brick * kBrickNodes + i]);
        int known = 0, knownBefore = 0, below = 0, belowBefore = 0;
        bool isChanged = false;
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3i node = local + Vec3i{corner & 1, corner >> 1 & 1, corner >> 2};
            const std::uint32_t there =
                change.neighbours[brick * kNeighbours + neighbourSlot(node.x >> 3, node.y >> 3, node.z >> 3)];
            if (there == kNoBrick)
                continue;
            const auto at = static_cast<std::size_t>(((node.z & 7) * kBrickEdge + (node.y & 7)) * kBrickEdge +
                                                     (node.x & 7));
            const std::uint32_t old = change.from[there];
            const float after = change.after[std::size_t{there} * kBrickNodes + at];
            const float before = old == kNoBrick ? none : change.before[std::size_t{old} * kBrickNodes + at];
            known += after == after;
            knownBefore += before == before;
            below += after < change.level;
            belowBefore += before < change.level;
            isChanged = isChanged || !(before == after || (before != before && after != after));
        }
        const bool wasCrossed = knownBefore == 8 && belowBefore > 0 && belowBefore < 8;
        unsigned marks =
            __ballot_sync(kFullWarp, isChanged && !wasCrossed && known == 8 && below > 0 && below < 8);
        if (threadIdx.x % 32 == 0) {
            const std::uint64_t inLattice =
                bits::before(change.dims - Vec3i{1, 1, 1} - first, static_cast<int>(i / 64));
            marks &= static_cast<unsigned>(inLattice >> (i % 64));
            const std::uint32_t old = change.from[brick];
            constexpr std::size_t words = 2 * kBrickEdge;
            const std::uint32_t before =
                old == kNoBrick ? 0 : change.maskBefore[std::size_t{old} * words + i / 32];
            change.mask[brick * words + i / 32] = before | marks;
        }
    }
    range.reduceInto(counters);
}

} // namespace

ScalarField applyFunction(const ScalarField& field, const TrustedCudaFile& file, const FieldFrame& frame,
                          std::uint64_t most, const std::stop_token& stop, StreamView stream) {
    const WallTimer timer;
    const Vec3i dims = field.brickDims;
    const double bricks = double(dims.x) * double(dims.y) * double(dims.z);
    if (bricks > double(kMaxLatticeBricks))
        throw KernelError("the grid has " + shortNumber(bricks) +
                              " bricks; a function of the whole field allows at most " +
                              std::to_string(kMaxLatticeBricks),
                          "Use a larger voxel size or a smaller range.");
    const GuardedModule functions(
        {.types = kTypes, .result = "float", .parameter = "Node", .function = "field", .kernels = kKernels},
        file, stop);
    Arguments arguments = argumentsOf(field, frame);

    std::vector<std::uint32_t> found(static_cast<std::size_t>(bricks));
    const Buffer<std::uint64_t> known = field.brickKeys.copyTo(MemorySpace::host, stream);
    stream.synchronize();
    for (const std::uint64_t key : known.span())
        found[key] = present;
    auto states = deviceCopy<std::uint32_t>(found, stream);
    unsigned long long probes = found.size() * kProbeNodes;
    std::uint32_t* state = states.data();
    void* probing[] = {&arguments, &probes, &state};
    functions.run("scanloupe_probe", probes, probing, stop, stream);
    detail::copyBytes(found.data(), MemorySpace::host, states.data(), MemorySpace::device, states.bytes(),
                      stream);
    stream.synchronize();
    if (stop.stop_requested())
        throw Cancelled();

    const BrickTable table = tableOf(found, dims);
    requireBricks(table.keys.size(), most);
    ScalarField result = field.withoutBricks();
    result.brickKeys = deviceCopy<std::uint64_t>(table.keys, stream);
    result.values = Buffer<float>::in(MemorySpace::device, table.keys.size() * kBrickNodes, stream);
    result.cellMask = Buffer<std::uint64_t>::in(MemorySpace::device, table.keys.size() * kBrickEdge, stream);
    const auto from = deviceCopy<std::uint32_t>(table.from, stream);
    unsigned long long nodes = result.values.size();
    const std::uint64_t* keys = result.brickKeys.data();
    const std::uint32_t* origins = from.data();
    const float* before = field.values.data();
    float* values = result.values.data();
    void* computing[] = {&arguments, &nodes, &keys, &origins, &before, &values};
    functions.run("scanloupe_field", nodes, computing, stop, stream);

    FieldCounters counted{};
    if (field.minValue != 0 || field.maxValue != 0) {
        counted.invertedMin = ~orderedBits(field.minValue);
        counted.max = orderedBits(field.maxValue);
    }
    auto counters = deviceCopy(std::span<const FieldCounters>(&counted, 1), stream);
    const auto neighbours = findNeighbours(result.brickKeys, result.brickKeys, dims, stream);
    if (!table.keys.empty())
        launchBricks("markCells", table.keys.size(), stream, markCells,
                     Change{origins, neighbours.data(), before,
                            reinterpret_cast<const std::uint32_t*>(field.cellMask.data()), values,
                            reinterpret_cast<std::uint32_t*>(result.cellMask.data()), field.lattice.dims,
                            dims, keys, frame.level},
                     counters.data());
    detail::copyBytes(&counted, MemorySpace::host, counters.data(), MemorySpace::device, sizeof counted,
                      stream);
    stream.synchronize();
    if (counted.max != 0) {
        result.minValue = fromOrderedBits(~counted.invertedMin) + 0.0f; // adding 0 turns -0 into +0
        result.maxValue = fromOrderedBits(counted.max) + 0.0f;
    }
    result.cost.bytes = result.bytes();
    result.cost.wallMs = timer.elapsedMs();
    return result;
}

} // namespace scanloupe::cuda
