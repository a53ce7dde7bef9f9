#include "engine/pipeline/quality.h"

#include <nlohmann/json.hpp>

namespace scanloupe {

std::string toJson(const MeshQuality& quality, int indent) {
    using Json = nlohmann::ordered_json;
    const MeshTopology& topology = quality.topology;
    const DistanceStats& stats = quality.distances.stats;
    Json json{{"vertices", quality.vertices},
              {"triangles", quality.triangles},
              {"zero_area_triangles", quality.zeroAreaTriangles},
              {"components", topology.components},
              {"euler_number", topology.euler},
              {"closed", quality.triangles > 0 && topology.closed()},
              {"boundary_edges", topology.boundaryEdges},
              {"non_manifold_edges", topology.nonManifoldEdges},
              {"holes",
               {{"count", topology.holes.count},
                {"length_m", topology.holes.length},
                {"longest_m", topology.holes.longest}}},
              {"area_m2", topology.area},
              {"volume_m3", nullptr},
              {"distance_m", nullptr}};
    if (quality.triangles > 0 && topology.closed())
        json["volume_m3"] = topology.volume;
    if (stats.count > 0)
        json["distance_m"] = {{"points", stats.count}, {"every", quality.stride}, {"mean", stats.mean},
                              {"rms", stats.rms},      {"p95", stats.p95},        {"max", stats.max}};
    return json.dump(indent);
}

} // namespace scanloupe
