// Implements the chunked loops and the radix sort of the CPU backend.
#include "kernels/core/parallel.h"

#include "kernels/core/fork_join.h"

#include <atomic>
#include <oneapi/tbb/info.h>

// ThreadSanitizer cannot see how oneTBB orders fork, bodies and join, since the oneTBB of Linux distributions
// is not instrumented. These macros declare that order.
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#define SCANLOUPE_TSAN_ACQUIRE(address) __tsan_acquire(address)
#define SCANLOUPE_TSAN_RELEASE(address) __tsan_release(address)
#else
#define SCANLOUPE_TSAN_ACQUIRE(address) static_cast<void>(address)
#define SCANLOUPE_TSAN_RELEASE(address) static_cast<void>(address)
#endif

namespace scanloupe {

void parallelChunks(std::size_t count, std::size_t grain, const std::stop_token& stop, ChunkBody body) {
    if (stop.stop_requested())
        throw Cancelled();
    if (count == 0)
        return;
    grain = std::max<std::size_t>(grain, 1);
    const std::size_t chunks = chunkCount(count, grain);
    if (chunks == 1) {
        body(0, 0, count);
        if (stop.stop_requested())
            throw Cancelled();
        return;
    }
    std::atomic<bool> failed{false};
    std::exception_ptr failure;
    const auto run = [&](std::size_t chunk) {
        if (failed.load(std::memory_order_acquire) || stop.stop_requested())
            return;
        try {
            body(chunk, chunk * grain, std::min(count, (chunk + 1) * grain));
        } catch (...) {
            if (!failed.exchange(true, std::memory_order_acq_rel))
                failure = std::current_exception();
        }
    };
    struct Work {
        decltype(run)* call;
        // a separate address: each body is ordered before the join, but bodies are not ordered relative to
        // each other
        char join = 0;
    } work{&run};
    SCANLOUPE_TSAN_RELEASE(&work);
    detail::forkJoin(
        chunks,
        [](void* object, std::size_t chunk) {
            SCANLOUPE_TSAN_ACQUIRE(object);
            auto* handed = static_cast<Work*>(object);
            (*handed->call)(chunk);
            SCANLOUPE_TSAN_RELEASE(&handed->join);
        },
        &work);
    SCANLOUPE_TSAN_ACQUIRE(&work.join);
    if (failure)
        std::rethrow_exception(failure);
    if (stop.stop_requested())
        throw Cancelled();
}

namespace {

/// Sorts with a least-significant-digit radix sort. Each pass counts the digits of each chunk (histogram),
/// turns the counts into offsets by a prefix sum over digits, then chunks (which makes the sort stable), and
/// scatters the items.
template <class Item>
void radixSort(std::span<Item> items, std::span<Item> scratch, int keyBits, const std::stop_token& stop) {
    if (scratch.size() < items.size())
        throw Fault("the sort's scratch memory is smaller than its input");
    constexpr int maxDigitBits = 10; // more buckets would cause cache and TLB misses in the scatter
    const int passes = (keyBits + maxDigitBits - 1) / maxDigitBits;
    const int digitBits = passes ? (keyBits + passes - 1) / passes : 0;
    const std::size_t digits = std::size_t{1} << digitBits;
    // small inputs are split evenly over all cores; large ones into chunks that are much larger than their
    // histograms
    const std::size_t grain = std::clamp<std::size_t>(items.size() / 64, 1 << 13, 1 << 17);
    std::vector<std::size_t> offsets(chunkCount(items.size(), grain) * digits);
    Item* from = items.data();
    Item* to = scratch.data();
    for (int shift = 0; shift < keyBits; shift += digitBits) {
        const auto digit = [shift, digits](const Item& item) {
            return static_cast<std::size_t>(item.key >> shift) & (digits - 1);
        };
        parallelChunks(items.size(), grain, stop, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
            std::size_t* histogram = offsets.data() + chunk * digits;
            std::fill_n(histogram, digits, std::size_t{0});
            for (std::size_t i = begin; i < end; ++i)
                ++histogram[digit(from[i])];
        });
        std::size_t sum = 0;
        bool oneDigit = false; // true if all keys have the same digit, so that no item moves
        for (std::size_t d = 0; d < digits; ++d) {
            const std::size_t before = sum;
            for (std::size_t place = d; place < offsets.size(); place += digits) {
                const std::size_t here = offsets[place];
                offsets[place] = sum;
                sum += here;
            }
            oneDigit = oneDigit || sum - before == items.size();
        }
        if (oneDigit)
            continue;
        parallelChunks(items.size(), grain, stop, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
            std::size_t* next = offsets.data() + chunk * digits;
            for (std::size_t i = begin; i < end; ++i)
                to[next[digit(from[i])]++] = from[i];
        });
        std::swap(from, to);
    }
    if (from != items.data()) {
        parallelFor(items.size(), grain, stop, [&](std::size_t begin, std::size_t end) {
            std::copy(from + begin, from + end, to + begin);
        });
    }
}

} // namespace

void parallelSortByKey(std::span<KeyIndex> items, std::span<KeyIndex> scratch, int keyBits,
                       const std::stop_token& stop) {
    radixSort(items, scratch, keyBits, stop);
}
void parallelSortByKey(std::span<KeyIndex32> items, std::span<KeyIndex32> scratch, int keyBits,
                       const std::stop_token& stop) {
    radixSort(items, scratch, keyBits, stop);
}

int parallelThreads() {
    return oneapi::tbb::info::default_concurrency();
}

} // namespace scanloupe
