#pragma once
// Declares surveys on the command line: options of tiles, and their run.
#include "engine/cli/output/session.h"
#include "engine/tiles/tile_run.h"

#include <filesystem>
#include <string>
#include <vector>

namespace scanloupe {
enum class Backend;
struct Recipe;
} // namespace scanloupe

namespace scanloupe::cli {

class Command;

struct TileOptions {
    std::string folder; ///< empty: the scan is run as a whole
    double size = 0;    ///< in the unit of the coordinates; 0: derived from the number of points
    std::string ending = "ply";
    double memory = 0;    ///< GiB; 0: a third of the free memory
    bool tileset = false; ///< also write 3D Tiles
    /// Names of attributes for vertices and voxels, separated by commas; "rgb" is three.
    std::string attributes;
    std::string voxels;  ///< format of the tiles' voxels, without its dot; empty: none are written
    std::string devices; ///< see workersIn()

    /// Adds --tiles, --tile-size and the other options with this prefix, --tileset and --devices. CLI11 keeps
    /// pointers: `this` must not move while the program parses.
    void addTo(Command command);
};

/// Adds all that a run in tiles may write in a folder to `files`, which checks it. @throws EngineError
void addTileOutputs(const std::filesystem::path& folder, OutputCheck& files);
/// Runs a survey, a folder of scans or one scan, in tiles.
/// @throws as runTiles(); EngineError at the end of the run when a file could not be read
void runSurvey(const TileOptions& options, const std::filesystem::path& survey, const Recipe& recipe,
               Backend backend, Session& session);

} // namespace scanloupe::cli
