// Reads the JSON and the accessors of glTF 2.0 files, binary or not (Khronos Group, "glTF 2.0
// Specification").
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
    throw EngineError("the glTF file '" + file.name() + "' " + what, nextStep);
}

/// Whether an extension does not prevent reading vertices: extensions that are applied here (instances,
/// centres), and those for materials, textures, lights, metadata, physics and animation, which do not move
/// vertices. KHR_mesh_quantization only adds component types of accessors, which are supported.
bool keepsGeometry(const std::string& extension) {
    constexpr std::string_view known[] = {"EXT_mesh_gpu_instancing",
                                          "CESIUM_RTC", // these two are applied
                                          "KHR_materials_",
                                          "KHR_texture_",
                                          "KHR_techniques_webgl",
                                          "KHR_lights_",
                                          "KHR_xmp",
                                          "KHR_mesh_quantization",
                                          "KHR_animation_",
                                          "KHR_audio_",
                                          "KHR_physics_",
                                          "EXT_texture_",
                                          "EXT_lights_",
                                          "EXT_mesh_features",
                                          "EXT_instance_features",
                                          "EXT_structural_metadata",
                                          "EXT_feature_metadata",
                                          "EXT_mesh_manifold",
                                          "EXT_mesh_primitive_edge_visibility",
                                          "ADOBE_materials_",
                                          "AGI_",
                                          "CESIUM_primitive_outline",
                                          "FB_geometry_metadata",
                                          "GODOT_single_root",
                                          "GRIFFEL_bim_data",
                                          "MSFT_lod",
                                          "MSFT_packing_",
                                          "MSFT_texture_",
                                          "NV_materials_mdl"};
    return std::any_of(std::begin(known), std::end(known),
                       [&](std::string_view prefix) { return extension.starts_with(prefix); });
}

void requireKnownExtensions(const InputFile& file, const GlbJson& root) {
    for (const auto& extension : root.array("extensionsRequired").json()) {
        const std::string name = extension.is_string() ? extension.get<std::string>().substr(0, 80) : "?";
        if (keepsGeometry(name))
            continue;
        const bool packed = name.find("_compression") != std::string::npos;
        refuse(
            file,
            "needs the extension " + name + ", which " + (packed ? "packs its vertices" : "is not supported"),
            packed
                ? "Export it without compression, or unpack it, for example with Blender or glTF-Transform."
                : "Export it without that extension, or as PLY.");
    }
}

struct Chunk {
    std::uint64_t offset = 0, bytes = 0; ///< range of its data
    std::uint32_t kind = 0;
};

/// Reads the chunk header at `offset`; returns an empty chunk if the file ends before.
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

/// Returns an upper bound for the memory of parsed JSON: 32 bytes per structural character, plus the strings,
/// such as embedded data.
std::uint64_t parsedBytes(std::string_view json) {
    std::uint64_t structure = 0;
    bool isString = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        if (json[i] == '"')
            isString = !isString;
        else if (isString && json[i] == '\\')
            ++i;
        structure += !isString;
    }
    return 32 * structure + 2 * json.size();
}

std::string textOf(const InputFile& file, const Chunk& chunk) {
    const auto require = [&](std::uint64_t bytes) {
        requireMemory({"The description of '" + file.name() + "'", bytes, "Close other programs."},
                      availableHostMemory());
    };
    require(chunk.bytes);
    std::string json(static_cast<std::size_t>(chunk.bytes), '\0');
    file.read(chunk.offset, std::span<char>(json));
    require(parsedBytes(json));
    return json;
}

/// Whether a text begins like a JSON object, after a byte order mark and blanks.
bool beginsObject(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf"))
        text.remove_prefix(3);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == '{';
}

/// Requires the glTF version, since any JSON file may have the extension of glTF.
void requireVersion(const InputFile& file, const GlbJson& root) {
    const std::string version = root.object("asset").text("version");
    if (version.empty())
        refuse(file, "is not a glTF file: it has no version",
               "Check the file's format; its name may have the wrong ending.");
    if (!version.starts_with("2."))
        refuse(file, "has the unsupported glTF version " + version.substr(0, 10),
               "Export it as glTF 2.0, or as PLY.");
}

} // namespace

