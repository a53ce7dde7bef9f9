// Converts parameters of generated scans from and to JSON.
#include "engine/project/sample_json.h"

#include "engine/io/synth/synthetic_cloud.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace scanloupe {

using Json = nlohmann::ordered_json;

Json toJson(const synth::ScanParams& sample) {
    Json json{{"scene", kSceneNames[std::size_t(sample.scene)]},
              {"points", sample.points},
              {"seed", sample.seed},
              {"range_noise", sample.rangeNoise}};
    if (sample.pointsPerRevolution > 0)
        json["points_per_revolution"] = sample.pointsPerRevolution;
    return json;
}

synth::ScanParams sampleFromJson(const Json& value, std::string& problem) {
    synth::ScanParams sample;
    const auto name = value.at("scene").get<std::string>();
    const auto scene = std::ranges::find(kSceneNames, name);
    problem = scene == kSceneNames.end() ? fmt::format("has the unknown scene '{}'", name) : "";
    if (!problem.empty())
        return {};
    sample.scene = synth::Scene(scene - kSceneNames.begin());
    const auto read = [&](const char* key, std::uint64_t& number) {
        if (!value.at(key).is_number_unsigned())
            problem = fmt::format("has the {} {}, not a whole number", key, value.at(key).dump());
        else
            number = value.at(key).get<std::uint64_t>();
    };
    read("points", sample.points);
    read("seed", sample.seed);
    if (value.contains("points_per_revolution"))
        read("points_per_revolution", sample.pointsPerRevolution);
    sample.rangeNoise = value.at("range_noise").get<float>();
    return sample;
}

} // namespace scanloupe
