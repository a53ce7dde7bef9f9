#include "engine/cloud/synthetic_cloud.h"
#include "tests/bench/bench.h"

#include <CLI/CLI.hpp>
#include <cstdio>

namespace scanloupe::bench {

std::shared_ptr<const PointCloud> streetCloud(std::uint64_t points) {
    synth::ScanParams params;
    params.points = points;
    return std::make_shared<const PointCloud>(syntheticCloud(params, false, {}, {}));
}

} // namespace scanloupe::bench

int main(int argc, char** argv) {
    using namespace scanloupe;
    bench::Options options;
    bool cuda = false;
    CLI::App app("Timings and stress runs of Scanloupe");
    app.require_subcommand(1);
    const auto common = [&](CLI::App* sub) {
        sub->add_option("--points", options.points, "points of the generated street scan");
        sub->add_option("--repeats", options.repeats, "runs; medians are shown");
        sub->add_option("--voxel-size", options.voxelSize, "metres, or auto");
        sub->add_option("--json", options.json, "writes the figures to this file");
        sub->add_flag("--cuda", cuda, "takes the CUDA backend");
        return sub;
    };
    const auto* pipeline = common(app.add_subcommand("pipeline", "what a moved slider costs"));
    common(app.add_subcommand("cancel", "cancels at random instants in each stage"));
    CLI11_PARSE(app, argc, argv);
    if (cuda)
        options.backend = Backend::cuda;
    try {
        return *pipeline ? bench::pipeline(options) : bench::cancel(options);
    } catch (const Error& error) {
        std::fprintf(stderr, "scanloupe-bench: %s\n  %s\n", error.what(), error.nextStep().c_str());
        return 1;
    }
}
