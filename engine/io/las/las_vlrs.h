#pragma once
// Declares VLRs and EVLRs that are copied from one LAS file to another.
#include "engine/io/las/las_header.h"

#include <filesystem>
#include <memory>
#include <ostream>
#include <stop_token>

namespace scanloupe {

/// Size and modification time of a file when offsets into it were recorded.
struct FileStamp {
    std::filesystem::path path;
    std::uint64_t size = 0;
    std::filesystem::file_time_type written;

    explicit FileStamp(const std::filesystem::path& file);
    bool isUnchanged() const;
};

/// A VLR or EVLR with its content. Large contents, such as waveforms, remain in their file.
struct LasVlr {
    LasVlrHeader header;
    std::vector<std::byte> content; ///< empty if the content remains in `file`
    std::shared_ptr<const FileStamp> file;

    bool isCrs() const; ///< whether it defines the coordinate reference system
    std::uint64_t bytes() const {
        return (header.extended ? kEvlrHeaderSize : kVlrHeaderSize) + header.length;
    }
};
using LasVlrs = std::vector<std::shared_ptr<const LasVlr>>;

/// Creates a VLR, or an EVLR if the content is too long for a VLR.
std::shared_ptr<const LasVlr> makeLasVlr(const char* user, int id, std::vector<std::byte> content);

/// Reads all VLRs and EVLRs of a file in their order. Contents of more than 1 MiB each or 16 MiB in total
/// remain in the file.
LasVlrs readLasVlrs(const InputFile& file, const LasHeader& header);

/// Writes a VLR or EVLR. @throws EngineError if the file with the content has changed; Cancelled; exceptions
/// of the stream
void writeLasVlr(std::ostream& stream, const LasVlr& record, const std::stop_token& stop);

/// Returns e.g. "LASF_Spec 100", for messages.
std::string nameOf(const LasVlr& record);

inline constexpr char kLasProjection[] = "LASF_Projection", kLasSpec[] = "LASF_Spec";
inline constexpr int kLasWktVlr = 2112, kLasExtraBytesVlr = 4;

} // namespace scanloupe
