// Formats the notes about automatic parameters and dropped data.
#include "engine/run/pipeline/run_notes.h"

#include "engine/cloud/categories.h"
#include "engine/cloud/point_cloud.h"
#include "engine/inspect/deviations.h"
#include "engine/inspect/reference.h"
#include "engine/io/volume/read_volume.h"
#include "engine/recipe/colour_mode.h"
#include "engine/recipe/coordinate_text.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"
#include "engine/results/point_attributes.h"
#include "engine/results/quality.h"
#include "engine/results/snapshot.h"

#include <fmt/format.h>
#include <utility>

namespace scanloupe {

namespace {

/// Returns the note about the automatically chosen field, with the reason.
std::string fieldChoice(const DataDefaults& defaults) {
    if (defaults.sideKnown)
        return "Field chosen: distance, since the scan has normals or a sensor position.";
    const SurfaceShare& surface = defaults.surface;
    if (!surface.isClear())
        return "Field chosen: occupancy, since the scan has neither normals nor a sensor position, and too "
               "few of its points lie close together on a surface.";
    const double percent = 100 * surface.share();
    if (surface.isSurface())
        return fmt::format(
            "Field chosen: distance, since the points form surfaces: {:.0f} % of the inspected "
            "voxels are flat.",
            percent);
    return fmt::format(
        "Field chosen: occupancy, since the points don't form surfaces, as in vegetation: only "
        "{:.0f} % of the inspected voxels are flat, and the scan has neither normals nor a "
        "sensor position.",
        percent);
}

/// Returns the note about the up axis if it is not z by convention.
std::string upChoice(const DataDefaults& defaults) {
    Recipe chosen;
    chosen.up = defaults.up.up;
    return fmt::format("Up axis estimated: {}, since the points {}.", toText(chosen, parameter("up")),
                       defaults.up.reason == UpGuess::Reason::base
                           ? "have a broad base on that side"
                           : "are from a depth camera, in whose frame y points downwards");
}

/// Returns the note about a surface without triangles, with the range of possible iso-values.
std::string noSurface(const Snapshot& s) {
    const double iso = *s.resolved->iso, low = double(s.field->minValue), high = double(s.field->maxValue);
    if (s.volume && !s.volume->values.empty() && low == high)
        return fmt::format("There is no surface: all values of the volume are {:g}.", low);
    if (!s.volume || s.volume->values.empty() || (iso >= low && iso <= high))
        return fmt::format(
            "There is no surface at the iso-value {:g}: the values of the field are from {:g} to {:g}.", iso,
            low, high);
    const std::string what = fmt::format(
        "There is no surface: the iso-value must be between the volume's values, {1:g} to {2:g} (got {0:g}).",
        iso, low, high);
    const double divided = iso / double(s.volume->divisor);
    if (s.volume->divisor > 1 && divided > low && divided <= high) // at the lowest value, everything is
                                                                   // inside
        return fmt::format("{} The values of the file are divided by {:g}: use {:g} instead of {:g} (--iso).",
                           what, s.volume->divisor, divided, iso);
    return fmt::format("{} Use, for example, {:g} (--iso).", what, 0.5 * (low + high));
}

} // namespace

RunNotes runNotes(const Recipe& asked, const Snapshot& s, const DataDefaults* defaults) {
    RunNotes notes;
    const auto note = [&](const char* stage, std::string text) { notes.push_back({stage, std::move(text)}); };
    const auto warn = [&](const char* stage, std::string text) {
        notes.push_back({stage, std::move(text), true});
    };
    const Recipe& used = s.resolved;
    if (s.cloud && s.cloud->subsampledFrom > 0)
        note("read",
             s.cloud->isChosenForView
                 ? fmt::format("The scan is larger than memory: {} of {} points are read, as required by the "
                               "view. To use all points, choose a smaller range.",
                               s.cloud->size(), s.cloud->subsampledFrom)
                 : fmt::format("Quick look: {} of {} points, distributed over the file.", s.cloud->size(),
                               s.cloud->subsampledFrom));
    if (s.cloud)
        for (const std::string& warning : s.cloud->loadWarnings())
            warn("read", warning);
    for (const std::string& file : s.missingReferences)
        warn(
            "edit",
            fmt::format("The model {} is missing, so the scan was not compared with it. Restore the file, or "
                        "copy it next to "
                        "the project, and open the project again; or choose the model at its new location.",
                        file));
    if (colourModeOf(asked.colourBy).isOfDeviations && asked.colourBy != used.colourBy)
        warn("rasterize",
             "The scan is not compared with a model, so deviations can't be shown: other colours "
             "were chosen.");
    if (s.reference) {
        for (const std::string& warning : s.reference->warnings)
            warn("edit", fmt::format("Reference {}: {}", s.reference->name, warning));
        if (const auto misfit = misfitOf(s.cloud->bounds(), *s.reference, true))
            warn("edit", misfit->sentence);
    }
    if (s.cloud) {
        const Bounds range{*used.rangeMin, *used.rangeMax};
        if (!asked.rangeMin && defaults->outliers > 0)
            note("voxelize", fmt::format("Range chosen: {}; {} distant points are outside and are left out.",
                                         coordinateText(range), defaults->outliers));
        else if (!asked.rangeMin)
            note("voxelize", fmt::format("Range chosen from the scan's bounds: {}.", coordinateText(range)));
        else if (asked.rangeMin != used.rangeMin || asked.rangeMax != used.rangeMax)
            note("voxelize",
                 fmt::format("The range extends far beyond the scan and was cropped to its points: {}.",
                             coordinateText(range)));
        if (!asked.voxelSize)
            note("voxelize",
                 fmt::format("Voxel size chosen from the scan's density: {:g}.", used.voxelSize->x));
        if (!asked.field && used.field)
            note("field", fieldChoice(*defaults));
        if (!asked.sensor && used.field == FieldKind::signedDistance && defaults->sensorGuessed)
            note("field", fmt::format("Sensor position estimated from the points: {}.",
                                      coordinateText(*used.sensor, norm(range.max - range.min))));
        if (!asked.up && used.up && defaults->up.reason != UpGuess::Reason::convention)
            note("", upChoice(*defaults));
        for (const Attribute* attribute : attributesInOrder(*s.cloud)) {
            if (attribute->isLoaded() && !isCategorical(*attribute) &&
                !canBeAveraged({nullptr, attribute->type, attribute->min(), attribute->max()}))
                warn("voxelize",
                     fmt::format(
                         "The values of '{}' are from {:g} to {:g}, a range too large for averages: voxels "
                         "and surface don't have this attribute.",
                         attribute->name, attribute->min(), attribute->max()));
        }
        const VoxelStats& stats = s.voxels->stats;
        if (stats.pointsInRange == 0)
            warn("voxelize", "No point of the scan is in range: there are no voxels.");
        if (stats.pointsNotFinite > 0)
            warn("voxelize", fmt::format("{} points have no finite coordinates and are left out.",
                                         stats.pointsNotFinite));
        if (stats.voxelsDropped > 0)
            warn("voxelize",
                 fmt::format("{} voxels with {} points were dropped because of the maximum number of voxels.",
                             stats.voxelsDropped, stats.pointsDroppedWithVoxels));
        if (stats.pointsDroppedInVoxels > 0)
            warn("voxelize", fmt::format("{} of {} points in range were dropped because of the maximum "
                                         "number of points per voxel.",
                                         stats.pointsDroppedInVoxels, stats.pointsInRange));
    }
    if (!s.mesh)
        return notes; // the run ended before the surface
    if (!asked.iso)
        note("extract", fmt::format("Iso-value chosen: {:g}.", *used.iso));
    if (s.mesh->triangleCount() == 0 && !(s.cleanUp && s.cleanUp->trianglesBefore > 0))
        warn("extract", noSurface(s));
    if (s.field->normalsGuessed > 0)
        note("field", fmt::format("The orientation of {} normals was estimated: neither the file nor a "
                                  "sensor position determines it.",
                                  s.field->normalsGuessed));
    return notes;
}

} // namespace scanloupe
