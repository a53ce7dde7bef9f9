#pragma once
// Declares a function that lowers a thread's scheduling priority.

namespace scanloupe {

/// Lowers the priority of the calling thread and of threads that it starts later, so that windows stay
/// responsive during long computations. On Linux this includes worker threads that are started by its calls
/// of parallelChunks. Has no effect on systems without thread priorities.
void lowerThreadPriority();

} // namespace scanloupe
