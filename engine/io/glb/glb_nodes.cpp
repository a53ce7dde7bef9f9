// Reads the transforms of glTF nodes, and of their instances (Khronos Group, "EXT_mesh_gpu_instancing").
#include "engine/io/glb/glb_nodes.h"

#include "engine/io/common/little_endian.h"
#include "kernels/core/scalar_type.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

namespace scanloupe {

namespace {

using GltfQuaternion = std::array<double, 4>;

constexpr const char* kInstancing = "EXT_mesh_gpu_instancing";
constexpr std::uint64_t kMaxInstances = std::uint64_t{1} << 22; // maximum number of instances per node

/// Returns the rotation matrix of a quaternion. For quarter turns, by which files change the up axis, the
/// entries are exactly 0, 1 and -1.
Affine rotation(const GltfQuaternion& q) {
    const auto [x, y, z, w] = q;
    const double n = x * x + y * y + z * z + w * w;
    if (!(n > 0))
        return {};
    Affine turn;
    turn.columns[0] = {((w * w + x * x) - y * y - z * z) / n, 2 * (x * y + w * z) / n,
                       2 * (x * z - w * y) / n};
    turn.columns[1] = {2 * (x * y - w * z) / n, ((w * w - x * x) + y * y - z * z) / n,
                       2 * (y * z + w * x) / n};
    turn.columns[2] = {2 * (x * z + w * y) / n, 2 * (y * z - w * x) / n,
                       ((w * w - x * x) - y * y + z * z) / n};
    return turn;
}

/// Returns the transform that scales, then rotates, then translates.
Affine composed(Vec3d translation, const GltfQuaternion& turn, Vec3d scale) {
    Affine transform = rotation(turn);
    for (int c = 0; c < 3; ++c)
        transform.columns[c] = transform.columns[c] * scale[c];
    transform.origin = translation;
    return transform;
}

/// Returns the values of an accessor, element by element; normalized integers are converted to fractions.
std::vector<double> valuesOf(const GlbAccessor& accessor) {
    if (accessor.whole == 0)
        return {};
    std::vector<std::byte> bytes(
        static_cast<std::size_t>((accessor.whole - 1) * accessor.stride + accessor.bytesEach()));
    accessor.buffer->read(accessor.begin, bytes);
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(accessor.whole) * accessor.components);
    visitScalar(accessor.type, [&]<class T>(std::type_identity<T>) {
        const bool isShare = std::is_integral_v<T> && accessor.normalized;
        const double whole = isShare ? double(std::numeric_limits<T>::max()) : 1;
        for (std::uint64_t i = 0; i < accessor.whole; ++i)
            for (std::size_t c = 0; c < accessor.components; ++c)
                values.push_back(double(loadLittle<T>(bytes.data() + i * accessor.stride + c * sizeof(T))) /
                                 whole);
    });
    return values;
}

} // namespace

Affine nodeTransform(const GlbJson& node) {
    if (node.has("matrix")) { // matrices are column-major
        Affine transform;
        const auto m = node.numbers("matrix", 16);
        for (std::size_t c = 0; c < 3; ++c)
            transform.columns[c] = {m[4 * c], m[4 * c + 1], m[4 * c + 2]};
        transform.origin = {m[12], m[13], m[14]};
        return transform;
    }
    const auto vector = [&](const char* key, Vec3d otherwise) {
        if (!node.has(key))
            return otherwise;
        const auto v = node.numbers(key, 3);
        return Vec3d{v[0], v[1], v[2]};
    };
    GltfQuaternion turn{0, 0, 0, 1};
    if (node.has("rotation"))
        std::ranges::copy(node.numbers("rotation", 4), turn.begin());
    return composed(vector("translation", {}), turn, vector("scale", {1, 1, 1}));
}

std::vector<Affine> nodeInstances(const InputFile& file, const GlbFile& glb, const GlbJson& node,
                                  GlbScene& scene) {
    const GlbJson attributes = node.object("extensions").object(kInstancing).object("attributes");
    std::map<std::string, GlbAccessor> accessors;
    std::uint64_t whole = 1;
    for (const auto& [name, value] : attributes.json().items()) {
        const bool isTurn = name == "ROTATION";
        if (!isTurn && name != "TRANSLATION" && name != "SCALE") {
            scene.leftOut.add(name);
            continue;
        }
        const GlbAccessor accessor = readGlbAccessor(file, glb, attributes.count(name.c_str(), 0));
        if (accessor.components != (isTurn ? 4u : 3u))
            attributes.refuse("the " + name + " of its instances has " + std::to_string(accessor.components) +
                              " components instead of " + (isTurn ? "4" : "3"));
        if (!accessors.empty() && accessor.count != accessors.begin()->second.count)
            attributes.refuse("its instances have different numbers of attributes");
        if (accessor.count > kMaxInstances)
            attributes.refuse("it repeats its meshes millions of times");
        whole = accessors.empty() ? accessor.whole : std::min(whole, accessor.whole);
        accessors.emplace(name, accessor);
    }
    if (!accessors.empty())
        scene.instancesCut += accessors.begin()->second.count - whole;
    std::map<std::string, std::vector<double>> values;
    for (const auto& [name, accessor] : accessors)
        values.emplace(name, valuesOf(accessor));
    std::vector<Affine> instances;
    for (std::size_t i = 0; i < whole; ++i) {
        const auto vector = [&](const char* name, Vec3d otherwise) {
            const auto found = values.find(name);
            if (found == values.end())
                return otherwise;
            const double* v = found->second.data() + 3 * i;
            return Vec3d{v[0], v[1], v[2]};
        };
        GltfQuaternion turn{0, 0, 0, 1};
        if (const auto found = values.find("ROTATION"); found != values.end())
            std::copy_n(found->second.data() + 4 * i, turn.size(), turn.begin());
        instances.push_back(composed(vector("TRANSLATION", {}), turn, vector("SCALE", {1, 1, 1})));
    }
    return instances;
}

} // namespace scanloupe
