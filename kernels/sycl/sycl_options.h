#pragma once
// Declares the options of SYCL runtimes.

namespace scanloupe {

/// Sets options of AdaptiveCpp, which reads them from the environment when it is loaded; existing variables
/// are kept. Call it before other threads exist, which may read the environment.
void chooseSyclOptions();

} // namespace scanloupe
