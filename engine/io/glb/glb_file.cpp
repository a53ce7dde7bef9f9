// Reads the chunks of GLB files and the accessors of glTF 2.0 (Khronos Group, "glTF 2.0 Specification").
#include "engine/io/glb/glb_file.h"

#include "engine/compute/memory.h"
#include "engine/io/common/bounded_json.h"
#include "engine/io/common/little_endian.h"
#include "engine/io/glb/glb_format.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace scanloupe {

namespace {

using namespace detail;

[[noreturn]] void refuse(const InputFile& file, const std::string& what, const std::string& nextStep) {
    throw EngineError("the GLB file '" + file.name() + "' " + what, nextStep);
}

/// True for extensions of materials, textures, lights, metadata and animation, without which vertices keep
/// their positions. KHR_mesh_quantization only allows further component types of accessors, which are read.
bool keepsGeometry(const std::string& extension) {
    constexpr std::string_view known[] = {
        "KHR_materials_", "KHR_texture_", "EXT_texture_",          "MSFT_texture_",  "KHR_lights_",
        "EXT_lights_",    "KHR_xmp",      "KHR_mesh_quantization", "KHR_animation_", "AGI_"};
    return std::any_of(std::begin(known), std::end(known),
                       [&](std::string_view prefix) { return extension.starts_with(prefix); });
}

void requireKnownExtensions(const InputFile& file, const GlbJson& root) {
    for (const auto& extension : root.array("extensionsRequired").json()) {
        const std::string name = extension.is_string() ? extension.get<std::string>().substr(0, 80) : "?";
        if (keepsGeometry(name))
            continue;
        const bool packed = name == "KHR_draco_mesh_compression" || name == "EXT_meshopt_compression";
        refuse(
            file,
            "needs the extension " + name + ", which " + (packed ? "packs its vertices" : "is not read here"),
            packed
                ? "Export it without compression, or unpack it, for example with Blender or glTF-Transform."
                : "Export it without that extension, or as PLY.");
    }
}

struct Chunk {
    std::uint64_t offset = 0, bytes = 0; ///< of its data
    std::uint32_t kind = 0;
};

/// Reads the chunk header at `offset`; an empty chunk where the file ends before.
Chunk chunkAt(const InputFile& file, std::uint64_t offset) {
    if (offset > file.size() || file.size() - offset < kGlbChunkBytes)
        return {};
    std::byte head[kGlbChunkBytes];
    file.read(offset, std::span<std::byte>(head));
    return {offset + kGlbChunkBytes, loadLittle<std::uint32_t>(head), loadLittle<std::uint32_t>(head + 4)};
}

struct Component {
    int code;
    ScalarType type;
};
constexpr Component kComponents[] = {
    {kGltfByte, ScalarType::int8},          {kGltfUnsignedByte, ScalarType::uint8},
    {kGltfShort, ScalarType::int16},        {kGltfUnsignedShort, ScalarType::uint16},
    {kGltfUnsignedInt, ScalarType::uint32}, {kGltfFloat, ScalarType::float32}};

} // namespace

GlbFile readGlbFile(const InputFile& file) {
    std::byte head[kGlbHeaderBytes] = {};
    if (file.size() >= kGlbHeaderBytes)
        file.read(0, std::span<std::byte>(head));
    if (loadLittle<std::uint32_t>(head) != kGlbMagic)
        refuse(file, "is no binary glTF: a .gltf text keeps its points in other files",
               "Export it as one file, .glb, or as PLY.");
    if (loadLittle<std::uint32_t>(head + 4) != kGlbVersion)
        refuse(file, "is of version " + std::to_string(loadLittle<std::uint32_t>(head + 4)) + " of glTF",
               "Export it as glTF 2.0, or as PLY.");
    const Chunk text = chunkAt(file, kGlbHeaderBytes);
    if (text.kind != kGlbJsonChunk || text.bytes > file.size() - text.offset)
        refuse(file, "ends within its description",
               "The file is cut off or damaged: copy or export it once more.");
    constexpr std::uint64_t parsedBytes = 32; // of parsed JSON for a byte of text, at most
    requireMemory(
        {"The description of '" + file.name() + "'", parsedBytes * text.bytes, "Close other programs."},
        availableHostMemory());
    std::string json(static_cast<std::size_t>(text.bytes), '\0');
    file.read(text.offset, std::span<char>(json));
    GlbFile glb;
    glb.description = std::make_shared<const nlohmann::ordered_json>(
        parseBoundedJson(json, "The description in '" + file.name() + "'"));
    const GlbJson root(*glb.description, file);
    if (!glb.description->is_object())
        root.refuse("its description is no object");
    requireKnownExtensions(file, root);
    if (const Chunk data = chunkAt(file, text.offset + text.bytes); data.kind == kGlbBinaryChunk) {
        glb.dataOffset = data.offset;
        glb.dataBytes = data.bytes;
    }
    return glb;
}

GlbAccessor readGlbAccessor(const InputFile& file, const GlbFile& glb, std::uint64_t index) {
    const GlbJson root(*glb.description, file);
    const GlbJson json = root.array("accessors").at(index);
    const std::string name = "accessor " + std::to_string(index);
    static const std::map<std::string, std::size_t> shapes = {
        {"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT2", 4}, {"MAT3", 9}, {"MAT4", 16}};
    const auto shape = shapes.find(json.text("type"));
    const auto component =
        std::find_if(std::begin(kComponents), std::end(kComponents), [&](const Component& known) {
            return static_cast<std::uint64_t>(known.code) == json.count("componentType", 0);
        });
    if (shape == shapes.end() || component == std::end(kComponents))
        json.refuse("its " + name + " is of no type that glTF knows");
    if (json.has("sparse"))
        refuse(file, "has sparse accessors, which are not read here",
               "Export it with plain ones, or as PLY.");
    if (!json.has("bufferView"))
        json.refuse("its " + name + " has no data");
    const GlbJson view = root.array("bufferViews").at(json.count("bufferView", 0));
    const GlbJson buffer = root.array("buffers").at(view.count("buffer", 0));
    if (buffer.has("uri") || view.count("buffer", 0) != 0)
        refuse(file, "keeps its data in other files",
               "Export it with all of its data in the .glb, or as PLY.");
    GlbAccessor accessor;
    accessor.type = component->type;
    accessor.components = shape->second;
    accessor.normalized = json.flag("normalized");
    accessor.offset = json.object("extras").number("offset", 0);
    accessor.count = json.count("count", 0);
    accessor.stride = view.count("byteStride", accessor.bytesEach());
    const std::uint64_t viewBegin = view.count("byteOffset", 0), viewBytes = view.count("byteLength", 0);
    const std::uint64_t begin = json.count("byteOffset", 0);
    const bool inside = viewBegin <= glb.dataBytes && viewBytes <= glb.dataBytes - viewBegin &&
                        begin <= viewBytes && accessor.stride >= accessor.bytesEach() &&
                        accessor.stride <= 65536;
    // how many elements fit into so many bytes
    const auto fitting = [&](std::uint64_t bytes) {
        return bytes < accessor.bytesEach() ? 0 : (bytes - accessor.bytesEach()) / accessor.stride + 1;
    };
    if (!inside || accessor.count > fitting(viewBytes - begin))
        json.refuse("its " + name + " reaches beyond its data");
    accessor.begin = glb.dataOffset + viewBegin + begin;
    accessor.whole = std::min(accessor.count, fitting(file.size() - std::min(file.size(), accessor.begin)));
    return accessor;
}

} // namespace scanloupe
