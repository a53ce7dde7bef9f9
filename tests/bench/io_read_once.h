#pragma once
#include <string>

namespace scanloupe::bench {

/// Reads a file once and prints a line of JSON: ms, points, cloud (its bytes; 0 where the way makes none) and
/// peak (the most bytes of memory taken beyond those at the start). `way`: scanloupe; bytes, which only reads
/// them; laszip, LASzip's own loop over the points. Returns the exit code: 1 when this build lacks the way.
int ioReadOnce(const std::string& path, const std::string& way);

} // namespace scanloupe::bench
