#pragma once
// Declares the memory that scans may take between their files and the maps.
#include "engine/cloud/point_cloud.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace scanloupe {

/// The size of a file; 0 where it is unknown. On a network drive this may take seconds.
inline std::uint64_t fileBytesOf(const std::filesystem::path& path) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(path, error);
    return error ? 0 : bytes;
}

/// Forecasts the memory of scans that have not been read, from the sizes of their files and what others took.
class ReadAheadBudget {
public:
    /// @param files number of scans @param budget bytes of all scans that are ahead
    ReadAheadBudget(std::size_t files, std::uint64_t budget) : m_files(files), m_budget(budget) {}

    /// Whether the size of a file has been noted.
    bool isKnown(std::size_t scan) const { return m_files[scan].has_value(); }
    void noteFile(std::size_t scan, const std::filesystem::path& path, std::uint64_t bytes) {
        m_files[scan] = File{bytes, path.extension().string()};
    }
    /// Notes what a scan takes that was read.
    void noteScan(std::size_t scan, std::uint64_t bytes) {
        m_largest = std::max(m_largest, bytes);
        if (const auto& file = m_files[scan]; file && file->bytes > 0) {
            double& expansion = m_expansions.try_emplace(file->format, 1).first->second;
            expansion = std::max(expansion, double(bytes) / double(file->bytes));
        }
    }

    /// Bytes that a scan will take: by the size and format of its file, else as the largest before.
    std::uint64_t forecast(std::size_t scan) const {
        const auto& file = m_files[scan];
        if (!file || file->bytes == 0)
            return m_largest;
        const auto known = m_expansions.find(file->format);
        return std::uint64_t((known == m_expansions.end() ? kUnknownExpansion : known->second) *
                             double(file->bytes));
    }
    /// Whether one more scan fits next to `held` bytes of others.
    bool fits(std::size_t scan, std::uint64_t held) const { return held + forecast(scan) <= m_budget; }

    /// Bytes that a prepared scan takes: coordinates, and surfaces.
    static std::uint64_t preparedBytes(std::uint64_t points) { return kPreparedBytes * points; }
    /// Bytes that a scan takes while it is prepared, with its cloud.
    static std::uint64_t bytesOf(const PointCloud& cloud) {
        return cloud.bytes() + preparedBytes(cloud.size());
    }

private:
    /// A point as floats, and the keys by which it is sorted into cells, twice; surfaces take less later.
    static constexpr std::uint64_t kPreparedBytes = 12 + std::uint64_t{2} * 16;

    /// Of a format of which no file was read: about that of LAZ with 20 attributes, which takes 7 bytes a
    /// point.
    static constexpr double kUnknownExpansion = 16;
    struct File {
        std::uint64_t bytes;
        std::string format; ///< extension: such files take about the same memory per byte
    };

    std::vector<std::optional<File>> m_files;
    std::uint64_t m_budget;
    std::uint64_t m_largest = 0;
    /// By format: bytes in memory per byte of a file, the largest ratio so far.
    std::map<std::string, double> m_expansions;
};

} // namespace scanloupe
