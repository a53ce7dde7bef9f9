// Sorts keys and values on the device with CUB's radix sort.
#include "kernels/voxelize/strategies/sorted_keys.cuh"

#include <bit>
#include <cub/device/device_radix_sort.cuh>

namespace scanloupe::cuda {

namespace {

__global__ void invertPlaces(const std::uint32_t* values, std::size_t n, std::uint32_t* places) {
    const std::size_t i = globalIndex();
    if (i < n)
        places[values[i]] = static_cast<std::uint32_t>(i);
}

} // namespace

void sortByKey(const Job& job, std::uint64_t cells, Buffer<std::uint64_t>& keys,
               Buffer<std::uint32_t>& values) {
    auto otherKeys = job.buffer<std::uint64_t>(keys.size());
    auto otherValues = job.buffer<std::uint32_t>(values.size());
    cub::DoubleBuffer<std::uint64_t> sortedKeys(keys.data(), otherKeys.data());
    cub::DoubleBuffer<std::uint32_t> sortedValues(values.data(), otherValues.data());
    job.runCub("cub::DeviceRadixSort::SortPairs", [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortPairs(scratch, bytes, sortedKeys, sortedValues, keys.size(), 0,
                                               std::bit_width(cells), job.stream.handle());
    });
    if (sortedKeys.Current() != keys.data())
        std::swap(keys, otherKeys);
    if (sortedValues.Current() != values.data())
        std::swap(values, otherValues);
}

void invertPermutation(const Buffer<std::uint32_t>& values, Buffer<std::uint32_t>& places,
                       StreamView stream) {
    launch("invertPlaces", values.size(), stream, invertPlaces, values.data(), values.size(), places.data());
}

} // namespace scanloupe::cuda
