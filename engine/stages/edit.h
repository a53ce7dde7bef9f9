#pragma once
// The stage that applies what people have made of a scan by hand: layers of edits.
#include "engine/cloud/bounds.h"
#include "engine/cloud/positions.h"
#include "engine/inspect/loaded_references.h"
#include "engine/stages/upload.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace scanloupe {

class HostPoints;
class PointCloud;
struct Reference;

/// The points as the layers of edits leave them. All keep their rows.
struct EditedPoints {
    UploadedPoints points;
    std::shared_ptr<const PointCloud> cloud; ///< with edited classes and places; removed points are marked
    std::shared_ptr<const HostPoints> from;  ///< the points that were edited
    EditLayers layers;                       ///< that were applied
    std::shared_ptr<const Positions> moved;  ///< all coordinates; null if none was moved
    std::optional<Bounds> movedTo; ///< the box of points that were moved, except by whole moves; file's frame
    std::shared_ptr<const PointSet> removedRows; ///< [N] on the host; null: none
    std::uint64_t removed = 0;                   ///< points
    std::shared_ptr<const Reference> reference; ///< reference that points were last compared with; null: none
    std::vector<std::string> missingReferences; ///< missing model files, without comparison
    LoadedReferences references;                ///< references that were read
    std::string note;                           ///< why a part was computed on the host, if it was

    std::uint64_t bytes() const; ///< memory that is not shared with the unedited points
};

struct EditStage {
    static constexpr Stage stage = Stage::edit;
    using Result = std::shared_ptr<const EditedPoints>;
    static StageDeclaration declaration();
    static bool isWanted(const Recipe& resolved, bool isVolume);
    /// Layers that were added since the last result are applied to it.
    /// @throws EngineError when a layer names an attribute that the scan doesn't have, when a class or a
    /// place does not fit the type of the file, or when memory is too small
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& edited);
    static void hold(HeldBytes& held, const Result& edited);
};

/// A cloud as layers of edits leave it, computed on the host; the cloud itself if they do nothing.
/// @throws as EditStage; Cancelled
std::shared_ptr<const PointCloud> withEdits(const std::shared_ptr<const PointCloud>& cloud,
                                            const EditLayers& layers, const std::stop_token& stop);

/// What the places of points depend on: which points they are, and what edits have made of them.
struct PointPlaces {
    std::shared_ptr<const HostPoints> read;      ///< the points before edits
    std::shared_ptr<const Positions> moved;      ///< as EditedPoints
    std::shared_ptr<const PointSet> removedRows; ///< as EditedPoints
};
/// Those of this run, as pointsOf().
PointPlaces placesOf(const StageRun& run);
/// The rows, ascending, that have been removed or come back from one to the other; none if they differ in
/// more than that.
std::optional<std::vector<std::uint32_t>> changedRows(const PointPlaces& before, const PointPlaces& now);

/// The points as edits leave them, if there are any. They have run before.
const UploadedPoints& pointsOf(const StageRun& run);

} // namespace scanloupe
