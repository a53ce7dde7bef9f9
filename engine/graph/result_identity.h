#pragma once
// Declares identities by which results of stages are compared.
#include "engine/recipe/stage.h"

#include <array>
#include <memory>

namespace scanloupe {

/// Identity of a result: two results are the same if their identities are equal. Does not keep the result
/// alive.
using ResultIdentity = std::shared_ptr<const void>;
/// Identities of the results of all stages; null if a stage has no result.
using ResultIdentities = std::array<ResultIdentity, kStageCount>;

} // namespace scanloupe
