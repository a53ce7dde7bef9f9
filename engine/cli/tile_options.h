#pragma once
// Declares surveys on the command line: options of tiles, and their run.
#include "engine/cli/session.h"
#include "engine/compute/backend.h"
#include "engine/recipe/recipe.h"
#include "engine/tiles/tile_run.h"

#include <filesystem>
#include <string>
#include <vector>

namespace scanloupe::cli {

class Command;

struct TileOptions {
    std::string folder; ///< empty: the scan is run as a whole
    double size = 0;    ///< in the unit of the coordinates; 0: chosen from the number of points
    std::string ending = "ply";
    double memory = 0;      ///< GiB; 0: a third of what is free
    bool tileset = false;   ///< 3D Tiles are written, too
    std::string attributes; ///< names, separated by commas, that vertices and voxels get; "rgb" is three
    std::string voxels;     ///< format of the tiles' voxels, without its dot; empty: none are written
    std::string devices;    ///< see workersIn()

    /// Adds --tiles, --tile-size and what else begins so, --tileset and --devices. CLI11 keeps pointers:
    /// `this` must not move while the program parses.
    void addTo(Command command);
};

/// Adds all that a run in tiles may write in a folder to `files`, which checks it. @throws EngineError
void addTileOutputs(const std::filesystem::path& folder, OutputCheck& files);
/// Runs a survey in tiles: of a folder of scans, or of one scan.
/// @throws EngineError when a part could not be read, after all others were; as runTiles()
void runSurvey(const TileOptions& options, const std::filesystem::path& survey, const Recipe& recipe,
               Backend backend, Session& session);

} // namespace scanloupe::cli
