// Learns corrections by weighted medians, and stores them as JSON.
#include "engine/run/forecast/running_correction.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace scanloupe {

namespace {

constexpr std::size_t kMaxSeen = 24;  // number of runs that are kept per key
constexpr double kRecency = 0.9;      // weight of a run relative to the weight of the next one
constexpr double kPriorWeight = 0.12; // weight of the uncorrected estimate relative to the weight of one run
constexpr double kMaxLogRatio = 20;   // limit of plausible values

struct Weighted {
    double value, weight;
};

double weightedMedian(std::vector<Weighted> values) {
    std::ranges::sort(values, {}, &Weighted::value);
    double all = 0, sum = 0;
    for (const Weighted& v : values)
        all += v.weight;
    for (const Weighted& v : values) {
        sum += v.weight;
        if (sum >= 0.5 * all)
            return v.value;
    }
    return 0;
}

} // namespace

void RunningCorrection::learn(const std::string& key, double position, double actual, double estimated) {
    if (!(actual > 0) || !(estimated > 0) || !std::isfinite(position))
        return;
    const double ratio = std::log(actual / estimated);
    if (!(std::abs(ratio) < kMaxLogRatio))
        return;
    std::vector<Seen>& seen = m_seen[key];
    if (seen.size() == kMaxSeen)
        seen.erase(seen.begin());
    seen.push_back({position, ratio});
}

Correction RunningCorrection::at(const std::string& key, double position) const {
    const auto found = m_seen.find(key);
    if (found == m_seen.end())
        return {1, m_unsure, 0, 0};
    std::vector<Weighted> values{{0, kPriorWeight}};
    double age = 1, known = 0;
    for (auto seen = found->second.rbegin(); seen != found->second.rend(); ++seen, age *= kRecency) {
        const double distance = (seen->position - position) / m_width;
        const double weight = age / (1 + distance * distance);
        values.push_back({seen->logRatio, weight});
        known += weight;
    }
    const double median = weightedMedian(values);
    for (Weighted& v : values)
        v.value = std::abs(v.value - median);
    constexpr double perDeviation =
        1.48; // ratio of standard deviation and median deviation of a normal distribution
    const double spread = perDeviation * weightedMedian(std::vector(values.begin() + 1, values.end()));
    const double trust = known / (known + 0.3);
    return {std::exp(median), std::max(m_least, trust * spread + (1 - trust) * m_unsure), trust,
            int(found->second.size())};
}

std::string RunningCorrection::toJson() const {
    nlohmann::json json = nlohmann::json::object();
    for (const auto& [key, seen] : m_seen)
        for (const Seen& s : seen)
            json[key].push_back({s.position, s.logRatio});
    return json.dump();
}

void RunningCorrection::fromJson(std::string_view json) {
    m_seen.clear();
    const nlohmann::json read = nlohmann::json::parse(json, nullptr, false);
    if (!read.is_object())
        return;
    for (const auto& [key, all] : read.items()) {
        if (!all.is_array())
            continue;
        for (const auto& one : all)
            if (one.is_array() && one.size() == 2 && one[0].is_number() && one[1].is_number())
                learn(key, one[0].get<double>(), std::exp(one[1].get<double>()), 1);
    }
}

} // namespace scanloupe
