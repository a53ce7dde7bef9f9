#pragma once
// How the numbers of .bin files are read, as options that several commands have.
#include "engine/io/scan_reader.h"

namespace CLI {
class App;
}

namespace scanloupe::cli {

/// Adds --columns and --type, which are kept in `options`.
void addKittiBinOptions(CLI::App& app, ReadOptions& options);

} // namespace scanloupe::cli
