// Writes meshes as binary glTF 2.0 (Khronos Group, "glTF 2.0 Specification").
#include "engine/cloud/attribute.h"
#include "engine/cloud/bounds.h"
#include "engine/cloud/categories.h"
#include "engine/cloud/error.h"
#include "engine/io/common/write/column_names.h"
#include "engine/io/common/write/write_pieces.h"
#include "engine/io/glb/glb_format.h"
#include "engine/io/glb/write_glb.h"
#include "kernels/core/parallel.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace scanloupe::detail {

namespace {

constexpr int kArrayBuffer = 34962, kElementArrayBuffer = 34963;

struct LinearColour {
    std::array<std::uint16_t, 4> rgba;
};

LinearColour linearColour(std::uint32_t rgba) {
    const auto& table = srgbToLinear();
    return {{table[rgba & 0xff], table[rgba >> 8 & 0xff], table[rgba >> 16 & 0xff],
             static_cast<std::uint16_t>((rgba >> 24) * 257)}};
}

/// Returns names for application-specific attributes, which begin with an underscore and consist of capitals
/// in glTF. Names that differ only by case are made unique.
std::vector<std::string> attributeNames(std::span<const MeshChannel> channels) {
    const auto inCapitals = [](std::string name) {
        for (char& c : name)
            c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        return name;
    };
    std::vector<std::string> names = uniqueNames(channelNames(channels), inCapitals, {}, "");
    for (std::string& name : names)
        name.insert(0, "_");
    return names;
}

Bounds meshBounds(const MeshJob& job) {
    constexpr float most = std::numeric_limits<float>::max();
    using Box = std::pair<Vec3f, Vec3f>;
    const Box none{{most, most, most}, {-most, -most, -most}};
    const auto box = parallelReduce(
        job.mesh.vertexCount(), std::size_t{1} << 16, job.stop, none,
        [&](std::size_t begin, std::size_t end) {
            Box found = none;
            for (std::size_t i = begin; i < end; ++i) {
                found.first = min(found.first, job.mesh.positions[i]);
                found.second = max(found.second, job.mesh.positions[i]);
            }
            return found;
        },
        [](const Box& a, const Box& b) {
            return Box{min(a.first, b.first), max(a.second, b.second)};
        });
    return {box.first.as<double>(), box.second.as<double>()};
}

/// Builds the JSON chunk, and counts the bytes of the binary chunk that it describes.
class Document {
public:
    explicit Document(const MeshJob& job) {
        const Vec3d origin = job.options.origin;
        m_json["asset"] = {{"version", "2.0"}, {"generator", "Scanloupe"}};
        m_json["scene"] = 0;
        m_json["scenes"] = {{{"nodes", {0}}}};
        const double half = std::sqrt(0.5); // 90 degrees about x converts z up to y up
        nlohmann::json upright = {{"name", "z up"}, {"rotation", {-half, 0.0, 0.0, half}}, {"children", {1}}};
        nlohmann::json surface = {{"name", "surface"}, {"translation", {origin.x, origin.y, origin.z}}};
        if (job.mesh.vertexCount() > 0) {
            surface["mesh"] = 0;
            addMesh(job);
        }
        m_json["nodes"] = {upright, surface};
        if (m_bytes > 0)
            m_json["buffers"] = {{{"byteLength", m_bytes}}};
    }
    std::uint64_t binaryBytes() const { return m_bytes; }
    /// Returns the JSON text, padded with spaces to a multiple of 4 bytes.
    std::string text() const {
        std::string text = m_json.dump();
        text.resize((text.size() + 3) / 4 * 4, ' ');
        return text;
    }

private:
    int addAccessor(std::uint64_t count, std::uint64_t bytesEach, int component, const char* type,
                    int target) {
        m_json["bufferViews"].push_back(
            {{"buffer", 0}, {"byteOffset", m_bytes}, {"byteLength", count * bytesEach}, {"target", target}});
        m_json["accessors"].push_back({{"bufferView", m_json["bufferViews"].size() - 1},
                                       {"componentType", component},
                                       {"count", count},
                                       {"type", type}});
        m_bytes += count * bytesEach; // a multiple of 4 bytes for all accessors here
        return static_cast<int>(m_json["accessors"].size()) - 1;
    }
    void addMesh(const MeshJob& job) {
        const std::uint64_t vertices = job.mesh.vertexCount();
        nlohmann::json attributes;
        attributes["POSITION"] = addAccessor(vertices, sizeof(Vec3f), kGltfFloat, "VEC3", kArrayBuffer);
        const Bounds box = meshBounds(job);
        m_json["accessors"][0]["min"] = {box.min.x, box.min.y, box.min.z};
        m_json["accessors"][0]["max"] = {box.max.x, box.max.y, box.max.z};
        attributes["NORMAL"] = addAccessor(vertices, sizeof(Vec3f), kGltfFloat, "VEC3", kArrayBuffer);
        if (!job.colours.empty()) {
            attributes["COLOR_0"] =
                addAccessor(vertices, sizeof(LinearColour), kGltfUnsignedShort, "VEC4", kArrayBuffer);
            m_json["accessors"].back()["normalized"] = true;
        }
        const std::vector<std::string> names = attributeNames(job.options.channels);
        for (std::size_t c = 0; c < names.size(); ++c) {
            const MeshChannel& channel = job.options.channels[c];
            attributes[names[c]] = addAccessor(vertices, sizeof(float), kGltfFloat, "SCALAR", kArrayBuffer);
            if (isDouble(channel.channel)) // glTF has no double-precision numbers
                m_json["accessors"].back()["extras"] = {{"offset", channel.channel.offset}};
        }
        constexpr int points = 0, triangles = 4; // primitive modes
        nlohmann::json primitive = {{"attributes", attributes}, {"material", 0}, {"mode", points}};
        if (job.mesh.triangleCount() > 0) {
            primitive["mode"] = triangles;
            primitive["indices"] = addAccessor(job.mesh.indices.size(), sizeof(std::uint32_t),
                                               kGltfUnsignedInt, "SCALAR", kElementArrayBuffer);
        }
        m_json["materials"] = {{{"pbrMetallicRoughness", {{"metallicFactor", 0.0}, {"roughnessFactor", 0.9}}},
                                {"doubleSided", true}}};
        m_json["meshes"] = {{{"primitives", {primitive}}}};
    }
    nlohmann::json m_json;
    std::uint64_t m_bytes = 0;
};

template <class T>
void writeRaw(std::ostream& stream, std::span<const T> values, ProgressMeter& meter,
              const std::stop_token& stop) {
    writePieces(stream, values.size(), std::size_t{1} << 16, meter, stop,
                [&](std::string& out, std::size_t begin, std::size_t end) {
                    out.assign(reinterpret_cast<const char*>(values.data() + begin),
                               (end - begin) * sizeof(T));
                });
}

/// Whether single precision rounds the differences between class values and the first one.
bool isRoundedInFloat(const Category& category) {
    constexpr double whole = 16777216; // 2^24
    return category.value(static_cast<std::uint32_t>(category.values.size() - 1)) - category.value(0) > whole;
}

} // namespace

