// Writes mesh, voxels, picture and recipe of a run. Large pictures are drawn in bands.
#include "engine/cli/run_outputs.h"

#include "engine/cli/options.h"
#include "engine/cli/output/text.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/inspect/section/write_section.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/text/utf8.h"
#include "engine/io/formats.h"
#include "engine/io/volume/read_volume.h"
#include "engine/picture/picture_bands.h"
#include "engine/picture/vertex_channels.h"
#include "engine/picture/view.h"
#include "engine/recipe/recipe.h"
#include "engine/recipe/recipe_file.h"
#include "engine/results/voxel_export.h"
#include "engine/run/pipeline/pipeline.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace scanloupe::cli {

namespace fs = std::filesystem;

namespace {

OutputTarget withFrame(const OutputTarget& target, const std::string& frame) {
    const fs::path& file = target.path;
    if (isDescriptor(file))
        throw EngineError(
            fmt::format("The results of several frames can't be written to the pipe or device '{}'.",
                        file.string()),
            "Name a file, or run the scans one at a time.");
    return {file.parent_path() / (file.stem().string() + "_" + frame + file.extension().string()),
            target.ending};
}

std::optional<OutputTarget> withFrame(const std::optional<OutputTarget>& target, const std::string& frame) {
    return target ? std::optional(withFrame(*target, frame)) : std::nullopt;
}

std::vector<OutputTarget> withFrame(const std::vector<OutputTarget>& targets, const std::string& frame) {
    std::vector<OutputTarget> all;
    all.reserve(targets.size());
    for (const OutputTarget& target : targets)
        all.push_back(withFrame(target, frame));
    return all;
}

std::vector<std::string> unitKeys() {
    std::vector<std::string> keys;
    for (const LengthUnitRow& row : lengthUnits())
        keys.emplace_back(row.key);
    return keys;
}

bool isArrays(const OutputTarget& target) {
    return formatWithEnding(&FileFormat::voxels, target.ending)->voxels.isArrays;
}

/// Draws a picture in horizontal bands and writes each to the file as it is finished.
void writeInBands(const fs::path& path, Snapshot& snapshot, Pipeline& pipeline, Session& session) {
    const Recipe& recipe = snapshot.resolved;
    const PictureSource source = pipeline.pictureSource(snapshot, session.stop);
    BandOptions options;
    options.samples = int(recipe.samples);
    options.progress = session.console.step("drawing " + path.string());
    PictureBands bands(*source.scene, source.camera, int(recipe.imageWidth), int(recipe.imageHeight), options,
                       session.stop);
    writeImage(
        path, bands.width(), bands.height(), [&bands](int first) { return bands.rowsFrom(first); },
        session.stop);
    StageTiming rasterize{"rasterize", "cpu", false, bands.rasterizeMs(), 0, bands.bytes(), {}, {}};
    rasterize.counts = {{"drawn_pixels", bands.drawnPixels()}, {"bands", std::uint64_t(bands.count())}};
    snapshot.timings.stages.push_back(std::move(rasterize));
    snapshot.timings.stages.push_back({"resolve", "cpu", false, bands.resolveMs(), 0, 0, {}, {}});
    if (options.samples > 1)
        snapshot.timings.stages.push_back(
            {"refine", "cpu", false, bands.refineMs(), 0, 0, {{"samples", recipe.samples}}, {}});
}

} // namespace

WrittenFile printWritten(Session& session, const char* kind, const OutputTarget& target) {
    session.console.clear();
    const std::string file = target.path.string();
    session.text() << withSize(fmt::format("{:<9} {}", kind, terminalLine(file)), file) << '\n';
    return {kind, file, writtenBytes(file)};
}

