#pragma once
// Declares the text that says why results are not whole.
#include "engine/results/snapshot.h"

#include <QString>

namespace scanloupe::gui {

/// Whether results are of some points of the scan alone: a preview, or a first look.
bool isPart(const Snapshot& snapshot);

/// Why results can't be exported yet: they are a preview, or of a sample of the points; empty for whole ones.
/// @param reads whether the other points are being read
/// @param runs whether the results of a preview are being completed
QString noteOfPart(const Snapshot& snapshot, bool reads, bool runs);

} // namespace scanloupe::gui
