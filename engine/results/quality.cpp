// Classifies surfaces, and writes quality measures as JSON.
#include "engine/results/quality.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace scanloupe {

const char* name(SurfaceKind kind) {
    switch (kind) {
    case SurfaceKind::sheet:
        return "sheet";
    case SurfaceKind::crust:
        return "crust";
    case SurfaceKind::solid:
        return "solid";
    case SurfaceKind::none:
        break;
    }
    return "none";
}

SurfaceKind MeshQuality::kind() const {
    if (triangles == 0)
        return SurfaceKind::none;
    if (!topology.closed())
        return SurfaceKind::sheet;
    return thickness() <= thickestCrust ? SurfaceKind::crust : SurfaceKind::solid;
}

double MeshQuality::thickness() const {
    return topology.area > 0 ? 2 * std::abs(topology.volume) / topology.area : 0;
}

std::string toJson(const MeshQuality& quality, LengthUnit unit, int indent) {
    using Json = nlohmann::ordered_json;
    const std::string in = rowOf(unit).inNames;
    const std::string thickness = "thickness_" + in, volume = "volume_" + in + "3",
                      distance = "distance_" + in;
    const MeshTopology& topology = quality.topology;
    const DistanceStats& stats = quality.distances.stats;
    Json json{
        {"vertices", quality.vertices},
        {"triangles", quality.triangles},
        {"zero_area_triangles", quality.zeroAreaTriangles},
        {"surface", name(quality.kind())},
        {thickness, nullptr},
        {"components", topology.components},
        {"euler_number", topology.euler},
        {"closed", quality.triangles > 0 && topology.closed()},
        {"boundary_edges", topology.boundaryEdges},
        {"non_manifold_edges", topology.nonManifoldEdges},
        {"holes", {{"count", topology.holes()}, {"tunnels", topology.tunnels}, {"gaps", topology.gaps}}},
        {"rims",
         {{"count", topology.rims.count},
          {"length_" + in, topology.rims.length},
          {"longest_" + in, topology.rims.longest}}},
        {"area_" + in + "2", topology.area},
        {volume, nullptr},
        {distance, nullptr}};
    if (quality.triangles > 0 && topology.closed()) {
        json[thickness] = quality.thickness();
        json[volume] = topology.volume;
    }
    if (stats.count > 0)
        json[distance] = {{"points", stats.count}, {"every", quality.stride}, {"mean", stats.mean},
                          {"rms", stats.rms},      {"p95", stats.p95},        {"max", stats.max}};
    return json.dump(indent);
}

} // namespace scanloupe
