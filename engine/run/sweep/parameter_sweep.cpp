// Expands grids of recipes, and runs the recipes sequentially.
#include "engine/run/sweep/parameter_sweep.h"

#include "engine/cloud/error.h"
#include "engine/cloud/error_message.h"
#include "engine/graph/stage_table.h"
#include "engine/io/common/text/csv_text.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"
#include "engine/results/quality.h"
#include "engine/results/snapshot.h"
#include "engine/run/pipeline/pipeline.h"
#include "kernels/core/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace scanloupe {

namespace {

void setAll(Recipe& recipe, const SweepAxis& axis, std::size_t index) {
    axis.parameter->set(recipe,
                        std::vector<double>(axis.parameter->components.size(), axis.values.at(index)));
}

double roundedTo3(double value) {
    if (value == 0)
        return 0;
    const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 2);
    // Dividing by a power of ten gives the double nearest to the decimal number.
    return unit < 1 ? std::round(value / unit) / std::round(1 / unit) : std::round(value / unit) * unit;
}

void checkGrid(const SweepGrid& grid) {
    constexpr std::size_t most = 400;
    if (!grid.columns.parameter || !grid.rows.parameter || grid.size() == 0)
        throw EngineError("A sweep requires two parameters with at least one value each.",
                          "Choose a parameter and values for the columns and for the rows.");
    if (grid.columns.parameter->key == grid.rows.parameter->key)
        throw EngineError(fmt::format("Columns and rows of the sweep use the same parameter, '{}'.",
                                      grid.columns.parameter->key),
                          "Choose two different parameters.");
    if (grid.size() > most)
        throw EngineError(fmt::format("The sweep has {} combinations of values, more than the maximum of {}.",
                                      grid.size(), most),
                          "Choose fewer values.");
}

/// Durations of the stages by name. A reused stage has the duration of the run that computed it; results of
/// failed runs are never reused.
class StageTimes {
public:
    double totalOf(const RunTimings& timings) {
        double sum = 0;
        for (const StageTiming& timing : timings.stages) {
            if (timing.stage == "read" || timing.stage == "quality" || timing.stage == "refine")
                continue; // timings that are not part of the run
            double& ms = m_ms[timing.stage];
            if (!timing.reused)
                ms = timing.wallMs;
            sum += ms;
        }
        return sum;
    }

private:
    std::map<std::string, double> m_ms;
};

SweepCell runCell(Pipeline& pipeline, const Recipe& recipe, StageTimes& times, std::optional<Camera>& camera,
                  const std::stop_token& stop) {
    SweepCell cell;
    try {
        Snapshot snapshot = pipeline.run(recipe, {}, stop);
        cell.reference = snapshot.reference;
        cell.ms = times.totalOf(snapshot.timings);
        cell.voxels = snapshot.cloud ? snapshot.voxels->size() : 0;
        cell.triangles = snapshot.mesh->triangleCount();
        const Image& image = snapshot.picture->image.host();
        cell.image = {image.width, image.height, Buffer<std::uint32_t>::host(image.pixels.size())};
        std::ranges::copy(image.pixels.span(), cell.image.pixels.data());
        if (!camera)
            camera = snapshot.picture->camera;
        if (recipe.quality != QualityChoice::off && snapshot.cloud && cell.triangles > 0) {
            snapshot = pipeline.measure(snapshot, QualityEffort::quick, stop);
            if (snapshot.quality->distances.stats.count > 0)
                cell.meanDistance = snapshot.quality->distances.stats.mean;
        }
    } catch (const Cancelled&) {
        throw;
    } catch (const Error& error) {
        cell.problem = error.what();
        cell.nextStep = error.nextStep();
    }
    return cell;
}

} // namespace

bool SweepGrid::comparesFields() const {
    return columns.parameter->key == "field" || rows.parameter->key == "field";
}

Recipe SweepGrid::recipeAt(std::size_t column, std::size_t row) const {
    Recipe recipe = base;
    if (comparesFields())
        recipe.iso.reset(); // the base's iso-value is in the unit of another field
    setAll(recipe, columns, column);
    setAll(recipe, rows, row);
    return recipe;
}

bool canBeSwept(const Parameter& parameter, bool isVolume) {
    if (parameter.key == "inside") // stages only read this parameter for volumes
        return isVolume;
    const bool isOneValue = parameter.components.size() == 1 || parameter.key == "voxel_size";
    const bool isRead = std::ranges::any_of(stageDeclarations(), [&](const StageDeclaration& one) {
        return one.stage <= Stage::picture && one.stage != Stage::quality &&
               (!isVolume || one.stage >= Stage::extract) &&
               std::ranges::any_of(one.reads, [&](const ReadParameter& read) {
                   return read.parameter->key == parameter.key;
               });
    });
    return parameter.kind != ParameterKind::text && isOneValue && isRead && !parameter.setByViews;
}

