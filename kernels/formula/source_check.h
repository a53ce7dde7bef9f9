#pragma once
// Declares what a preprocessor may do in the code of users.
#include <string>

namespace scanloupe::cuda {

/// Macros, conditions and `#pragma unroll` are all that it may do: it reads no other file, and renames none.
/// @returns the source with ends of lines as on Linux
/// What compilers may read in another way than this check is refused, also where it is left out by `#if`.
/// @throws KernelError "line N …" at another directive, at `#` and `##` within lines, at text that does not
/// end in its line or stands right behind a letter or a digit, at inline assembly and attributes, at names of
/// the compiler (`__cuda…`, `__nv…`, `__internal…`), at trigraphs, at blanks after a backslash at the end of
/// a line, at a carriage return that ends no line, and at more than 1 MiB
std::string checkedSource(const std::string& source);

} // namespace scanloupe::cuda
