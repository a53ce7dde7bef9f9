// Implements `change`: changes between two scans of the same place.
#include "engine/cli/backend_option.h"
#include "engine/cli/commands.h"
#include "engine/cli/input.h"
#include "engine/cli/options.h"
#include "engine/cli/output/text.h"
#include "engine/cli/reading_options.h"
#include "engine/cloud/point_cloud.h"
#include "engine/cloud/reference/coordinate_reference.h"
#include "engine/cloud/reference/system_text.h"
#include "engine/compute/backend.h"
#include "engine/inspect/scan_change.h"
#include "engine/io/common/read_options.h"
#include "engine/io/formats.h"
#include "engine/io/writers.h"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

namespace scanloupe::cli {

namespace {

struct ChangeOptions {
    std::string before, after, output;
    double normalScale = 0, cylinder = 0, depth = 0, cell = 0; ///< lengths in the scan's unit; 0: derived
                                                               ///< from the density
    double registrationError = 0;
    std::size_t places = 100'000;
    ReadOptions read;
    Backend backend = Backend::automatic;
};

void check(const ChangeOptions& options) {
    for (const auto& [name, length] :
         {std::pair{"--normal-scale", options.normalScale}, std::pair{"--cylinder", options.cylinder},
          std::pair{"--depth", options.depth}, std::pair{"--cell", options.cell},
          std::pair{"--registration-error", options.registrationError}})
        if (!(length >= 0 && std::isfinite(length)))
            throw EngineError(fmt::format("{} must be a length of 0 or more (got {:g}).", name, length),
                              "Give it in the scan's unit.");
    if (options.places == 0)
        throw EngineError("--places must be at least 1 (got 0).",
                          "Give the maximum number of core points to compare.");
}

/// Completes the options: omitted lengths are derived from the density of the first scan.
ScanChangeOptions chosen(const ChangeOptions& options, const PointCloud& first, const std::stop_token& stop) {
    constexpr double deep = 5;
    ScanChangeOptions how = changeOptionsFor(first, stop);
    if (options.cylinder > 0)
        how.params.diameter = how.params.normalScale = how.cell = options.cylinder;
    how.params.depth = options.depth > 0 ? options.depth : deep * how.params.diameter;
    if (options.normalScale > 0)
        how.params.normalScale = options.normalScale;
    if (options.cell > 0)
        how.cell = options.cell;
    how.params.registrationError = options.registrationError;
    how.maxPlaces = options.places;
    return how;
}

std::string toText(const ScanChange& change, const ScanChangeOptions& how, const std::string& unit) {
    std::string text;
    const auto line = [&](const char* label, const std::string& value) {
        text += fmt::format("{:<20}{}\n", label, value);
    };
    const CutAndFill& volume = change.volume;
    line("places", fmt::format("{} compared, {} without points in both scans", change.compared,
                               change.changes.size() - change.compared));
    line("significant", fmt::format("{} of {}, at 95 % confidence", change.significant, change.judged));
    line("mean", fmt::format("{:+.6g} {}", change.mean, unit));
    line("standard deviation", fmt::format("{:.6g} {}", change.standardDeviation, unit));
    line("largest", fmt::format("{:+.6g} {}", change.largest, unit));
    line("level of detection", fmt::format("{:.6g} {} on average", change.meanDetection, unit));
    line("cylinders", fmt::format("diameter {:g}, {:g} to both sides; normals from a diameter of {:g} {}",
                                  how.params.diameter, how.params.depth, how.params.normalScale, unit));
    line("", fmt::format("normals and heights are oriented towards {:g} {:g} {:g}", how.params.towards.x,
                         how.params.towards.y, how.params.towards.z));
    const auto sum = [&](const VolumeSum& of, const char* sign) {
        const std::string interval =
            std::isfinite(of.uncertainty) ? fmt::format(" ± {:.3g}", of.uncertainty) : "";
        return fmt::format("{}{:.6g}{} {}³", sign, of.value, interval, unit);
    };
    line("net volume", sum(volume.net, volume.net.value > 0 ? "+" : "") + ", all cells");
    line("gained", sum(volume.gained, "") + ", significant cells only");
    line("lost", sum(volume.lost, "") + ", significant cells only");
    line("", fmt::format("all cells, including noise: {:.6g} {}³ gained, {:.6g} {}³ lost", volume.rawGained,
                         unit, volume.rawLost, unit));
    if (volume.judged > 0)
        line("",
             fmt::format("{} of {} cells are significant at 95 % confidence; about {} would be by chance if "
                         "nothing had "
                         "changed; level of detection: {:.6g} {} on average",
                         volume.significant, volume.judged, volume.judged / 20, volume.meanDetection, unit));
    else
        line("", "no cell has enough points for a level of detection: use larger cells (--cell)");
    line("", fmt::format(
                 "area {:.6g} {}² in cells of {:g}; {} cells only in the first scan, {} only in the second",
                 volume.area, unit, how.cell, volume.onlyFirst, volume.onlySecond));
    return text;
}

std::string toJson(const ChangeOptions& options, const ScanChange& change, const ScanChangeOptions& how,
                   LengthUnit unit) {
    const double known = rowOf(unit).metres, metres = known > 0 ? known : 1;
    const CutAndFill& volume = change.volume;
    const double cube = metres * metres * metres;
    const auto sum = [&](const VolumeSum& of) { // JSON has no NaN: the writer prints null
        return nlohmann::ordered_json{{"volume", of.value * cube}, {"uncertainty", of.uncertainty * cube}};
    };
    nlohmann::ordered_json json = {{"schema", "scanloupe/change/2"},
                                   {"before", options.before},
                                   {"after", options.after},
                                   {"scan_unit", unitText(unit)},
                                   {"normal_scale", how.params.normalScale * metres},
                                   {"cylinder", how.params.diameter * metres},
                                   {"depth", how.params.depth * metres},
                                   {"registration_error", how.params.registrationError * metres},
                                   {"places", change.changes.size()},
                                   {"compared", change.compared},
                                   {"judged", change.judged},
                                   {"significant", change.significant},
                                   {"mean", change.mean * metres},
                                   {"standard_deviation", change.standardDeviation * metres},
                                   {"largest", change.largest * metres},
                                   {"mean_detection", change.meanDetection * metres},
                                   {"volume",
                                    {{"net", sum(volume.net)},
                                     {"gained", sum(volume.gained)},
                                     {"lost", sum(volume.lost)},
                                     {"raw_gained", volume.rawGained * cube},
                                     {"raw_lost", volume.rawLost * cube},
                                     {"area", volume.area * metres * metres},
                                     {"cell", how.cell * metres},
                                     {"cells", volume.cells},
                                     {"judged", volume.judged},
                                     {"significant", volume.significant},
                                     {"mean_detection", volume.meanDetection * metres},
                                     {"only_before", volume.onlyFirst},
                                     {"only_after", volume.onlySecond}}},
                                   {"backend", change.computedOnDevice ? "cuda" : "cpu"},
                                   {"milliseconds", change.milliseconds}};
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

void runChange(const ChangeOptions& options, Session& session) {
    check(options);
    const std::filesystem::path beforeFile = session.input(options.before),
                                afterFile = session.input(options.after);
    std::optional<OutputTarget> output;
    if (!options.output.empty())
        output = session.target(options.output, cloudEndings());
    const auto before = readPoints(beforeFile, options.read, session);
    const auto after = readPoints(afterFile, options.read, session);
    const CoordinateReference one = referenceOf(before.get()), other = referenceOf(after.get());
    requireSameUnit(one.unit, *after);
    if (!isSameSystem(one.systemText, other.systemText))
        session.console.line(fmt::format(
            "warning: the scans have different coordinate systems: '{}' and '{}'", one.system, other.system));
    const ScanChangeOptions how = chosen(options, *before, session.stop);
    std::optional<Stream> stream;
    if (chooseBackend(options.backend).backend == Backend::cuda)
        stream.emplace();
    session.console.step("comparing");
    const ScanChange change = scanChange(
        *before, *after, how, {stream ? std::optional(stream->view()) : std::nullopt, session.stop});
    session.console.clear();
    const LengthUnit unit = one.unit;
    session.text() << toText(change, how, unitText(unit));
    if (output) {
        WriteOptions writing;
        writing.ending = output->ending;
        writeCloud(output->path, changeCloud(*before, change, session.stop), writing, session.stop);
    }
    if (session.json)
        session.printJson(toJson(options, change, how, unit));
}

} // namespace

void addChangeCommand(Command program, Action& action) {
    Command sub = program.subcommand("change", "Find changes between two scans of the same place");
    auto options = std::make_shared<ChangeOptions>();
    sub.option("before", options->before, "The first scan, which provides the core points and normals")
        .required();
    sub.option("after", options->after, "The second scan, in the same frame").required();
    const auto length = [&](const char* name, double& value, const char* help) {
        sub.option(name, value, help).typeName("D").showDefault();
    };
    length("--normal-scale", options->normalScale,
           "Diameter of the ball of points from which a normal is computed; 0: diameter of the cylinder");
    length("--cylinder", options->cylinder,
           "Diameter of the cylinders along the normals in which points are averaged; 0: derived from the "
           "density");
    length("--depth", options->depth,
           "Length of a cylinder to each side of the core point; 0: five times its diameter");
    length("--registration-error", options->registrationError,
           "Standard error of the alignment of the two scans; included in the levels of detection and in the "
           "net "
           "volume's uncertainty");
    length("--cell", options->cell, "Edge of the grid cells for volumes; 0: diameter of the cylinder");
    sub.option("--places", options->places,
               "Maximum number of core points: points of the first scan to compare")
        .typeName("N")
        .showDefault();
    sub.option("--output", options->output,
               "Write the places: m3c2_distance, m3c2_detection, m3c2_significant, and the points in each "
               "cylinder")
        .typeName("FILE");
    addJsonOption(sub, "Write the statistics; lengths in metres");
    addBackendOption(sub, options->backend,
                     "Backend for computing distances; auto: CUDA if a device is available, else the CPU");
    addReadingOptions(sub, options->read);
    sub.footer(
        R"(Distances are M3C2 distances (Lague, Brodu and Leroux 2013): the difference between the mean positions of
both scans' points in a cylinder along the normal. Normals point upwards; a distance is positive where the second scan
is above the first. A distance is significant if it exceeds the level of detection, which follows from roughness,
number of points and registration error.

Volumes are differences of mean heights, summed over cells in which both scans have points. Gained and lost volumes
count only cells whose change exceeds their level of detection; the net volume counts all cells. ± is a 95 % confidence
interval.

Examples:
  scanloupe-cli change slope-2025.las slope-2026.las --registration-error 0.005 --output change.las
  scanloupe-cli change before.ply after.ply --normal-scale 0.5 --cylinder 0.2 --json change.json)");
    sub.whenParsed(
        [&action, options] { action = [options](Session& session) { runChange(*options, session); }; });
}

} // namespace scanloupe::cli
