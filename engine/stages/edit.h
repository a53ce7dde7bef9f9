#pragma once
// Declares the stage that applies manual edits: layers of edits.
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

/// The points after the layers of edits. All points keep their rows.
struct EditedPoints {
    UploadedPoints points;
    std::shared_ptr<const PointCloud> cloud; ///< the cloud with edited classes and positions; removed points
                                             ///< are marked
    std::shared_ptr<const HostPoints> from;  ///< the points before the edits
    EditLayers layers;                       ///< the layers that were applied
    std::shared_ptr<const Positions> moved;  ///< all coordinates; null if no point was moved
    std::optional<Bounds> movedTo; ///< bounding box of points that were moved by layers with a selection;
                                   ///< file's frame
    std::shared_ptr<const PointSet> removedRows; ///< [N] removed rows, on the host; null: none
    std::uint64_t removed = 0;                   ///< number of removed points
    std::shared_ptr<const Reference> reference;  ///< reference with which points were last compared; null:
                                                 ///< none
    std::vector<std::string> missingReferences;  ///< reference files that do not exist; their layers were not
                                                 ///< applied
    LoadedReferences references;                 ///< references that were loaded
    std::string note; ///< why a part was computed on the host; empty if nothing was

    std::uint64_t bytes() const; ///< Returns the memory, bytes, that is not shared with the unedited points.
};

struct EditStage {
    static constexpr Stage stage = Stage::edit;
    using Result = std::shared_ptr<const EditedPoints>;
    static StageDeclaration declaration();
    static bool isWanted(const Recipe& resolved, bool isVolume);
    /// Computes the edited points. Layers that were added since the last result are applied to that result.
    /// @throws EngineError if a layer names an attribute that the scan lacks, if a class or a position does
    /// not fit the type in the file, or if the memory is too small
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& edited);
    static void hold(HeldBytes& held, const Result& edited);
};

/// Returns a cloud after layers of edits, computed on the host; the cloud itself if they have no effect.
/// @throws the exceptions of EditStage; Cancelled
std::shared_ptr<const PointCloud> withEdits(const std::shared_ptr<const PointCloud>& cloud,
                                            const EditLayers& layers, const std::stop_token& stop);

/// Everything that the positions of points depend on: the points that were read, and their edits.
struct PointPlaces {
    std::shared_ptr<const HostPoints> read;      ///< the points before the edits
    std::shared_ptr<const Positions> moved;      ///< see EditedPoints::moved
    std::shared_ptr<const PointSet> removedRows; ///< see EditedPoints::removedRows
};
/// Returns the positions that pointsOf() has in this run.
PointPlaces placesOf(const StageRun& run);
/// Returns the rows, ascending, that were removed or restored between two states; none if the states also
/// differ in something else.
std::optional<std::vector<std::uint32_t>> changedRows(const PointPlaces& before, const PointPlaces& now);

/// Returns the points after edits, or the uploaded points if there are no edits. These stages must have run.
const UploadedPoints& pointsOf(const StageRun& run);

} // namespace scanloupe
