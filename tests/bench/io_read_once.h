#pragma once
#include <string>

namespace scanloupe::bench {

/// Reads a file once and prints a line of JSON: ms, points, cloud (size of the cloud in bytes; 0 if the way
/// creates none) and peak (additional peak memory in bytes). `way` is one of: scanloupe; bytes, which reads
/// the bytes without decoding; laszip, which runs LASzip's own loop over the points. Returns the exit code: 1
/// if this build does not support the way.
int ioReadOnce(const std::string& path, const std::string& way);

} // namespace scanloupe::bench
