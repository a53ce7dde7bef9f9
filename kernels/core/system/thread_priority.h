#pragma once
// Declares the lowering of a thread's scheduling priority.

namespace scanloupe {

/// Lowers the priority of the calling thread and of the threads that it starts, so that a window stays
/// responsive during long work. On Linux that includes the workers that its calls of parallelChunks start
/// first. Does nothing where the system has no priorities per thread.
void lowerThreadPriority();

} // namespace scanloupe
