#pragma once
// Declares the folder of a job in tiles, and which files in it the job may write or remove.
#include <filesystem>
#include <string>
#include <vector>

namespace scanloupe {

/// The folder of one job. Its job.json describes the job, and lists the names in the folder that the job has
/// created: nothing else is replaced or removed.
class JobFolder {
public:
    enum class Access {
        alone,  ///< no other process may work in the folder
        shared, ///< for a process that works for another one with sole access: skips the checks
    };

    /// @param job a description of the job, a JSON object: other descriptions are other jobs
    /// @throws EngineError, without any change: when the folder can't be made or locked, belongs to another
    /// job or is in use by another process, or has names of a job without a job.json
    JobFolder(std::filesystem::path folder, const std::string& job, Access access);
    ~JobFolder();
    JobFolder(const JobFolder&) = delete;
    JobFolder& operator=(const JobFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    /// Notes that the job is going to create files or folders of these names. Without effect where the folder
    /// is shared. @throws EngineError when one exists that the job has not created, or is a link
    void claim(const std::vector<std::string>& names);
    /// Whether the job has created the file or folder `name`.
    bool owns(const std::string& name) const;
    /// Makes a folder that the job has claimed, or one in it. @param name relative to path()
    /// @throws EngineError when it can't be made, or a link or a file is in its way
    void makeFolder(const std::filesystem::path& name) const;
    /// Prefix of the job's scratch folders, see ScratchFolder.
    std::filesystem::path scratch() const { return m_path / m_scratch; }
    /// @throws EngineError unless the folder belongs to this job
    void requireSameJob() const;

private:
    /// Reads job.json, if there is one. @throws EngineError
    void readJob();
    /// The names in job.json. @throws EngineError unless it is this job's
    std::vector<std::string> namesOfSameJob() const;
    void lock();

    std::filesystem::path m_path;
    std::string m_job, m_scratch;
    Access m_access;
    std::vector<std::string> m_names; ///< names of files and folders that the job has created
    int m_lock = -1;                  ///< descriptor of the lock file
};

/// @throws EngineError when an input scan is where a job in `folder` writes, also via links
void requireOutsideJob(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& scans);

/// Writing would follow links, and block on pipes and devices: none of a job's files is one.
/// @throws EngineError for anything but a regular file, or none
void requirePlainFile(const std::filesystem::path& file);

} // namespace scanloupe
