#pragma once
// Declares sources of a survey's points. The points are read part by part, since a survey may not fit into
// memory.
#include "engine/cloud/bounds.h"
#include "engine/survey/source/survey_attributes.h"

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

/// Points that are read together: a file, or a slice of one.
struct SurveyPart {
    std::string name;         ///< name of the file for messages
    std::uint64_t points = 0; ///< number of points as stated in the file
    std::uint64_t bytes = 0;  ///< size of the part in the file
    Bounds bounds;            ///< in the file's frame; points outside of these bounds are left out and
                              ///< counted
    std::int64_t written = 0; ///< modification time of the file, nanoseconds
};

/// Consecutive points of a part.
struct SurveyPiece {
    std::span<const Vec3d> points;             ///< coordinates in the file's frame, metres
    std::vector<const std::byte*> values = {}; ///< [A] for each attribute, one value per point in the
                                               ///< attribute's type
};

/// Returns a number that changes when the file of a part is modified.
std::uint64_t identityOf(const SurveyPart& part);

/// Returns the bounding box of all parts. @param parts at least one
Bounds boundsOf(const std::vector<SurveyPart>& parts);

/// Returns the number of points of the largest part.
std::uint64_t pointsOfLargest(const std::vector<SurveyPart>& parts);

/// The parts of a survey. All are in the same frame.
class SurveySource {
public:
    using Use = std::function<void(const SurveyPiece& piece)>;

    virtual ~SurveySource() = default;
    virtual const std::vector<SurveyPart>& parts() const = 0;
    /// Returns the attributes that every point has; none by default.
    virtual const SurveyAttributes& attributes() const;
    /// Reads a part and calls `use` with consecutive pieces of its points, including points without finite
    /// coordinates. Returns warnings about damage. Can be called from any thread. @throws EngineError if the
    /// part can't be read; Cancelled; exceptions of `use`
    virtual std::vector<std::string> read(std::size_t part, const Use& use,
                                          const std::stop_token& stop) const = 0;
};

} // namespace scanloupe
