// Benchmark of a histogram of many values on both backends. Values are in random order, or sorted so that
// neighbouring threads count in the same bin.
#include "engine/io/writers.h"
#include "kernels/core/buffer.h"
#include "kernels/core/cost.h"
#include "kernels/core/device.h"
#include "kernels/core/mix_bits.h"
#include "kernels/core/parallel.h"
#include "kernels/histogram/histogram.h"
#include "tests/bench/bench.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <vector>

namespace scanloupe::bench {

namespace {

constexpr std::size_t kSample = 1'000'000; // size of the sample that the window counts on the CPU

template <class F>
double medianMs(int repeats, F&& action) {
    std::vector<double> times;
    for (int i = 0; i < repeats + 1; ++i) {
        const WallTimer timer;
        action();
        times.push_back(timer.elapsedMs());
    }
    times.erase(times.begin()); // warm-up
    std::nth_element(times.begin(), times.begin() + std::ptrdiff_t(times.size() / 2), times.end());
    return times[times.size() / 2];
}

} // namespace

int histograms(const HistogramOptions& options) {
    const std::size_t count = options.values;
    const Execution onHost{std::nullopt, {}};
    nlohmann::ordered_json json{{"values", count}, {"threads", parallelThreads()}};
    fmt::print("{} values of single precision, 200 bins, {} threads\n", count, parallelThreads());
    const auto row = [&](const std::string& name, auto&& action) {
        const double ms = medianMs(options.repeats, action);
        fmt::print("{:<28} {:9.2f} ms\n", name, ms);
        json[name] = ms;
    };
    for (const bool shuffled : {true, false}) {
        auto values = Buffer<float>::host(count);
        parallelFor(count, 1 << 16, {}, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                values[i] = float(shuffled ? double(mixBits(i) >> 11) * 0x1p-53 : double(i) / double(count));
        });
        const HistogramColumn column{values.data(), ScalarType::float32, count};
        HistogramParams all{0, 1, 200}, sampled = all;
        sampled.every = samplingStep(count, kSample);
        const std::string order = shuffled ? "shuffled" : "ascending";
        row(order + ", CPU", [&] { histogram(column, all, onHost); });
        row(order + ", CPU, a sample", [&] { histogram(column, sampled, onHost); });
        if (!probeDevice().usable)
            continue;
        const Stream stream;
        const Execution onDevice{stream.view(), {}};
        const Buffer<float> there = values.copyTo(MemorySpace::device, stream);
        const HistogramColumn columnThere{there.data(), ScalarType::float32, count};
        if (histogram(columnThere, all, onDevice) != histogram(column, all, onHost))
            throw KernelError("the device's counts differ from the host's", "Run the tests.");
        row(order + ", CUDA", [&] { histogram(columnThere, all, onDevice); });
    }
    if (!options.json.empty())
        writeAtomically(options.json, [&](std::ostream& out) { out << json.dump(2) << '\n'; });
    return 0;
}

} // namespace scanloupe::bench
