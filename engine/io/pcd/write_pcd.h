#pragma once
// Declares the PCD writer.
#include "engine/io/common/write/cloud_job.h"

namespace scanloupe::detail {

/// Binary, version 0.7. Colours of 8 bits are packed as rgb, or rgba with alpha, as PCL reads them.
void writePcdCloud(std::ostream& stream, const CloudJob& job);

} // namespace scanloupe::detail
