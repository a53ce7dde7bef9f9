#pragma once
// Declares the check of preprocessor features in users' code.
#include <string>

namespace scanloupe::cuda {

/// Checks the preprocessor features of users' code. Accepts macros, conditions and `#pragma unroll`: the code
/// must not read or rename other files. Rejects text that compilers may parse differently, even where `#if`
/// excludes it.
/// @returns the source with Linux line ends
/// @throws KernelError "line N …" for other directives, `#` and `##` within lines, quotes that do not end in
/// their line or that directly follow a letter or a digit, inline assembly and attributes, names of the
/// compiler (`__cuda…`, `__nv…`, `__internal…`), trigraphs, blanks after a backslash at the end of a line, a
/// carriage return that does not end a line, and more than 1 MiB of code
std::string checkedSource(const std::string& source);

} // namespace scanloupe::cuda