void RunOutputs::addTo(Command command) {
    const auto describe = [](Option option) { option.typeName("OUT").group("Output"); };
    const auto add = [&](const char* option, std::string& path, const std::string& help) {
        Option added = command.option(option, path, help);
        describe(added);
        return added;
    };
    const auto addSeveral = [&](const char* option, std::vector<std::string>& paths,
                                const std::string& help) {
        Option added = command.option(option, paths, help);
        describe(added.oneValueEach());
        return added;
    };
    addSeveral(
        "--mesh", meshes,
        fmt::format("Write the surface: {}; may be given several times", fmt::join(meshEndings(), ", ")));
    const Option tables = addSeveral("--voxels", voxels,
                                     fmt::format("Write the occupied voxels: {}; may be given several times",
                                                 fmt::join(voxelEndings(), ", ")));
    command
        .choice("--voxel-type", halfMeans, {{"float32", false}, {"float16", true}},
                "Type of attribute means in .npz and .npy files; float32 is widened to float64 where a mean "
                "needs it")
        .typeName("float16|float32")
        .showDefault("float32")
        .needs(tables)
        .group("Output");
    command
        .flag(
            "--voxel-batch", batch,
            "In .npz and .npy files, insert a column before the voxel indices: the index of the scan in its "
            "folder, from 0")
        .needs(tables)
        .group("Output");
    const Option grid =
        command
            .option("--dense-voxels", dense,
                    fmt::format(
                        "Write all cells of the voxel grid, including empty ones: {}, with its sidecar file",
                        fmt::join(denseEndings(), ", ")))
            .typeName("OUT")
            .group("Output");
    command
        .choice("--dense-values", denseValues,
                {{"occupancy", DenseValues::occupancy}, {"counts", DenseValues::counts}},
                "Values of --dense-voxels. occupancy: 1 for cells with points, else 0 (uint8); counts: "
                "number of points (uint32)")
        .typeName("occupancy|counts")
        .showDefault("occupancy")
        .needs(grid)
        .group("Output");
    add("--image", image, "Write the picture: .png");
    const Option lines = add("--section-lines", section,
                             fmt::format("Write the lines where the section (--section) cuts the surface: {}",
                                         fmt::join(sectionEndings(), ", ")));
    command
        .option("--section-scale", sectionScale, "Scale 1:N on paper of an .svg written by --section-lines")
        .typeName("N")
        .showDefault()
        .needs(lines)
        .group("Output");
    command
        .option(
            "--unit", unit,
            "Unit of the coordinates; overrides the unit in the file. It is printed, and section drawings "
            "are scaled by it; the coordinates do not change")
        .typeName(fmt::format("{}", fmt::join(unitKeys(), "|")))
        .group("Output");
    add("--timings", timings, "Write the times and counts of every stage: .json or .csv");
    add("--save-recipe", recipe,
        "Write the recipe, with automatic values replaced by those chosen from the data: .json");
}

RunTargets RunOutputs::targets(Session& session) const {
    const auto one = [&](const std::string& named, const std::vector<std::string>& endings,
                         const char* usual) -> std::optional<OutputTarget> {
        if (named.empty())
            return std::nullopt;
        return session.target(named, endings, usual);
    };
    RunTargets targets;
    for (const std::string& mesh : meshes)
        targets.meshes.push_back(session.target(mesh, meshEndings()));
    for (const std::string& table : voxels)
        targets.voxels.push_back(session.target(table, voxelEndings()));
    targets.arrays.halfMeans = halfMeans;
    if (batch)
        targets.arrays.batch = 0;
    if ((halfMeans || batch) && std::ranges::none_of(targets.voxels, isArrays))
        throw EngineError(fmt::format("{} applies to .npz and .npy only, and no such file is written.",
                                      halfMeans ? "--voxel-type float16" : "--voxel-batch"),
                          "Write the voxels as .npz or .npy (--voxels), or leave the option out.");
    targets.dense = one(dense, denseEndings(), "");
    targets.denseValues = denseValues;
    if (targets.dense && targets.dense->ending == ".raw" && !isVolumeFile(targets.dense->path))
        throw EngineError(
            fmt::format("A raw volume needs a sidecar file, which can't be written next to '{}'.", dense),
            "Name a file that ends with .raw, or use the format npy, which needs no sidecar file: npy:-.");
    targets.image = one(image, {".png"}, ".png");
    targets.section = one(section, sectionEndings(), "");
    if (targets.section && targets.section->ending != ".svg" && sectionScale != RunTargets().sectionScale)
        throw EngineError(
            fmt::format("--section-scale applies to .svg files only, but '{}' is a .dxf file, which stores "
                        "the scan's coordinates.",
                        section),
            "Write an .svg, or leave --section-scale out.");
    targets.timings = one(timings, {".json", ".csv"}, ".json");
    targets.recipe = one(recipe, {".json"}, ".json");
    targets.sectionScale = sectionScale;
    if (unit.empty())
        return targets;
    targets.reference.unit = lengthUnitFromText(unit);
    if (!targets.reference.unit)
        throw EngineError(fmt::format("'{}' is not a unit of length (--unit).", unit),
                          fmt::format("Use one of: {}.", fmt::join(unitKeys(), ", ")));
    return targets;
}

void RunTargets::check(OutputCheck& outputs) const {
    for (const auto* several : {&meshes, &voxels})
        for (const OutputTarget& target : *several)
            outputs.addOutput(target);
    for (const auto* target : {&dense, &image, &section, &timings, &recipe})
        if (*target)
            outputs.addOutput(**target);
}

RunTargets RunTargets::ofFrame(const std::string& frame) const {
    RunTargets named;
    named.meshes = withFrame(meshes, frame);
    named.voxels = withFrame(voxels, frame);
    named.dense = withFrame(dense, frame);
    named.denseValues = denseValues;
    named.image = withFrame(image, frame);
    named.section = withFrame(section, frame);
    named.sectionScale = sectionScale;
    named.reference = reference;
    named.arrays = arrays;
    named.recipe = withFrame(recipe, frame);
    return named;
}

