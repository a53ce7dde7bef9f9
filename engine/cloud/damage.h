#pragma once
// Declares the warnings about damaged and truncated files.
#include <string>
#include <string_view>

namespace scanloupe {

class PointCloud;

/// Formats a warning that points, values or faces are missing since the file is truncated or damaged. All
/// such warnings begin with the same words, by which isDamageWarning() finds them in PointCloud::warnings.
std::string damageWarning(std::string_view sentence);
bool isDamageWarning(std::string_view warning);
/// Adds damageWarning() to the cloud's warnings.
void addDamage(PointCloud& cloud, std::string_view sentence);

/// Prefixes a warning with the name of one of several files: "'a.laz': ...". isDamageWarning() still
/// recognizes it.
std::string warningOfFile(std::string_view file, std::string_view warning);

} // namespace scanloupe
