// The walk-through's kernels, compiled for SYCL.
#include "tests/bench/sycl_sample/walkthrough_library.h"

#include "kernels/sycl/library/sycl_queue.h"

#include <algorithm>
#include <cstdio>
#include <exception>

using namespace scanloupe;
using namespace scanloupe::bench;

extern "C" __attribute__((visibility("default"))) bool
scanloupeWalkthrough(const std::string& device, const float* values, int edge, float iso, bool insideBelow,
                     int rounds, WalkthroughResult& result) {
    try {
        for (const sycl::device& known : sycl::device::get_devices()) {
            if (known.get_info<sycl::info::device::name>() != device)
                continue;
            SyclQueue queue(known);
            const std::size_t count = std::size_t(edge) * std::size_t(edge) * std::size_t(edge);
            // the volume is uploaded once, before the timed rounds
            const sycl_chain::DeviceArray<float, SyclQueue> there(queue, count);
            queue.copy(there.data(), values, count * sizeof(float));
            queue.wait();
            std::vector<double> classify, scan, compact, generate;
            for (int round = 0; round < rounds; ++round) {
                result = runWalkthrough(queue, there.data(), edge, iso, insideBelow);
                classify.push_back(result.classifyMs);
                scan.push_back(result.scanMs);
                compact.push_back(result.compactMs);
                generate.push_back(result.generateMs);
            }
            const auto median = [](std::vector<double>& times) {
                std::ranges::sort(times);
                return times[times.size() / 2];
            };
            result.classifyMs = median(classify);
            result.scanMs = median(scan);
            result.compactMs = median(compact);
            result.generateMs = median(generate);
            return true;
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
    return false;
}
