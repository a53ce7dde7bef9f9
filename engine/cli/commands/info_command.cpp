// Implements `info`: prints points, bounds, attributes and warnings of scans and volumes.
#include "engine/cli/commands.h"
#include "engine/cli/input.h"
#include "engine/cli/options.h"
#include "engine/cli/output/text.h"
#include "engine/cli/reading_options.h"
#include "engine/cli/reports/las_report.h"
#include "engine/cloud/point_cloud.h"
#include "engine/cloud/reference/coordinate_reference.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/text/utf8.h"
#include "engine/io/scan_list.h"
#include "engine/io/volume/read_volume.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace scanloupe::cli {

namespace {

using Json = nlohmann::ordered_json;

struct InfoOptions {
    std::vector<std::string> files;
    ReadOptions read{.progress = {}, .attributes = AttributeReading::atOnce};
};

constexpr const char* kInfoSchema = "scanloupe/info/1";

Json vectorJson(Vec3d v) {
    return {v.x, v.y, v.z};
}

Quaternion rotationOf(const PointCloud& cloud) {
    return cloud.sensor ? cloud.sensor->rotation : Quaternion{};
}

Json jsonOf(const PointCloud& cloud) {
    Json attributes = Json::object();
    for (const Attribute& attribute : cloud.attributes()) {
        Json& one = attributes[attribute.name] = {{"type", nameOf(attribute.type)},
                                                  {"min", attribute.min()},
                                                  {"max", attribute.max()},
                                                  {"not_finite", attribute.notFinite()}};
        if (!attribute.description.empty())
            one["description"] = attribute.description;
    }
    Json json = {
        {"schema", kInfoSchema},
        {"file", cloud.path},
        {"format", cloud.format},
        {"points", cloud.size()},
        {"not_finite", cloud.notFinite()},
        {"bounds", {{"min", vectorJson(cloud.bounds().min)}, {"max", vectorJson(cloud.bounds().max)}}},
        {"attributes", attributes},
        {"warnings", cloud.warnings}};
    if (cloud.sensor)
        json["sensor"] = vectorJson(cloud.sensor->position);
    if (const Quaternion q = rotationOf(cloud); q != Quaternion{})
        json["sensor_rotation"] = {{"w", q.w}, {"x", q.x}, {"y", q.y}, {"z", q.z}};
    const CoordinateReference reference = referenceOf(&cloud);
    json["unit"] = {{"key", rowOf(reference.unit).key},
                    {"metres", rowOf(reference.unit).metres},
                    {"source", nameOf(reference.source)},
                    {"notes", reference.notes}};
    if (!reference.system.empty())
        json["coordinate_system_name"] = reference.system;
    for (const SystemAxis& axis : reference.axes)
        json["coordinate_system_axes"].push_back({{"name", axis.name},
                                                  {"abbreviation", axis.abbreviation},
                                                  {"direction", axis.direction},
                                                  {"unit", axis.unit}});
    if (!cloud.coordinateSystem.empty())
        json["coordinate_system"] = cloud.coordinateSystem;
    if (Json las = lasJson(cloud); !las.is_null())
        json["las"] = std::move(las);
    if (cloud.height > 1)
        json["organized"] = {{"width", cloud.width}, {"height", cloud.height}};
    return json;
}

struct Limits {
    Vec3d min, max;
};

Limits limitsOf(const LatticeShape& lattice) {
    const Vec3i last{lattice.dims.x - 1, lattice.dims.y - 1, lattice.dims.z - 1};
    return {lattice.origin.as<double>(), lattice.position(last).as<double>()};
}

/// Returns the smallest and the largest value; 0 and 0 if the volume has no values.
std::pair<float, float> valueLimits(const Volume& volume) {
    if (volume.values.empty())
        return {};
    const auto [low, high] = std::minmax_element(volume.values.span().begin(), volume.values.span().end());
    return {*low, *high};
}

Json jsonOf(const Volume& volume) {
    const auto [low, high] = valueLimits(volume);
    const Limits limits = limitsOf(volume.lattice);
    return {{"schema", kInfoSchema},
            {"file", volume.path},
            {"format", volume.format},
            {"points", 0},
            {"bounds", {{"min", vectorJson(limits.min)}, {"max", vectorJson(limits.max)}}},
            {"attributes", Json::object()},
            {"warnings", Json::array()},
            {"dims", {volume.lattice.dims.x, volume.lattice.dims.y, volume.lattice.dims.z}},
            {"values", {{"min", low}, {"max", high}}}};
}

/// Formats a value with the fewest digits that identify it in its type: "0.1" for the float nearest to 0.1.
std::string valueOf(double value, ScalarType type) {
    return type == ScalarType::float32 ? fmt::format("{}", static_cast<float>(value))
                                       : fmt::format("{}", value);
}

void printCloud(const PointCloud& cloud, std::ostream& out) {
    const Bounds& bounds = cloud.bounds();
    const ScalarType type =
        std::holds_alternative<FloatPositions>(cloud.positions()) ? ScalarType::float32 : ScalarType::float64;
    out << fmt::format("{}\nformat      {}\npoints      {}", terminalLine(cloud.path), cloud.format,
                       grouped(cloud.size()));
    if (cloud.notFinite() > 0)
        out << fmt::format(", {} of them with non-finite coordinates", grouped(cloud.notFinite()));
    if (cloud.height > 1)
        out << fmt::format(", organized {} x {}", cloud.width, cloud.height);
    out << "\nbounds\n";
    std::vector<std::vector<std::string>> axes;
    axes.reserve(3);
    for (int axis = 0; axis < 3; ++axis)
        axes.push_back(
            {std::string(1, "xyz"[axis]), valueOf(bounds.min[axis], type), valueOf(bounds.max[axis], type)});
    const std::vector<std::size_t> numbers{1, 2};
    out << formatTable(axes, "  ", numbers);
    if (cloud.sensor)
        out << fmt::format("sensor      {}, {}, {}\n", cloud.sensor->position.x, cloud.sensor->position.y,
                           cloud.sensor->position.z);
    if (const Quaternion q = rotationOf(cloud); q != Quaternion{})
        out << fmt::format("rotation    {}, {}, {}, {} (quaternion w, x, y, z)\n", q.w, q.x, q.y, q.z);
    const CoordinateReference reference = referenceOf(&cloud);
    out << fmt::format("unit        {}\n", unitDescription(reference));
    for (const std::string& note : reference.notes)
        out << fmt::format("            {}\n", note);
    if (!reference.system.empty())
        out << fmt::format("system      {}\n", reference.system);
    if (!reference.axes.empty())
        out << fmt::format("axes        {}\n", axesDescription(reference));
    if (!cloud.coordinateSystem.empty() && cloud.coordinateSystem != reference.system)
        out << fmt::format("            {}\n", cloud.coordinateSystem);
    printLas(cloud, out);
    if (cloud.attributes().empty()) {
        out << "attributes  none\n";
        return;
    }
    out << "attributes\n";
    std::vector<std::vector<std::string>> rows{{"name", "type", "min", "max", ""}};
    for (const Attribute& attribute : cloud.attributes())
        rows.push_back(
            {attribute.name, nameOf(attribute.type), valueOf(attribute.min(), attribute.type),
             valueOf(attribute.max(), attribute.type),
             attribute.notFinite() ? counted(attribute.notFinite(), "value") + " not finite" : ""});
    out << formatTable(rows, "  ", std::vector<std::size_t>{2, 3});
}

void printVolume(const Volume& volume, std::ostream& out) {
    const auto [low, high] = valueLimits(volume);
    const Vec3i dims = volume.lattice.dims;
    out << fmt::format("{}\nformat      {}\nsamples     {} x {} x {}\nvalues      {} to {}\n",
                       terminalLine(volume.path), volume.format, dims.x, dims.y, dims.z, low, high);
}

Json infoOf(const ScanInput& input, const Session& session) {
    Json json = input.cloud ? jsonOf(*input.cloud) : jsonOf(*input.volume);
    json["file"] = session.inputs.shown(json["file"].get<std::string>());
    return json;
}

void print(const ScanInput& input, std::ostream& out) {
    if (input.cloud)
        printCloud(*input.cloud, out);
    else
        printVolume(*input.volume, out);
}

void printJson(const Json& json, Session& session) {
    session.printJson(json.dump(2, ' ', false, Json::error_handler_t::replace)); // attribute names and paths
                                                                                 // may be invalid UTF-8
}

/// Reads the scans one at a time, so that only one of them is in memory. Unreadable files are reported and
/// skipped.
void runInfoOnMany(const InfoOptions& options, const ScanList& list, Session& session) {
    Json documents = Json::array();
    std::vector<LeftOut> failed;
    for (const LeftOut& file : list.leftOut) {
        if (file.isNoScan)
            session.console.line("ignored: " + file.why);
        else
            session.console.error(file.why);
        if (!file.isNoScan)
            failed.push_back(file);
    }
    const std::size_t all = list.scans.size() + failed.size();
    for (const std::filesystem::path& file : list.poses)
        session.console.line(fmt::format("'{}' contains poses, not points", file.string()));
    for (std::size_t i = 0; i < list.scans.size(); ++i) {
        try {
            const ScanInput input = readInput(list.scans[i], options.read, session);
            session.console.clear();
            if (session.json) {
                documents.push_back(infoOf(input, session));
            } else {
                session.text() << (i > 0 ? "\n" : "");
                print(input, session.text());
            }
        } catch (const Error& error) {
            failed.push_back({list.scans[i], error.what()});
            session.console.error(fmt::format("{}\n  {}", terminalLine(error.what()), error.nextStep()));
        }
    }
    if (session.json)
        printJson(documents, session);
    if (!failed.empty())
        throw EngineError(describeLeftOut(failed, all),
                          "The problems are listed above; the other scans are done.");
}

void runInfo(const InfoOptions& options, Session& session) {
    std::vector<std::filesystem::path> paths;
    for (const std::string& named : options.files)
        paths.push_back(session.input(named));
    if (paths.size() > 1 || std::filesystem::is_directory(paths.front())) {
        const ScanList list = findScans(paths, session.stop);
        const auto isScan = [](const LeftOut& file) { return !file.isNoScan; };
        if (list.scans.empty() && list.poses.empty() && std::ranges::none_of(list.leftOut, isScan))
            throw noScansIn(paths.front());
        return runInfoOnMany(options, list, session);
    }
    const ScanInput input = readInput(paths.front(), options.read, session);
    session.console.clear();
    if (session.json)
        printJson(infoOf(input, session), session);
    else
        print(input, session.text());
}

} // namespace

void addInfoCommand(Command program, Action& action) {
    Command command =
        program.subcommand("info", "Print the contents of files: points, bounds, attributes, warnings");
    auto options = std::make_shared<InfoOptions>();
    command.option("file", options->files, "Scans, raw volumes, and folders of scans").required();
    addJsonOption(command, "Write JSON for programs: points, bounds, attributes, format, warnings; a list "
                           "for several files or a folder");
    addReadingOptions(command, options->read);
    command.footer("Examples:\n  scanloupe-cli info scan.pcd --json | jq .bounds\n"
                   "  scanloupe-cli info frames/ --json | jq '[.[].points] | add'");
    command.whenParsed(
        [&action, options] { action = [options](Session& session) { runInfo(*options, session); }; });
}

} // namespace scanloupe::cli
