#pragma once
// Declares sources of a survey's points: parts that are read one by one, since all of them need not fit into
// memory.
#include "engine/cloud/bounds.h"
#include "engine/tiles/survey/survey_attributes.h"

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

/// Points that are read together: those of a file.
struct SurveyPart {
    std::string name;         ///< name of the file, for messages
    std::uint64_t points = 0; ///< as stated in the file
    std::uint64_t bytes = 0;  ///< size of the file
    Bounds bounds;            ///< file's frame; points outside of it are left out, and counted
    std::int64_t written = 0; ///< modification time of the file, nanoseconds
};

/// Some points of a part.
struct SurveyPiece {
    std::span<const Vec3d> points;             ///< file's frame
    std::vector<const std::byte*> values = {}; ///< [A] each one of each point, of its attribute's type
};

/// A number by which a part is known again while its file was not written to.
std::uint64_t identityOf(const SurveyPart& part);

/// The bounding box of all parts. @param parts at least one
Bounds boundsOf(const std::vector<SurveyPart>& parts);

/// Points of the largest part.
std::uint64_t pointsOfLargest(const std::vector<SurveyPart>& parts);

/// The parts of a survey, all in one frame.
class SurveySource {
public:
    using Use = std::function<void(const SurveyPiece& piece)>;

    virtual ~SurveySource() = default;
    virtual const std::vector<SurveyPart>& parts() const = 0;
    /// The attributes of all points; none by default.
    virtual const SurveyAttributes& attributes() const;
    /// Reads a part, and calls `use` with its points in pieces, those without finite coordinates included.
    /// Returns sentences about damage. Callable from any thread. @throws EngineError when it can't be read;
    /// Cancelled; exceptions of `use`
    virtual std::vector<std::string> read(std::size_t part, const Use& use,
                                          const std::stop_token& stop) const = 0;
};

} // namespace scanloupe
