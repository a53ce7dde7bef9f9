// Provides CUDA functions with the attributes that they name, and runs them.
#include "engine/stages/points/point_function.h"

#include "engine/cloud/point_cloud.h"
#include "engine/edit/cuda_files.h"
#include "engine/edit/expression/expression.h"
#include "engine/results/point_attributes.h"
#include "engine/stages/points/device_columns.h"
#include "kernels/formula/operators.h"

#include <cctype>
#include <set>

namespace scanloupe {

namespace {

/// Returns the words of a source that could be names of attributes.
std::set<std::string, std::less<>> wordsOf(std::string_view source) {
    const auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    std::set<std::string, std::less<>> words;
    for (std::size_t i = 0; i < source.size(); ++i) {
        std::size_t end = i;
        while (end < source.size() && isPart(source[end]))
            ++end;
        if (end > i)
            words.emplace(source.substr(i, end - i));
        i = std::max(i, end);
    }
    return words;
}

} // namespace

Buffer<float> functionOfPoints(const TrustedCudaFile& file, Vec3d up, const PointAttributes& attributes,
                               std::span<const Vec3f> positions, const Execution& on) {
    const PointCloud& cloud = attributes.cloud();
    std::set<std::string, std::less<>> words = wordsOf(file->source);
    for (const char* coordinate : {"x", "y", "z", "height"}) // all points have these members
        words.erase(coordinate);
    DeviceColumns columns(attributes, on);
    std::vector<std::string> names;
    for (const Attribute& attribute : cloud.attributes())
        if (const auto word = words.find(expressionName(attribute.name)); word != words.end()) {
            columns.add(attribute);
            names.push_back(*word);
            words.erase(word); // only the first attribute of a name is used
        }
    return namingFile(*file, [&] {
        return runOnPoints(file, {positions, cloud.origin(), up}, names, columns.columns(), on.stop,
                           *on.device)
            .copyTo(MemorySpace::host, *on.device);
    });
}

} // namespace scanloupe
