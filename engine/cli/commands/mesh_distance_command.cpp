// Implements `mesh-distance`: distances between two meshes in both directions.
#include "engine/cli/backend_option.h"
#include "engine/cli/commands.h"
#include "engine/cli/options.h"
#include "engine/cli/reading_options.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/inspect/mesh_distance.h"
#include "engine/inspect/reference.h"
#include "engine/io/common/read_options.h"
#include "engine/io/mesh_reader.h"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

namespace scanloupe::cli {

namespace {

using Json = nlohmann::ordered_json;

struct MeshDistanceOptions {
    std::string first, second;
    std::size_t samples = 1'000'000;
    double secondScale = 1;
    Backend backend = Backend::automatic;
};

MeshFile readModel(const std::filesystem::path& path, Session& session) {
    ReadOptions reading;
    reading.progress = session.console.step("reading " + session.inputs.shown(path));
    MeshFile file = readMesh(path, reading, session.stop);
    session.console.clear();
    return file;
}

Reference modelOf(const MeshFile& file, const std::string& name, double scale, Vec3d origin,
                  Session& session) {
    Reference model = makeReference(file, name, scale, origin, session.stop);
    session.warn(name, model.warnings);
    return model;
}

std::string toText(const MeshDistance& distance) {
    std::string text = fmt::format("{:<12}{:>14}{:>14}{:>14}{:>14}\n", "", "mean", "rms", "95 %", "largest");
    const auto row = [&](const char* label, const SurfaceDistance& one) {
        text += fmt::format("{:<12}{:>14.6g}{:>14.6g}{:>14.6g}{:>14.6g}  at {:.4f} {:.4f} {:.4f}\n", label,
                            one.samples.mean, one.samples.rms, one.samples.p95, one.largest, one.at.x,
                            one.at.y, one.at.z);
    };
    row("forth", distance.forth);
    row("back", distance.back);
    text += fmt::format("{:<12}{:>56.6g}\n", "Hausdorff", distance.hausdorff());
    return text;
}

std::string toJson(const MeshDistanceOptions& options, const MeshDistance& distance) {
    const auto jsonOf = [](const SurfaceDistance& one, double area) {
        return Json{{"samples", one.samples.count},
                    {"area", area},
                    {"mean", one.samples.mean},
                    {"rms", one.samples.rms},
                    {"p95", one.samples.p95},
                    {"largest", one.largest},
                    {"at", {one.at.x, one.at.y, one.at.z}}};
    };
    const Json json = {{"schema", "scanloupe/mesh-distance/1"},
                       {"first", options.first},
                       {"second", options.second},
                       {"second_scale", options.secondScale},
                       {"forth", jsonOf(distance.forth, distance.areas[0])},
                       {"back", jsonOf(distance.back, distance.areas[1])},
                       {"hausdorff", distance.hausdorff()},
                       {"backend", distance.computedOnDevice ? "cuda" : "cpu"},
                       {"milliseconds", distance.milliseconds}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

void runMeshDistance(const MeshDistanceOptions& options, Session& session) {
    if (options.samples < 1 || options.samples > 1'000'000'000)
        throw EngineError(
            fmt::format("--samples must be between 1 and 1000000000 (got {}).", options.samples),
            "Give a number of points such as 100000.");
    if (!(options.secondScale > 0 && std::isfinite(options.secondScale)))
        throw EngineError(
            fmt::format("--second-scale must be a factor above 0 (got {:g}).", options.secondScale),
            "Give a number such as 0.001.");
    const std::filesystem::path firstFile = session.input(options.first),
                                secondFile = session.input(options.second);
    // Both meshes use the origin of the first mesh, so that large coordinates keep their precision.
    const MeshFile one = readModel(firstFile, session), other = readModel(secondFile, session);
    const Vec3d origin = one.vertices->origin();
    const Reference first = modelOf(one, options.first, 1, origin, session),
                    second = modelOf(other, options.second, options.secondScale, origin, session);
    std::optional<Stream> stream;
    if (chooseBackend(options.backend).backend == Backend::cuda)
        stream.emplace();
    session.console.step("measuring");
    MeshDistance distance =
        meshDistance(first.mesh()->mesh, second.mesh()->mesh, options.samples,
                     {stream ? std::optional(stream->view()) : std::nullopt, session.stop});
    distance.forth.at = distance.forth.at + origin;
    distance.back.at = distance.back.at + origin;
    session.console.clear();
    session.text() << toText(distance);
    if (session.json)
        session.printJson(toJson(options, distance));
}

} // namespace

void addMeshDistanceCommand(Command program, Action& action) {
    Command sub =
        program.subcommand("mesh-distance", "Compute the distances between two meshes in both directions");
    auto options = std::make_shared<MeshDistanceOptions>();
    sub.option("first", options->first, "The first mesh").required();
    sub.option("second", options->second, "The second mesh, in the same frame").required();
    sub.option("--samples", options->samples,
               "Number of sample points on each mesh, in addition to its vertices")
        .typeName("N")
        .showDefault();
    sub.option("--second-scale", options->secondScale, "Factor by which to scale the second mesh")
        .typeName("S")
        .showDefault();
    addJsonOption(sub, "Write the statistics");
    addStrictFlag(sub);
    addBackendOption(sub, options->backend,
                     "Backend for computing distances; auto: CUDA if a device is available, else the CPU");
    sub.footer(
        R"(Distances are unsigned, from sample points spread evenly over one mesh to the closest points of the other.
"forth" is from the first mesh to the second, "back" from the second to the first. Lengths are in the unit of the
first mesh. The Hausdorff distance is the maximum of both directions; between sample points it can be slightly larger.

Example:
  scanloupe-cli mesh-distance coarse.ply fine.ply --json distance.json)");
    sub.whenParsed(
        [&action, options] { action = [options](Session& session) { runMeshDistance(*options, session); }; });
}

} // namespace scanloupe::cli
