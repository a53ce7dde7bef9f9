// Compiles the kernels of a module and the user's code separately, and links the two.
#include "kernels/formula/compile_guarded.h"

#include "kernels/core/error.h"
#include "kernels/formula/compile_apart.h"
#include "kernels/formula/cuda_function_source.h"
#include "kernels/formula/nvrtc.h"
#include "kernels/formula/source_check.h"

#include <string_view>

namespace scanloupe::cuda {

namespace {

constexpr const char* kFile = "file.cu"; // file name in "#line", since the names of users' files may be
                                         // invalid in C++

std::string withFunction(std::string text, const std::string& function) {
    constexpr std::string_view placeholder = "scanloupe_function";
    for (std::size_t at = text.find(placeholder); at != std::string::npos;
         at = text.find(placeholder, at + function.size()))
        text.replace(at, placeholder.size(), function);
    return text;
}

} // namespace

GuardedPtx compileGuarded(const ModuleSource& source, const std::string& code,
                          const std::string& architecture, const std::stop_token& stop) {
    const std::string checked = checkedSource(code);
    const GuardNames names = GuardNames::random();
    const std::string head = "extern \"C\" __device__ " + source.result + ' ' + names.function + '(' +
                             source.parameter + " argument)";
    const CompiledPtx kernels = compiledToPtx(
        source.types + head + ";\n" + withFunction(source.kernels, names.function), architecture);
    if (!kernels.log.empty())
        throw KernelError("the kernels around the code cannot be compiled: " + kernels.log.substr(0, 300),
                          "Rename attributes of the scan whose names are keywords of C++.");
    // two newlines, since the code may end with a backslash, which would join the next line
    const std::string whole = source.types + kFunctionHelpers + "\n#line 1 \"" + kFile + "\"\n" + checked +
                              "\n\n#line 1 \"scanloupe.cu\"\n" + head + " { return " + source.function +
                              "(argument); }\n";
    return {names,
            guardedModule(kernels.ptx, compiledApart(whole, kFile, architecture, stop), kFile, names, stop)};
}

} // namespace scanloupe::cuda
