#pragma once
// Declares the removal of files that the program itself has created. No other code of the program removes
// files.
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace scanloupe {

/// Returns the first 64 KiB of a file, which include the program's mark; empty if it is not a readable
/// regular file.
std::string headOf(const std::filesystem::path& file);

/// Whether a file with this head can be removed without loss: it is empty, or consists of zeros after a power
/// failure.
bool isBlank(std::string_view head);

/// Removes a file created by this process, or by the job that it resumes. For a symbolic link, removes the
/// link. Never removes a folder. @return whether the name is free now
bool removeOwnFile(const std::filesystem::path& file);

/// Returns whether the program has created the file or folder with this path.
using IsOwn = std::function<bool(const std::filesystem::path&)>;

/// Removes the program's own files in `folder`. `isOwn` is called for each file and folder; own folders are
/// searched, and removed if they become empty. Symbolic links are not followed. `folder` itself is removed if
/// it becomes empty.
void removeOwnFiles(const std::filesystem::path& folder, const IsOwn& isOwn);

/// A scratch folder with a unique name. The destructor removes it together with its scratch files. Other
/// files in it, and then also the folder, are kept. A marker file proves that this class has created the
/// folder. The marker is locked while the object exists, which shows that the folder is in use.
class ScratchFolder {
public:
    /// Whether a file is one of file(): its name ends with ".scratch".
    static bool isScratchFile(const std::filesystem::path& path);

    /// Creates the folder `prefix`XXXXXX, accessible only to this user. @param isOwn selects the files and
    /// links to remove in it; subfolders are always kept @throws EngineError
    explicit ScratchFolder(const std::filesystem::path& prefix, IsOwn isOwn = isScratchFile);
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const std::filesystem::path& path() const { return m_folder; }
    /// Returns the path of a scratch file.
    std::filesystem::path file(const std::string& name) const { return m_folder / (name + ".scratch"); }

    /// Removes folders with the same prefix whose processes ended without removing them, e.g. after kill -9:
    /// folders of this user with a valid marker file that can be locked.
    static void removeAbandoned(const std::filesystem::path& prefix, const IsOwn& isOwn = isScratchFile);

private:
    std::filesystem::path m_folder;
    IsOwn m_isOwn;
    int m_lock = -1; ///< descriptor of the marker file
};

namespace detail {

/// Creates a file that is locked while the descriptor is open, so that no other process considers it
/// abandoned. @return a descriptor for writing, or -1 with errno set; on EEXIST, try another name
int createOwned(const std::filesystem::path& file, unsigned mode);

/// Locks a file of createOwned() whose process has ended: an unlocked regular file of this user. On drives
/// without locks, no file counts as abandoned. @return a descriptor; -1 for other files
int lockAbandoned(const std::filesystem::path& file);

} // namespace detail

} // namespace scanloupe
