// Gathers values and colours, and finds the limits of values, on the device.
#include "kernels/core/cuda_cub.cuh"
#include "kernels/raster/colours/colour_values.h"

#include <cub/device/device_radix_sort.cuh>

namespace scanloupe::cuda {

namespace {

struct ValueSource {
    using Result = float;
    ValueColumn column;
    __device__ float at(std::size_t i) const { return valueAt(column, i); }
    __device__ float none() const { return __int_as_float(0x7fc00000); }
};
struct ColourSource {
    using Result = std::uint32_t;
    ColourColumns columns;
    __device__ std::uint32_t at(std::size_t i) const { return colourAt(columns, i); }
    __device__ std::uint32_t none() const { return 0; }
};
struct ClassSource {
    using Result = std::uint32_t;
    ClassColumn column;
    __device__ std::uint32_t at(std::size_t i) const { return column.colours[column.codes[i]]; }
    __device__ std::uint32_t none() const { return 0; }
};

/// Writes one value per thread. @param indices null: value i is the column's i-th value
template <class Source>
__global__ void gatherColumn(Source from, const std::uint32_t* indices, std::size_t count,
                             typename Source::Result* values) {
    const std::size_t i = globalIndex();
    if (i >= count)
        return;
    if (indices == nullptr)
        values[i] = from.at(i);
    else
        values[i] = indices[i] == kNoValueIndex ? from.none() : from.at(indices[i]);
}

template <class Source>
Buffer<typename Source::Result> gather(const Source& from, const std::uint32_t* indices, std::size_t count,
                                       StreamView stream) {
    auto values = Buffer<typename Source::Result>::in(MemorySpace::device, count, stream);
    launch("gatherColumn", count, stream, gatherColumn<Source>, from, indices, count, values.data());
    return values;
}

/// Sets the flags of the classes that occur. All threads that write a flag write the same value; each thread
/// reads the flag first, so few threads write.
__global__ void flagClasses(const std::uint32_t* codes, const std::uint32_t* mask, std::size_t count,
                            std::uint8_t* present) {
    const std::size_t i = globalIndex();
    if (i >= count || (mask && mask[i] == kNoValueIndex))
        return;
    volatile std::uint8_t* flag = present + codes[i];
    if (*flag == 0)
        *flag = 1;
}

__global__ void orderKernel(const float* values, std::size_t count, std::uint32_t* orders) {
    const std::size_t i = globalIndex();
    if (i < count)
        orders[i] = orderOf(values[i]);
}

/// The values at the ranks that the limits are computed from; `any` is 0 if no value is finite.
struct Ranked {
    float least, low, high, greatest;
    std::uint32_t any;
};

/// Counts the finite values, and picks the values at the ranks of the limits; runs with one thread. @param
/// sorted values as orderOf(), ascending
__global__ void pickRanks(const std::uint32_t* sorted, std::size_t count, Ranked* ranked) {
    std::size_t first = 0, last = count;
    while (first < last) {
        const std::size_t middle = first + (last - first) / 2;
        if (sorted[middle] != 0xffffffffu)
            first = middle + 1;
        else
            last = middle;
    }
    if (first == 0) {
        *ranked = {0, 0, 0, 0, 0};
        return;
    }
    const auto at = [&](double share) {
        return valueOfOrder(sorted[static_cast<std::size_t>(share * static_cast<double>(first - 1))]);
    };
    *ranked = {at(0), at(0.02), at(0.98), at(1), 1};
}

} // namespace

Buffer<float> gatherValues(const ValueColumn& column, std::size_t count, StreamView stream) {
    return gather(ValueSource{column}, nullptr, count, stream);
}

Buffer<float> gatherValues(const ValueColumn& column, const Buffer<std::uint32_t>& indices,
                           StreamView stream) {
    return gather(ValueSource{column}, indices.data(), indices.size(), stream);
}

Buffer<std::uint32_t> gatherColours(const ColourColumns& columns, std::size_t count, StreamView stream) {
    return gather(ColourSource{columns}, nullptr, count, stream);
}

Buffer<std::uint32_t> gatherColours(const ColourColumns& columns, const Buffer<std::uint32_t>& indices,
                                    StreamView stream) {
    return gather(ColourSource{columns}, indices.data(), indices.size(), stream);
}

Buffer<std::uint32_t> gatherColours(const ClassColumn& column, std::size_t count, StreamView stream) {
    return gather(ClassSource{column}, nullptr, count, stream);
}

Buffer<std::uint32_t> gatherColours(const ClassColumn& column, const Buffer<std::uint32_t>& indices,
                                    StreamView stream) {
    return gather(ClassSource{column}, indices.data(), indices.size(), stream);
}

Buffer<std::uint8_t> presentClasses(const std::uint32_t* codes, const std::uint32_t* mask, std::size_t count,
                                    std::size_t classes, StreamView stream) {
    auto present = Buffer<std::uint8_t>::in(MemorySpace::device, classes, stream);
    if (classes > 0)
        check(cudaMemsetAsync(present.data(), 0, classes, ownStream(stream)), "cudaMemsetAsync");
    launch("flagClasses", count, stream, flagClasses, codes, mask, count, present.data());
    return present.copyTo(MemorySpace::host, stream);
}

ValueLimits limitsOf(const Buffer<float>& values, StreamView stream) {
    const std::size_t count = values.size();
    if (count == 0)
        return {};
    auto orders = Buffer<std::uint32_t>::in(MemorySpace::device, count, stream),
         sorted = Buffer<std::uint32_t>::in(MemorySpace::device, count, stream);
    launch("orderKernel", count, stream, orderKernel, values.data(), count, orders.data());
    runCub("sorting values", stream, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortKeys(scratch, bytes, orders.data(), sorted.data(), count, 0, 32,
                                              ownStream(stream));
    });
    auto ranked = Buffer<Ranked>::in(MemorySpace::device, 1, stream);
    launch("pickRanks", 1, stream, pickRanks, sorted.data(), count, ranked.data());
    const Ranked found = ranked.copyTo(MemorySpace::host, stream)[0];
    return found.any ? valueLimits(found.least, found.low, found.high, found.greatest) : ValueLimits{};
}

} // namespace scanloupe::cuda
