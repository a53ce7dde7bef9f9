#pragma once
// Declares PTX as NVRTC prints it, taken apart into functions and variables.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe::cuda {

/// An array, or a variable as an array of one element.
struct PtxArray {
    std::string name;
    std::uint64_t bytes = 0;
};

struct PtxVariable {
    PtxArray array;
    bool isConstant = false;  ///< in `.const`, else in `.global`
    bool hasPointers = false; ///< as values
    std::size_t line = 0;     ///< index into PtxModule::lines
};

struct PtxFunction {
    std::string name;
    std::string signature;          ///< see signatureIn()
    std::size_t begin = 0, end = 0; ///< lines of the body between its braces; equal in a declaration
    bool isDefined = false;
};

/// The parts of a module. Lines have no comments and no blanks around them.
struct PtxModule {
    std::vector<std::string_view> lines;
    std::vector<std::string_view> header; ///< .version, .target and .address_size
    std::vector<PtxVariable> variables;
    std::vector<PtxFunction> functions; ///< definitions and declarations, in order
    std::uint64_t fileNumber = 0;       ///< of the source in `.loc`; 0: no line is of it

    /// Whether the source has inline assembly, which comments in the PTX show.
    std::vector<std::size_t> assemblyLines;
};

/// Takes PTX apart; the result refers to `ptx`. @param file name of the source in `.file`
/// @throws KernelError where it has anything but functions, variables of `.const` and `.global`, and lines of
/// the source: kernels, aliases, shared memory, ...
PtxModule parsedPtx(std::string_view ptx, std::string_view file);

/// The head of a function from ".func" on, with single blanks between words, brackets and commas.
std::string signatureIn(std::string_view head);
/// `text` without blanks around it.
std::string_view trimmed(std::string_view text);
/// The first word of a text, which it loses.
std::string_view takeWord(std::string_view& text);
/// The number that a text begins with; 0: none.
std::uint64_t numberIn(std::string_view text);
/// The bytes of a type such as "u32"; 0: it is none.
std::uint64_t bytesOfType(std::string_view type);
/// The array that a declaration such as ".global .align 4 .b8 name[24] = {…};" makes; no name: none.
PtxArray arrayOf(std::string_view declaration);

/// The words of an instruction between dots: "ld", "global", "nc", "u32".
std::vector<std::string_view> partsOf(std::string_view opcode);
/// Whether a name can have this character.
bool isNamePart(char c);
/// The names in a text, such as "$L__BB0_2" and "table"; no registers.
std::vector<std::string_view> namesIn(std::string_view text);

} // namespace scanloupe::cuda
