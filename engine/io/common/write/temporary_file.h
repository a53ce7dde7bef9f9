#pragma once
// Declares temporary files that replace their targets.
#include <filesystem>

namespace scanloupe::detail {

/// A temporary file next to its target; removed unless it replaces the target. Until then the file is locked,
/// and its name contains the host. When a process creates its first file in a folder, it removes files left
/// there by killed processes of this host.
class TemporaryFile {
public:
    /// @param target must outlive this object @param mode permissions before the umask is applied @throws
    ///     EngineError
    TemporaryFile(const std::filesystem::path& target, unsigned mode);
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    int descriptor() const { return m_descriptor; }
    /// Returns another descriptor of the file, which the caller must close. @throws EngineError
    int duplicate() const;
    /// Renames the file to the target. @throws EngineError
    void replaceTarget();

private:
    const std::filesystem::path& m_target;
    std::filesystem::path m_path;
    int m_descriptor = -1; ///< holds the lock
    bool m_renamed = false;
};

} // namespace scanloupe::detail
