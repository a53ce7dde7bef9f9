#pragma once
// Declares the check of preprocessor features in users' code.
#include <string>

namespace scanloupe::cuda {

/// Accepts macros, conditions and `#pragma unroll`: the code must not read or rename other files.
/// @returns the source with the line ends of Linux. Text that compilers may parse differently is rejected,
/// also where `#if` excludes it.
/// @throws KernelError "line N …" at another directive, at `#` and `##` within lines, at text that does not
/// end in its line or directly follows a letter or a digit, at inline assembly and attributes, at names of
/// the compiler (`__cuda…`, `__nv…`, `__internal…`), at trigraphs, at blanks after a backslash at the end of
/// a line, at a carriage return that ends no line, and at more than 1 MiB
std::string checkedSource(const std::string& source);

} // namespace scanloupe::cuda
