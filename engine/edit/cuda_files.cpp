// Reads CUDA files, determines which function they define, and writes templates for new files.
#include "engine/edit/cuda_files.h"

#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/edit/edits.h"
#include "engine/edit/expression/expression.h"
#include "kernels/core/error.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <regex>

namespace scanloupe {

namespace {

/// Returns C++ source without its comments, and with single spaces.
std::string withoutComments(const std::string& source) {
    std::string code;
    for (std::size_t i = 0; i < source.size(); ++i) {
        const std::string_view rest = std::string_view(source).substr(i);
        if (rest.starts_with("//")) {
            i += std::min(rest.find('\n'), rest.size()) - 1;
        } else if (rest.starts_with("/*")) {
            const std::size_t end = rest.find("*/", 2);
            i = end == std::string_view::npos ? source.size() : i + end + 1;
            if (!code.empty() && code.back() != ' ') // collapses runs of blanks, in which the patterns would
                                                     // recurse deeply
                code += ' ';
        } else if (!std::isspace(static_cast<unsigned char>(source[i]))) {
            code += source[i];
        } else if (!code.empty() && code.back() != ' ') {
            code += ' ';
        }
    }
    return code;
}

constexpr const char* kPointHead =
    R"(// A CUDA file: Scanloupe compiles it whenever it is saved, and shows the result.
//
// Members of Point p, all double: p.x, p.y, p.z and p.height in the file's frame and unit
)";
constexpr const char* kHelp =
    R"(// Available: clamp(v, low, high), mix(a, b, t), smoothstep(low, high, v) and CUDA's functions, such as
       // sinf, fabs.
// Return NAN to leave a value unchanged. Limits: two seconds per call; no #include; array accesses are
// checked.

)";

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
            fmt::format("The CUDA file {} defines none of the functions colour, value and field.",
                        action.file.name()),
            "Define one of them: __device__ float3 colour(Point p), __device__ float value(Point p) or "
            "__device__ float field(Node n).");
    if (count > 1)
        throw EngineError(fmt::format("The CUDA file {} has more than one of the functions colour, value and "
                                      "field.",
                                      action.file.name()),
                          "Put each into a separate file.");
    if (action.file.function == CudaFunction::value)
        action.attribute = expressionName(path.stem().string());
    action.file.source = std::move(source);
    action.up = up;
    return action;
}

std::string readCudaFile(const std::filesystem::path& path) {
    errno = 0;
    std::error_code error;
    const bool isOther =
        std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error);
    std::ifstream file;
    if (!isOther) // opening a pipe would block
        file.open(path, std::ios::binary);
    if (!file || isOther)
        throw EngineError(fmt::format("The CUDA file {} can't be read: {}.", path.string(),
                                      !isOther && errno ? std::strerror(errno) : "it is not a regular file"),
                          "Choose another file, or correct its permissions.");
    std::string text(kMaxCudaFileBytes + 1, '\0');
    file.read(text.data(), std::streamsize(text.size()));
    text.resize(std::size_t(file.gcount()));
    if (text.size() > kMaxCudaFileBytes || text.find('\0') != std::string::npos)
        throw EngineError(fmt::format("{} is not a CUDA file: it is larger than 1 MB, or is not a text file.",
                                      path.string()),
                          "Choose a text file with a function in CUDA C++.");
    return text;
}

std::string cudaFileTemplate(CudaFunction function, const PointCloud* cloud) {
    if (function == CudaFunction::field)
        return std::string(
                   "// A CUDA file: Scanloupe compiles it whenever it is saved, and shows the result.\n"
                   "//\n"
                   "// Members of Node n, all double: n.x, n.y, n.z and n.height in the file's frame, "
                   "n.size, the "
                   "edge "
                   "of a cell,\n"
                   "// and n.depth, the depth of the node below the surface (negative: outside). The "
                   "function returns\n// the new depth: max unites two bodies, min cuts one "
                   "by the other.\n") +
               kHelp +
               "__device__ float field(Node n) {\n"
               "    return n.depth; // unchanged; n.depth - 0.1 makes the body thinner by 0.1\n"
               "}\n";
    std::string text = kPointHead;
    if (cloud)
        for (const Attribute& attribute : cloud->attributes())
            text += "// p." + expressionName(attribute.name) + '\n';
    text += kHelp;
    if (function == CudaFunction::value)
        return text + "__device__ float value(Point p) { // value of the attribute with the file's name\n"
                      "    return p.height;\n}\n";
    return text + "__device__ float3 colour(Point p) { // red, green and blue from 0 to 1\n"
                  "    const double t = p.height - floor(p.height); // the colours repeat every metre\n"
                  "    return mix(make_float3(0.1f, 0.2f, 0.6f), make_float3(1.0f, 0.8f, 0.3f), t);\n}\n";
}

void throwForFile(const CudaFile& file, const KernelError& error) {
    throw EngineError(fmt::format("The CUDA file {} can't be used: {}.", file.name(), error.what()),
                      error.nextStep());
}

} // namespace scanloupe
