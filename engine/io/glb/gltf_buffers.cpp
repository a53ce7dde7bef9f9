// Opens the files and decodes the data URIs with the buffers of glTF files (RFC 3986, 2397 and 4648).
#include "engine/io/glb/gltf_buffers.h"

#include "engine/compute/memory.h"
#include "engine/io/common/named_file.h"
#include "engine/io/glb/glb_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

namespace scanloupe {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxFiles = 256;     // maximum number of open files; systems allow about 1000
constexpr std::size_t kMaxUriLetters = 80; // maximum number of characters in messages

std::string inQuotes(std::string_view uri) {
    return "'" + std::string(uri.substr(0, kMaxUriLetters)) + (uri.size() > kMaxUriLetters ? "…'" : "'");
}

[[noreturn]] void refuse(const InputFile& file, const std::string& what, const std::string& nextStep) {
    throw EngineError("the glTF file '" + file.name() + "' " + what, nextStep);
}

bool equalsIgnoringCase(std::string_view a, std::string_view b) {
    return std::ranges::equal(
        a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// Decodes base64 text, with or without padding; nullopt if it is invalid.
std::optional<std::vector<std::byte>> base64Decoded(std::string_view text) {
    static const auto values = [] {
        std::array<std::int8_t, 256> table;
        table.fill(-1);
        const std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        for (std::size_t i = 0; i < letters.size(); ++i)
            table[static_cast<unsigned char>(letters[i])] = static_cast<std::int8_t>(i);
        return table;
    }();
    for (int padding = 0; padding < 2 && text.ends_with('='); ++padding)
        text.remove_suffix(1);
    if (text.size() % 4 == 1)
        return std::nullopt;
    std::vector<std::byte> bytes(text.size() * 3 / 4);
    std::uint32_t bits = 0;
    std::size_t place = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const int value = values[static_cast<unsigned char>(text[i])];
        if (value < 0)
            return std::nullopt;
        bits = bits << 6 | static_cast<std::uint32_t>(value);
        if (i % 4 > 0) // every letter except the first of four completes a byte
            bytes[place++] = static_cast<std::byte>(bits >> (6 - 2 * (i % 4)));
    }
    return bytes;
}

std::vector<std::byte> dataOf(const InputFile& file, std::string_view uri) {
    const std::size_t comma = uri.find(',');
    const std::string_view head = uri.substr(0, std::min(comma, uri.size()));
    constexpr std::string_view marker = ";base64";
    if (comma == std::string_view::npos || head.size() < marker.size() ||
        !equalsIgnoringCase(head.substr(head.size() - marker.size()), marker))
        refuse(file, "has data that is not base64: " + inQuotes(uri),
               "Export it with its data in a separate file, or as .glb.");
    const std::string_view text = uri.substr(comma + 1);
    requireMemory({"The data of '" + file.name() + "'", text.size() / 4 * 3, "Close other programs."},
                  availableHostMemory());
    auto bytes = base64Decoded(text);
    if (!bytes)
        refuse(file, "is damaged: its base64 data has invalid characters, or ends within a byte",
               "Copy or export it again.");
    return std::move(*bytes);
}

/// Returns the path of the file that a URI names, relative to the folder of the glTF.
fs::path dataFile(const InputFile& gltf, std::string_view uri) {
    const std::string nextStep =
        "Put its data next to it and correct the name there, or export it as one file, .glb.";
    const fs::path folder = gltf.path().parent_path();
    const NamedFile named = namedFile(uri, folder, folder);
    if (named.fault == NameFault::hasScheme)
        refuse(gltf,
               "has its data at " + inQuotes(uri) + ", but data is only read from files in the same folder",
               nextStep);
    if (named.fault == NameFault::noFileName)
        refuse(gltf, "names its data " + inQuotes(uri) + ", which is not a valid file name", nextStep);
    if (named.fault == NameFault::isOutside)
        refuse(gltf, "has its data in " + inQuotes(uri) + ", outside of its folder, where files are not read",
               nextStep);
    if (!liesWithin(named.path, folder))
        refuse(gltf,
               "has its data in " + inQuotes(uri) +
                   ", a link that leads outside of its folder, where files are not read",
               "Put the file itself in place of the link, or export it as one file, .glb.");
    return named.path;
}

} // namespace

std::vector<fs::path> gltfDataFiles(const fs::path& gltf) {
    std::vector<fs::path> files;
    try {
        const InputFile file(gltf);
        const GlbFile read = readGlbFile(file);
        for (const char* kind : {"buffers", "images"}) {
            const GlbJson all = GlbJson(*read.description, file).array(kind);
            for (std::size_t i = 0; i < all.size(); ++i) {
                const fs::path folder = gltf.parent_path();
                const NamedFile named = namedFile(all.at(i).text("uri"), folder, folder);
                if (named.fault == NameFault::none)
                    files.push_back(named.path);
            }
        }
    } catch (const EngineError&) { // the reader reports the error when it opens the file
    }
    return files;
}

GltfBuffer::GltfBuffer(const InputFile& file, std::uint64_t offset, std::uint64_t claimed)
    : m_file(&file), m_offset(offset), m_claimed(claimed),
      m_available(file.size() - std::min(offset, file.size())) {}

GltfBuffer::GltfBuffer(std::unique_ptr<const InputFile> file, std::uint64_t claimed)
    : m_owned(std::move(file)), m_file(m_owned.get()), m_claimed(claimed), m_available(m_owned->size()) {}

GltfBuffer::GltfBuffer(std::vector<std::byte> decoded, std::uint64_t claimed)
    : m_decoded(std::move(decoded)), m_claimed(claimed), m_available(m_decoded.size()) {}

void GltfBuffer::read(std::uint64_t offset, std::span<std::byte> target) const {
    if (m_file)
        return m_file->read(m_offset + offset, target);
    if (offset > m_decoded.size() || target.size() > m_decoded.size() - offset)
        throw Fault("a read from a glTF buffer exceeds its size");
    std::memcpy(target.data(), m_decoded.data() + offset, target.size());
}

const GltfBuffer& GltfBuffers::at(std::uint64_t index) {
    const auto found = m_open.find(index);
    if (found != m_open.end())
        return *found->second;
    const GltfBuffer& buffer = *m_open.emplace(index, open(index)).first->second;
    m_files += buffer.ownsFile();
    if (m_files > kMaxFiles)
        refuse(m_file, "has its data in more than the maximum of " + std::to_string(kMaxFiles) + " files",
               "Export it as one file, .glb.");
    return buffer;
}

std::unique_ptr<const GltfBuffer> GltfBuffers::open(std::uint64_t index) const {
    const GlbJson json = GlbJson(m_description, m_file).array("buffers").at(index);
    const std::string number = "buffer " + std::to_string(index);
    if (!json.has("uri")) {
        if (index != 0 || !m_chunk)
            json.refuse("its " + number + " has no data");
        return std::make_unique<GltfBuffer>(m_file, m_chunk->offset, m_chunk->bytes);
    }
    if (!json.json().at("uri").is_string())
        json.refuse("the URI of its " + number + " is not a text");
    const auto& uri = json.json().at("uri").get_ref<const std::string&>();
    const std::uint64_t claimed = json.count("byteLength", 0);
    if (equalsIgnoringCase(schemeOf(uri), "data"))
        return std::make_unique<GltfBuffer>(dataOf(m_file, uri), claimed);
    const fs::path path = dataFile(m_file, uri);
    std::error_code unknown;
    if (fs::status(path, unknown).type() == fs::file_type::not_found)
        refuse(m_file,
               "keeps its data in " +
                   inQuotes(path.lexically_relative(m_file.path().parent_path()).string()) +
                   ", and there is no such file next to it",
               "Copy that file from where the model comes from, or export the model as one file, .glb.");
    return std::make_unique<GltfBuffer>(std::make_unique<const InputFile>(path), claimed);
}

} // namespace scanloupe
