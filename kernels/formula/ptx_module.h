#pragma once
// Declares PTX as NVRTC prints it, taken apart into functions and variables.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <stop_token>
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

    /// The first line of inline assembly, which comments in the PTX show.
    std::optional<std::size_t> assemblyLine;
};

/// Takes PTX apart; the result refers to `ptx`. @param file name of the source in `.file`
/// @throws KernelError where it has anything but functions, variables of `.const` and `.global`, and lines of
/// the source: kernels, aliases, shared memory, variables of unknown forms, names that PTX keeps for itself,
/// ...
PtxModule parsedPtx(std::string_view ptx, std::string_view file);

/// The line of the source that a `.loc` in front of a line of the module names; 0: it is not known.
std::uint64_t sourceLineOf(const PtxModule& module, std::size_t line);
/// The line of the source in what follows ".loc"; 0: it is of another file.
std::uint64_t sourceLineIn(const PtxModule& module, std::string_view location);

/// The labels of a list "LIST: .branchtargets A, B;" of a function; none: it is not there.
std::vector<std::string_view> targetsOf(const PtxModule& module, const PtxFunction& function,
                                        std::string_view list);
/// Labels that are named again further below: all that can be jumped back to.
/// @throws KernelError where two labels have one name; Cancelled
std::set<std::string_view> loopLabelsOf(const PtxModule& module, const PtxFunction& function,
                                        const std::stop_token& stop);

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
