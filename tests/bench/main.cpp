#include "engine/io/synth/synthetic_cloud.h"
#include "tests/bench/bench.h"
#include "tests/bench/bench_align.h"
#include "tests/bench/bench_io.h"
#include "tests/bench/bench_laz.h"
#include "tests/bench/bench_open.h"
#include "tests/bench/bench_raster.h"
#include "tests/bench/bench_scale.h"
#include "tests/bench/bench_surface.h"
#include "tests/bench/bench_sweeps.h"
#include "tests/bench/bench_sycl.h"
#include "tests/bench/bench_verdict.h"
#include "tests/bench/bench_voxelize.h"

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
    auto* pipeline = common(app.add_subcommand("pipeline", "what a moved slider costs"));
    pipeline->add_option("--scan", options.scan, "a scan to take in place of the generated one");
    auto* cancel = common(app.add_subcommand("cancel", "cancels at random instants in each stage"));
    cancel->add_option("--stage", options.stage, "this stage only");
    cancel->add_option("--cancels", options.cancels, "in each stage");
    bench::VoxelizeOptions voxelizeOptions;
    auto* voxelize = app.add_subcommand("voxelize", "voxelization on the GPU against published ways");
    bench::addVoxelizeOptions(*voxelize, voxelizeOptions);
    bench::VoxelizeCpuOptions strategies;
    auto* voxelizeCpu = app.add_subcommand("voxelize-cpu", "the CPU backend's voxelization strategies");
    voxelizeCpu->add_option("--points", strategies.points, "points of the surface cloud; several sizes");
    voxelizeCpu->add_option("--repeats", strategies.repeats, "runs; medians are shown");
    voxelizeCpu->add_option("--voxel-size", strategies.voxelSize, "0.075, 0.2 or 0.5 only");
    voxelizeCpu->add_option("--strategy", strategies.strategy, "this one only");
    voxelizeCpu->add_option("--write-clouds", strategies.cloudFolder, "a folder to write the clouds to");
    voxelizeCpu->add_option("--json", strategies.json, "writes the figures to this file");
    bench::PiecesOptions pieces;
    auto* inPieces = app.add_subcommand("voxelize-pieces", "a cloud that goes through the GPU in pieces");
    inPieces->add_option("--points", pieces.points, "points of the surface cloud");
    inPieces->add_option("--piece", pieces.pieceSizes, "points a piece; several sizes");
    inPieces->add_option("--repeats", pieces.repeats, "runs; medians are shown");
    inPieces->add_option("--json", pieces.json, "writes the figures to this file");
    bench::FramesOptions framesOptions;
    auto* frames = app.add_subcommand("frames", "the scans of a folder as the frames of a sequence");
    frames->add_option("folder", framesOptions.folder, "with the scans")->required();
    frames->add_option("--frames", framesOptions.frames, "how many, over and over");
    frames->add_flag("--fixed", framesOptions.fixed, "keeps what is chosen from the first frame");
    frames->add_option("--json", framesOptions.json, "writes the figures to this file");
    frames->add_flag_callback(
        "--cuda", [&] { framesOptions.backend = Backend::cuda; }, "takes the CUDA backend");
    bench::QualityOptions figures;
    auto* quality = app.add_subcommand("quality", "clean-up and quality figures of a mesh");
    quality->add_option("--triangles", figures.triangles, "about so many in the mesh");
    quality->add_option("--points", figures.points, "whose distances to it are measured");
    quality->add_option("--repeats", figures.repeats, "runs; medians are shown");
    quality->add_option("--json", figures.json, "writes the figures to this file");
    bench::HistogramOptions counts;
    auto* histograms = app.add_subcommand("histogram", "counts of values in bins, on both backends");
    histograms->add_option("--values", counts.values, "how many");
    histograms->add_option("--repeats", counts.repeats, "runs; medians are shown");
    histograms->add_option("--json", counts.json, "writes the figures to this file");
    bench::EditOptions editOptions;
    auto* edits = app.add_subcommand("edit", "a lasso over many points, and dabs of the eraser");
    edits->add_option("--lasso-points", editOptions.lassoPoints,
                      "of a cloud that a lasso selects from; 0: none");
    edits->add_option("--points", editOptions.points, "of the street that the eraser works on");
    edits->add_option("--voxel-size", editOptions.voxelSize, "metres");
    edits->add_option("--repeats", editOptions.repeats, "dabs; medians are shown");
    edits->add_option("--json", editOptions.json, "writes the figures to this file");
    edits->add_flag_callback(
        "--cuda", [&] { editOptions.backend = Backend::cuda; }, "takes the CUDA backend");
    bench::IoOptions ioOptions;
    auto* io = app.add_subcommand("io", "reading files of a large scan, against other readers");
    bench::addIoOptions(*io, ioOptions);
    bench::OpenOptions openOptions;
    auto* open = app.add_subcommand("open", "from a file to its first picture and to the whole");
    bench::addOpenOptions(*open, openOptions);
    bench::LazOptions lazOptions;
    auto* laz = app.add_subcommand("laz", "the positions of a LAZ file, decoded on the GPU");
    bench::addLazOptions(*laz, lazOptions);
    bench::SurfaceOptions surfaceOptions;
    auto* surface =
        app.add_subcommand("surface", "marching cubes on both backends against the published way");
    bench::addSurfaceOptions(*surface, surfaceOptions);
    bench::RasterOptions rasterOptions;
    auto* raster = app.add_subcommand("raster", "the rasterizer on the GPU against the published way");
    bench::addRasterOptions(*raster, rasterOptions);
    bench::AlignOptions alignOptions;
    auto* align = app.add_subcommand("align", "registration on both backends, and the ways to run it");
    bench::addAlignOptions(*align, alignOptions);
    bench::SweepsOptions sweepsOptions;
    auto* sweeps = app.add_subcommand("sweeps", "a pair of sweeps aligned by surfaces, step by step");
    bench::addSweepsOptions(*sweeps, sweepsOptions);
    bench::VerdictOptions verdictOptions;
    auto* verdicts = app.add_subcommand("verdict", "verdicts on alignments of known truth");
    bench::addVerdictOptions(*verdicts, verdictOptions);
    bench::ScaleOptions scaleOptions;
    bench::SyclOptions syclOptions;
    auto* sycl =
        app.add_subcommand("sycl", "marching cubes and voxelization by SYCL beside the other backends");
    bench::addSyclOptions(*sycl, syclOptions);
    auto* scale = app.add_subcommand("scale", "surveys in tiles: growth with the points, and with devices");
    bench::addScaleOptions(*scale, scaleOptions);
    CLI11_PARSE(app, argc, argv);
    if (cuda)
        options.backend = Backend::cuda;
    try {
        if (*io)
            return bench::io(ioOptions);
        if (*open)
            return bench::open(openOptions);
        if (*laz)
            return bench::laz(lazOptions);
        if (*voxelize)
            return bench::voxelize(voxelizeOptions);
        if (*surface)
            return bench::surface(surfaceOptions);
        if (*align)
            return bench::align(alignOptions);
        if (*sweeps)
            return bench::sweeps(sweepsOptions);
        if (*verdicts)
            return bench::verdict(verdictOptions);
        if (*sycl)
            return bench::sycl(syclOptions);
        if (*scale)
            return bench::scale(scaleOptions);
        if (*raster)
            return bench::raster(rasterOptions);
        if (*inPieces)
            return bench::voxelizePieces(pieces);
        if (*voxelizeCpu)
            return bench::voxelizeCpu(strategies);
        if (*frames)
            return bench::frames(framesOptions);
        if (*quality)
            return bench::quality(figures);
        if (*histograms)
            return bench::histograms(counts);
        if (*edits)
            return bench::edit(editOptions);
        return *pipeline ? bench::pipeline(options) : bench::cancel(options);
    } catch (const Error& error) {
        std::fprintf(stderr, "scanloupe-bench: %s\n  %s\n", error.what(), error.nextStep().c_str());
        return 1;
    }
}
