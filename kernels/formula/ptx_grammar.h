#pragma once
// Declares the accepted forms of PTX lines that are copied into a module.
#include <cstdint>
#include <string_view>

namespace scanloupe::cuda {

/// ".func (.param .b32 func_retval0) name (.param .b32 name_param_0, …)", without further directives such as
/// `.noreturn`.
bool isPlainSignature(std::string_view signature);
/// ".visible .global .align 4 .b8 name[16] = {1, 2, …};" of `.global` or `.const`, with numbers and names as
/// values; aligned to 16 bytes at most. @param hasNames set if values are names
bool isPlainVariable(std::string_view line, bool& hasNames);
/// ".local .align 4 .b8 name[16];" or ".param .b32 name;". @param space ".local" or ".param"
bool isPlainArray(std::string_view line, std::string_view space);
/// The number of registers declared by ".reg .b32 %r<7>;" or ".reg .b32 %a, %b;"; 0: another form.
std::uint64_t registersIn(std::string_view line);
/// "LIST: .branchtargets A, B;"
bool isBranchList(std::string_view statement);
/// An instruction with one semicolon, at its end, and with operands of names, registers, numbers and
/// brackets.
bool isPlainInstruction(std::string_view statement);
/// Whether PTX or its assembler reserves a name: parameters, labels, helpers, …
bool isReservedName(std::string_view name, bool isFunction);

} // namespace scanloupe::cuda
