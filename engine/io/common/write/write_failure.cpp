// Converts error codes of the system to messages about a file that can't be written.
#include "engine/io/common/write/write_failure.h"

#include "engine/cloud/error.h"

#include <cerrno>
#include <cstring>

namespace scanloupe::detail {

namespace {

/// Throws the message for a missing folder, or one in which no files can be created, such as /proc.
[[noreturn]] void throwFolderFailure(const std::string& name, const std::filesystem::path& folder) {
    std::error_code unknown;
    if (std::filesystem::is_directory(folder, unknown))
        throw EngineError(name + " can't be written: the folder '" + folder.string() +
                              "' does not allow new files",
                          "Choose another folder.");
    throw EngineError(name + " can't be written: there is no folder '" + folder.string() + "'",
                      "Create the folder first, or choose another one.");
}

} // namespace

void throwWriteFailure(const std::filesystem::path& target, int code) {
    const std::string name = "'" + target.string() + "'";
    const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
    switch (code) {
    case ENOSPC:
    case EDQUOT:
        throw EngineError(
            name + " can't be written: the disk is full",
            "Free space or choose another drive. An existing file with this name is unchanged.");
    case EFBIG:
        throw EngineError(
            name + " can't be written: it would be larger than files may be on this drive or for "
                   "this program (ulimit -f)",
            "Choose another drive, or raise the limit. An existing file with this name is unchanged.");
    case ENOENT:
    case ENOTDIR:
        throwFolderFailure(name, folder);
    case EACCES:
    case EPERM:
    case EROFS:
        throw EngineError(name + " can't be written: the file or its folder '" + folder.string() +
                              "' is read-only for you",
                          "Choose one of your folders, or change the permissions.");
    case ENAMETOOLONG:
        throw EngineError(name + " can't be written: the name is too long", "Choose a shorter name.");
    case ELOOP:
        throw EngineError(name + " can't be written: it is a symbolic link that refers to itself",
                          "Remove the link, or choose another name.");
    case EPIPE:
        throw EngineError(name + " can't be written: the program that reads the pipe has ended",
                          "Start it again, then write once more.");
    default:
        throw EngineError(name + " can't be written: " + std::strerror(code),
                          "Check that the drive is connected and has no errors, or choose another one.");
    }
}

} // namespace scanloupe::detail
