// Reads references, and caches them.
#include "engine/inspect/loaded_references.h"

#include "engine/inspect/reference.h"
#include "engine/io/common/read_options.h"
#include "engine/io/mesh_reader.h"

#include <algorithm>
#include <system_error>

namespace scanloupe {

std::shared_ptr<const Reference> LoadedReferences::of(const std::string& file, double scale, Vec3d origin,
                                                      const std::stop_token& stop) {
    const std::filesystem::path path(file);
    std::error_code unknown;
    const auto written = std::filesystem::last_write_time(path, unknown);
    const auto found = std::ranges::find_if(m_entries, [&](const Entry& entry) {
        return entry.file == file && entry.scale == scale && entry.origin == origin;
    });
    if (found != m_entries.end() && !unknown && found->written == written)
        return found->reference;
    ReadOptions options;
    const MeshFile read = readMeshOrScan(path, options, stop);
    auto reference =
        std::make_shared<const Reference>(makeReference(read, path.filename().string(), scale, origin, stop));
    if (found != m_entries.end())
        m_entries.erase(found);
    m_entries.push_back({file, scale, origin, written, reference});
    return reference;
}

void LoadedReferences::keepOnly(const EditLayers& layers) {
    std::erase_if(m_entries, [&](const Entry& entry) {
        return std::ranges::none_of(layers, [&](const auto& layer) {
            const auto* action = std::get_if<CompareAction>(&layer->action);
            return action && action->reference == entry.file && action->scale == entry.scale;
        });
    });
}

std::uint64_t LoadedReferences::bytes() const {
    std::uint64_t sum = 0;
    for (const Entry& entry : m_entries)
        sum += entry.reference->bytes();
    return sum;
}

} // namespace scanloupe
