// Formats summaries, statistics over frames, and timings of runs.
#include "engine/cli/reports/run_report.h"
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/io/common/write/write_atomically.h"
#include "engine/io/volume/read_volume.h"
#include "engine/results/quality.h"
#include "engine/results/snapshot.h"

#include "engine/cli/output/text.h"
#include "engine/compute/memory.h"
#include "engine/io/common/text/csv_text.h"
#include "engine/recipe/recipe_file.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace scanloupe::cli {

namespace {

using Json = nlohmann::ordered_json;

/// Wall times of one stage in all frames.
struct StageStatistics {
    std::string stage;
    std::vector<double> wallMs; // one per frame, ascending

    double median() const {
        const std::size_t middle = wallMs.size() / 2;
        return wallMs.size() % 2 == 1 ? wallMs[middle] : (wallMs[middle - 1] + wallMs[middle]) / 2;
    }
};

/// Returns the statistics of all stages in the order of their first occurrence, then those of "total".
std::vector<StageStatistics> statisticsOf(const std::vector<FrameReport>& frames) {
    std::vector<StageStatistics> all;
    StageStatistics total{"total", {}};
    for (const FrameReport& frame : frames) {
        if (!frame.error.empty())
            continue;
        for (const StageTiming& timing : frame.timings.stages) {
            auto stage =
                std::find_if(all.begin(), all.end(), [&](const auto& s) { return s.stage == timing.stage; });
            if (stage == all.end())
                stage = all.insert(all.end(), {timing.stage, {}});
            stage->wallMs.push_back(timing.wallMs);
        }
        total.wallMs.push_back(frame.timings.totalMs);
    }
    if (!total.wallMs.empty())
        all.push_back(std::move(total));
    for (auto& stage : all)
        std::sort(stage.wallMs.begin(), stage.wallMs.end());
    return all;
}

std::string milliseconds(double ms) {
    return fmt::format("{:.1f}", ms);
}

Json jsonOf(const FrameReport& frame) {
    if (!frame.error.empty())
        return {{"scan", frame.scan}, {"error", frame.error}, {"next_step", frame.nextStep}};
    Json json = {{"scan", frame.scan}};
    json.update(Json::parse(toJson(frame.timings)));
    if (frame.quality)
        json["quality"] = Json::parse(toJson(*frame.quality, frame.unit));
    json["notes"] = frame.notes;
    json["outputs"] = Json::array();
    for (const WrittenFile& file : frame.outputs)
        json["outputs"].push_back(
            {{"kind", file.kind}, {"file", file.file}, {"bytes", file.bytes ? Json(*file.bytes) : Json()}});
    json["recipe"] = Json::parse(toJson(frame.resolved));
    return json;
}

/// Formats the mesh quality in a few lines of text.
std::string qualityText(const MeshQuality& quality, LengthUnit unit) {
    const MeshTopology& topology = quality.topology;
    std::string text = fmt::format(
        "quality   {}, {}, {}, Euler number {}\n", counted(quality.triangles, "triangle"),
        fmt::format("{} {}", grouped(quality.vertices), quality.vertices == 1 ? "vertex" : "vertices"),
        counted(topology.components, "part"), topology.euler);
    if (quality.triangles == 0)
        return text;
    if (topology.closed())
        text += fmt::format(
            "          closed, {}: area {:.5g} {}, volume {:.5g} {}; {}\n",
            quality.kind() == SurfaceKind::crust
                ? fmt::format("a shell with two sides, {:.3g} {} thick", quality.thickness(), unitText(unit))
                : "a solid",
            topology.area, unitText(unit, 2), topology.volume, unitText(unit, 3),
            counted(topology.holes(), "through-hole"));
    else
        text += fmt::format(
            "          open: area {:.5g} {}; {}; {} with {}, total length {:.5g} {}, longest {:.5g} {}\n",
            topology.area, unitText(unit, 2), counted(topology.holes(), "through-hole"),
            counted(topology.rims.count, "boundary loop"), counted(topology.boundaryEdges, "boundary edge"),
            topology.rims.length, unitText(unit), topology.rims.longest, unitText(unit));
    if (topology.nonManifoldEdges > 0)
        text += fmt::format("          {} shared by more than two triangles\n",
                            counted(topology.nonManifoldEdges, "edge"));
    const DistanceStats& stats = quality.distances.stats;
    if (stats.count > 0)
        text += fmt::format("          point-to-mesh distance: mean {:.3g}, RMS {:.3g}, 95th percentile "
                            "{:.3g}, maximum {:.3g} "
                            "{} ({}{})\n",
                            stats.mean, stats.rms, stats.p95, stats.max, unitText(unit),
                            counted(stats.count, "point"),
                            quality.ofAllPoints() ? "" : fmt::format(", every {}th", quality.stride));
    return text;
}

std::string timingsCsv(const std::vector<FrameReport>& frames) {
    std::string csv;
    for (const FrameReport& frame : frames) {
        if (!frame.error.empty())
            continue;
        std::istringstream lines(toCsv(frame.timings));
        std::string line;
        std::getline(lines, line);
        if (csv.empty())
            csv = "scan," + line + "\n";
        while (std::getline(lines, line))
            csv += quotedForCsv(frame.scan) + "," + line + "\n";
    }
    return csv;
}

} // namespace

