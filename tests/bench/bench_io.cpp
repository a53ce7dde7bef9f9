#include "tests/bench/bench_io.h"

#include "engine/cloud/error.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/synth/synthetic_cloud.h"
#include "engine/io/writers.h"
#include "kernels/core/parallel.h"
#include "tests/bench/ask_program.h"
#include "tests/bench/io_read_once.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <memory>

namespace scanloupe::bench {

namespace {

namespace fs = std::filesystem;

/// Bytes per point of two clouds in memory while files are written: coordinates as doubles, and the fields of
/// a LAS point. Open3D needs as much for one cloud.
constexpr double kMemoryAPoint = 60;

/// A copy with x, y and z alone, which is what the other programs read. For PCD, coordinates are floats
/// relative to the cloud's centre, as in most PCD files.
PointCloud bare(const PointCloud& cloud, bool floats) {
    if (floats)
        return PointCloud(FloatPositions{cloud.floatView({})}, {}, {});
    const auto& held = std::get<ScaledPositions>(cloud.positions());
    return PointCloud(ScaledPositions{hostCopy(held.xyz.span()), held.scale, held.offset}, {}, {});
}

fs::path fileOf(const IoOptions& options, const std::string& ending) {
    return fs::path(options.folder) / fmt::format("street_{}{}", options.points, ending);
}

/// Prints the disk space that the missing files need. @throws EngineError if there is less
void checkRoom(const IoOptions& options) {
    // bytes per point of the generated street
    const std::map<std::string, double> sizes{
        {".las", 30}, {".laz", 5.2}, {".ply", 24}, {".pcd", 12}, {".xyz", 31}};
    double needed = 0;
    for (const std::string& ending : options.endings)
        if (const auto size = sizes.find(ending); size != sizes.end() && !fs::exists(fileOf(options, ending)))
            needed += size->second * static_cast<double>(options.points);
    const auto available = static_cast<double>(fs::space(options.folder).available);
    if (needed == 0)
        return;
    std::printf("the files take %.1f GB in %s, where %.1f GB are free; making and reading them takes up to "
                "%.1f GB of memory\n",
                needed / 1e9, options.folder.c_str(), available / 1e9,
                double(options.points) * kMemoryAPoint / 1e9);
    if (needed * 1.05 > available)
        throw EngineError("there is not enough room for the files of the benchmark",
                          "Name a folder on another drive with --folder, or take fewer --points.");
}

void makeFiles(const IoOptions& options) {
    fs::create_directories(options.folder);
    checkRoom(options);
    std::unique_ptr<const PointCloud> cloud;
    for (const std::string& ending : options.endings) {
        const fs::path path = fileOf(options, ending);
        if (fs::exists(path))
            continue;
        if (!cloud)
            cloud = std::make_unique<const PointCloud>(utmCloud(options.points));
        std::printf("making %s\n", path.c_str());
        std::fflush(stdout);
        if (ending == ".las" || ending == ".laz")
            writeCloud(path, *cloud, {}, {});
        else
            writeCloud(path, bare(*cloud, ending == ".pcd"), {}, {});
    }
}

std::vector<std::string> waysFor(const std::string& ending) {
    std::vector<std::string> ways{"scanloupe", "bytes"};
    if (ending == ".laz" || ending == ".las")
        ways.push_back("laszip");
    else
        ways.push_back("open3d");
    return ways;
}

Json measure(const IoOptions& options, const fs::path& path, const std::string& way) {
    const std::string self = fs::read_symlink("/proc/self/exe").string();
    const std::string command = way == "open3d"
                                    ? fmt::format("{} {}/tests/bench/io_peers.py '{}' 2>/dev/null",
                                                  options.python, SCANLOUPE_SOURCE_DIR, path.string())
                                    : fmt::format("'{}' io --one '{}' --way {}", self, path.string(), way);
    std::vector<double> times, peaks;
    Json last;
    for (int i = 0; i <= options.repeats; ++i) { // the first read only fills the system's file cache
        last = askProgram(command);
        if (!last.is_object())
            return nullptr;
        if (i == 0)
            continue;
        times.push_back(last["ms"].get<double>());
        peaks.push_back(last["peak"].get<double>());
    }
    std::sort(times.begin(), times.end());
    std::sort(peaks.begin(), peaks.end());
    last["ms"] = times[times.size() / 2];
    last["fastest_ms"] = times.front();
    last["slowest_ms"] = times.back();
    last["peak"] = peaks[peaks.size() / 2];
    return last;
}

} // namespace

PointCloud utmCloud(std::uint64_t points) {
    synth::ScanParams params;
    params.points = points;
    const PointCloud street = syntheticCloud(params, false, {}, {});
    ScaledPositions held{Buffer<Vec3i>::host(street.size()), {1e-3, 1e-3, 1e-3}, {512000, 5403000, 300}};
    Attribute intensity, time;
    intensity.name = "intensity";
    intensity.type = ScalarType::uint16;
    intensity.allocate(street.size());
    time.name = "time";
    time.type = ScalarType::float64;
    time.allocate(street.size());
    const Attribute& given = *street.attribute("intensity");
    parallelFor(street.size(), 1 << 16, {}, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            for (int axis = 0; axis < 3; ++axis)
                held.xyz[i][axis] = static_cast<std::int32_t>(std::lround(street.position(i)[axis] * 1000));
            const auto bright = static_cast<std::uint16_t>(
                std::clamp(given.value(i) / std::max(given.max(), 1e-6), 0.0, 1.0) * 65535);
            const double seconds = 1e6 + static_cast<double>(i) * 1e-6;
            std::memcpy(intensity.dataToFill() + 2 * i, &bright, 2);
            std::memcpy(time.dataToFill() + 8 * i, &seconds, 8);
        }
    });
    std::vector<Attribute> attributes;
    attributes.push_back(std::move(intensity));
    attributes.push_back(std::move(time));
    return PointCloud(std::move(held), std::move(attributes), {});
}

