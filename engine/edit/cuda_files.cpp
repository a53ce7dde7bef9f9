// Finds the function that a CUDA file has.
#include "engine/edit/cuda_files.h"

#include "engine/cloud/error.h"
#include "engine/expression/expression.h"
#include "kernels/core/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <regex>

namespace scanloupe {

namespace {

/// C++ without its comments.
std::string withoutComments(const std::string& source) {
    std::string code;
    for (std::size_t i = 0; i < source.size(); ++i) {
        const std::string_view rest = std::string_view(source).substr(i);
        if (rest.starts_with("//")) {
            i += std::min(rest.find('\n'), rest.size()) - 1;
        } else if (rest.starts_with("/*")) {
            const std::size_t end = rest.find("*/", 2);
            i = end == std::string_view::npos ? source.size() : i + end + 1;
            code += ' ';
        } else {
            code += source[i];
        }
    }
    return code;
}

} // namespace

CudaFileAction cudaFileAction(const std::filesystem::path& path, std::string source, Vec3d up) {
    static const std::regex signature(R"(\b(colour|value|field)\s*\(\s*(?:const\s+)?(?:Point|Node)\b)");
    const std::string code = withoutComments(source);
    CudaFileAction action;
    action.file.file = path.string();
    int count = 0;
    for (std::sregex_iterator found(code.begin(), code.end(), signature), end; found != end;
         ++found, ++count) {
        const std::string name = (*found)[1];
        action.file.function = name == "colour"  ? CudaFunction::colour
                               : name == "value" ? CudaFunction::value
                                                 : CudaFunction::field;
    }
    if (count == 0)
        throw EngineError(
            fmt::format("The CUDA file {} has no function that is known.", action.file.name()),
            "Give it one: __device__ float3 colour(Point p), __device__ float value(Point p) or "
            "__device__ float field(Node n).");
    if (count > 1)
        throw EngineError(fmt::format("The CUDA file {} has more than one of the functions colour, value and "
                                      "field.",
                                      action.file.name()),
                          "Put each into a file of its own.");
    if (action.file.function == CudaFunction::value)
        action.attribute = expressionName(path.stem().string());
    action.file.source = std::move(source);
    action.up = up;
    return action;
}

void throwForFile(const CudaFile& file, const KernelError& error) {
    throw EngineError(fmt::format("The CUDA file {} can't be used: {}.", file.name(), error.what()),
                      error.nextStep());
}

} // namespace scanloupe