std::vector<double> sweepValues(const Parameter& parameter, double low, double high, int count) {
    std::vector<double> values;
    const bool isRatio = parameter.logarithmic && low > 0 && high > 0;
    for (int i = 0; i < count; ++i) {
        const double share = count > 1 ? double(i) / (count - 1) : 0;
        double value = isRatio ? low * std::pow(high / low, share) : low + share * (high - low);
        value = parameter.kind == ParameterKind::real ? roundedTo3(value) : std::round(value);
        value = std::clamp(value, parameter.min, parameter.max);
        if (std::ranges::find(values, value) == values.end())
            values.push_back(value);
    }
    return values;
}

std::string sweepValueText(const Parameter& parameter, double value) {
    if (parameter.kind == ParameterKind::choice)
        return parameter.choices.at(std::size_t(value));
    if (parameter.kind == ParameterKind::flag)
        return value != 0 ? "on" : "off";
    return fmt::format("{}", value);
}

SweepRange sweepRangeAround(const Parameter& parameter, const Recipe& resolved) {
    if (parameter.kind == ParameterKind::choice || parameter.kind == ParameterKind::flag)
        return {parameter.min, parameter.max};
    const auto values = parameter.get(resolved);
    const double value = values ? values->front() : 0;
    if (value > 0 && parameter.logarithmic)
        return {value / 2, value * 2};
    if (value > 0)
        return {std::max(value / 2, parameter.min), std::min(value * 1.5, parameter.max)};
    if (parameter.key == "iso" && resolved.voxelSize) // the iso-value is a distance: half a voxel to either
                                                      // side
        return {value - 0.5 * resolved.voxelSize->x, value + 0.5 * resolved.voxelSize->x};
    if (parameter.kind == ParameterKind::integer)
        return {std::max(0.0, parameter.min), std::min(1000.0, parameter.max)};
    const double reach = resolved.voxelSize ? 2 * resolved.voxelSize->x : 1;
    return {std::max(value, parameter.min), std::min(value + reach, parameter.max)};
}

void runSweep(Pipeline& pipeline, const SweepGrid& grid, const std::function<void(SweepCell)>& finished,
              const std::stop_token& stop) {
    checkGrid(grid);
    const bool rowsFirst = grid.rows.parameter->stage < grid.columns.parameter->stage;
    const std::size_t outer = rowsFirst ? grid.rows.values.size() : grid.columns.values.size();
    StageTimes times;
    std::optional<Camera> camera = grid.base->camera;
    for (std::size_t i = 0; i < grid.size(); ++i) {
        const std::size_t inner = grid.size() / outer;
        const std::size_t column = rowsFirst ? i % inner : i / inner, row = rowsFirst ? i / inner : i % inner;
        Recipe recipe = grid.recipeAt(column, row);
        recipe.camera = camera;
        SweepCell cell = runCell(pipeline, recipe, times, camera, stop);
        if (!cell.problem.empty()) // durations of stages before a failure are unknown, so their results must
                                   // not be reused
            pipeline.releaseResults();
        cell.column = column;
        cell.row = row;
        finished(std::move(cell));
    }
}

std::string toCsv(const SweepGrid& grid, std::span<const SweepCell> cells, LengthUnit unit) {
    std::string csv = fmt::format("{},{},ms,voxels,triangles,mean_distance_{},problem\n",
                                  grid.columns.parameter->key, grid.rows.parameter->key, rowOf(unit).inNames);
    for (const SweepCell& cell : cells) {
        csv += fmt::format("{},{},{:.3f},{},{},{},{}\n",
                           sweepValueText(*grid.columns.parameter, grid.columns.values[cell.column]),
                           sweepValueText(*grid.rows.parameter, grid.rows.values[cell.row]), cell.ms,
                           cell.voxels, cell.triangles,
                           cell.meanDistance ? fmt::format("{:.6g}", *cell.meanDistance) : "",
                           cell.problem.empty() ? "" : quotedForCsv(cell.problem));
    }
    return csv;
}

ContactSheet::ContactSheet(const SweepGrid& grid)
    : m_width(int(grid.base->imageWidth)), m_height(int(grid.base->imageHeight)) {
    constexpr std::uint32_t black = 0xff000000;
    m_sheet.width = int(grid.columns.values.size()) * (m_width + kGap) - kGap;
    m_sheet.height = int(grid.rows.values.size()) * (m_height + kGap) - kGap;
    m_sheet.pixels = Buffer<std::uint32_t>::host(std::size_t(m_sheet.width) * std::size_t(m_sheet.height));
    std::ranges::fill(m_sheet.pixels.span(), black);
}

void ContactSheet::add(const SweepCell& cell) {
    if (cell.image.width != m_width || cell.image.height != m_height)
        return;
    const std::size_t left = cell.column * std::size_t(m_width + kGap);
    const std::size_t top = cell.row * std::size_t(m_height + kGap);
    for (int y = 0; y < m_height; ++y)
        std::copy_n(cell.image.pixels.data() + std::size_t(y) * std::size_t(m_width), m_width,
                    m_sheet.pixels.data() + (top + std::size_t(y)) * std::size_t(m_sheet.width) + left);
}

} // namespace scanloupe
