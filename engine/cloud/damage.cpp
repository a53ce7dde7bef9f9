// Formats the warnings about damaged and truncated files.
#include "engine/cloud/damage.h"

#include "engine/cloud/point_cloud.h"

#include <fmt/format.h>

namespace scanloupe {

namespace {
constexpr std::string_view kLead = "Incomplete: ";
} // namespace

std::string damageWarning(std::string_view sentence) {
    return fmt::format("{}{}", kLead, sentence);
}

bool isDamageWarning(std::string_view warning) {
    return warning.starts_with(kLead);
}

void addDamage(PointCloud& cloud, std::string_view sentence) {
    cloud.warnings.push_back(damageWarning(sentence));
}

std::string warningOfFile(std::string_view file, std::string_view warning) {
    if (isDamageWarning(warning))
        return damageWarning(fmt::format("'{}': {}", file, warning.substr(kLead.size())));
    return fmt::format("'{}': {}", file, warning);
}

} // namespace scanloupe
