#pragma once
// Declares the notes about what a run has chosen automatically and left out.
#include "engine/graph/run_note.h"
#include "engine/recipe/defaults.h"

namespace scanloupe {

struct Recipe;
struct Snapshot;

/// Returns all notes about a run: automatically chosen parameters, and data left out.
/// @param asked the recipe as requested @param defaults of the cloud; null for a volume
RunNotes runNotes(const Recipe& asked, const Snapshot& s, const DataDefaults* defaults);

} // namespace scanloupe
