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

/// An array, or a variable as an array of one element.
struct PtxArray {
    std::string name;
    std::uint64_t bytes = 0;
};

struct PtxVariable {
    PtxArray array;
    bool isConstant = false;  ///< in `.const`; otherwise in `.global`
    bool hasPointers = false; ///< as values
    std::size_t line = 0;     ///< index into PtxModule::lines
};

struct PtxFunction {
    std::string name;
    std::string signature;          ///< see signatureIn()
    std::size_t begin = 0, end = 0; ///< lines of the body between its braces; equal in a declaration
    bool isDefined = false;
};

/// The parts of a module. Lines have no comments and no surrounding blanks.
struct PtxModule {
    std::vector<std::string_view> lines;
    std::vector<std::string_view> header; ///< .version, .target and .address_size
    std::vector<PtxVariable> variables;
    std::vector<PtxFunction> functions; ///< definitions and declarations, in order
    std::uint64_t fileNumber = 0;       ///< number of the source in `.loc`; 0: no line refers to it

    /// The first line of inline assembly, which NVRTC marks by a comment.
    std::optional<std::size_t> assemblyLine;
};

/// Parses PTX; the result refers to `ptx`. @param file name of the source in `.file` @throws KernelError for
/// anything but functions, variables of `.const` and `.global`, and lines of the source: kernels, aliases,
/// shared memory, variables of unknown forms, names that PTX reserves, ...
PtxModule parsedPtx(std::string_view ptx, std::string_view file);

/// The source line of the `.loc` before a line of the module; 0: unknown.
std::uint64_t sourceLineOf(const PtxModule& module, std::size_t line);
/// The source line of the text after ".loc"; 0: another file.
std::uint64_t sourceLineIn(const PtxModule& module, std::string_view location);

/// The labels of a list "LIST: .branchtargets A, B;" of a function; empty: missing.
std::vector<std::string_view> targetsOf(const PtxModule& module, const PtxFunction& function,
                                        std::string_view list);
/// Labels that are used again further below: all possible targets of backward jumps. @throws KernelError for
/// duplicate labels; Cancelled
std::set<std::string_view> loopLabelsOf(const PtxModule& module, const PtxFunction& function,
                                        const std::stop_token& stop);

/// The head of a function from ".func" on, with single blanks between words, brackets and commas.
std::string signatureIn(std::string_view head);
/// `text` without surrounding blanks.
std::string_view trimmed(std::string_view text);
/// Removes the first word of a text and returns it.
std::string_view takeWord(std::string_view& text);
/// The number that a text begins with; 0: none.
std::uint64_t numberIn(std::string_view text);
/// The size of a type such as "u32" in bytes; 0: unknown type.
std::uint64_t bytesOfType(std::string_view type);
/// The array that a declaration such as ".global .align 4 .b8 name[24] = {…};" makes. It has no name if the
/// declaration has another form.
PtxArray arrayOf(std::string_view declaration);

/// The words of an instruction between dots: "ld", "global", "nc", "u32".
std::vector<std::string_view> partsOf(std::string_view opcode);
/// Whether a name can have this character.
bool isNamePart(char c);
/// The names in a text, such as "$L__BB0_2" and "table"; without registers.
std::vector<std::string_view> namesIn(std::string_view text);

} // namespace scanloupe::cuda
