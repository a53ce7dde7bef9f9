// Compares results.
#include "engine/results/snapshot.h"

namespace scanloupe {

bool looksTheSame(Stage stage, const Snapshot& a, const Snapshot& b) {
    return hasSameInputs(stage, a.resolved, a.identities, b.resolved, b.identities, a.volume != nullptr);
}

} // namespace scanloupe
