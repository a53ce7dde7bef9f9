#include "engine/io/common/read_options.h"
#include "engine/io/scan_cache.h"
#include "engine/io/scan_list.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "engine/run/pipeline/pipeline.h"
#include "kernels/core/cost.h"
#include "tests/bench/bench.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

namespace scanloupe::bench {

namespace {

constexpr std::uint64_t kBudget = std::uint64_t{2} << 30; // cache size for frames, bytes

/// Paths of the frames: the scans of a folder, repeated as often as necessary.
std::vector<std::filesystem::path> framesOf(const FramesOptions& options) {
    const std::filesystem::path folder(options.folder);
    const ScanList list = findScans(std::span(&folder, 1), {});
    std::vector<std::filesystem::path> frames;
    for (int i = 0; i < options.frames && !list.scans.empty(); ++i)
        frames.push_back(list.scans[std::size_t(i) % list.scans.size()]);
    return frames;
}

/// A recipe with the first frame's camera and automatic values, as the window uses for sequences.
Recipe fixedRecipe(const std::filesystem::path& frame, const BackendChoice& backend) {
    ScanInput input = readInput(frame, {}, {});
    Pipeline pipeline(backend);
    pipeline.setInput(input.cloud, input.readMs);
    const Snapshot first = pipeline.run({}, {}, {});
    Recipe recipe = first.resolved;
    recipe.iso = std::nullopt;
    recipe.camera = first.picture->camera;
    return recipe;
}

} // namespace

int frames(const FramesOptions& options) {
    const BackendChoice backend = chooseBackend(options.backend);
    const auto paths = framesOf(options);
    if (paths.empty()) {
        std::printf("There are no scans in %s.\n", options.folder.c_str());
        return 1;
    }
    const Recipe recipe = options.fixed ? fixedRecipe(paths[0], backend) : Recipe{};
    nlohmann::ordered_json json{{"frames", paths.size()}, {"fixed", options.fixed}};
    for (const bool ahead : {false, true}) {
        ScanCache cache(paths, kBudget);
        std::vector<std::jthread> readers;
        Pipeline pipeline(backend);
        double waited = 0, ran = 0;
        std::map<std::string, double> stages;
        std::uint64_t points = 0;
        WallTimer all;
        for (std::size_t i = 0; i < paths.size(); ++i) {
            if (i == paths.size() / 10) { // the first tenth of the frames is warm-up
                all = {};
                waited = ran = 0;
                points = 0;
                stages.clear();
            }
            const WallTimer wait;
            const auto scan = cache.read(i, {}, {});
            waited += wait.elapsedMs();
            using Prefetch = ScanCache::Prefetch;
            for (int r = 0; ahead && i == 0 && r <= ScanCache::smallFileReaders(); ++r)
                readers.emplace_back([&cache, r](const std::stop_token& stop) {
                    cache.readAhead(stop, r == 0 ? Prefetch::all : Prefetch::small);
                });
            const WallTimer run;
            pipeline.setInput(scan->cloud, scan->readMs);
            RunOptions whole;
            whole.quality = false;
            const Snapshot s = pipeline.run(recipe, whole, {});
            ran += run.elapsedMs();
            points += scan->cloud->size();
            for (const StageTiming& stage : s.timings.stages)
                stages[stage.stage] += stage.wallMs;
        }
        const double count = double(paths.size() - paths.size() / 10), ms = all.elapsedMs();
        std::printf("%s: %.1f frames/s of %.0f points; waited for reading %.2f ms, ran %.2f ms a frame:",
                    ahead ? "read ahead " : "one by one ", count / ms * 1e3, double(points) / count,
                    waited / count, ran / count);
        for (const auto& [stage, sum] : stages)
            std::printf(" %s %.2f", stage.c_str(), sum / count);
        std::printf("\n");
        json[ahead ? "ahead" : "one_by_one"] = {
            {"frames_per_s", count / ms * 1e3}, {"waited_ms", waited / count}, {"ran_ms", ran / count}};
        readers.clear();
    }
    const double alone = json["one_by_one"]["waited_ms"].get<double>();
    const double hidden = 1 - json["ahead"]["waited_ms"].get<double>() / alone;
    std::printf("reading ahead hides %.0f %% of the time of reading\n", 100 * hidden);
    json["hidden"] = hidden;
    if (!options.json.empty())
        std::ofstream(options.json) << json.dump(2) << '\n';
    return 0;
}

} // namespace scanloupe::bench
