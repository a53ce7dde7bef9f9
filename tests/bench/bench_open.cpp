#include "tests/bench/bench_open.h"
#include "engine/io/common/read_options.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "tests/bench/median.h"

#include "engine/io/scan_input.h"
#include "engine/io/scan_reader.h"
#include "engine/run/pipeline/pipeline.h"
#include "engine/run/pipeline/warm_up.h"
#include "kernels/core/cost.h"
#include "kernels/core/device.h"
#include "kernels/core/parallel.h"
#include "tests/bench/ask_program.h"
#include "tests/bench/bench.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>

namespace scanloupe::bench {

namespace {

constexpr std::size_t kFirstLook = 300'000; // points, as in the window

/// Bytes that this process has read, from the disk or the system's cache.
std::uint64_t bytesRead() {
    std::ifstream counts("/proc/self/io");
    for (std::string line; std::getline(counts, line);)
        if (line.starts_with("rchar: "))
            return std::stoull(line.substr(7));
    return 0;
}

/// Opens a file once and prints its figures as a line of JSON.
int openOnce(const OpenOptions& options) {
    const BackendChoice backend = chooseBackend(options.backend);
    RunOptions whole;
    whole.quality = false;
    warmUp(backend, {}); // a window that has been open for some time is warm, too
    const std::uint64_t readBefore = bytesRead(), memoryBefore = statusBytes("VmRSS");
    const std::uint64_t deviceBefore = backend.backend == Backend::cuda ? probeDevice().freeBytes : 0;
    const WallTimer timer;
    Json row;
    if (const auto part = readScanSubsample(options.one, kFirstLook, {}, {})) {
        Pipeline first(backend);
        first.setInput(part, 0);
        first.run({}, whole, {});
        row["first_ms"] = timer.elapsedMs();
        row["first_points"] = part->size();
    }
    const std::uint64_t readForFirst = bytesRead() - readBefore;
    ReadOptions reading;
    reading.deviceStream = deviceStreamOf(backend);
    ScanInput input = readInput(options.one, reading, {});
    const auto cloud = input.cloud;
    row["read_ms"] = input.readMs;
    Pipeline pipeline(backend);
    pipeline.setInput(cloud, input.readMs);
    Recipe recipe;
    Snapshot shown = pipeline.run(recipe, whole, {});
    row["whole_ms"] = timer.elapsedMs();
    row["points"] = cloud->size();
    row["attributes"] = cloud->attributes().size();
    row["bytes_read_first"] = readForFirst;
    row["bytes_read"] = bytesRead() - readBefore - readForFirst;
    row["bytes_held"] = cloud->bytes();
    row["bytes_resident"] = statusBytes("VmRSS") - memoryBefore;
    row["bytes_peak"] = statusBytes("VmHWM") - memoryBefore;
    if (deviceBefore > 0)
        row["bytes_on_device"] = deviceBefore - std::min(deviceBefore, probeDevice().freeBytes);
    for (const StageTiming& stage : shown.timings.stages)
        row["stages"][stage.stage] = stage.wallMs;
    std::vector<double> sizes;
    std::map<std::string, std::vector<double>> ofStages;
    const Vec3d size = *shown.resolved->voxelSize;
    recipe.camera = shown.picture->camera; // stays while a slider moves, as in the window
    for (int i = 0; i < 9; ++i) {
        recipe.voxelSize = size * (i % 2 ? 1.0 : 1.05);
        const WallTimer move;
        shown = pipeline.run(recipe, whole, {});
        if (i < 2)
            continue;
        sizes.push_back(move.elapsedMs());
        for (const StageTiming& stage : shown.timings.stages)
            if (!stage.reused)
                ofStages[stage.stage].push_back(stage.wallMs);
    }
    for (auto& [stage, times] : ofStages)
        row["voxel_size_stages"][stage] = median(times);
    row["voxel_size_ms"] = median(sizes);
    std::printf("%s\n", row.dump().c_str());
    return 0;
}

/// Medians of each number over several rows.
Json medians(const std::vector<Json>& rows) {
    Json all = rows.front();
    for (auto& [key, value] : all.items()) {
        std::vector<double> numbers;
        for (const Json& row : rows)
            if (value.is_number())
                numbers.push_back(row.at(key).get<double>());
        if (!numbers.empty())
            value = median(std::move(numbers));
    }
    return all;
}

Json measure(const OpenOptions& options, const std::string& file) {
    const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
    const std::string command =
        fmt::format("'{}' open --one '{}'{}", self, file, options.backend == Backend::cuda ? " --cuda" : "");
    std::vector<Json> rows;
    for (int i = 0; i <= options.repeats; ++i) { // the first read only fills the system's file cache
        const Json row = askProgram(command);
        if (!row.is_object())
            return nullptr;
        if (i > 0)
            rows.push_back(row);
    }
    return medians(rows);
}

/// Time that another program needs to read a file, without anything else; null if the program is not
/// installed or cannot read the file.
Json readBy(const std::string& program, const OpenOptions& options, const std::string& file) {
    std::vector<double> times;
    for (int i = 0; i < 3; ++i) {
        if (program == "open3d") {
            const Json row = askProgram(fmt::format("{} {}/tests/bench/io_peers.py '{}' 2>/dev/null",
                                                    options.python, SCANLOUPE_SOURCE_DIR, file));
            if (!row.is_object() || row["points"].get<double>() == 0)
                return nullptr;
            times.push_back(row["ms"].get<double>());
        } else {
            const WallTimer timer;
            const Json said =
                askProgram(fmt::format("QT_QPA_PLATFORM=offscreen {} -SILENT -O '{}' >/dev/null 2>&1 "
                                       "&& echo 1",
                                       options.cloudCompare, file));
            if (said != 1)
                return nullptr;
            times.push_back(timer.elapsedMs());
        }
    }
    return median(times);
}

std::string text(const Json& row, const char* key, double scale, int digits) {
    return row.contains(key) && row[key].is_number()
               ? fmt::format("{:.{}f}", row[key].get<double>() * scale, digits)
               : "-";
}

} // namespace

void addOpenOptions(CLI::App& app, OpenOptions& options) {
    app.add_option("files", options.files, "scans");
    app.add_option("--repeats", options.repeats, "runs, each a program of its own; medians are shown");
    app.add_flag_callback(
        "--cuda", [&options] { options.backend = Backend::cuda; }, "takes the CUDA backend");
    app.add_option("--python", options.python, "that has Open3D");
    app.add_option("--cloudcompare", options.cloudCompare, "the program");
    app.add_option("--json", options.json, "writes the figures to this file");
    app.add_option("--one", options.one, "opens this file once")->group("");
}

int open(const OpenOptions& options) {
    if (!options.one.empty())
        return openOnce(options);
    Json all = Json::array();
    std::printf("%d threads, %s, medians of %d\n%-20s %11s %5s %9s %9s %9s %10s %9s %9s %9s %9s %9s %9s\n",
                parallelThreads(), options.backend == Backend::cuda ? "cuda" : "cpu", options.repeats, "file",
                "points", "attr", "first ms", "read ms", "whole ms", "Mpoints/s", "size ms", "read MB",
                "held MB", "peak MB", "Open3D", "CC");
    for (const std::string& file : options.files) {
        Json row = measure(options, file);
        const std::string name = std::filesystem::path(file).filename().string();
        if (row.is_null()) {
            std::printf("%-20s can't be opened\n", name.c_str());
            continue;
        }
        row["file"] = name;
        row["points_per_s"] = row["points"].get<double>() / row["whole_ms"].get<double>() * 1e3;
        row["open3d_ms"] = readBy("open3d", options, file);
        row["cloudcompare_ms"] = readBy("cloudcompare", options, file);
        std::printf("%-20s %11s %5s %9s %9s %9s %10s %9s %9s %9s %9s %9s %9s\n", name.c_str(),
                    text(row, "points", 1, 0).c_str(), text(row, "attributes", 1, 0).c_str(),
                    text(row, "first_ms", 1, 0).c_str(), text(row, "read_ms", 1, 0).c_str(),
                    text(row, "whole_ms", 1, 0).c_str(), text(row, "points_per_s", 1e-6, 1).c_str(),
                    text(row, "voxel_size_ms", 1, 1).c_str(), text(row, "bytes_read", 1e-6, 0).c_str(),
                    text(row, "bytes_held", 1e-6, 0).c_str(), text(row, "bytes_peak", 1e-6, 0).c_str(),
                    text(row, "open3d_ms", 1, 0).c_str(), text(row, "cloudcompare_ms", 1, 0).c_str());
        std::fflush(stdout);
        all.push_back(row);
    }
    if (!options.json.empty())
        std::ofstream(options.json) << Json{{"threads", parallelThreads()}, {"rows", all}}.dump(2) << '\n';
    return 0;
}

} // namespace scanloupe::bench
