// Adds the options for reading .bin files, text files and COPC files.
#include "engine/cli/reading_options.h"

#include "engine/cli/options.h"
#include "engine/cli/output/text.h"
#include "engine/cloud/attribute.h"
#include "engine/cloud/error.h"
#include "engine/io/common/read_options.h"
#include "engine/recipe/range_cut.h"
#include "engine/recipe/recipe.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>

namespace scanloupe::cli {

namespace {

/// Parses names and numbers of columns, such as x=2,y=3,z=4.
std::vector<ChosenColumn> parseTextColumns(const std::string& text) {
    std::vector<ChosenColumn> columns;
    for (const std::string& part : splitAtCommas(text)) {
        const std::size_t equals = std::min(part.find('='), part.size());
        ChosenColumn column{part.substr(0, equals)};
        const char* const end = part.data() + part.size();
        const char* const digits = std::min(part.data() + equals + 1, end);
        const auto parsed = std::from_chars(digits, end, column.number);
        if (column.name.empty() || parsed.ec != std::errc() || parsed.ptr != end || column.number == 0)
            throw EngineError(fmt::format("'{}' in --text-columns is not of the form NAME=NUMBER.", part),
                              "Give names and column numbers, counted from 1: --text-columns x=2,y=3,z=4.");
        if (std::ranges::any_of(columns, [&](const ChosenColumn& other) {
                return other.name == column.name || other.number == column.number;
            }))
            throw EngineError(fmt::format("'{}' in --text-columns repeats a name or a column number.", part),
                              "Use every name and every column once: --text-columns x=2,y=3,z=4.");
        columns.push_back(std::move(column));
    }
    return columns;
}

} // namespace

void addReadingOptions(Command command, ReadOptions& options) {
    command
        .option("--columns", options.columns,
                "Number of values per point in a .bin file; default: detected from the content")
        .typeName("N");
    const std::map<std::string, SweepNumberType> types{{"float32", SweepNumberType::float32},
                                                       {"float16", SweepNumberType::float16}};
    command
        .choice("--type", options.type, types,
                "Type of the values in a .bin file; default: detected from the content")
        .typeName("float32|float16");
    const std::string help = "Use --columns and --type even if the content of a .bin file contradicts them";
    command.flag("--force", options.force, help);
    command
        .option<std::string>(
            "--text-columns",
            [&options](const std::string& text) { options.textColumns = parseTextColumns(text); },
            "Names and numbers of columns in a text file, counted from 1: x=2,y=3,z=4; default: detected "
            "from header and content"
            "")
        .typeName("NAME=N,...");
    addStrictFlag(command);
}

void addStrictFlag(Command command) {
    const std::string help = "Reject a truncated or damaged scan before anything is written; by default its "
                             "intact part is used and the exit code is 2";
    command.flag("--strict", help);
}

void addOctreeOption(Command command, std::string& text, bool hasRecipe) {
    const char* const help =
        hasRecipe
            ? "Distance between points to read from a COPC file, in the file's unit; finer octree levels and "
              "nodes outside --range are skipped; auto: a quarter of --voxel-size; full: all levels"
            : "Distance between points to read from a COPC file, in the file's unit; finer octree levels are "
              "skipped";
    command.option("--octree-resolution", text, help).typeName(hasRecipe ? "LENGTH|auto|full" : "LENGTH");
}

std::optional<OctreeReading> octreeReading(const std::string& text, const Recipe& recipe) {
    if (text.empty())
        return std::nullopt;
    OctreeReading reading;
    // An inverted range is unbounded; if it is rotated about an unknown up axis, its box is unknown.
    const bool isWithinBox = !recipe.rangeInverted && (recipe.rangeRotation == 0 || recipe.up);
    if (recipe.rangeMin && recipe.rangeMax && isWithinBox)
        reading.range = rangeBoxOf(recipe).bounds();
    if (text == "full")
        return reading;
    if (text == "auto") {
        constexpr double enough = 4; // number of points along the edge of a voxel
        if (!recipe.voxelSize)
            throw EngineError(
                "--octree-resolution auto needs a voxel size.",
                "Add --voxel-size, or give the resolution as a length: --octree-resolution 0.1.");
        reading.resolution =
            std::min({recipe.voxelSize->x, recipe.voxelSize->y, recipe.voxelSize->z}) / enough;
        return reading;
    }
    const std::vector<double> numbers = parseNumbers(text);
    if (numbers.size() != 1 || !(numbers[0] > 0))
        throw EngineError("--octree-resolution must be a length above 0 (got '" + text + "').",
                          "Give a length in the file's unit: --octree-resolution 0.1.");
    reading.resolution = numbers[0];
    return reading;
}

} // namespace scanloupe::cli
