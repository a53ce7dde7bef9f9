#pragma once
// Declares what a preprocessor may do in the code of users.
#include <string>

namespace scanloupe::cuda {

/// Macros, conditions and `#pragma unroll` are all that it may do: it reads no other file, and renames none.
/// @throws KernelError "line N …" at another directive, at raw strings, and at inline assembly
void checkSource(const std::string& source);

} // namespace scanloupe::cuda
