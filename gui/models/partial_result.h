#pragma once
// Declares the text that explains why results are incomplete.
#include <QString>

namespace scanloupe {
struct Snapshot;
}

namespace scanloupe::gui {

/// Whether results include only some points of the scan: a preview, or a first look.
bool isPart(const Snapshot& snapshot);

/// Explains why results cannot be exported yet: they are a preview, or of a sample of the points; empty for
/// whole ones. @param reads whether the other points are being read @param runs whether the results of a
/// preview are being completed
QString noteOfPart(const Snapshot& snapshot, bool reads, bool runs);

} // namespace scanloupe::gui
