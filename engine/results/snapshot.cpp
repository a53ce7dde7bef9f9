// Compares results.
#include "engine/results/snapshot.h"

namespace scanloupe {

bool looksTheSame(Stage stage, const Snapshot& a, const Snapshot& b) {
    const auto inputs = [](const Snapshot& s) {
        return StageInputs{s.resolved, s.identities, s.volume != nullptr};
    };
    return hasSameInputs(stage, inputs(a), inputs(b));
}

} // namespace scanloupe
