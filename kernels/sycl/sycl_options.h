#pragma once
// Declares the options of runtimes for SYCL.

namespace scanloupe {

/// Options of AdaptiveCpp, which reads them from the environment when it is loaded; those that are there
/// stay. To be called before there are other threads, which may read the environment.
void chooseSyclOptions();

} // namespace scanloupe
