#pragma once
// Declares the folder of a job in tiles: what the job may write to and remove there.
#include <filesystem>
#include <string>
#include <vector>

namespace scanloupe {

/// The folder of one job. Its job.json describes the job, and lists the names in the folder that the job has
/// created: it replaces and removes nothing else.
class JobFolder {
public:
    enum class Access {
        alone,  ///< no other process may work in the folder
        shared, ///< this one works for another one, which has the folder alone: it is not looked at before
                ///< that
    };

    /// @param job a description of the job, a JSON object: other descriptions are other jobs
    /// @throws EngineError, and nothing was touched: when the folder can't be made or locked, holds another
    /// job, another process works in it, or it has names of a job without one
    JobFolder(std::filesystem::path folder, const std::string& job, Access access);
    ~JobFolder();
    JobFolder(const JobFolder&) = delete;
    JobFolder& operator=(const JobFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    /// Notes that the job is going to create files or folders of these names. Without effect where the folder
    /// is shared. @throws EngineError when one exists that the job has not created, or is a link
    void claim(const std::vector<std::string>& names);
    /// Whether the job has created what has this name.
    bool owns(const std::string& name) const;
    /// Makes a folder that the job has claimed, or one in it. @param name relative to path()
    /// @throws EngineError when it can't be made, or a link or a file is in its way
    void makeFolder(const std::filesystem::path& name) const;
    /// Prefix of the job's scratch folders, see ScratchFolder.
    std::filesystem::path scratch() const { return m_path / m_scratch; }
    /// @throws EngineError unless the folder holds this job
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
    std::vector<std::string> m_names; ///< that the job has created
    int m_lock = -1;                  ///< descriptor of the file that is locked
};

/// @throws EngineError when one of the scans that are read lies where a job in `folder` writes, also by way
/// of links
void requireOutsideJob(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& scans);

/// Writing follows links, and into pipes and devices: a job's files are none of these. @throws EngineError
/// for anything but a regular file, or none
void requirePlainFile(const std::filesystem::path& file);

} // namespace scanloupe
