#pragma once
// Declares temporary files that replace their targets.
#include <filesystem>

namespace scanloupe::detail {

/// A temporary file next to its target; removed unless it replaces the target. It is locked until then, and
/// its name contains the host: files that killed processes of this host left are removed when a process
/// creates its first file in the folder.
class TemporaryFile {
public:
    /// @param target must outlive this object @param mode before the umask is applied @throws EngineError
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
    int m_descriptor = -1; ///< holds the lock
    bool m_renamed = false;
};

} // namespace scanloupe::detail