void printSummary(const Snapshot& snapshot, const CoordinateReference& reference,
                  const BackendChoice& backend, Session& session) {
    session.console.clear();
    std::ostream& out = session.text();
    if (snapshot.cloud)
        out << fmt::format("scan      {}\n          {}, {}\n", session.inputs.shown(snapshot.cloud->path),
                           snapshot.cloud->format, counted(snapshot.cloud->size(), "point"));
    else
        out << fmt::format("volume    {}\n          {}, {} x {} x {} samples\n", snapshot.volume->path,
                           snapshot.volume->format, snapshot.volume->lattice.dims.x,
                           snapshot.volume->lattice.dims.y, snapshot.volume->lattice.dims.z);
    out << fmt::format("backend   {}\n", backend.reason);
    out << fmt::format("unit      {}\n", unitDescription(reference));
    const char* label = "notes     ";
    std::vector<std::string> notes = reference.notes;
    for (const RunNote& note : snapshot.notes)
        notes.push_back(note.text);
    for (const std::string& note : notes) {
        out << label << note << '\n';
        label = "          ";
    }
    std::vector<std::vector<std::string>> rows{{"stage", "wall ms", "device ms", "memory", ""}};
    for (const StageTiming& timing : snapshot.timings.stages) {
        std::string counts = timing.method;
        for (const auto& [name, count] : timing.counts) {
            if (count == 0)
                continue; // relevant zeros are mentioned in the notes
            std::string words = name;
            std::replace(words.begin(), words.end(), '_', ' ');
            counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", grouped(count), words);
        }
        rows.push_back({timing.stage, milliseconds(timing.wallMs),
                        timing.deviceMs > 0 ? milliseconds(timing.deviceMs) : "", formatBytes(timing.bytes),
                        counts});
    }
    std::string totalLabel = "all but read"; // the total excludes these stages
    for (const char* later : {"refine", "quality"})
        if (snapshot.timings.find(later))
            totalLabel += fmt::format(", {}", later);
    rows.push_back({totalLabel, milliseconds(snapshot.timings.totalMs)});
    out << '\n' << formatTable(rows, "  ", std::vector<std::size_t>{1, 2, 3}) << '\n';
    if (snapshot.quality)
        out << qualityText(*snapshot.quality, reference.unit);
}

void printStatistics(const std::vector<FrameReport>& frames, Session& session) {
    session.console.clear();
    std::vector<std::vector<std::string>> rows{{"stage", "min ms", "median ms", "max ms"}};
    for (const auto& stage : statisticsOf(frames))
        rows.push_back({stage.stage, milliseconds(stage.wallMs.front()), milliseconds(stage.median()),
                        milliseconds(stage.wallMs.back())});
    session.text() << '\n' << formatTable(rows, "  ", std::vector<std::size_t>{1, 2, 3}) << '\n';
}

std::string runsJson(const std::vector<FrameReport>& frames, const std::optional<std::string>& folder,
                     const BackendChoice& backend) {
    Json machine = {{"backend", nameOf(backend.backend)}, {"threads", parallelThreads()}};
    if (backend.device.usable)
        machine["device"] = backend.device.name;
    if (backend.sycl)
        machine["device"] = backend.sycl->info().name;
    Json json = {{"schema", folder ? "scanloupe/frames/1" : "scanloupe/run/1"}};
    if (!folder) {
        json.update(jsonOf(frames.front()));
        json.update(machine);
    } else {
        json["folder"] = *folder;
        json.update(machine);
        json["stages"] = Json::object();
        for (const auto& stage : statisticsOf(frames))
            json["stages"][stage.stage] = {{"min_ms", stage.wallMs.front()},
                                           {"median_ms", stage.median()},
                                           {"max_ms", stage.wallMs.back()}};
        json["frames"] = Json::array();
        for (const FrameReport& frame : frames)
            json["frames"].push_back(jsonOf(frame));
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; // paths may be invalid UTF-8
}

void writeTimings(const OutputTarget& target, const std::vector<FrameReport>& frames,
                  const std::optional<std::string>& folder, const BackendChoice& backend,
                  const std::stop_token& stop) {
    const std::string text = target.ending == ".csv" ? timingsCsv(frames) : runsJson(frames, folder, backend);
    writeAtomically(
        target.path, [&text](std::ostream& file) { file << text; }, stop);
}

} // namespace scanloupe::cli
