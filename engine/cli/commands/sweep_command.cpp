// Implements `sweep`: runs a scan for all combinations of several values of two parameters, and writes
// pictures and statistics.
#include "engine/cli/backend_option.h"
#include "engine/cli/commands.h"
#include "engine/cli/input.h"
#include "engine/cli/options.h"
#include "engine/cli/output/text.h"
#include "engine/cli/reading_options.h"
#include "engine/cli/recipe_options.h"
#include "engine/cloud/point_cloud.h"
#include "engine/cloud/reference/coordinate_reference.h"
#include "engine/compute/backend.h"
#include "engine/inspect/reference.h"
#include "engine/io/common/read_options.h"
#include "engine/io/writers.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"
#include "engine/run/pipeline/pipeline.h"
#include "engine/run/sweep/parameter_sweep.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <utility>

namespace scanloupe::cli {

namespace {

struct SweepCommand {
    explicit SweepCommand(Command command) : options(command) {}
    RecipeOptions options;
    std::string scan, columns, rows, sheet, csv;
    ReadOptions read;
    BackendRequest backend;
};

/// Parses a parameter and its values: "voxel_size=0.05:0.2:4" or "iso=0.3,0.5". @throws EngineError
SweepAxis parseAxis(const char* option, const std::string& text, bool isVolume) {
    const std::string example =
        fmt::format("Give it as {} voxel_size=0.05:0.2:4, or as iso=0.3,0.5.", option);
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
        throw EngineError(
            fmt::format("'{}' ({}) has no '=' between a parameter and its values.", text, option), example);
    SweepAxis axis;
    axis.parameter = &parameter(text.substr(0, equals));
    const Parameter& p = *axis.parameter;
    if (!canBeSwept(p, isVolume))
        throw EngineError(fmt::format("'{}' can't be used with {}.", p.key, option),
                          "Use a parameter with a single number or choice, such as voxel_size or iso.");
    const std::string values = text.substr(equals + 1);
    if (values.find(':') != std::string::npos) {
        std::string commas = values;
        std::ranges::replace(commas, ':', ',');
        const std::vector<double> range = parseNumbers(commas);
        if (range.size() != 3 || range[2] < 1 || range[2] > 400)
            throw EngineError(
                fmt::format("'{}' is not a range LOW:HIGH:COUNT with a COUNT from 1 to 400.", values),
                example);
        axis.values = sweepValues(p, range[0], range[1], int(range[2]));
        return axis;
    }
    for (const std::string& word : splitAtCommas(values)) {
        Recipe recipe;
        setFromText(recipe, p, word); // checks the limits
        if (const auto value = p.get(recipe))
            axis.values.push_back(value->front());
    }
    return axis;
}

void runSweepCommand(const SweepCommand& command, Session& session) {
    const std::filesystem::path scan = session.input(command.scan);
    std::optional<OutputTarget> sheetFile, csvFile;
    if (!command.sheet.empty())
        sheetFile = session.target(command.sheet, {".png"}, ".png");
    if (!command.csv.empty())
        csvFile = session.target(command.csv, {".csv"}, ".csv");
    SweepGrid grid;
    grid.base = command.options.recipe(session);
    parseAxis("--across", command.columns, false); // fails before a large scan is read
    parseAxis("--down", command.rows, false);
    const auto trusted = command.options.trustedCode(grid.base);
    Pipeline pipeline(chooseBackend(command.backend));
    pipeline.setTrustedCode(trusted);
    ScanInput input = readInput(scan, command.read, session);
    grid.columns = parseAxis("--across", command.columns, input.volume != nullptr);
    grid.rows = parseAxis("--down", command.rows, input.volume != nullptr);
    const LengthUnit unit = referenceOf(input.cloud.get()).unit;
    if (input.volume)
        pipeline.setInput(std::move(input.volume), input.readMs);
    else
        pipeline.setInput(std::move(input.cloud), input.readMs);
    if (grid.comparesFields() && grid.base->iso)
        session.console.line(
            fmt::format("--iso {:g} is ignored: iso-values of different fields have different "
                        "units, so each field uses its own, chosen from the data.",
                        *grid.base->iso));
    std::vector<SweepCell> cells; // without their pictures
    std::shared_ptr<const Reference> reference;
    std::optional<ContactSheet> sheet;
    if (sheetFile)
        sheet.emplace(grid);
    const ProgressFunction progress = session.console.step("sweeping");
    runSweep(
        pipeline, grid,
        [&](SweepCell cell) {
            if (sheet)
                sheet->add(cell);
            cell.image = {};
            if (cell.reference)
                reference = std::exchange(cell.reference, nullptr);
            cells.push_back(std::move(cell));
            progress(double(cells.size()) / double(grid.size()));
        },
        session.stop);
    session.console.clear();
    warnOfReference(reference.get(), session);
    std::vector<std::vector<std::string>> table{{grid.columns.parameter->key, grid.rows.parameter->key, "ms",
                                                 "voxels", "triangles", "mean distance"}};
    const auto columnText = [&](const SweepCell& cell) {
        return sweepValueText(*grid.columns.parameter, grid.columns.values[cell.column]);
    };
    const auto rowText = [&](const SweepCell& cell) {
        return sweepValueText(*grid.rows.parameter, grid.rows.values[cell.row]);
    };
    for (const SweepCell& cell : cells)
        table.push_back({columnText(cell), rowText(cell), fmt::format("{:.1f}", cell.ms),
                         grouped(cell.voxels), grouped(cell.triangles),
                         !cell.problem.empty() ? cell.problem
                         : cell.meanDistance   ? fmt::format("{:.3g} {}", *cell.meanDistance, unitText(unit))
                                               : "-"});
    constexpr std::size_t numbers[] = {2, 3, 4};
    session.text() << formatTable(table, "", numbers);
    if (csvFile) {
        writeAtomically(
            csvFile->path, [&](std::ostream& out) { out << toCsv(grid, cells, unit); }, session.stop);
        session.text() << "figures   " << csvFile->path.string() << '\n';
    }
    if (sheet) {
        writeImage(sheetFile->path, sheet->image(), session.stop);
        session.text() << "pictures  " << sheetFile->path.string() << '\n';
    }
    const auto hasFailed = [](const SweepCell& cell) { return !cell.problem.empty(); };
    if (const auto first = std::ranges::find_if(cells, hasFailed); first != cells.end())
        throw EngineError(fmt::format("{} of {} failed. The first failure, at {} {} and {} {}: {}",
                                      std::ranges::count_if(cells, hasFailed),
                                      counted(cells.size(), "recipe"), grid.columns.parameter->key,
                                      columnText(*first), grid.rows.parameter->key, rowText(*first),
                                      first->problem),
                          first->nextStep);
}

} // namespace

void addSweepCommand(Command program, Action& action) {
    Command sub = program.subcommand(
        "sweep",
        "Run a scan for all combinations of several values of two parameters, and compare the results");
    auto command = std::make_shared<SweepCommand>(sub);
    sub.option("scan", command->scan, "A scan or a raw volume").required();
    sub.option("--across", command->columns,
               "Parameter of the columns and its values: KEY=LOW:HIGH:COUNT or KEY=A,B,...")
        .typeName("AXIS")
        .required();
    sub.option("--down", command->rows, "Parameter of the rows and its values, in the same form")
        .typeName("AXIS")
        .required();
    sub.option("--sheet", command->sheet, "Write all pictures as one contact sheet: .png").typeName("OUT");
    sub.option("--csv", command->csv,
               "Write time, voxels, triangles and mean distance of each combination: .csv")
        .typeName("OUT");
    addReadingOptions(sub, command->read);
    addDeviceOptions(sub, command->backend);
    sub.footer("Example: scanloupe-cli sweep car.ply --across voxel_size=0.05:0.2:4 --down "
               "field=occupancy,distance "
               "--size 320x240 --sheet car.png --csv car.csv");
    sub.whenParsed(
        [&action, command] { action = [command](Session& session) { runSweepCommand(*command, session); }; });
}

} // namespace scanloupe::cli
