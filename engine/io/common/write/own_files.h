#pragma once
// Declares the removal of files that the program itself has created. No other code of the program removes
// files.
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace scanloupe {

/// The first 64 KiB of a file, which include the program's mark; empty for anything but a readable regular
/// file.
std::string headOf(const std::filesystem::path& file);

/// Whether a file with this head can be removed without loss: it is empty, or a power failure has left zeros.
bool isBlank(std::string_view head);

/// Removes a file that this process, or the job that it resumes, has created; of a symbolic link, the link.
/// Never a folder. @return whether the name is free now
bool removeOwnFile(const std::filesystem::path& file);

/// Whether the program has created a file or folder of this path.
using IsOwn = std::function<bool(const std::filesystem::path&)>;

/// Removes the program's own files in `folder`. `isOwn` is called for each file and folder in it; own folders
/// are entered, and removed once they are empty. Symbolic links are not followed. `folder` itself is removed
/// when nothing is left in it.
void removeOwnFiles(const std::filesystem::path& folder, const IsOwn& isOwn);

/// A scratch folder with a unique name, created by this object and removed with it, together with its scratch
/// files. Other files that were put there stay, and so does the folder then. A marker file in it proves that
/// this class has created it, and is locked while the object lives: the folder is in use.
class ScratchFolder {
public:
    /// Files of file(): their names end with ".scratch".
    static bool isScratchFile(const std::filesystem::path& path);

    /// Makes the folder `prefix`XXXXXX, for this user alone. @param isOwn selects the files and links to
    /// remove in it; folders stay in any case @throws EngineError
    explicit ScratchFolder(const std::filesystem::path& prefix, IsOwn isOwn = isScratchFile);
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const std::filesystem::path& path() const { return m_folder; }
    /// A scratch file of a name.
    std::filesystem::path file(const std::string& name) const { return m_folder / (name + ".scratch"); }

    /// Removes folders of the same prefix whose processes have ended without removing them, as after
    /// kill -9: those of this user whose proof names them, and can be locked.
    static void removeAbandoned(const std::filesystem::path& prefix, const IsOwn& isOwn = isScratchFile);

private:
    std::filesystem::path m_folder;
    IsOwn m_isOwn;
    int m_lock = -1; ///< descriptor of the proof
};

namespace detail {

/// Creates a file that is locked while the descriptor is open, so that no other process considers it
/// abandoned. @return the descriptor, to write; or -1 with errno; EEXIST: try another name
int createOwned(const std::filesystem::path& file, unsigned mode);

/// Locks a file of createOwned() whose process has ended: an unlocked regular file of this user. On drives
/// without locks, no file counts as abandoned. @return the descriptor; -1 for other files
int lockAbandoned(const std::filesystem::path& file);

} // namespace detail

} // namespace scanloupe
