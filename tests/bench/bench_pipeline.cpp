#include "engine/io/common/read_options.h"
#include "engine/io/scan_reader.h"
#include "engine/io/writers.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "engine/run/pipeline/pipeline.h"
#include "tests/bench/bench.h"
#include "tests/bench/median.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace scanloupe::bench {

namespace {

/// Medians of the total time and of each stage, over several runs; `move` changes the recipe before each run.
struct Row {
    std::string name;
    std::vector<double> total;
    std::map<std::string, std::vector<double>> stages;
    std::map<std::string, std::vector<double>> onDevice; ///< stages that ran on the device
};

template <class F>
Row timed(const char* name, Pipeline& pipeline, Recipe recipe, int repeats, F&& move) {
    Row row{name, {}, {}, {}};
    for (int i = 0; i < repeats + 2; ++i) {
        move(recipe, i);
        const Snapshot s = pipeline.run(recipe, {}, {});
        if (i < 2)
            continue; // warm-up
        row.total.push_back(s.timings.totalMs);
        for (const StageTiming& t : s.timings.stages) {
            row.stages[t.stage].push_back(t.reused ? 0 : t.wallMs);
            if (t.deviceMs > 0)
                row.onDevice[t.stage].push_back(t.deviceMs);
        }
    }
    return row;
}

} // namespace

int pipeline(const Options& options) {
    Pipeline pipeline(chooseBackend(options.backend));
    const std::shared_ptr<const PointCloud> cloud =
        options.scan.empty() ? streetCloud(options.points) : readScan(options.scan, {}, {});
    pipeline.setInput(cloud, 0);
    Recipe recipe;
    setFromText(recipe, parameter("voxel_size"), options.voxelSize);
    const Snapshot first = pipeline.run(recipe, {}, {});
    recipe.voxelSize = first.resolved->voxelSize;
    const double size = recipe.voxelSize->x;
    fmt::print("{} points, voxel size {:g} m: {} voxels, {} triangles, picture {} x {}\n", cloud->size(),
               size, first.voxels->size(), first.mesh->triangleCount(), recipe.imageWidth,
               recipe.imageHeight);

    std::vector<Row> rows;
    rows.push_back(timed("iso-value", pipeline, recipe, options.repeats,
                         [&](Recipe& r, int i) { r.iso = (i % 2 ? 0.1 : 0.05) * size; }));
    rows.push_back(timed("voxel size", pipeline, recipe, options.repeats, [&](Recipe& r, int i) {
        r.voxelSize = Vec3d{size, size, size} * (i % 2 ? 1.001 : 1.0);
    }));
    rows.push_back(timed("view", pipeline, recipe, options.repeats,
                         [&](Recipe& r, int i) { r.view = i % 2 ? ViewPreset::top : ViewPreset::oblique; }));
    // all three views at once: voxels, mesh and points are drawn again after a change of the voxel size
    std::string json = fmt::format("{{\"points\": {}, \"voxel_size\": {}, \"voxels\": {}, \"triangles\": {}",
                                   cloud->size(), size, first.voxels->size(), first.mesh->triangleCount());
    for (const Row& row : rows) {
        fmt::print("{:<12} median {:7.1f} ms   min {:7.1f}   max {:7.1f}  ", row.name, median(row.total),
                   *std::min_element(row.total.begin(), row.total.end()),
                   *std::max_element(row.total.begin(), row.total.end()));
        json += fmt::format(", \"{}\": {{\"total_ms\": {:.3f}", row.name, median(row.total));
        for (const auto& [stage, times] : row.onDevice)
            json += fmt::format(", \"{}_on_device\": {:.4f}", stage, median(times));
        for (const auto& [stage, times] : row.stages) {
            if (median(times) > 0)
                fmt::print(" {} {:.1f}", stage, median(times));
            json += fmt::format(", \"{}\": {:.3f}", stage, median(times));
        }
        json += "}";
        for (const auto& [stage, times] : row.onDevice)
            fmt::print(" ({} on the device {:.3f})", stage, median(times));
        fmt::print("\n");
    }
    if (!options.json.empty())
        writeAtomically(options.json, [&](std::ostream& out) { out << json << "}\n"; });
    return 0;
}

} // namespace scanloupe::bench
