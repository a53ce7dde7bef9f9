#pragma once
#include <string>

namespace scanloupe::bench {

/// Reads a file once and prints a line of JSON: ms, points, cloud (its size in bytes; 0 where the way creates
/// none) and peak (additional peak memory in bytes). `way`: scanloupe; bytes, which only reads them; laszip,
/// LASzip's own loop over the points. Returns the exit code: 1 when this build does not support the way.
int ioReadOnce(const std::string& path, const std::string& way);

} // namespace scanloupe::bench
