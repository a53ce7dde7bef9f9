// Writes mesh, voxels, picture and recipe of a run; large pictures band by band.
#include "engine/cli/run_outputs.h"

#include "engine/cli/text.h"
#include "engine/cloud/error.h"
#include "engine/io/formats.h"
#include "engine/picture/picture_bands.h"
#include "engine/picture/vertex_channels.h"
#include "engine/picture/view.h"
#include "engine/recipe/recipe_file.h"
#include "engine/section/write_section.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace scanloupe::cli {

namespace fs = std::filesystem;

namespace {

std::string withFrame(const std::string& path, const std::string& frame) {
    if (path.empty())
        return path;
    const fs::path file(path);
    return (file.parent_path() / (file.stem().string() + "_" + frame + file.extension().string())).string();
}

std::vector<std::string> unitKeys() {
    std::vector<std::string> keys;
    for (const LengthUnitRow& row : lengthUnits())
        keys.emplace_back(row.key);
    return keys;
}

/// @throws EngineError
LengthUnit unitFrom(const std::string& text) {
    const auto unit = lengthUnitFromText(text);
    if (!unit)
        throw EngineError(fmt::format("'{}' is no unit of length (--unit).", text),
                          fmt::format("Take one of: {}.", fmt::join(unitKeys(), ", ")));
    return *unit;
}

void printWritten(Session& session, const char* what, const std::string& path) {
    session.console.clear();
    session.out << withSize(fmt::format("{:<9} {}", what, path), path) << '\n';
}

/// Draws a picture band by band into its file.
void writeInBands(const std::string& path, Snapshot& snapshot, Pipeline& pipeline, Session& session) {
    const Recipe& recipe = snapshot.resolved;
    const PictureSource source = pipeline.pictureSource(snapshot, session.stop);
    BandOptions options;
    options.samples = int(recipe.samples);
    options.progress = session.console.step("drawing " + path);
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

void RunOutputs::addTo(CLI::App& app) {
    const auto add = [&app](const char* option, std::string& path, const std::string& help) {
        app.add_option(option, path, help)->type_name("OUT")->group("Output");
    };
    add("--mesh", mesh, fmt::format("Write the surface: {}", fmt::join(meshEndings(), ", ")));
    add("--voxels", voxels, fmt::format("Write the occupied voxels: {}", fmt::join(voxelEndings(), ", ")));
    add("--image", image, "Write the picture: .png");
    add("--section-lines", section,
        fmt::format("Write the lines in which the section (--section) cuts the surface: {}",
                    fmt::join(sectionEndings(), ", ")));
    app.add_option("--section-scale", sectionScale, "Of an .svg, 1:N on paper")
        ->type_name("N")
        ->capture_default_str()
        ->group("Output");
    app.add_option_function<std::string>(
           "--unit", [this](const std::string& text) { reference.unit = unitFrom(text); },
           fmt::format("What the coordinates are in, where the file does not say so or is wrong: {}. It is "
                       "printed, and a section is to scale by it; coordinates stay as they are.",
                       fmt::join(unitKeys(), ", ")))
        ->type_name("UNIT")
        ->group("Output");
    add("--timings", timings, "Write what every stage took and counted: .json or .csv");
    add("--save-recipe", recipe, "Write the recipe with everything that was chosen from the data: .json");
}

void RunOutputs::check(OutputCheck& outputs) const {
    const auto add = [&](const std::string& path, const std::vector<std::string>& endings) {
        if (!path.empty())
            outputs.addOutput(path, endings);
    };
    add(mesh, meshEndings());
    add(voxels, voxelEndings());
    add(image, {".png"});
    add(section, sectionEndings());
    add(timings, {".json", ".csv"});
    add(recipe, {".json"});
}

RunOutputs RunOutputs::ofFrame(const std::string& frame) const {
    RunOutputs named;
    named.mesh = withFrame(mesh, frame);
    named.voxels = withFrame(voxels, frame);
    named.image = withFrame(image, frame);
    named.section = withFrame(section, frame);
    named.sectionScale = sectionScale;
    named.reference = reference;
    named.recipe = withFrame(recipe, frame);
    return named;
}

bool RunOutputs::wantsPicture(const Recipe& run) const {
    return !image.empty() && std::uint64_t(run.imageWidth) * run.imageHeight <= kBandPixels;
}

void RunOutputs::write(Snapshot& snapshot, Pipeline& pipeline, Session& session) const {
    WriteOptions options;
    options.origin = snapshot.origin();
    if (!mesh.empty()) {
        options.progress = session.console.step("writing " + mesh);
        const auto colours = meshVertexColours(snapshot, session.stop);
        const auto channels = meshVertexChannels(snapshot, session.stop);
        options.channels = channels;
        for (const std::string& loss : meshLosses(mesh, !colours.empty(), options))
            session.console.line("warning: " + loss);
        writeMesh(mesh, snapshot.mesh.host(), colours, options, session.stop);
        printWritten(session, "mesh", mesh);
    }
    if (!voxels.empty() && !snapshot.voxels) {
        session.console.line("warning: a raw volume has no voxels; nothing is written to " + voxels);
    } else if (!voxels.empty()) {
        options.progress = session.console.step("writing " + voxels);
        const VoxelTable table = voxelTable(*snapshot.attributes, session.stop);
        writeVoxels(voxels, table.grid, table.channels, table.categories, options, session.stop);
        printWritten(session, "voxels", voxels);
    }
    if (!image.empty()) {
        if (snapshot.picture)
            writeImage(image, snapshot.picture->image.host(), session.stop);
        else
            writeInBands(image, snapshot, pipeline, session);
        printWritten(session, "picture", image);
    }
    if (!section.empty()) {
        if (!snapshot.section)
            throw EngineError("There is no section to write lines of.",
                              "Give one: --section=x,y,z,dx,dy,dz,thickness.");
        const Vec3d up = upVector(snapshot.resolved.up.value_or(UpAxis::z));
        writeSection(section, drawingOf(*snapshot.section, snapshot.origin(), *snapshot.resolved.section, up),
                     {sectionScale, referenceOf(snapshot.cloud.get(), reference).unit}, session.stop);
        printWritten(session, "section", section);
    }
    if (!recipe.empty()) {
        writeRecipe(recipe, snapshot.resolved, session.stop);
        printWritten(session, "recipe", recipe);
    }
}

} // namespace scanloupe::cli