void RunTargets::requireIn(RunEnd end) const {
    const char* lacking = !meshes.empty() ? "--mesh"
                          : image         ? "--image"
                          : section       ? "--section-lines"
                                          : nullptr;
    if (end != RunEnd::surface && lacking)
        throw EngineError(
            fmt::format("{} needs the stages up to the surface, but --stages ends before them.", lacking),
            "Leave out --stages or the output file.");
}

bool RunTargets::wantsPicture(const Recipe& run) const {
    return image && std::uint64_t(run.imageWidth) * run.imageHeight <= kBandPixels;
}

std::vector<WrittenFile> RunTargets::writeVoxelFiles(Snapshot& snapshot, Session& session) const {
    std::vector<WrittenFile> written;
    const auto hasVoxels = [&](const OutputTarget& target) {
        if (!snapshot.voxels)
            session.console.line("warning: a raw volume has no voxels; nothing is written to " +
                                 target.path.string());
        return bool(snapshot.voxels);
    };
    for (const OutputTarget& table : voxels)
        if (hasVoxels(table))
            written.push_back(writeTable(table, snapshot, session));
    if (dense && hasVoxels(*dense)) {
        WriteOptions options;
        options.ending = dense->ending;
        options.progress = session.console.step("writing " + dense->path.string());
        writeDenseVoxels(dense->path, snapshot.voxels.host(), denseValues, options, session.stop);
        written.push_back(printWritten(session, "dense", *dense));
    }
    return written;
}

WrittenFile RunTargets::writeTable(const OutputTarget& table, Snapshot& snapshot, Session& session) const {
    std::atomic<std::uint64_t> overflows = 0;
    WriteOptions options;
    options.ending = table.ending;
    options.progress = session.console.step("writing " + table.path.string());
    options.arrays = arrays;
    options.arrays.overflows = &overflows;
    if (formatWithEnding(&FileFormat::voxels, table.ending)->voxels.holdsPoints &&
        snapshot.resolved->maxPointsPerVoxel == 0)
        session.console.line("note: " + table.path.string() +
                             " does not list the points of each voxel, because their number is not limited; "
                             "set --max-points-per-voxel to include them");
    writeVoxelsOf(snapshot, table.path, options, session.stop);
    WrittenFile written = printWritten(session, "voxels", table);
    if (overflows > 0) {
        snapshot.notes.push_back(
            {.text = fmt::format("{} in {} exceeded 65504, the maximum of float16, and became infinite: "
                                 "use --voxel-type float32.",
                                 counted(overflows, "mean"), table.path.filename().string()),
             .isWarning = true});
        session.console.line("warning: " + snapshot.notes.back().text);
    }
    return written;
}

std::vector<WrittenFile> RunTargets::write(Snapshot& snapshot, Pipeline& pipeline, Session& session) const {
    std::vector<WrittenFile> written;
    WriteOptions options;
    options.origin = snapshot.origin();
    for (const OutputTarget& mesh : meshes) {
        options.ending = mesh.ending;
        options.progress = session.console.step("writing " + mesh.path.string());
        const auto colours = meshVertexColours(snapshot, session.stop);
        const auto channels = meshVertexChannels(snapshot, session.stop);
        options.channels = channels;
        for (const std::string& loss : meshLosses(mesh.path, !colours.empty(), options))
            session.console.line("warning: " + loss);
        writeMesh(mesh.path, snapshot.mesh.host(), colours, options, session.stop);
        written.push_back(printWritten(session, "mesh", mesh));
    }
    for (WrittenFile& file : writeVoxelFiles(snapshot, session))
        written.push_back(std::move(file));
    if (image) {
        if (snapshot.picture)
            writeImage(image->path, snapshot.picture->image.host(), session.stop);
        else
            writeInBands(image->path, snapshot, pipeline, session);
        written.push_back(printWritten(session, "picture", *image));
    }
    if (section) {
        if (!snapshot.section)
            throw EngineError("There is no section to write lines of.",
                              "Give one: --section=x,y,z,dx,dy,dz,thickness.");
        const Vec3d up = upVector(snapshot.resolved->up.value_or(UpAxis::z));
        const SectionDrawing drawing =
            drawingOf(*snapshot.section, snapshot.origin(), *snapshot.resolved->section, up);
        writeSection(section->path, drawing,
                     {sectionScale, referenceOf(snapshot.cloud.get(), reference).unit, section->ending},
                     session.stop);
        written.push_back(printWritten(session, "section", *section));
    }
    if (recipe) {
        writeRecipe(recipe->path, snapshot.resolved, session.stop);
        written.push_back(printWritten(session, "recipe", *recipe));
    }
    return written;
}

} // namespace scanloupe::cli
