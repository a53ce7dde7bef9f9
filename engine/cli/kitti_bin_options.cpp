// Adds the options --columns and --type for .bin files.
#include "engine/cli/kitti_bin_options.h"

#include <CLI/CLI.hpp>
#include <map>

namespace scanloupe::cli {

void addKittiBinOptions(CLI::App& app, ReadOptions& options) {
    app.add_option("--columns", options.columns, "Numbers a point in a .bin file; told by content without it")
        ->type_name("N");
    const std::map<std::string, SweepNumberType> types{{"float32", SweepNumberType::float32},
                                                       {"float16", SweepNumberType::float16}};
    app.add_option("--type", options.type, "Of the numbers in a .bin file; told by content without it")
        ->transform(CLI::CheckedTransformer(types).description(""))
        ->type_name("float32|float16");
}

} // namespace scanloupe::cli
