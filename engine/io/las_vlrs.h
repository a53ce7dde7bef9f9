#pragma once
// Records of variable length that go from one LAS file into another.
#include "engine/io/las_header.h"

#include <filesystem>
#include <memory>
#include <ostream>
#include <stop_token>

namespace scanloupe {

/// A file as it was when something in it was remembered by its place.
struct FileStamp {
    std::filesystem::path path;
    std::uint64_t size = 0;
    std::filesystem::file_time_type written;

    explicit FileStamp(const std::filesystem::path& file);
    bool isUnchanged() const;
};

/// A record with its content; that of large ones, such as waveforms, stays in its file.
struct LasVlr {
    LasVlrHeader header;
    std::vector<std::byte> content; ///< empty when it stays in `file`
    std::shared_ptr<const FileStamp> file;

    bool isCrs() const; ///< of the coordinate system
    std::uint64_t bytes() const {
        return (header.extended ? kEvlrHeaderSize : kVlrHeaderSize) + header.length;
    }
};
using LasVlrs = std::vector<std::shared_ptr<const LasVlr>>;

/// A new record; behind the points where it does not fit before them.
std::shared_ptr<const LasVlr> makeLasVlr(const char* user, int id, std::vector<std::byte> content);

/// All records of a file, in their order. Content beyond what memory should hold stays in the file.
LasVlrs readLasVlrs(const InputFile& file, const LasHeader& header);

/// @throws EngineError when the file that holds the content has changed; Cancelled; what the stream throws
void writeLasVlr(std::ostream& stream, const LasVlr& record, const std::stop_token& stop);

/// "LASF_Spec 100", for sentences.
std::string nameOf(const LasVlr& record);

inline constexpr char kLasProjection[] = "LASF_Projection", kLasSpec[] = "LASF_Spec";
inline constexpr int kLasWktVlr = 2112, kLasExtraBytesVlr = 4;

} // namespace scanloupe
