#pragma once
// Declares temporary files that replace their targets.
#include <filesystem>

namespace scanloupe::detail {

/// A temporary file beside its target; removed unless it replaces the target. It is locked until then, and
/// its name tells the host: those that processes of this host leave behind when they are killed are removed
/// by the first file that a process makes in the folder.
class TemporaryFile {
public:
    /// @param target which must outlive it @param mode less the umask @throws EngineError
    TemporaryFile(const std::filesystem::path& target, unsigned mode);
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    int descriptor() const { return m_descriptor; }
    /// Another descriptor of it, which the caller closes. @throws EngineError
    int duplicate() const;
    /// @throws EngineError
    void replaceTarget();

private:
    const std::filesystem::path& m_target;
    std::filesystem::path m_path;
    int m_descriptor = -1; ///< which holds the lock
    bool m_renamed = false;
};

} // namespace scanloupe::detail
