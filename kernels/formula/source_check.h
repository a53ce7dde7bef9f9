#pragma once
// Declares what a preprocessor may do in the code of users.
#include <string>

namespace scanloupe::cuda {

/// Macros, conditions and `#pragma unroll` are all that it may do: it reads no other file, and renames none.
/// @returns the source with ends of lines as on Linux
/// @throws KernelError "line N …" at another directive, at raw strings, at inline assembly, at blanks
/// after a backslash at the end of a line, and at a carriage return that ends no line
std::string checkedSource(const std::string& source);

} // namespace scanloupe::cuda
