// Reads and writes the list of approved code.
#include "engine/edit/trust_store.h"

#include "engine/edit/cuda_files.h"
#include "kernels/core/error.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <unistd.h>
#include <unordered_set>

namespace scanloupe {

namespace {

std::optional<Sha256Digest> digestFrom(const std::string& line) {
    Sha256Digest digest{};
    if (line.size() != 2 * digest.size())
        return std::nullopt;
    for (std::size_t i = 0; i < digest.size(); ++i) {
        const char* begin = line.data() + 2 * i;
        if (const auto read = std::from_chars(begin, begin + 2, digest[i], 16);
            read.ec != std::errc() || read.ptr != begin + 2)
            return std::nullopt;
    }
    return digest;
}

const CudaFile* fileOf(const EditLayer& layer) {
    const auto* action = std::get_if<CudaFileAction>(&layer.action);
    return action ? &action->file : nullptr;
}

} // namespace

TrustStore::TrustStore(std::filesystem::path file)
    : m_file(std::move(file)), m_code(std::make_shared<TrustedCode>()) {
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(m_file, unknown))
        return;
    std::ifstream list(m_file);
    for (std::string line; std::getline(list, line);)
        if (const auto digest = digestFrom(line))
            m_code->add(*digest);
}

std::filesystem::path TrustStore::usualFile() {
    std::filesystem::path folder;
    if (const char* config = std::getenv("XDG_CONFIG_HOME"); config && *config == '/')
        folder = config;
    else if (const char* home = std::getenv("HOME"); home && *home == '/')
        folder = std::filesystem::path(home) / ".config";
    return folder.empty() ? folder : folder / "scanloupe" / "trusted-cuda-code";
}

bool TrustStore::remember(const std::string& source) {
    if (has(source))
        return true;
    m_code->add(source);
    if (m_file.empty())
        return false;
    std::error_code unknown;
    std::filesystem::create_directories(m_file.parent_path(), unknown);
    const int file = open(m_file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
    if (file < 0)
        return false;
    // A line is appended, because other windows may append concurrently. The leading line feed ends a line
    // that was truncated.
    std::string line = "\n";
    for (const std::uint8_t byte : digestOf(source))
        line += fmt::format("{:02x}", byte);
    line += '\n';
    const bool isWritten = write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
    return close(file) == 0 && isWritten;
}

std::vector<CudaFile> untrustedFiles(const EditLayers& layers, const TrustedCode& code) {
    std::vector<CudaFile> files;
    std::unordered_set<std::string_view> sources; // the same source may be used by many layers
    for (const auto& layer : layers) {
        const CudaFile* file = layer->isHidden ? nullptr : fileOf(*layer);
        if (file && sources.insert(file->source).second && !code.has(file->source))
            files.push_back(*file);
    }
    return files;
}

EditLayers withoutUntrusted(EditLayers layers, const TrustedCode& code) {
    for (auto& layer : layers) {
        const CudaFile* file = layer->isHidden ? nullptr : fileOf(*layer);
        if (!file || code.has(file->source))
            continue;
        auto hidden = std::make_shared<EditLayer>(*layer);
        hidden->isHidden = true;
        layer = std::move(hidden);
    }
    return layers;
}

TrustedCudaFile requireTrusted(const TrustedCode* code, const CudaFile& file) {
    static const TrustedCode none;
    return namingFile(file, [&] { return (code ? *code : none).trusted(file); });
}

} // namespace scanloupe
