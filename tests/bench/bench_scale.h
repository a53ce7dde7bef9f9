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
    bool tileset = false;                   ///< also write the tiles as 3D Tiles
    bool check = false;                     ///< a tile of twice the size is computed once more, and compared
    bool keep = false;                      ///< the folder of the last run stays
    std::vector<int> workers{-1};           ///< numbers of devices that compute; -1: the host
    /// Tiles are generated, computed and summed up on devices, without files: by these numbers of devices.
    std::vector<int> devices;
    std::vector<std::uint64_t> modelHosts;       ///< numbers of hosts to model after the run
    int modelWorkers = 8;                        ///< devices of each host
    std::uint64_t modelPoints = 100'000'000'000; ///< points of the hosts' survey
    double modelStorage = 10; ///< bandwidth of their shared file system, GB a second; 0: no limit
    std::string json;         ///< file for the figures; empty: none
};

void addScaleOptions(CLI::App& app, ScaleOptions& options);

/// Runs generated surveys in tiles. Returns 1 where checksums of the same survey differ.
int scale(const ScaleOptions& options);

} // namespace scanloupe::bench
