#pragma once
// Declares surveys of files: LAS, LAZ, COPC and all other scans.
#include "engine/io/common/progress.h"
#include "engine/io/common/read_options.h"
#include "engine/tiles/survey_source.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace scanloupe {

/// Points that SurveyFiles hands on at once: 24 MB.
inline constexpr std::size_t kSurveyPiecePoints = std::size_t{1} << 20;

/// A file that can't be part of a survey, and why.
struct RefusedFile {
    std::string name, why;
};

/// Scans in files. What their headers tell of number and place of the points is taken from there; other files
/// are read once for it.
class SurveyFiles : public SurveySource {
public:
    /// @param most points of a part: larger LAS and LAZ files are read in slices, see lasSlices(); 0: a part
    /// a file
    /// @param attributes names of those that the points carry; "rgb" is red, green and blue. The limits of
    /// numbers of more than 16 bits are looked for in all files.
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
    /// Bytes of files that were read to learn where their points lie.
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
