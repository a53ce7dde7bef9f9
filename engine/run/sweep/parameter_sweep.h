#pragma once
// Declares parameter sweeps: a recipe is run with several values of two of its parameters, and the results
// are compared.
#include "engine/cloud/reference/length_unit.h"
#include "engine/recipe/stored_recipe.h"
#include "kernels/raster/core/raster_scene.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace scanloupe {

struct Parameter;
class Pipeline;
struct Reference;

/// A parameter and its values. A value sets all components, such as the three edge lengths of a voxel.
struct SweepAxis {
    const Parameter* parameter = nullptr;
    std::vector<double> values; ///< at least one value
};

/// A recipe for each combination of two values.
struct SweepGrid {
    StoredRecipe base;
    SweepAxis columns, rows; ///< must have different parameters

    /// Whether one of the parameters is the field.
    bool comparesFields() const;
    std::size_t size() const { return columns.values.size() * rows.values.size(); }
    /// Returns the recipe of a cell. If fields are compared, the base's iso-value is removed: each field has
    /// its own automatic iso-value, unless the other axis sets it.
    Recipe recipeAt(std::size_t column, std::size_t row) const;
};

/// Whether a parameter can be swept: it has numbers or choices, a single value for all its components, and a
/// stage reads it for this kind of input.
bool canBeSwept(const Parameter& parameter, bool isVolume);
/// Returns `count` values from `low` to `high`, rounded to three digits and clamped to the limits.
/// Logarithmic parameters have a constant ratio between values. Equal values are merged, so there may be
/// fewer.
std::vector<double> sweepValues(const Parameter& parameter, double low, double high, int count);
/// Formats a value, e.g. "0.05", or the name of a choice.
std::string sweepValueText(const Parameter& parameter, double value);
/// A range around the value that a run has used.
struct SweepRange {
    double low = 0, high = 0;
};
SweepRange sweepRangeAround(const Parameter& parameter, const Recipe& resolved);

/// The result of one recipe of a grid.
struct SweepCell {
    std::size_t column = 0, row = 0;
    Image image; ///< on the host; empty if the run failed
    /// Time of all stages after reading the scan. Reused stages count with the time of the run that computed
    /// them.
    double ms = 0;
    std::uint64_t voxels = 0, triangles = 0;
    std::optional<double> meanDistance;              ///< mean distance from a sample of the points to the
                                                     ///< mesh
    std::string problem, nextStep;                   ///< reason why the run failed and next step; otherwise
                                                     ///< empty
    std::shared_ptr<const Reference> reference = {}; ///< Snapshot::reference
};

/// Runs all recipes of a grid with the same camera: that of the base recipe, or else that of the first run.
/// The parameter of the earlier stage varies slowest, so that results are reused. A recipe that fails gives a
/// cell with a problem; the next recipe then runs all its stages from scratch, so that its time is complete.
/// @param pipeline must have an input; runs with the picture size of the base recipe
/// @throws EngineError if the axes do not form a valid grid; Cancelled
void runSweep(Pipeline& pipeline, const SweepGrid& grid, const std::function<void(SweepCell)>& finished,
              const std::stop_token& stop);

/// Returns a table in CSV with a header and a line per cell: the two values, ms, voxels, triangles, the mean
/// distance (mean_distance_m, or with the unit of the coordinates), problem.
std::string toCsv(const SweepGrid& grid, std::span<const SweepCell> cells, LengthUnit unit);

/// The pictures of all cells arranged as in the grid; missing pictures are black. Cells may release their
/// pictures afterwards.
class ContactSheet {
public:
    /// @throws std::bad_alloc
    explicit ContactSheet(const SweepGrid& grid);
    void add(const SweepCell& cell);
    const Image& image() const { return m_sheet; }

private:
    static constexpr int kGap = 2; // gap between pictures, pixels
    int m_width, m_height;         // size of a picture, pixels
    Image m_sheet;
};

} // namespace scanloupe