void addIoOptions(CLI::App& app, IoOptions& options) {
    app.add_option("--points", options.points, "points of the generated scan");
    app.add_option("--repeats", options.repeats, "runs, each a program of its own; medians are shown");
    app.add_option("--folder", options.folder, "where the files are made, and left for the next time");
    app.add_option("--endings", options.endings, "formats");
    app.add_option("--python", options.python, "that has Open3D");
    app.add_option("--json", options.json, "writes the figures to this file");
    app.add_option("--one", options.one, "reads this file once")->group("");
    app.add_option("--way", options.way, "by scanloupe, laszip or bytes")->group("");
}

int io(const IoOptions& options) {
    if (!options.one.empty())
        return ioReadOnce(options.one, options.way);
    makeFiles(options);
    Json all = Json::array();
    std::printf("%llu points, medians of %d\n%-6s %-10s %10s %12s %10s %12s\n",
                static_cast<unsigned long long>(options.points), options.repeats, "file", "reader", "ms",
                "Mpoints/s", "MB/s", "peak/cloud");
    for (const std::string& ending : options.endings) {
        const fs::path path = fileOf(options, ending);
        const double bytes = static_cast<double>(fs::file_size(path));
        for (const std::string& way : waysFor(ending)) {
            Json row = measure(options, path, way);
            if (row.is_null()) {
                std::printf("%-6s %-10s          not here\n", ending.c_str(), way.c_str());
                continue;
            }
            const double ms = row["ms"].get<double>(), cloud = row["cloud"].get<double>();
            std::printf("%-6s %-10s %10.0f %12.2f %10.0f", ending.c_str(), way.c_str(), ms,
                        double(options.points) / ms / 1e3, bytes / ms / 1e3);
            if (cloud > 0)
                std::printf(" %12.2f", row["peak"].get<double>() / cloud);
            std::printf("\n");
            std::fflush(stdout);
            row["file"] = ending;
            row["reader"] = way;
            row["file_bytes"] = bytes;
            all.push_back(row);
        }
    }
    if (!options.json.empty())
        std::ofstream(options.json)
            << Json{{"points", options.points}, {"threads", parallelThreads()}, {"rows", all}}.dump(2)
            << '\n';
    return 0;
}

} // namespace scanloupe::bench
