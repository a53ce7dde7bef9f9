#pragma once
// Declares the PCD writer.
#include "engine/io/common/write/cloud_job.h"

namespace scanloupe::detail {

/// Writes binary PCD of version 0.7. 8-bit colours are packed as rgb, or with alpha as rgba, in the encoding
/// of PCL.
void writePcdCloud(std::ostream& stream, const CloudJob& job);

} // namespace scanloupe::detail
