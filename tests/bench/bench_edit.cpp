// Benchmark of editing by hand: a lasso over many points, and dabs of brushes from the click to the picture.
#include "engine/edit/edit_list.h"
#include "engine/io/common/view_detail.h"
#include "engine/io/volume/read_volume.h"
#include "engine/io/writers.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "engine/run/pipeline/pipeline.h"
#include "kernels/core/cost.h"
#include "kernels/core/mix_bits.h"
#include "kernels/core/parallel.h"
#include "kernels/select/outline_mask.h"
#include "kernels/select/select_points.h"
#include "tests/bench/bench.h"
#include "tests/bench/median.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <vector>

namespace scanloupe::bench {

namespace {

float share(std::uint64_t seed) {
    return float(double(mixBits(seed) >> 11) * 0x1p-53);
}

/// A lasso with 400 corners in a view of 1920 x 1080 pixels that the cloud fills.
void lasso(const EditOptions& options, nlohmann::ordered_json& json) {
    const std::size_t count = options.lassoPoints;
    auto points = Buffer<Vec3f>::host(count);
    parallelFor(count, 1 << 16, {}, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            points[i] = {200 * share(3 * i) - 100, 200 * share(3 * i + 1) - 100, 20 * share(3 * i + 2)};
    });
    Camera camera;
    camera.eye = {0, -150, 120};
    const Projection view(camera, 1920, 1080);
    std::vector<std::array<double, 2>> corners;
    for (int i = 0; i < 400; ++i) {
        const double angle = 2 * std::numbers::pi * i / 400, reach = 350 + 60 * std::sin(7 * angle);
        corners.push_back({960 + 1.6 * reach * std::cos(angle), 540 + reach * std::sin(angle)});
    }
    const bool onDevice = options.backend == Backend::cuda;
    std::optional<Stream> stream;
    if (onDevice)
        stream.emplace();
    const Execution on{onDevice ? std::optional(stream->view()) : std::nullopt, {}};
    Buffer<Vec3f> there;
    if (onDevice)
        there = points.copyTo(MemorySpace::device, *stream);
    const std::span<const Vec3f> all{onDevice ? there.data() : points.data(), count};
    std::vector<double> times;
    std::uint64_t chosen = 0;
    for (int i = 0; i <= options.repeats; ++i) {
        const WallTimer timer;
        OutlineMask mask = outlineMask(corners, view.width, view.height, {});
        OutlinePredicate predicate;
        predicate.window = ViewWindow(view, mask.left, mask.top, mask.width, mask.height);
        const Buffer<std::uint32_t> pixels =
            onDevice ? mask.pixels.copyTo(MemorySpace::device, *stream) : std::move(mask.pixels);
        predicate.pixels = pixels.data();
        predicate.rowWords = mask.rowWords;
        const PointSet set = selectPoints(all, predicate, on);
        chosen = countOf(set, on);
        if (i > 0)
            times.push_back(timer.elapsedMs());
    }
    fmt::print("{:<34} {:9.2f} ms ({} of {} points)\n", "lasso", median(times), chosen, count);
    json["lasso"] = {{"points", count}, {"chosen", chosen}, {"ms", median(times)}};
}

/// The position of a pseudo-random point of the cloud.
Vec3d placeOf(const PointCloud& cloud, std::size_t number) {
    return cloud.position(mixBits(number) % cloud.size());
}

/// A brush stroke: each dab is timed from the click to the finished picture.
struct Painting {
    const char* name;
    Pipeline& pipeline;
    Recipe recipe;
    std::function<Edits(const Edits&, std::size_t)> next;
};

void paint(const EditOptions& options, Painting painting, nlohmann::ordered_json& json) {
    std::vector<double> walls;
    std::map<std::string, std::vector<double>> stages, device;
    std::vector<std::string> order;
    std::size_t triangles = 0;
    for (int i = 0; i <= options.repeats; ++i) {
        painting.recipe.edits = painting.next(painting.recipe.edits, std::size_t(i));
        const WallTimer timer;
        const Snapshot snapshot = painting.pipeline.run(painting.recipe, {}, {});
        if (i == 0)
            continue; // warm-up
        walls.push_back(timer.elapsedMs());
        triangles = snapshot.mesh->triangleCount();
        for (const StageTiming& stage : snapshot.timings.stages) {
            if (stage.reused)
                continue;
            if (!stages.contains(stage.stage))
                order.push_back(stage.stage);
            stages[stage.stage].push_back(stage.wallMs);
            device[stage.stage].push_back(stage.deviceMs);
        }
    }
    fmt::print("{:<34} {:9.2f} ms ({} triangles)\n", painting.name, median(walls), triangles);
    nlohmann::ordered_json row{{"name", painting.name}, {"ms", median(walls)}, {"triangles", triangles}};
    for (const std::string& stage : order) {
        fmt::print("  {:<32} {:9.2f} ms, on the device {:.2f}\n", stage, median(stages[stage]),
                   median(device[stage]));
        row["stages"][stage] = {{"ms", median(stages[stage])}, {"device_ms", median(device[stage])}};
    }
    json["dabs"].push_back(std::move(row));
}

Edits withDab(const Edits& edits, SculptTool tool, Vec3d at, double radius, double slope) {
    SculptAction action;
    action.tool = tool;
    action.slope = slope;
    return withSculpted(edits, stepOf(SetOperation::add, StrokeRegion{{at}, radius}), action, "Brush");
}

/// Dabs whose radius covers some thousand voxels of a surface.
void dabs(const EditOptions& options, nlohmann::ordered_json& json) {
    const auto cloud = streetCloud(options.points);
    Pipeline pipeline(chooseBackend(options.backend));
    pipeline.setInput(cloud, 0);
    Recipe recipe;
    setFromText(recipe, parameter("voxel_size"), options.voxelSize);
    const double radius = 12 * recipe.voxelSize->x;
    const Snapshot first = pipeline.run(recipe, {}, {});
    recipe.camera = first.picture->camera; // a fixed camera, as while a user edits
    fmt::print("{} points, {} voxels\n", cloud->size(), first.voxels->size());
    paint(options,
          {"dab of the eraser", pipeline, recipe,
           [&](const Edits& edits, std::size_t i) {
               return withErased(edits, stepOf(SetOperation::add, StrokeRegion{{placeOf(*cloud, i)}, radius}),
                                 "Erase");
           }},
          json);
    for (const auto& [name, tool] :
         {std::pair{"dab that fills", SculptTool::fill}, {"dab that raises", SculptTool::raise}})
        paint(options,
              {name, pipeline, recipe,
               [&, tool = tool](const Edits& edits, std::size_t i) {
                   return withDab(edits, tool, placeOf(*cloud, i), radius / 2, -1);
               }},
              json);
}

/// A grid of 512^3 nodes, with a hundred strokes in it.
void grid(const EditOptions& options, nlohmann::ordered_json& json) {
    constexpr int edge = 512;
    auto volume = std::make_shared<Volume>();
    volume->lattice = {{}, {1, 1, 1}, {edge, edge, edge}};
    Pipeline pipeline(chooseBackend(options.backend));
    pipeline.setInput(std::shared_ptr<const Volume>(std::move(volume)), 0);
    const auto place = [](std::size_t i) {
        return Vec3d{60 + 390.0 * double{share(3 * i)}, 60 + 390.0 * double{share(3 * i + 1)},
                     60 + 390.0 * double{share(3 * i + 2)}};
    };
    Recipe recipe;
    for (std::size_t i = 0; i < 100; ++i)
        recipe.edits = withDab(recipe.edits, SculptTool::fill, place(i), 30, 1);
    pipeline.run(recipe, {}, {});
    paint(options,
          {"dab in a grid of 512^3", pipeline, recipe,
           [&](const Edits& edits, std::size_t i) {
               return withDab(edits, i % 2 ? SculptTool::fill : SculptTool::carve,
                              place(i % 100) + Vec3d{0, 0, 30}, 6, 1);
           }},
          json);
}

} // namespace

int edit(const EditOptions& options) {
    nlohmann::ordered_json json{{"threads", parallelThreads()}};
    fmt::print("{} threads\n", parallelThreads());
    if (options.lassoPoints > 0)
        lasso(options, json);
    if (options.points > 0) {
        dabs(options, json);
        grid(options, json);
    }
    if (!options.json.empty())
        writeAtomically(options.json, [&](std::ostream& out) { out << json.dump(2) << '\n'; });
    return 0;
}

} // namespace scanloupe::bench
