#pragma once
// Surveys in tiles: how time and memory grow with the number of points and of devices.
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
    double memory = 1;                      ///< GiB of points that may wait in memory
    std::string folder = "scale-tiles";     ///< folder for the tiles, removed afterwards
    bool tileset = false;                   ///< also write the tiles as 3D Tiles
    bool check = false;                     ///< also compute a tile of twice the size, and compare it with
                                            ///< the stored tiles
    bool keep = false;                      ///< keep the folder of the last run
    std::vector<int> workers{-1};           ///< devices to compute with, one worker each; -1: the host
    /// For each additional run without files: number of devices that generate, compute and sum up the tiles.
    std::vector<int> devices;
    std::vector<std::uint64_t> modelHosts;       ///< numbers of hosts to model after the run
    int modelWorkers = 8;                        ///< devices of each host
    std::uint64_t modelPoints = 100'000'000'000; ///< points of the survey in the model of many hosts
    double modelStorage = 10; ///< bandwidth of the file system that the hosts share, GB/s; 0: no limit
    std::string json;         ///< file for the figures; empty: none
};

void addScaleOptions(CLI::App& app, ScaleOptions& options);

/// Runs generated surveys in tiles. Returns 1 if checksums of the same survey differ.
int scale(const ScaleOptions& options);

} // namespace scanloupe::bench
