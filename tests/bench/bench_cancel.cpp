#include "engine/compute/memory.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "engine/run/pipeline/pipeline.h"
#include "tests/bench/bench.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <malloc.h>
#include <random>
#include <thread>
#include <unistd.h>

namespace scanloupe::bench {

namespace {

using Clock = std::chrono::steady_clock;

const RunOptions kAllStages{.quality = true};

double milliseconds(Clock::duration d) {
    return std::chrono::duration<double, std::milli>(d).count();
}

/// Resident memory of this process in bytes, after the C library has released its free blocks.
std::uint64_t residentBytes() {
    malloc_trim(0);
    std::ifstream file("/proc/self/statm");
    std::uint64_t size = 0, resident = 0;
    file >> size >> resident;
    return resident * std::uint64_t(sysconf(_SC_PAGESIZE));
}

/// Runs `recipe` and requests a stop after `delay`. Returns the time from the request to the end of the run;
/// negative if the run ended before the request.
double cancelledAfter(Pipeline& pipeline, const Recipe& recipe, Clock::duration delay) {
    std::stop_source source;
    Clock::time_point asked{};
    std::jthread stopper([&] {
        std::this_thread::sleep_for(delay);
        asked = Clock::now();
        source.request_stop();
    });
    bool cancelled = false;
    try {
        pipeline.run(recipe, kAllStages, source.get_token());
    } catch (const Cancelled&) {
        cancelled = true;
    }
    const auto back = Clock::now();
    stopper.join();
    return cancelled ? milliseconds(back - asked) : -1;
}

} // namespace

int cancel(const Options& options) {
    const auto cloud = streetCloud(options.points);
    Recipe recipe;
    setFromText(recipe, parameter("voxel_size"), options.voxelSize);
    recipe.minComponentTriangles = 100; // the recipe enables all options
    recipe.decimateTo = 100'000;
    recipe.colourBy = "point_distance";
    const auto wholeRun = [&] {
        Pipeline pipeline(chooseBackend(options.backend));
        pipeline.setInput(cloud, 0);
        return pipeline.run(recipe, kAllStages, {});
    };
    // the first run is slow, because the system has to map its memory into the process
    recipe = wholeRun().resolved;
    const Snapshot reference = wholeRun();
    fmt::print("{} points, {} voxels of {:g} m, {} triangles\n", options.points, reference.voxels->size(),
               recipe.voxelSize->x, reference.mesh->triangleCount());

    std::random_device device;
    const unsigned seed = device();
    std::mt19937 random(seed);
    fmt::print("seed {}\n", seed);
    bool good = true;
    double before = 0; // milliseconds until the end of each stage, used to choose an instant inside a stage
    for (const StageTiming& stage : reference.timings.stages) {
        if (stage.stage == "read")
            continue;
        if (!options.stage.empty() && stage.stage != options.stage) {
            before += stage.wallMs;
            continue;
        }
        double slowest = 0;
        int hits = 0;
        std::int64_t grown = 0;
        std::uniform_real_distribution<double> within(0.0, std::max(stage.wallMs, 1.0));
        for (int i = 0; i < options.cancels; ++i) {
            Pipeline pipeline(chooseBackend(options.backend));
            pipeline.setInput(cloud, 0);
            const std::uint64_t resident = residentBytes();
            const auto delay = std::chrono::duration_cast<Clock::duration>(
                std::chrono::duration<double, std::milli>(before + within(random)));
            const double took = cancelledAfter(pipeline, recipe, delay);
            if (took >= 0) {
                ++hits;
                slowest = std::max(slowest, took);
            }
            pipeline.setInput(std::shared_ptr<const PointCloud>(cloud),
                              0); // releases the finished results
            grown = std::max(grown, std::int64_t(residentBytes()) - std::int64_t(resident));
        }
        before += stage.wallMs;
        // the first cancellations of a process also load code and create threads, which takes a few MiB
        const bool fine = slowest <= 100 && grown < (16 << 20);
        good = good && fine;
        fmt::print(
            "{:<10} {:7.1f} ms long: {:2} of {} cancelled, slowest {:6.1f} ms, memory grown by {} {}\n",
            stage.stage, stage.wallMs, hits, options.cancels, slowest,
            formatBytes(std::uint64_t(std::max<std::int64_t>(grown, 0))), fine ? "" : "<- too much");
        std::fflush(stdout); // show progress now: a stage takes minutes
    }
    return good ? 0 : 1;
}

} // namespace scanloupe::bench
