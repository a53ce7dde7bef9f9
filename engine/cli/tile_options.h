#pragma once
// Declares the command-line options for surveys in tiles, and their run.
#include "engine/cli/output/session.h"
#include "engine/survey/tiles/tile_run.h"

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
    std::string folder; ///< folder of the tiles; empty: the scan is processed as a whole
    double size = 0;    ///< edge of a tile in the unit of the coordinates; 0: derived from the number of
                        ///< points
    std::string ending = "ply";
    double memory = 0;    ///< memory for points, GiB; 0: a third of the free memory
    bool tileset = false; ///< also write the surface as 3D Tiles
    /// Names of the attributes for vertices and voxels, separated by commas; "rgb" stands for three
    /// attributes.
    std::string attributes;
    std::string voxels;  ///< format of the tiles' voxels, without the leading dot; empty: no voxels are
                         ///< written
    std::string devices; ///< value of --devices, see workersIn()

    /// Adds --tiles, --tile-size and the other options with this prefix, --tileset and --devices. CLI11 keeps
    /// pointers to the members, so this object must not move while the program parses.
    void addTo(Command command);
};

/// Registers all files that a run in tiles may write in `folder` with `files`, which checks them. @throws
/// EngineError
void addTileOutputs(const std::filesystem::path& folder, OutputCheck& files);
/// Processes a survey, which is a folder of scans or one scan, tile by tile.
/// @throws the exceptions of runTiles(); EngineError after the run if a file could not be read
void runSurvey(const TileOptions& options, const std::filesystem::path& survey, const Recipe& recipe,
               Backend backend, Session& session);

} // namespace scanloupe::cli
