#pragma once
// Declares surveys whose points are in files of any supported point format.
#include "engine/io/common/progress.h"
#include "engine/io/common/read_options.h"
#include "engine/survey/source/survey_source.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace scanloupe {

/// Maximum number of points that SurveyFiles passes on at once (24 MB).
inline constexpr std::size_t kSurveyPiecePoints = std::size_t{1} << 20;

/// A file that can't be part of a survey, and the reason.
struct RefusedFile {
    std::string name, why;
};

/// A survey that consists of files. For LAS files, the number of points and the bounds are taken from the
/// headers. Other files are read once to find them.
class SurveyFiles : public SurveySource {
public:
    /// @param most maximum number of points of a part. Larger LAS and LAZ files are divided into slices, see
    ///     lasSlices(). 0: each file is one part
    /// @param attributes names of the attributes to read; "rgb" is red, green and blue. Files with attributes
    ///     of more than 16 bits are read completely to find the limits of the values.
    /// @throws EngineError if no file can be read, or a file lacks one of the attributes; Cancelled
    SurveyFiles(const std::vector<std::filesystem::path>& files, const std::vector<std::string>& attributes,
                std::uint64_t most, const ProgressFunction& progress, const std::stop_token& stop);

    const std::vector<SurveyPart>& parts() const override { return m_parts; }
    const SurveyAttributes& attributes() const override { return m_attributes; }
    std::vector<std::string> read(std::size_t part, const Use& use,
                                  const std::stop_token& stop) const override;

    const std::vector<std::filesystem::path>& paths() const {
        return m_paths;
    } ///< [parts] path of each part's
      ///< file
    /// Files that could not be read. They are left out.
    const std::vector<RefusedFile>& refused() const { return m_refused; }
    /// Total size of the files that were read to find bounds or limits, bytes.
    std::uint64_t bytesReadBefore() const { return m_bytesReadBefore; }

private:
    std::vector<std::filesystem::path> m_paths;
    std::vector<SurveyPart> m_parts;
    std::vector<std::optional<FileSlice>> m_slices; ///< [parts] nullopt: the whole file
    SurveyAttributes m_attributes;
    std::vector<RefusedFile> m_refused;
    std::uint64_t m_bytesReadBefore = 0;
};

} // namespace scanloupe
