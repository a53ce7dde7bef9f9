#include "engine/cli/commands/commands.h"
#include "engine/cli/input.h"
#include "engine/cli/run_outputs.h"
#include "engine/cli/text.h"
#include "engine/compute/memory.h"
#include "engine/io/file_kind.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

namespace scanloupe::cli {

namespace {

struct ConvertOptions {
    std::string from, to;
    int columns = 0;
};

/// KITTI's format holds four floats a point, whatever the cloud has: says what stays behind.
void sayWhatBinDrops(const PointCloud& cloud, Session& session) {
    std::vector<std::string> dropped;
    for (const Attribute& attribute : cloud.attributes())
        if (attribute.name != "intensity")
            dropped.push_back(attribute.name);
    if (!dropped.empty())
        session.console.line(fmt::format("warning: .bin holds x, y, z and intensity only; left out: {}",
                                         fmt::join(dropped, ", ")));
    if (!std::holds_alternative<FloatPositions>(cloud.positions()))
        session.console.line("warning: .bin holds single precision; coordinates are rounded to it");
}

void runConvert(const ConvertOptions& options, Session& session) {
    checkTarget(options.to, cloudEndings(), options.from);
    const auto cloud = readPoints(options.from, options.columns, session);
    if (lowerEnding(options.to) == ".bin")
        sayWhatBinDrops(*cloud, session);
    WriteOptions writing;
    writing.progress = session.console.step("writing " + options.to);
    writeCloud(options.to, *cloud, writing, session.stop);
    session.console.clear();
    session.out << fmt::format("{}: {}, {}\n", options.to, counted(cloud->size(), "point"),
                               formatBytes(std::filesystem::file_size(options.to)));
}

} // namespace

void addConvertCommand(CLI::App& app, Action& action) {
    auto* command = app.add_subcommand("convert", "Write a scan in another format, with its attributes");
    auto options = std::make_shared<ConvertOptions>();
    command->add_option("from", options->from, "Scan to read")->required();
    command->add_option("to", options->to, fmt::format("Scan to write: {}", fmt::join(cloudEndings(), ", ")))
        ->required();
    command
        ->add_option("--columns", options->columns,
                     "Floats a point in a .bin file; told by content without it")
        ->type_name("N");
    command->footer("Coordinates keep the type that the file had, where the new format can.\n"
                    "Example: scanloupe-cli convert sweep.bin sweep.ply --columns 5");
    command->callback(
        [&action, options] { action = [options](Session& session) { runConvert(*options, session); }; });
}

} // namespace scanloupe::cli
