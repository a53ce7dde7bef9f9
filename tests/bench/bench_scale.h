#pragma once
// Surveys in tiles: how time and memory grow with the points, and with the devices.
#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace scanloupe::bench {

struct ScaleOptions {
    std::vector<std::uint64_t> points{100'000'000, 200'000'000};
    double perSquareMetre = 200;
    double voxelSize = 0.5, tileSize = 250; ///< metres
    double memory = 1;                      ///< GiB of points that wait
    std::string folder = "scale-tiles";     ///< for the tiles, removed afterwards
    bool tileset = false;                   ///< the tiles are written as 3D Tiles, too
    bool check = false;                     ///< a tile of twice the size is computed once more, and compared
    bool keep = false;                      ///< the folder of the last run stays
    std::vector<int> workers{-1};           ///< numbers of devices that compute; -1: the host
    /// Tiles are generated, computed and summed up on devices, without files: by these numbers of devices.
    std::vector<int> devices;
    std::vector<std::uint64_t> modelHosts;       ///< a model of so many hosts follows; several numbers
    int modelWorkers = 8;                        ///< devices of each of them
    std::uint64_t modelPoints = 100'000'000'000; ///< of their survey
    double modelStorage = 10; ///< GB a second of the file system that they share; 0: no limit
    std::string json;         ///< where figures go; empty: nowhere
};

void addScaleOptions(CLI::App& app, ScaleOptions& options);

/// Runs generated surveys in tiles. Returns 1 where checksums of the same survey differ.
int scale(const ScaleOptions& options);

} // namespace scanloupe::bench
