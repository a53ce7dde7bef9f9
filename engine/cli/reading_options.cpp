// Adds the options for .bin files, for texts and for COPC.
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

/// Parses the names and numbers of columns, as in x=2,y=3,z=4.
std::vector<ChosenColumn> parseTextColumns(const std::string& text) {
    std::vector<ChosenColumn> columns;
    for (const std::string& part : splitAtCommas(text)) {
        const std::size_t equals = std::min(part.find('='), part.size());
        ChosenColumn column{part.substr(0, equals)};
        const char* const end = part.data() + part.size();
        const char* const digits = std::min(part.data() + equals + 1, end);
        const auto parsed = std::from_chars(digits, end, column.number);
        if (column.name.empty() || parsed.ec != std::errc() || parsed.ptr != end || column.number == 0)
            throw EngineError(
                fmt::format("'{}' in --text-columns is not a name and the number of a column.", part),
                "Count columns from 1, as in --text-columns x=2,y=3,z=4.");
        if (std::ranges::any_of(columns, [&](const ChosenColumn& other) {
                return other.name == column.name || other.number == column.number;
            }))
            throw EngineError(fmt::format("'{}' in --text-columns repeats a name or a column.", part),
                              "Give each column one name, as in --text-columns x=2,y=3,z=4.");
        columns.push_back(std::move(column));
    }
    return columns;
}

} // namespace

void addReadingOptions(Command command, ReadOptions& options) {
    command
        .option("--columns", options.columns,
                "Values per point in a .bin file; default: recognized by content")
        .typeName("N");
    const std::map<std::string, SweepNumberType> types{{"float32", SweepNumberType::float32},
                                                       {"float16", SweepNumberType::float16}};
    command
        .choice("--type", options.type, types,
                "Type of the values in a .bin file; default: recognized by content")
        .typeName("float32|float16");
    const std::string help =
        "Take --columns and --type even where the content of a .bin file speaks against them";
    command.flag("--force", options.force, help);
    command
        .option<std::string>(
            "--text-columns",
            [&options](const std::string& text) { options.textColumns = parseTextColumns(text); },
            "Names of columns in a text, counted from 1, as in x=2,y=3,z=4; detected by header and content "
            "without it")
        .typeName("NAME=N,...");
    addStrictFlag(command);
}

void addStrictFlag(Command command) {
    const std::string help = "Reject a truncated or damaged scan before anything is written; without it the "
                             "intact part is used, and the exit code is 2";
    command.flag("--strict", help);
}

void addOctreeOption(Command command, std::string& text, bool hasRecipe) {
    const char* const help =
        hasRecipe
            ? "Of a COPC file, read only the nodes in --range, and of their levels those that are "
              "needed for points "
              "so far apart, in its unit; auto: a quarter of --voxel-size; full: all levels"
            : "Of a COPC file, read only the levels that are needed for points so far apart, in its unit";
    command.option("--octree-resolution", text, help).typeName(hasRecipe ? "LENGTH|auto|full" : "LENGTH");
}

std::optional<OctreeReading> octreeReading(const std::string& text, const Recipe& recipe) {
    if (text.empty())
        return std::nullopt;
    OctreeReading reading;
    // points outside an inverted range are unbounded, and a rotation about an unknown axis has no known box
    const bool isWithinBox = !recipe.rangeInverted && (recipe.rangeRotation == 0 || recipe.up);
    if (recipe.rangeMin && recipe.rangeMax && isWithinBox)
        reading.range = rangeBoxOf(recipe).bounds();
    if (text == "full")
        return reading;
    if (text == "auto") {
        constexpr double enough = 4; // points along the edge of a voxel
        if (!recipe.voxelSize)
            throw EngineError(
                "The resolution can't be chosen without a voxel size.",
                "Give the resolution as a length (--octree-resolution 0.1), or run with a voxel size.");
        reading.resolution =
            std::min({recipe.voxelSize->x, recipe.voxelSize->y, recipe.voxelSize->z}) / enough;
        return reading;
    }
    const std::vector<double> numbers = parseNumbers(text);
    if (numbers.size() != 1 || !(numbers[0] > 0))
        throw EngineError("'" + text + "' is no resolution.",
                          "Give a length, as in --octree-resolution 0.1.");
    reading.resolution = numbers[0];
    return reading;
}

} // namespace scanloupe::cli
