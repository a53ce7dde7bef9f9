#pragma once
// Declares the folder of a tiling job, and the rules which of its files the job may write or remove.
#include <filesystem>
#include <string>
#include <vector>

namespace scanloupe {

/// The output folder of a tiling job. Its job.json describes the job and lists the files and folders that the
/// job has created; nothing else is replaced or removed.
class JobFolder {
public:
    enum class Access {
        alone,  ///< no other process may use the folder at the same time
        shared, ///< for a process that works for another one with sole access; skips the checks
    };

    /// @param job description of the job, a JSON object; a different description is a different job
    /// @throws EngineError if the folder can't be created or locked, belongs to another job, is in use by
    ///     another process, or contains names of a job but no job.json. In this case nothing is changed.
    JobFolder(std::filesystem::path folder, const std::string& job, Access access);
    ~JobFolder();
    JobFolder(const JobFolder&) = delete;
    JobFolder& operator=(const JobFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    /// Records in job.json that the job is going to create files or folders with these names. No effect with
    /// Access::shared. @throws EngineError if a file or folder exists that the job has not created, or that
    /// is a link
    void claim(const std::vector<std::string>& names);
    /// Whether the job has created the file or folder `name`, or is going to.
    bool owns(const std::string& name) const;
    /// Creates a folder that the job has claimed, or a subfolder of one. @param name relative to path()
    /// @throws EngineError if the folder can't be created, or a link or file with this name exists
    void makeFolder(const std::filesystem::path& name) const;
    /// Path prefix of the job's scratch folders, see ScratchFolder.
    std::filesystem::path scratch() const { return m_path / m_scratch; }
    /// @throws EngineError if the folder does not belong to this job
    void requireSameJob() const;

private:
    /// Reads job.json if it exists. @throws EngineError
    void readJob();
    /// Returns the names in job.json. @throws EngineError if the file belongs to another job
    std::vector<std::string> namesOfSameJob() const;
    void lock();

    std::filesystem::path m_path;
    std::string m_job, m_scratch;
    Access m_access;
    std::vector<std::string> m_names; ///< names of files and folders that the job has created
    int m_lock = -1;                  ///< descriptor of the lock file
};

/// @throws EngineError if a job in `folder` would overwrite one of the scans, directly or via links
void requireOutsideJob(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& scans);

/// Requires that `file` is a regular file, or does not exist: writing would follow links, and block on pipes
/// and devices. @throws EngineError otherwise
void requirePlainFile(const std::filesystem::path& file);

} // namespace scanloupe
