#pragma once
// Declares the sizes of a run that is done.
#include "engine/graph/run_size.h"

namespace scanloupe {

struct Snapshot;

/// Of a cloud, not of a volume.
RunSize runSizeOf(const Snapshot& snapshot);

} // namespace scanloupe
