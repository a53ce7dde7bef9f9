// Loads NVRTC on first use, since most machines with a driver lack NVRTC and do not need it.
#include "kernels/formula/nvrtc.h"

#include "kernels/core/error.h"

#include <array>
#include <cstddef>
#include <dlfcn.h>
#include <memory>
#include <span>

namespace scanloupe::cuda {

namespace {

using Program = void*; // same type as nvrtcProgram

/// Pointers to NVRTC's functions, whose signatures have not changed since its first version.
struct Library {
    int (*create)(Program*, const char* source, const char* name, int headers, const char* const* texts,
                  const char* const* names) = nullptr;
    int (*compile)(Program, int options, const char* const* texts) = nullptr;
    int (*cubinSize)(Program, std::size_t*) = nullptr;
    int (*cubin)(Program, char*) = nullptr;
    int (*ptxSize)(Program, std::size_t*) = nullptr;
    int (*ptx)(Program, char*) = nullptr;
    int (*logSize)(Program, std::size_t*) = nullptr;
    int (*log)(Program, char*) = nullptr;
    int (*destroy)(Program*) = nullptr;
    const char* (*errorText)(int) = nullptr;

    bool isComplete() const {
        return create && compile && cubinSize && cubin && ptxSize && ptx && logSize && log && destroy &&
               errorText;
    }
};

template <class F>
void find(void* handle, const char* name, F& function) {
    function = reinterpret_cast<F>(dlsym(handle, name));
}

Library load() {
    Library library;
    void* handle = nullptr;
    for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so",
                             "/usr/local/cuda/lib64/libnvrtc.so.13", "/usr/local/cuda/lib64/libnvrtc.so.12"})
        if ((handle = dlopen(name, RTLD_NOW | RTLD_LOCAL)))
            break;
    if (!handle)
        return library;
    find(handle, "nvrtcCreateProgram", library.create);
    find(handle, "nvrtcCompileProgram", library.compile);
    find(handle, "nvrtcGetCUBINSize", library.cubinSize);
    find(handle, "nvrtcGetCUBIN", library.cubin);
    find(handle, "nvrtcGetPTXSize", library.ptxSize);
    find(handle, "nvrtcGetPTX", library.ptx);
    find(handle, "nvrtcGetProgramLogSize", library.logSize);
    find(handle, "nvrtcGetProgramLog", library.log);
    find(handle, "nvrtcDestroyProgram", library.destroy);
    find(handle, "nvrtcGetErrorString", library.errorText);
    return library;
}

const Library& nvrtc() {
    static const Library library = load(); // never changes afterwards
    return library;
}

constexpr const char* kNext =
    "Install the CUDA toolkit's libnvrtc; without it, formulas are computed on the CPU.";

/// A compilation of one source by NVRTC.
class Compilation {
public:
    /// Creates the program. @throws KernelError if NVRTC is missing
    Compilation(const std::string& source, const char* name) {
        if (!nvrtc().isComplete())
            throw KernelError("NVRTC, which compiles for the GPU, was not found", kNext);
        check(nvrtc().create(&m_program, source.c_str(), name, 0, nullptr, nullptr), "nvrtcCreateProgram");
    }
    ~Compilation() { static_cast<void>(nvrtc().destroy(&m_program)); }
    Compilation(const Compilation&) = delete;
    Compilation& operator=(const Compilation&) = delete;

    /// Compiles the source. @returns the log if NVRTC rejects the source, otherwise an empty string
    std::string compile(std::span<const char* const> options) {
        const int status = nvrtc().compile(m_program, int(options.size()), options.data());
        if (status == 0)
            return {};
        std::size_t size = 0;
        std::string log;
        if (nvrtc().logSize(m_program, &size) == 0 && size > 1) {
            log.resize(size - 1);
            static_cast<void>(nvrtc().log(m_program, log.data()));
        }
        return log.empty() ? nvrtc().errorText(status) : log;
    }
    std::vector<char> cubin() const { return bytes(nvrtc().cubinSize, nvrtc().cubin, "nvrtcGetCUBIN"); }
    std::vector<char> ptx() const { return bytes(nvrtc().ptxSize, nvrtc().ptx, "nvrtcGetPTX"); }

private:
    static void check(int status, const char* call) {
        if (status != 0)
            throw KernelError(std::string("NVRTC failed (") + call + ": " + nvrtc().errorText(status) + ")",
                              kNext);
    }
    std::vector<char> bytes(int (*sizeOf)(Program, std::size_t*), int (*copy)(Program, char*),
                            const char* call) const {
        std::size_t size = 0;
        check(sizeOf(m_program, &size), call);
        std::vector<char> result(size);
        check(copy(m_program, result.data()), call);
        return result;
    }

    Program m_program = nullptr;
};

} // namespace

std::vector<char> compiledForDevice(const std::string& source, const std::string& architecture) {
    Compilation compilation(source, "formula.cu");
    const std::string target = "--gpu-architecture=" + architecture;
    // rounds products and sums separately, as on the host
    const std::array options{target.c_str(), "--fmad=false", "--std=c++17"};
    if (const std::string log = compilation.compile(options); !log.empty())
        throw KernelError("NVRTC rejected the formula: " + log.substr(0, 300), kNext);
    return compilation.cubin();
}

bool hasNvrtc() {
    return nvrtc().isComplete();
}

CompiledPtx compiledToPtx(const std::string& source, const std::string& architecture) {
    Compilation compilation(source, "scanloupe.cu");
    const std::string target = "--gpu-architecture=" + architecture;
    // compiles relocatable code, so that functions keep their signatures
    const std::array options{target.c_str(), "--std=c++17", "--generate-line-info", "--disable-warnings",
                             "--relocatable-device-code=true"};
    if (const std::string log = compilation.compile(options); !log.empty())
        return {{}, log};
    const std::vector<char> ptx = compilation.ptx();
    return {{ptx.data(), ptx.empty() ? 0 : ptx.size() - 1}, {}}; // without the terminating 0
}

} // namespace scanloupe::cuda