void writeGlbMesh(std::ostream& stream, const MeshJob& job) {
    const Document document(job);
    const std::string text = document.text();
    constexpr std::uint64_t prefixBytes = kGlbHeaderBytes + kGlbChunkBytes;
    const std::uint64_t total = prefixBytes + text.size() +
                                (document.binaryBytes() > 0 ? kGlbChunkBytes + document.binaryBytes() : 0);
    if (total > std::numeric_limits<std::uint32_t>::max())
        throw EngineError("the mesh is too large for a GLB file, which can have at most 4 GiB",
                          "Write it as .ply, or choose a larger voxel size.");
    std::string header;
    for (const std::uint32_t word : {kGlbMagic, kGlbVersion, static_cast<std::uint32_t>(total),
                                     static_cast<std::uint32_t>(text.size()), kGlbJsonChunk})
        appendRaw(header, word);
    stream << header << text;
    if (document.binaryBytes() == 0)
        return;
    header.clear();
    appendRaw(header, static_cast<std::uint32_t>(document.binaryBytes()));
    appendRaw(header, kGlbBinaryChunk);
    stream << header;
    const std::size_t values = job.options.channels.size() * job.mesh.vertexCount();
    ProgressMeter meter(job.options.progress,
                        2 * job.mesh.vertexCount() + job.colours.size() + values + job.mesh.indices.size());
    writeRaw(stream, job.mesh.positions.span(), meter, job.stop);
    writeRaw(stream, job.mesh.normals.span(), meter, job.stop);
    writePieces(stream, job.colours.size(), std::size_t{1} << 15, meter, job.stop,
                [&](std::string& out, std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i)
                        appendRaw(out, linearColour(job.colours[i]));
                });
    for (const MeshChannel& channel : job.options.channels)
        writeRaw(stream, std::span<const float>(channel.values), meter, job.stop);
    writeRaw(stream, job.mesh.indices.span(), meter, job.stop);
}

void addGlbLosses(bool, const WriteOptions& options, std::vector<std::string>& losses) {
    std::vector<std::string> rounded;
    for (const MeshChannel& channel : options.channels) {
        if (channel.category && isRoundedInFloat(*channel.category))
            rounded.push_back(channel.channel.name);
    }
    if (!rounded.empty())
        losses.push_back(
            fmt::format("GLB has single precision only; classes are rounded: {}", fmt::join(rounded, ", ")));
}

} // namespace scanloupe::detail
