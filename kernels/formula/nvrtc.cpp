// Loads NVRTC when it is first needed: most machines with a driver lack it, and do without.
#include "kernels/formula/nvrtc.h"

#include "kernels/core/error.h"

#include <array>
#include <cstddef>
#include <dlfcn.h>
#include <memory>

namespace scanloupe::cuda {

namespace {

using Program = void*; // nvrtcProgram

/// The functions of NVRTC, which have had this form since its first version.
struct Library {
    int (*create)(Program*, const char* source, const char* name, int headers, const char* const* texts,
                  const char* const* names) = nullptr;
    int (*compile)(Program, int options, const char* const* texts) = nullptr;
    int (*cubinSize)(Program, std::size_t*) = nullptr;
    int (*cubin)(Program, char*) = nullptr;
    int (*logSize)(Program, std::size_t*) = nullptr;
    int (*log)(Program, char*) = nullptr;
    int (*destroy)(Program*) = nullptr;
    const char* (*errorText)(int) = nullptr;

    bool isComplete() const {
        return create && compile && cubinSize && cubin && logSize && log && destroy && errorText;
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
    find(handle, "nvrtcGetProgramLogSize", library.logSize);
    find(handle, "nvrtcGetProgramLog", library.log);
    find(handle, "nvrtcDestroyProgram", library.destroy);
    find(handle, "nvrtcGetErrorString", library.errorText);
    return library;
}

constexpr const char* kNext =
    "Install the CUDA toolkit's libnvrtc; without it, formulas are computed on the CPU.";

} // namespace

std::vector<char> compiledForDevice(const std::string& source, const std::string& architecture) {
    static const Library nvrtc = load(); // never changes afterwards
    if (!nvrtc.isComplete())
        throw KernelError("NVRTC, which compiles formulas for the GPU, was not found", kNext);
    Program program = nullptr;
    const auto check = [&](int status, const char* call) {
        if (status != 0)
            throw KernelError(std::string("NVRTC refused (") + call + ": " + nvrtc.errorText(status) + ")",
                              kNext);
    };
    check(nvrtc.create(&program, source.c_str(), "formula.cu", 0, nullptr, nullptr), "nvrtcCreateProgram");
    const std::unique_ptr<Program, void (*)(Program*)> owner(
        &program, [](Program* one) { static_cast<void>(nvrtc.destroy(one)); });
    const std::string target = "--gpu-architecture=" + architecture;
    // products and sums round one by one, as on the host
    const std::array options{target.c_str(), "--fmad=false", "--std=c++17"};
    if (const int status = nvrtc.compile(program, int(options.size()), options.data()); status != 0) {
        std::size_t size = 0;
        std::string log;
        if (nvrtc.logSize(program, &size) == 0 && size > 1) {
            log.resize(size - 1);
            static_cast<void>(nvrtc.log(program, log.data()));
        }
        throw KernelError(std::string("NVRTC refused the formula (") + nvrtc.errorText(status) +
                              "): " + log.substr(0, 300),
                          kNext);
    }
    std::size_t size = 0;
    check(nvrtc.cubinSize(program, &size), "nvrtcGetCUBINSize");
    std::vector<char> cubin(size);
    check(nvrtc.cubin(program, cubin.data()), "nvrtcGetCUBIN");
    return cubin;
}

} // namespace scanloupe::cuda
