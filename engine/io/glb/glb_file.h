#pragma once
// Declares glTF 2.0 files: their JSON, which is the first chunk of a GLB or the whole file, and accessors
// into their buffers.
#include "engine/io/common/input_file.h"
#include "engine/io/glb/gltf_buffers.h"
#include "kernels/core/scalar_type.h"

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace scanloupe {

/// Typed access to the glTF JSON. A member of another type than glTF specifies is reported as a damaged file.
class GlbJson {
public:
    using Json = nlohmann::ordered_json;
    GlbJson(const Json& json, const InputFile& file) : m_json(&json), m_file(&file) {}

    const Json& json() const { return *m_json; }
    bool has(const char* key) const;
    /// A member; an empty object or array where it is missing.
    GlbJson object(const char* key) const;
    GlbJson array(const char* key) const;
    /// Number of elements of an array.
    std::size_t size() const;
    GlbJson at(std::uint64_t index) const;
    std::uint64_t count(const char* key, std::uint64_t otherwise) const;
    double number(const char* key, double otherwise) const;
    std::string text(const char* key) const;
    bool flag(const char* key) const;
    /// An array of exactly `count` numbers. @throws EngineError
    std::vector<double> numbers(const char* key, std::size_t count) const;
    std::vector<std::uint64_t> indices(const char* key) const;

    /// @throws EngineError that the description is wrong: "its accessor 3 reaches beyond its data"
    [[noreturn]] void refuse(const std::string& what) const;

private:
    const Json* m_json;
    const InputFile* m_file;
};

struct GlbFile {
    std::shared_ptr<const nlohmann::ordered_json> description;
    std::shared_ptr<GltfBuffers> buffers;
    bool isBinary = false; ///< GLB
};

/// Reads the JSON. @throws EngineError when it is no glTF file of version 2, its JSON is truncated, or it
/// requires an extension that changes the positions of vertices
GlbFile readGlbFile(const InputFile& file);

/// A glTF accessor: strided elements in a buffer, such as one attribute of all vertices.
struct GlbAccessor {
    ScalarType type = ScalarType::float32;
    std::size_t components = 1;
    bool normalized = false;            ///< integers map to [0, 1] or [-1, 1]
    double offset = 0;                  ///< added to values; our own files have it in `extras`
    std::uint64_t count = 0;            ///< elements, as claimed
    std::uint64_t whole = 0;            ///< complete elements in the buffer
    const GltfBuffer* buffer = nullptr; ///< one of GlbFile::buffers
    std::uint64_t begin = 0;            ///< offset in the buffer
    std::uint64_t stride = 0;

    std::size_t bytesEach() const { return components * sizeOf(type); }
};

/// Reads accessor `index`. @throws EngineError when it is sparse, or when its data is missing or too short
GlbAccessor readGlbAccessor(const InputFile& file, const GlbFile& glb, std::uint64_t index);

} // namespace scanloupe
