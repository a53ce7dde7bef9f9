#pragma once
// Declares how a process joins the ranks of a job that mpirun has started.
#include "engine/survey/tiles/rank_link.h"

#include <memory>

namespace scanloupe::cli {

/// Returns the link to the other ranks; null if the program was not started by mpirun or srun, or is the only
/// rank.
/// @throws EngineError if MPI fails, or if a launcher has started the program but this build does not support
/// MPI
std::unique_ptr<RankLink> joinRanks();

} // namespace scanloupe::cli
