#pragma once

namespace scanloupe {

/// The calling thread gives way to the rest of the process from now on: for long work beside a window that
/// has to answer. Does nothing where the system has no priorities of single threads.
void lowerThreadPriority();

/// The same for all threads that parallelChunks starts besides its callers. Call it once, before the first.
void lowerWorkerPriority();

} // namespace scanloupe
