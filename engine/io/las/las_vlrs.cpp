// Reads, creates and writes VLRs and EVLRs. Large contents are copied from the file that they were read from.
#include "engine/io/las/las_vlrs.h"

#include "engine/cloud/error.h"
#include "engine/io/common/little_endian.h"
#include "engine/io/common/text/utf8.h"

#include <algorithm>
#include <fmt/format.h>

namespace scanloupe {

namespace {

constexpr std::uint64_t kMaxContentInMemory = std::uint64_t{1} << 20; // bytes of one record
constexpr std::uint64_t kMaxAllContents = std::uint64_t{16}
                                          << 20; // maximum size of all records in memory, bytes

std::string serializeVlrHeader(const LasVlrHeader& record) {
    std::byte head[kEvlrHeaderSize] = {};
    storeLittle(head, record.reserved);
    std::memcpy(head + 2, record.userBytes.data(), record.userBytes.size());
    storeLittle(head + 18, static_cast<std::uint16_t>(record.id));
    if (record.extended)
        storeLittle(head + 20, record.length);
    else
        storeLittle(head + 20, static_cast<std::uint16_t>(record.length));
    std::memcpy(head + (record.extended ? 28 : 22), record.description.data(), record.description.size());
    return {reinterpret_cast<const char*>(head), record.extended ? kEvlrHeaderSize : kVlrHeaderSize};
}

void copyFromFile(std::ostream& stream, const LasVlr& record, const std::stop_token& stop) {
    if (!record.file->isUnchanged())
        throw EngineError(fmt::format("'{}' has changed since it was read, so its record {} can't be copied",
                                      record.file->path.filename().string(), nameOf(record)),
                          "Open the scan again, then write it.");
    const InputFile file(record.file->path);
    std::vector<char> block(static_cast<std::size_t>(std::min(record.header.length, kMaxContentInMemory)));
    for (std::uint64_t done = 0; done < record.header.length;) {
        if (stop.stop_requested())
            throw Cancelled();
        const auto size = std::min<std::uint64_t>(block.size(), record.header.length - done);
        const std::span<char> part(block.data(), static_cast<std::size_t>(size));
        file.read(record.header.offset + done, part);
        stream.write(part.data(), static_cast<std::streamsize>(size));
        done += size;
    }
}

} // namespace

FileStamp::FileStamp(const std::filesystem::path& file) : path(std::filesystem::absolute(file)) {
    std::error_code ignored;
    size = std::filesystem::file_size(path, ignored);
    written = std::filesystem::last_write_time(path, ignored);
}

bool FileStamp::isUnchanged() const {
    const FileStamp now(path);
    return now.size == size && now.written == written;
}

bool LasVlr::isCrs() const {
    constexpr int ids[] = {2111, kLasWktVlr, 34735, 34736, 34737};
    return header.userId == kLasProjection &&
           std::find(std::begin(ids), std::end(ids), header.id) != std::end(ids);
}

std::shared_ptr<const LasVlr> makeLasVlr(const char* user, int id, std::vector<std::byte> content) {
    auto record = std::make_shared<LasVlr>();
    record->header.userId = user;
    record->header.id = id;
    record->header.length = content.size();
    record->header.extended = content.size() > kMaxVlrLength;
    std::memcpy(record->header.userBytes.data(), user,
                std::min(record->header.userId.size(), std::size_t{16}));
    record->content = std::move(content);
    return record;
}

LasVlrs readLasVlrs(const InputFile& file, const LasHeader& header) {
    LasVlrs all;
    std::shared_ptr<const FileStamp> stamp;
    std::uint64_t held = 0;
    for (const LasVlrHeader& head : header.vlrs) {
        auto record = std::make_shared<LasVlr>();
        record->header = head;
        if (head.length > kMaxContentInMemory || held + head.length > kMaxAllContents) {
            if (!stamp)
                stamp = std::make_shared<FileStamp>(file.path());
            record->file = stamp;
        } else {
            record->content.resize(static_cast<std::size_t>(head.length));
            file.read(head.offset, std::span<std::byte>(record->content));
            held += head.length;
        }
        all.push_back(std::move(record));
    }
    return all;
}

void writeLasVlr(std::ostream& stream, const LasVlr& record, const std::stop_token& stop) {
    stream << serializeVlrHeader(record.header);
    if (record.file)
        copyFromFile(stream, record, stop);
    else
        stream.write(reinterpret_cast<const char*>(record.content.data()),
                     static_cast<std::streamsize>(record.content.size()));
}

std::string nameOf(const LasVlr& record) {
    return fmt::format("{} {}",
                       record.header.userId.empty() ? "of nobody" : printableText(record.header.userId),
                       record.header.id);
}

} // namespace scanloupe
