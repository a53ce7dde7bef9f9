#pragma once
// Declares the references that a scan has been compared with, each read once.
#include "engine/edit/edits.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

struct Reference;

/// References by file, unit and frame. Copies share them.
class LoadedReferences {
public:
    /// The reference in a file, read unless that was done since the file was last written.
    /// @throws EngineError as readMeshOrScan() and makeReference(); KernelError; Cancelled.
    std::shared_ptr<const Reference> of(const std::string& file, double scale, Vec3d origin,
                                        const std::stop_token& stop);
    /// Drops all references that no layer uses.
    void keepOnly(const EditLayers& layers);
    std::uint64_t bytes() const;

private:
    struct Entry {
        std::string file;
        double scale = 1;
        Vec3d origin;
        std::filesystem::file_time_type written;
        std::shared_ptr<const Reference> reference;
    };
    std::vector<Entry> m_entries;
};

} // namespace scanloupe
