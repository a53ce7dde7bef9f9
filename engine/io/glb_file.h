#pragma once
// The binary container of glTF 2.0: its description and where its data lies.
#include "engine/cloud/point_cloud.h"
#include "engine/io/input_file.h"

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace scanloupe {

/// Reads members of the description; what is of another type than glTF says is a damaged file.
class GlbJson {
public:
    using Json = nlohmann::ordered_json;
    GlbJson(const Json& json, const InputFile& file) : m_json(&json), m_file(&file) {}

    const Json& json() const { return *m_json; }
    bool has(const char* key) const;
    /// A member, or an empty object or array in its place.
    GlbJson object(const char* key) const;
    GlbJson array(const char* key) const;
    /// Of an array.
    std::size_t size() const;
    GlbJson at(std::uint64_t index) const;
    std::uint64_t count(const char* key, std::uint64_t otherwise) const;
    double number(const char* key, double otherwise) const;
    std::string text(const char* key) const;
    bool flag(const char* key) const;
    /// An array of so many numbers. @throws EngineError
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
    std::uint64_t dataOffset = 0; ///< in the file
    std::uint64_t dataBytes = 0;  ///< as claimed; the file may end before
};

/// @throws EngineError when it is no GLB file of version 2, its description is cut off, or it requires an
/// extension that changes where vertices lie.
GlbFile readGlbFile(const InputFile& file);

/// Numbers of all vertices, one after another.
struct GlbAccessor {
    ScalarType type = ScalarType::float32;
    std::size_t components = 1;
    bool normalized = false; ///< integers that stand for 0 to 1, or -1 to 1
    double offset = 0;       ///< to be added, which files of ours say
    std::uint64_t count = 0; ///< as claimed
    std::uint64_t whole = 0; ///< of them in the file
    std::uint64_t begin = 0; ///< in the file
    std::uint64_t stride = 0;

    std::size_t bytesEach() const { return components * sizeOf(type); }
};

/// @throws EngineError when it reaches beyond its data, lies in another file or is sparse
GlbAccessor readGlbAccessor(const InputFile& file, const GlbFile& glb, std::uint64_t index);

} // namespace scanloupe
