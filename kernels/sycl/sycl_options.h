#pragma once
// Declares the options of SYCL runtimes.

namespace scanloupe {

/// Sets options of AdaptiveCpp, which reads them from the environment when it is loaded; existing variables
/// are kept. Must be called before other threads exist, since they may read the environment.
void chooseSyclOptions();

} // namespace scanloupe
