#pragma once
// Declares surveys of files: LAS, LAZ, COPC and all other scans.
#include "engine/io/common/progress.h"
#include "engine/io/common/read_options.h"
#include "engine/tiles/survey/survey_source.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace scanloupe {

/// Maximum number of points that SurveyFiles passes on at once: 24 MB.
inline constexpr std::size_t kSurveyPiecePoints = std::size_t{1} << 20;

/// A file that can't be part of a survey, and why.
struct RefusedFile {
    std::string name, why;
};

/// Scans in files. Number and bounds of the points are taken from the headers of LAS files; other files are
/// read once to find them.
class SurveyFiles : public SurveySource {
public:
    /// @param most maximum number of points of a part: larger LAS and LAZ files are read in slices, see
    /// lasSlices(); 0: a part a file
    /// @param attributes names of the attributes to read; "rgb" is red, green and blue. All files are read to
    /// find the limits of numbers of more than 16 bits.
    /// @throws EngineError when no file can be read, or one has not all of the attributes; Cancelled
    SurveyFiles(const std::vector<std::filesystem::path>& files, const std::vector<std::string>& attributes,
                std::uint64_t most, const ProgressFunction& progress, const std::stop_token& stop);

    const std::vector<SurveyPart>& parts() const override { return m_parts; }
    const SurveyAttributes& attributes() const override { return m_attributes; }
    std::vector<std::string> read(std::size_t part, const Use& use,
                                  const std::stop_token& stop) const override;

    const std::vector<std::filesystem::path>& paths() const { return m_paths; } ///< of the parts
    /// Files that are damaged: they cost their own points only.
    const std::vector<RefusedFile>& refused() const { return m_refused; }
    /// Bytes of files that were read to find the bounds of their points.
    std::uint64_t bytesReadBefore() const { return m_bytesReadBefore; }

private:
    std::vector<std::filesystem::path> m_paths;
    std::vector<SurveyPart> m_parts;
    std::vector<std::optional<FileSlice>> m_slices; ///< [parts]
    SurveyAttributes m_attributes;
    std::vector<RefusedFile> m_refused;
    std::uint64_t m_bytesReadBefore = 0;
};

} // namespace scanloupe
