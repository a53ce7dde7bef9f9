#pragma once
// Declares the ranks of a job that mpirun has started.
#include "engine/tiles/rank_link.h"

#include <memory>

namespace scanloupe::cli {

/// The other ranks; null where the program was not started by mpirun or srun, or is alone.
/// @throws EngineError where it was, and this build can't speak MPI, or MPI fails
std::unique_ptr<RankLink> joinRanks();

} // namespace scanloupe::cli
