#pragma once
// Declares the accepted forms of PTX lines that are copied into a module.
#include <cstdint>
#include <string_view>

namespace scanloupe::cuda {

/// Returns whether text is ".func (.param .b32 func_retval0) name (.param .b32 name_param_0, …)", without
/// further directives such as `.noreturn`.
bool isPlainSignature(std::string_view signature);
/// Returns whether a line is a declaration of `.global` or `.const` such as ".visible .global .align 4 .b8
/// name[16] = {1, 2, …};", with numbers and names as values, and aligned to at most 16 bytes.
/// @param hasNames set to true if values are names
bool isPlainVariable(std::string_view line, bool& hasNames);
/// Returns whether a line is ".local .align 4 .b8 name[16];" or ".param .b32 name;". @param space ".local" or
/// ".param"
bool isPlainArray(std::string_view line, std::string_view space);
/// Returns the number of registers that ".reg .b32 %r<7>;" or ".reg .b32 %a, %b;" declares; 0 for any other
/// form.
std::uint64_t registersIn(std::string_view line);
/// Returns whether a statement is "LIST: .branchtargets A, B;".
bool isBranchList(std::string_view statement);
/// Returns whether a statement is one instruction, with its only semicolon at the end, and with operands of
/// names, registers, numbers and brackets.
bool isPlainInstruction(std::string_view statement);
/// Returns whether PTX or its assembler reserves a name, as for parameters, labels and helpers.
bool isReservedName(std::string_view name, bool isFunction);

} // namespace scanloupe::cuda
