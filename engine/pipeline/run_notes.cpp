// Writes the notes on chosen parameters and dropped data.
#include "engine/pipeline/run_notes.h"

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

namespace scanloupe {

namespace {

/// The note on the field that was chosen from the data, with the reason.
std::string fieldChoice(const DataDefaults& defaults) {
    if (defaults.sideKnown)
        return "Field chosen: distance, since the scan has normals or a sensor position.";
    const SurfaceShare& surface = defaults.surface;
    if (!surface.isClear())
        return "Field chosen: occupancy, since the scan has neither normals nor a sensor position, and too "
               "few of its points lie close together on a surface.";
    const double percent = 100 * surface.share();
    if (surface.isSurface())
        return fmt::format("Field chosen: distance, since the points lie on surfaces: {:.0f} % of the voxels "
                           "looked at are flat.",
                           percent);
    return fmt::format(
        "Field chosen: occupancy, since the points don't lie on surfaces, as in vegetation: only "
        "{:.0f} % of the voxels looked at are flat, and the scan has neither normals nor a "
        "sensor position.",
        percent);
}

/// The note on the up axis, if it is not z by convention.
std::string upChoice(const DataDefaults& defaults) {
    Recipe chosen;
    chosen.up = defaults.up.up;
    return fmt::format("Up guessed: {}, since the points {}.", toText(chosen, parameter("up")),
                       defaults.up.reason == UpGuess::Reason::base
                           ? "stand on a broad base there"
                           : "lie before a depth camera, whose frame has y downwards");
}

/// The note on a surface without triangles, with the values that an iso-value may have.
std::string noSurface(const Snapshot& s) {
    const double iso = *s.resolved->iso, low = double(s.field->minValue), high = double(s.field->maxValue);
    if (s.volume && !s.volume->values.empty() && low == high)
        return fmt::format("There is no surface: all values of the volume are {:g}.", low);
    if (!s.volume || s.volume->values.empty() || (iso >= low && iso <= high))
        return fmt::format("There is no surface at the iso-value {:g}: the field goes from {:g} to {:g}.",
                           iso, low, high);
    const std::string what = fmt::format(
        "There is no surface: the iso-value {:g} lies outside of the volume's values, {:g} to {:g}.", iso,
        low, high);
    const double divided = iso / double(s.volume->divisor);
    if (s.volume->divisor > 1 && divided > low && divided <= high) // all are inside at the lowest
        return fmt::format("{} The file's values are divided by {:g}: take {:g} for {:g} (--iso).", what,
                           s.volume->divisor, divided, iso);
    return fmt::format("{} Take one between them, such as {:g} (--iso).", what, 0.5 * (low + high));
}

} // namespace

std::vector<std::string> runNotes(const Recipe& asked, const Snapshot& s, const DataDefaults* defaults) {
    std::vector<std::string> notes;
    const Recipe& used = s.resolved;
    if (s.cloud && s.cloud->subsampledFrom > 0)
        notes.push_back(
            s.cloud->isChosenForView
                ? fmt::format("The scan is larger than memory: {} of {} points are read, as fine as the view "
                              "needs. Within a range that fits, all are.",
                              s.cloud->size(), s.cloud->subsampledFrom)
                : fmt::format("A first look: {} of {} points, spread over the file.", s.cloud->size(),
                              s.cloud->subsampledFrom));
    if (s.cloud)
        for (const std::string& warning : s.cloud->loadWarnings())
            notes.push_back(warning);
    for (const std::string& file : s.missingReferences)
        notes.push_back(fmt::format(
            "The model {} is missing: nothing was compared with it. Put it back, or next to the project that "
            "names it, and open the project again; or compare with it at its new place.",
            file));
    if (colourModeOf(asked.colourBy).isOfDeviations && asked.colourBy != used.colourBy)
        notes.push_back("The scan is compared with no model: its colours are chosen.");
    if (s.reference) {
        for (const std::string& warning : s.reference->warnings)
            notes.push_back(fmt::format("Reference {}: {}", s.reference->name, warning));
        if (const auto misfit = misfitOf(s.cloud->bounds(), *s.reference, true))
            notes.push_back(misfit->sentence);
    }
    if (s.cloud) {
        const Bounds range{*used.rangeMin, *used.rangeMax};
        if (!asked.rangeMin && defaults->outliers > 0)
            notes.push_back(fmt::format("Range chosen: {}; {} points lie far outside and are left out.",
                                        coordinateText(range), defaults->outliers));
        else if (!asked.rangeMin)
            notes.push_back(fmt::format("Range chosen from the scan's bounds: {}.", coordinateText(range)));
        else if (asked.rangeMin != used.rangeMin || asked.rangeMax != used.rangeMax)
            notes.push_back(
                fmt::format("The range reaches far beyond the scan; cut to where its points are: {}.",
                            coordinateText(range)));
        if (!asked.voxelSize)
            notes.push_back(
                fmt::format("Voxel size chosen from the scan's density: {:g}.", used.voxelSize->x));
        if (!asked.field && used.field)
            notes.push_back(fieldChoice(*defaults));
        if (!asked.sensor && used.field == FieldKind::signedDistance && defaults->sensorGuessed)
            notes.push_back(fmt::format("Sensor's position guessed from how the points lie: {}.",
                                        coordinateText(*used.sensor, norm(range.max - range.min))));
        if (!asked.up && used.up && defaults->up.reason != UpGuess::Reason::convention)
            notes.push_back(upChoice(*defaults));
        for (const Attribute* attribute : attributesInOrder(*s.cloud)) {
            if (attribute->isLoaded() && !isCategorical(*attribute) &&
                !canBeAveraged({nullptr, attribute->type, attribute->min(), attribute->max()}))
                notes.push_back(
                    fmt::format("The values of '{}' go from {:g} to {:g}, too far to be averaged: voxels "
                                "and surface are without it.",
                                attribute->name, attribute->min(), attribute->max()));
        }
        const VoxelStats& stats = s.voxels->stats;
        if (stats.pointsInRange == 0)
            notes.push_back("No point of the scan is in range: there are no voxels.");
        if (stats.pointsNotFinite > 0)
            notes.push_back(
                fmt::format("{} points have no finite coordinates and are left out.", stats.pointsNotFinite));
        if (stats.voxelsDropped > 0)
            notes.push_back(fmt::format("{} voxels with {} points were dropped by the limit of voxels.",
                                        stats.voxelsDropped, stats.pointsDroppedWithVoxels));
        if (stats.pointsDroppedInVoxels > 0)
            notes.push_back(
                fmt::format("{} of {} points in range were dropped by the limit of points a voxel.",
                            stats.pointsDroppedInVoxels, stats.pointsInRange));
    }
    if (!s.mesh)
        return notes; // the run has ended before
    if (!asked.iso)
        notes.push_back(fmt::format("Iso-value chosen: {:g}.", *used.iso));
    if (s.mesh->triangleCount() == 0 && !(s.cleanUp && s.cleanUp->trianglesBefore > 0))
        notes.push_back(noSurface(s));
    if (s.field->normalsGuessed > 0)
        notes.push_back(fmt::format(
            "The side of {} normals was guessed: neither the file nor a sensor position determines it.",
            s.field->normalsGuessed));
    return notes;
}

} // namespace scanloupe
