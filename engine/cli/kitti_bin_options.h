#pragma once
// Declares the options for .bin files (KITTI, nuScenes), which several commands have.
#include "engine/io/scan_reader.h"

namespace CLI {
class App;
}

namespace scanloupe::cli {

/// Adds --columns and --type, which are stored in `options`.
void addKittiBinOptions(CLI::App& app, ReadOptions& options);

} // namespace scanloupe::cli
