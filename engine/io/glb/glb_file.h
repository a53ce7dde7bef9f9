#pragma once
// Declares glTF 2.0 files: their JSON, which is the first chunk of a GLB or the whole file, and accessors to
// their buffers.
#include "engine/io/common/input_file.h"
#include "engine/io/glb/gltf_buffers.h"
#include "kernels/core/scalar_type.h"

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace scanloupe {

/// Typed access to the glTF JSON. Members with a type that glTF does not allow are reported as a damaged
/// file.
class GlbJson {
public:
    using Json = nlohmann::ordered_json;
    GlbJson(const Json& json, const InputFile& file) : m_json(&json), m_file(&file) {}

    const Json& json() const { return *m_json; }
    bool has(const char* key) const;
    /// Returns a member; an empty object or array if it is missing.
    GlbJson object(const char* key) const;
    GlbJson array(const char* key) const;
    /// Returns the number of elements of an array.
    std::size_t size() const;
    GlbJson at(std::uint64_t index) const;
    std::uint64_t count(const char* key, std::uint64_t otherwise) const;
    double number(const char* key, double otherwise) const;
    std::string text(const char* key) const;
    bool flag(const char* key) const;
    /// Returns an array of exactly `count` numbers. @throws EngineError
    std::vector<double> numbers(const char* key, std::size_t count) const;
    std::vector<std::uint64_t> indices(const char* key) const;

    /// Throws the error for an invalid description. @param what e.g. "its accessor 3 extends beyond its data"
    [[noreturn]] void refuse(const std::string& what) const;

private:
    const Json* m_json;
    const InputFile* m_file;
};

struct GlbFile {
    std::shared_ptr<const nlohmann::ordered_json> description;
    std::shared_ptr<GltfBuffers> buffers;
    bool isBinary = false; ///< whether the file is a GLB
};

/// Reads the JSON. @throws EngineError if the file is not glTF 2, its JSON is truncated, or it requires an
/// extension that changes vertex positions
GlbFile readGlbFile(const InputFile& file);

/// A glTF accessor: strided elements in a buffer, such as one attribute of all vertices.
struct GlbAccessor {
    ScalarType type = ScalarType::float32;
    std::size_t components = 1;
    bool normalized = false;            ///< integers are mapped to [0, 1] or [-1, 1]
    double offset = 0;                  ///< is added to values; files written by this program have it in
                                        ///< `extras`
    std::uint64_t count = 0;            ///< number of elements in the JSON, not yet checked
    std::uint64_t whole = 0;            ///< number of complete elements in the buffer
    const GltfBuffer* buffer = nullptr; ///< one of GlbFile::buffers
    std::uint64_t begin = 0;            ///< offset in the buffer
    std::uint64_t stride = 0;

    std::size_t bytesEach() const { return components * sizeOf(type); }
};

/// Reads accessor `index`. @throws EngineError if it is sparse, or its data is missing or too short
GlbAccessor readGlbAccessor(const InputFile& file, const GlbFile& glb, std::uint64_t index);

} // namespace scanloupe
