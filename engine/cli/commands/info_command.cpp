#include "engine/cli/commands/commands.h"
#include "engine/cli/input.h"
#include "engine/cli/text.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace scanloupe::cli {

namespace {

using Json = nlohmann::ordered_json;

struct InfoOptions {
    std::string file;
    int columns = 0;
    bool json = false;
};

Json jsonOf(Vec3d v) {
    return {v.x, v.y, v.z};
}

Json jsonOf(const PointCloud& cloud) {
    Json attributes = Json::object();
    for (const Attribute& attribute : cloud.attributes())
        attributes[attribute.name] = {{"type", nameOf(attribute.type)},
                                      {"min", attribute.min},
                                      {"max", attribute.max},
                                      {"not_finite", attribute.notFinite}};
    Json json = {{"file", cloud.path},
                 {"format", cloud.format},
                 {"points", cloud.size()},
                 {"not_finite", cloud.notFinite()},
                 {"bounds", {{"min", jsonOf(cloud.bounds().min)}, {"max", jsonOf(cloud.bounds().max)}}},
                 {"attributes", attributes},
                 {"warnings", cloud.warnings}};
    if (cloud.sensor)
        json["sensor"] = jsonOf(*cloud.sensor);
    if (!cloud.coordinateSystem.empty())
        json["coordinate_system"] = cloud.coordinateSystem;
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

Json jsonOf(const Volume& volume) {
    const auto [low, high] = std::minmax_element(volume.values.span().begin(), volume.values.span().end());
    const Limits limits = limitsOf(volume.lattice);
    return {{"file", volume.path},
            {"format", volume.format},
            {"points", 0},
            {"bounds", {{"min", jsonOf(limits.min)}, {"max", jsonOf(limits.max)}}},
            {"attributes", Json::object()},
            {"warnings", Json::array()},
            {"dims", {volume.lattice.dims.x, volume.lattice.dims.y, volume.lattice.dims.z}},
            {"values", {{"min", *low}, {"max", *high}}}};
}

/// A value as its type holds it: 0.1 for the float nearest to it.
std::string valueOf(double value, ScalarType type) {
    return type == ScalarType::float32 ? fmt::format("{}", static_cast<float>(value))
                                       : fmt::format("{}", value);
}

void printCloud(const PointCloud& cloud, std::ostream& out) {
    const Bounds& bounds = cloud.bounds();
    const ScalarType type =
        std::holds_alternative<FloatPositions>(cloud.positions()) ? ScalarType::float32 : ScalarType::float64;
    out << fmt::format("{}\nformat      {}\npoints      {}", cloud.path, cloud.format, grouped(cloud.size()));
    if (cloud.notFinite() > 0)
        out << fmt::format(", {} of them without finite coordinates", grouped(cloud.notFinite()));
    if (cloud.height > 1)
        out << fmt::format(", organized {} x {}", cloud.width, cloud.height);
    out << "\nbounds\n";
    std::vector<std::vector<std::string>> axes;
    for (int axis = 0; axis < 3; ++axis)
        axes.push_back(
            {std::string(1, "xyz"[axis]), valueOf(bounds.min[axis], type), valueOf(bounds.max[axis], type)});
    const std::vector<std::size_t> numbers{1, 2};
    out << formatTable(axes, "  ", numbers);
    if (cloud.sensor)
        out << fmt::format("sensor      {}, {}, {}\n", cloud.sensor->x, cloud.sensor->y, cloud.sensor->z);
    if (!cloud.coordinateSystem.empty())
        out << fmt::format("system      {}\n", cloud.coordinateSystem);
    if (cloud.attributes().empty()) {
        out << "attributes  none\n";
        return;
    }
    out << "attributes\n";
    std::vector<std::vector<std::string>> rows{{"name", "type", "min", "max", ""}};
    for (const Attribute& attribute : cloud.attributes())
        rows.push_back({attribute.name, nameOf(attribute.type), valueOf(attribute.min, attribute.type),
                        valueOf(attribute.max, attribute.type),
                        attribute.notFinite ? counted(attribute.notFinite, "value") + " not finite" : ""});
    out << formatTable(rows, "  ", std::vector<std::size_t>{2, 3});
}

void printVolume(const Volume& volume, std::ostream& out) {
    const auto [low, high] = std::minmax_element(volume.values.span().begin(), volume.values.span().end());
    const Vec3i dims = volume.lattice.dims;
    out << fmt::format("{}\nformat      {}\nsamples     {} x {} x {}\nvalues      {} to {}\n", volume.path,
                       volume.format, dims.x, dims.y, dims.z, *low, *high);
}

void runInfo(const InfoOptions& options, Session& session) {
    const Input input = readInput(options.file, options.columns, session);
    session.console.clear();
    if (options.json) {
        const Json json = input.cloud ? jsonOf(*input.cloud) : jsonOf(*input.volume);
        session.out << json.dump(2, ' ', false, Json::error_handler_t::replace)
                    << '\n'; // a name may be no UTF-8
    } else if (input.cloud) {
        printCloud(*input.cloud, session.out);
    } else {
        printVolume(*input.volume, session.out);
    }
}

} // namespace

void addInfoCommand(CLI::App& app, Action& action) {
    auto* command = app.add_subcommand("info", "What a file holds: points, bounds, attributes, warnings");
    auto options = std::make_shared<InfoOptions>();
    command->add_option("file", options->file, "A scan or a raw volume")->required();
    command->add_flag("--json", options->json, "For programs: points, bounds, attributes, format, warnings");
    command
        ->add_option("--columns", options->columns,
                     "Floats a point in a .bin file; told by content without it")
        ->type_name("N");
    command->footer("Example: scanloupe-cli info scan.pcd --json | jq .bounds");
    command->callback(
        [&action, options] { action = [options](Session& session) { runInfo(*options, session); }; });
}

} // namespace scanloupe::cli
