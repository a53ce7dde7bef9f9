// Implements `convert`: reads a scan and writes it in another format.
#include "engine/cli/commands.h"
#include "engine/cli/input.h"
#include "engine/cli/options.h"
#include "engine/cli/output/text.h"
#include "engine/cli/reading_options.h"
#include "engine/cli/recipe_options.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/edit/edit_list.h"
#include "engine/io/common/read_options.h"
#include "engine/io/formats.h"
#include "engine/io/points_in_range.h"
#include "engine/io/writers.h"
#include "engine/recipe/coordinate_text.h"
#include "engine/recipe/defaults.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/range_cut.h"
#include "engine/recipe/recipe.h"
#include "engine/recipe/recipe_file.h"
#include "engine/results/point_export.h"
#include "engine/stages/edit.h"

#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

namespace scanloupe::cli {

namespace {

struct ConvertOptions {
    std::string from, to, resolution, edits;
    std::map<std::string, std::string> cut; ///< values of the parameters that cut the scan, by their keys
    ReadOptions read{.progress = {}, .attributes = AttributeReading::atOnce};
};

/// Keys of the parameters that cut a scan.
constexpr std::array kCuts{"range", "range_rotation", "range_inverted", "outer_range", "section", "up"};

/// Returns a recipe with only the cut. @throws EngineError for a value out of its range
Recipe cutOf(const ConvertOptions& options) {
    Recipe recipe;
    for (const auto& [key, text] : options.cut)
        if (!text.empty())
            setFromText(recipe, parameter(key), text);
    checkLimits(recipe);
    return recipe;
}

/// Returns the points that a recipe keeps. @throws EngineError if none is left
std::shared_ptr<const PointCloud> inRange(const std::shared_ptr<const PointCloud>& cloud,
                                          const Recipe& recipe, Session& session) {
    const bool isPlain = recipe.rangeMin && !recipe.rangeInverted && recipe.rangeRotation == 0;
    Recipe resolved = recipe;
    if (!isPlain)
        resolved = resolve(recipe, *cloud, defaultsFor(*cloud, session.stop), session.stop);
    const auto rows = rowsToWrite(*cloud, recipe, resolved, session.stop);
    if (rows.empty())
        throw EngineError(
            recipe.section || !isPlain ? "The range or section contains no point of the scan."
                                       : fmt::format("No point of the scan lies in the range {}.",
                                                     coordinateText(gridBounds(resolved))),
            fmt::format("The scan extends from {}: choose a range or a section that overlaps it.",
                        coordinateText(cloud->bounds())));
    return selectPoints(cloud, rows, session.stop);
}

/// Returns the points that are left after the edits. @throws EngineError if none is left
std::shared_ptr<const PointCloud> edited(const std::shared_ptr<const PointCloud>& cloud, Session& session) {
    const auto left = selectPoints(cloud, rowsLeft(*cloud, session.stop), session.stop);
    if (left->size() == 0 && cloud->size() > 0)
        throw EngineError("The edits remove all points of the scan.",
                          "Hide the layer that removes them in the recipe, or use another recipe (--edits).");
    return left;
}

/// Rejects visible layers with CUDA code. @throws EngineError
void requireNoCudaFile(const EditLayers& layers) {
    for (const auto& layer : layers)
        if (const auto* cuda = std::get_if<CudaFileAction>(&layer->action); cuda && !layer->isHidden)
            throw EngineError(
                fmt::format("The layer '{}' needs a GPU for the CUDA file {}, but convert runs on the CPU.",
                            layer->name, cuda->file.name()),
                "Hide the layer, or export the points from the window on a machine with a GPU.");
}

void runConvert(ConvertOptions& options, Session& session) {
    options.read.octree = octreeReading(options.resolution, {});
    const std::filesystem::path from = session.input(options.from);
    const OutputTarget to = session.target(options.to, cloudEndings());
    EditLayers layers;
    if (!options.edits.empty())
        layers = readRecipe(session.input(options.edits)).edits.layers;
    requireNoCudaFile(layers);
    for (const std::string& file : filesOf(layers))
        session.files.addInput(file);
    const Recipe recipe = cutOf(options);
    const auto whole = readPoints(from, options.read, session);
    const auto changed = withEdits(whole, layers, session.stop);
    const auto cloud = recipe != Recipe{} ? inRange(changed, recipe, session) : edited(changed, session);
    const auto losses = cloudLosses("points" + to.ending, *cloud, session.stop);
    for (const std::string& loss : losses)
        session.console.line("warning: " + loss);
    WriteOptions writing;
    writing.ending = to.ending;
    writing.progress = session.console.step("writing " + to.path.string());
    writeCloud(to.path, *cloud, writing, session.stop);
    session.console.clear();
    if (session.json) {
        const auto bytes = writtenBytes(to.path);
        const nlohmann::ordered_json json = {
            {"schema", "scanloupe/convert/1"},
            {"from",
             {{"file", session.inputs.shown(cloud->path)},
              {"format", cloud->format},
              {"points", whole->size()},
              {"warnings", whole->warnings}}},
            {"to",
             {{"file", to.path.string()},
              {"points", cloud->size()},
              {"bytes", bytes ? nlohmann::ordered_json(*bytes) : nlohmann::ordered_json()},
              {"losses", losses}}}};
        session.printJson(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
        return;
    }
    const std::string count = cloud->size() < whole->size() ? fmt::format("{} of {}", grouped(cloud->size()),
                                                                          counted(whole->size(), "point"))
                                                            : counted(cloud->size(), "point");
    session.text() << withSize(fmt::format("{}: {}", to.path.string(), count), to.path) << '\n';
}

} // namespace

void addConvertCommand(Command program, Action& action) {
    Command command = program.subcommand("convert", "Write a scan in another format, with its attributes");
    auto options = std::make_shared<ConvertOptions>();
    command.option("from", options->from, "The scan to read").required();
    command.option("to", options->to, fmt::format("The scan to write: {}", fmt::join(cloudEndings(), ", ")))
        .required();
    addReadingOptions(command, options->read);
    addOctreeOption(command, options->resolution, false);
    command
        .option("--edits", options->edits,
                "Apply the manual edits in a recipe: points that were deleted, moved or assigned "
                "another class (saved in the window with Save Recipe As)")
        .typeName("RECIPE")
        .group("Which points are written");
    for (const char* key : kCuts)
        command.option(parameter(key).option(), options->cut[key], parameter(key).help)
            .typeName(valuePattern(parameter(key)))
            .group("Which points are written");
    addJsonOption(command,
                  "Write JSON for programs: a summary of input, output and what the format can't store");
    command.footer("Coordinates keep the type of the input file if the output format supports it.\n"
                   "Example: scanloupe-cli convert sweep.bin sweep.ply --columns 5");
    command.whenParsed(
        [&action, options] { action = [options](Session& session) { runConvert(*options, session); }; });
}

} // namespace scanloupe::cli
