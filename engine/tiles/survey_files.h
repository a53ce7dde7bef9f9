#pragma once
// Declares surveys of files: LAS, LAZ, COPC and all other scans.
#include "engine/io/common/progress.h"
#include "engine/tiles/survey_source.h"

#include <filesystem>
#include <memory>

namespace scanloupe {

/// A file that can't be part of a survey, and why.
struct RefusedFile {
    std::string name, why;
};

/// Scans in files. What their headers tell of number and place of the points is taken from there; other files
/// are read once for it.
class SurveyFiles : public SurveySource {
public:
    /// @throws EngineError when no file can be read; Cancelled
    SurveyFiles(const std::vector<std::filesystem::path>& files, const ProgressFunction& progress,
                const std::stop_token& stop);

    const std::vector<SurveyPart>& parts() const override { return m_parts; }
    std::vector<std::string> read(std::size_t part, const Use& use,
                                  const std::stop_token& stop) const override;

    const std::vector<std::filesystem::path>& paths() const { return m_paths; } ///< of the parts
    /// Files that are damaged: they cost their own points only.
    const std::vector<RefusedFile>& refused() const { return m_refused; }
    /// Bytes of files that were read to learn where their points lie.
    std::uint64_t bytesReadBefore() const { return m_bytesReadBefore; }

private:
    std::vector<std::filesystem::path> m_paths;
    std::vector<SurveyPart> m_parts;
    std::vector<RefusedFile> m_refused;
    std::uint64_t m_bytesReadBefore = 0;
};

} // namespace scanloupe
