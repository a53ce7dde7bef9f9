#pragma once
// Declares parsed PTX, as NVRTC prints it: functions and variables.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe::cuda {

/// An array of the module; a variable is an array of one element.
struct PtxArray {
    std::string name;
    std::uint64_t bytes = 0;
};

struct PtxVariable {
    PtxArray array;
    bool isConstant = false;  ///< true for `.const`, false for `.global`
    bool hasPointers = false; ///< some of its values are pointers
    std::size_t line = 0;     ///< index of its declaration in PtxModule::lines
};

struct PtxFunction {
    std::string name;
    std::string signature;          ///< normalized signature, see signatureIn()
    std::size_t begin = 0, end = 0; ///< range of the lines of the body, between the braces; empty for a
                                    ///< declaration
    bool isDefined = false;
};

/// Parts of a module. Lines have no comments and no surrounding blanks.
struct PtxModule {
    std::vector<std::string_view> lines;
    std::vector<std::string_view> header; ///< lines of .version, .target and .address_size
    std::vector<PtxVariable> variables;
    std::vector<PtxFunction> functions; ///< definitions and declarations, in the order of the text
    std::uint64_t fileNumber = 0;       ///< number of the source file in `.loc`; 0 if no line refers to it

    /// Index of the first line of inline assembly, which NVRTC marks by a comment.
    std::optional<std::size_t> assemblyLine;
};

/// Parses PTX. The result refers to the memory of `ptx`.
/// @param file name of the source in `.file`
/// @throws KernelError for anything but functions, variables in `.const` and `.global`, and source lines:
/// e.g. kernels, aliases, shared memory, variables of unknown forms, names that PTX reserves
PtxModule parsedPtx(std::string_view ptx, std::string_view file);

/// Returns the source line of the `.loc` before a line of the module; 0: unknown.
std::uint64_t sourceLineOf(const PtxModule& module, std::size_t line);
/// Returns the source line of the text after ".loc"; 0 if it refers to another file.
std::uint64_t sourceLineIn(const PtxModule& module, std::string_view location);

/// Returns the labels of a function's list "LIST: .branchtargets A, B;"; empty if the list is missing.
std::vector<std::string_view> targetsOf(const PtxModule& module, const PtxFunction& function,
                                        std::string_view list);
/// Returns the labels that are referred to after their definition: all possible targets of backward jumps.
/// @throws KernelError for duplicate labels; Cancelled
std::set<std::string_view> loopLabelsOf(const PtxModule& module, const PtxFunction& function,
                                        const std::stop_token& stop);

/// Returns the head of a function from ".func" on, with single blanks between words, brackets and commas.
std::string signatureIn(std::string_view head);
/// Returns `text` without surrounding blanks.
std::string_view trimmed(std::string_view text);
/// Removes the first word of a text and returns it.
std::string_view takeWord(std::string_view& text);
/// Returns the number at the beginning of a text; 0 if there is none.
std::uint64_t numberIn(std::string_view text);
/// Returns the size in bytes of a type such as "u32"; 0 for an unknown type.
std::uint64_t bytesOfType(std::string_view type);
/// Returns the array that a declaration such as ".global .align 4 .b8 name[24] = {…};" declares. Its name is
/// empty if the declaration has another form.
PtxArray arrayOf(std::string_view declaration);

/// Returns the words of an instruction that dots separate, such as "ld", "global", "nc", "u32".
std::vector<std::string_view> partsOf(std::string_view opcode);
/// Returns whether a name may contain this character.
bool isNamePart(char c);
/// Returns the names in a text, such as "$L__BB0_2" and "table", except registers.
std::vector<std::string_view> namesIn(std::string_view text);

} // namespace scanloupe::cuda
