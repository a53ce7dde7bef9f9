// Converts ratings of poses from and to JSON.
#include "engine/project/verdict_json.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace scanloupe {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::array kWords{PoseWord::right, PoseWord::doubtful, PoseWord::wrong};
constexpr std::array<const char*, 12> kReasons{
    // names in the order of PoseReason
    "none",          "is_reference",    "is_given",        "no_pose",
    "not_converged", "little_overlap",  "surfaces_differ", "low_score",
    "seen_through",  "weak_directions", "rival",           "unsettled"};
static_assert(kReasons.size() == std::size_t(PoseReason::unsettled) + 1);

} // namespace

Json toJson(const PoseVerdict& verdict) {
    return {{"word", describe(verdict.word)},
            {"chance", verdict.chance},
            {"reason", kReasons[std::size_t(verdict.reason)]}};
}

PoseVerdict verdictFromJson(const Json& value, std::string& problem) {
    const auto name = value.at("word").get<std::string>(), key = value.at("reason").get<std::string>();
    const auto word = std::ranges::find(kWords, name, [](PoseWord one) { return describe(one); });
    const auto reason = std::ranges::find(kReasons, key);
    const double chance = value.at("chance");
    problem = word == kWords.end()            ? fmt::format("has the unknown word '{}'", name)
              : reason == kReasons.end()      ? fmt::format("has the unknown reason '{}'", key)
              : !(chance >= 0 && chance <= 1) ? fmt::format("has the chance {}, not one from 0 to 1", chance)
                                              : "";
    if (!problem.empty())
        return {};
    return {*word, chance, PoseReason(reason - kReasons.begin())};
}

} // namespace scanloupe
