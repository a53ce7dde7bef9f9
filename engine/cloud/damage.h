#pragma once
// Declares the warnings about damaged and truncated files.
#include <string>
#include <string_view>

namespace scanloupe {

class PointCloud;

/// Words a warning that points, values or faces of a file are missing since it is truncated or damaged. All
/// of them begin alike, so that isDamageWarning() finds them among PointCloud::warnings.
std::string damageWarning(std::string_view sentence);
bool isDamageWarning(std::string_view warning);
/// Adds damageWarning() to the cloud's warnings.
void addDamage(PointCloud& cloud, std::string_view sentence);

/// A warning of one of several files: "'a.laz': ...", still recognized by isDamageWarning().
std::string warningOfFile(std::string_view file, std::string_view warning);

} // namespace scanloupe
