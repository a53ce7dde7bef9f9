#pragma once
// Declares the cache of references that a scan has been compared with.
#include "engine/edit/edits.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

struct Reference;

/// References by file, unit and frame. Copies of this object share them.
class LoadedReferences {
public:
    /// Returns the reference in a file. It is read on first use, and again if the file has changed since.
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