GlbFile readGlbFile(const InputFile& file) {
    const std::string head = file.head(kGlbHeaderBytes);
    GlbFile glb;
    glb.isBinary = head.size() == kGlbHeaderBytes &&
                   loadLittle<std::uint32_t>(reinterpret_cast<const std::byte*>(head.data())) == kGlbMagic;
    Chunk text{0, file.size(), kGlbJsonChunk};
    std::unique_ptr<const GlbChunk> data;
    if (glb.isBinary) {
        const auto version = loadLittle<std::uint32_t>(reinterpret_cast<const std::byte*>(head.data()) + 4);
        if (version != kGlbVersion)
            refuse(file, "has the unsupported glTF version " + std::to_string(version),
                   "Export it as glTF 2.0, or as PLY.");
        text = chunkAt(file, kGlbHeaderBytes);
        if (text.kind != kGlbJsonChunk || text.bytes > file.size() - text.offset)
            refuse(file, "ends within its JSON description",
                   "The file is truncated or damaged. Copy or export it again.");
        const Chunk binary = chunkAt(file, text.offset + text.bytes);
        data = std::make_unique<GlbChunk>(
            binary.kind == kGlbBinaryChunk ? GlbChunk{binary.offset, binary.bytes} : GlbChunk{});
    }
    if (!glb.isBinary && !beginsObject(file.head(4096)))
        refuse(file, "is not a glTF file: it begins neither like .glb nor like .gltf",
               "Check the file's format; its name may have the wrong ending.");
    glb.description = std::make_shared<const nlohmann::ordered_json>(
        parseBoundedJson(textOf(file, text), "The description in '" + file.name() + "'"));
    const GlbJson root(*glb.description, file);
    if (!glb.description->is_object())
        root.refuse("its description is not an object");
    if (!glb.isBinary)
        requireVersion(file, root);
    requireKnownExtensions(file, root);
    glb.buffers = std::make_shared<GltfBuffers>(file, *glb.description, std::move(data));
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
        json.refuse("its " + name + " has a type that is not part of glTF");
    if (json.has("sparse"))
        refuse(file, "has sparse accessors, which are not supported",
               "Export it with plain ones, or as PLY.");
    if (!json.has("bufferView"))
        json.refuse("its " + name + " has no data");
    const GlbJson view = root.array("bufferViews").at(json.count("bufferView", 0));
    const GltfBuffer& buffer = glb.buffers->at(view.count("buffer", 0));
    GlbAccessor accessor;
    accessor.type = component->type;
    accessor.components = shape->second;
    accessor.normalized = json.flag("normalized");
    accessor.offset = json.object("extras").number("offset", 0);
    accessor.count = json.count("count", 0);
    accessor.stride = view.count("byteStride", accessor.bytesEach());
    const std::uint64_t viewBegin = view.count("byteOffset", 0), viewBytes = view.count("byteLength", 0);
    const std::uint64_t begin = json.count("byteOffset", 0);
    const bool inside = viewBegin <= buffer.claimed() && viewBytes <= buffer.claimed() - viewBegin &&
                        begin <= viewBytes && accessor.stride >= accessor.bytesEach() &&
                        accessor.stride <= 65536;
    // number of complete elements in `bytes` bytes
    const auto fitting = [&](std::uint64_t bytes) {
        return bytes < accessor.bytesEach() ? 0 : (bytes - accessor.bytesEach()) / accessor.stride + 1;
    };
    if (!inside || accessor.count > fitting(viewBytes - begin))
        json.refuse("its " + name + " extends beyond its data");
    accessor.buffer = &buffer;
    accessor.begin = viewBegin + begin;
    accessor.whole =
        std::min(accessor.count, fitting(buffer.available() - std::min(buffer.available(), accessor.begin)));
    return accessor;
}

} // namespace scanloupe
