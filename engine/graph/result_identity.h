#pragma once
// Declares which results of stages are the same.
#include "engine/recipe/stage.h"

#include <array>
#include <memory>

namespace scanloupe {

/// Identifies a result: two are the same if their identities are. Does not keep the result alive.
using ResultIdentity = std::shared_ptr<const void>;
/// The identities of the results of all stages; null where there is none.
using ResultIdentities = std::array<ResultIdentity, kStageCount>;

} // namespace scanloupe
