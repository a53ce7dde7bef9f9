#pragma once
// Declares parameter sweeps: a recipe with two of its parameters at several values each, run and compared.
#include "engine/recipe/stored_recipe.h"
#include "engine/reference/length_unit.h"
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

/// A parameter and its values; each sets all components, such as the three edges of a voxel.
struct SweepAxis {
    const Parameter* parameter = nullptr;
    std::vector<double> values; ///< at least one
};

/// A recipe for each pair of values.
struct SweepGrid {
    StoredRecipe base;
    SweepAxis columns, rows; ///< two different parameters

    /// Whether one of the parameters is the field.
    bool comparesFields() const;
    std::size_t size() const { return columns.values.size() * rows.values.size(); }
    /// Where fields are compared, the base's iso-value is left out: each field has its own automatic one,
    /// unless the other axis sets it.
    Recipe recipeAt(std::size_t column, std::size_t row) const;
};

/// Whether a parameter can be swept: it has numbers or choices, with one value for all its components, and is
/// used for this kind of input.
bool canBeSwept(const Parameter& parameter, bool isVolume);
/// `count` values from `low` to `high`, in equal ratios for logarithmic parameters, rounded to three digits
/// and within the limits; fewer where whole numbers or choices coincide.
std::vector<double> sweepValues(const Parameter& parameter, double low, double high, int count);
/// "0.05", or the name of a choice.
std::string sweepValueText(const Parameter& parameter, double value);
/// A range around the value that a run has used.
struct SweepRange {
    double low = 0, high = 0;
};
SweepRange sweepRangeAround(const Parameter& parameter, const Recipe& resolved);

/// The result of one recipe of a grid.
struct SweepCell {
    std::size_t column = 0, row = 0;
    Image image; ///< on the host; empty when the run failed
    /// Time of all stages, from the scan on: reused stages count with the time of their original run.
    double ms = 0;
    std::uint64_t voxels = 0, triangles = 0;
    std::optional<double> meanDistance;              ///< from a sample of the points to the mesh
    std::string problem, nextStep;                   ///< why the run failed; empty otherwise
    std::shared_ptr<const Reference> reference = {}; ///< Snapshot::reference
};

/// Runs all recipes of a grid with one camera: that of the base, else that of the first run. The parameter
/// that an earlier stage reads varies slowest, so that results are reused. A recipe that can't be run gives a
/// cell with a problem; the next one runs all its stages from scratch, so that its time is complete.
/// @param pipeline has its input; runs with the base's picture size
/// @throws EngineError when the axes form no grid; Cancelled
void runSweep(Pipeline& pipeline, const SweepGrid& grid, const std::function<void(SweepCell)>& finished,
              const std::stop_token& stop);

/// A header line, then a line for each cell: the two values, ms, voxels, triangles, the mean distance (as
/// mean_distance_m, with the unit of the coordinates), problem.
std::string toCsv(const SweepGrid& grid, std::span<const SweepCell> cells, LengthUnit unit);

/// The pictures side by side as in the grid, with black where one is missing. Cells need not keep theirs.
class ContactSheet {
public:
    /// @throws std::bad_alloc
    explicit ContactSheet(const SweepGrid& grid);
    void add(const SweepCell& cell);
    const Image& image() const { return m_sheet; }

private:
    static constexpr int kGap = 2; // pixels
    int m_width, m_height;         // of a picture
    Image m_sheet;
};

} // namespace scanloupe
