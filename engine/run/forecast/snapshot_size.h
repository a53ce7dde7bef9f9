#pragma once
// Declares the sizes of a completed run.
#include "engine/graph/run_size.h"

namespace scanloupe {

struct Snapshot;

/// Returns the sizes of a run of a cloud; volumes are not supported.
RunSize runSizeOf(const Snapshot& snapshot);

} // namespace scanloupe
