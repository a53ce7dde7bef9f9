#pragma once

namespace scanloupe {

/// The calling thread gives way to the rest of the process from now on, and so do the threads that it starts:
/// for long work beside a window that has to answer. On Linux that includes the workers that parallelChunks
/// calls up for it first. Does nothing where the system has no priorities of single threads.
void lowerThreadPriority();

} // namespace scanloupe
