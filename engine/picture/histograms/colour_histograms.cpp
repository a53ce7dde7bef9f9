// Computes histograms of the values that colours show, and counts of classes.
#include "engine/picture/histograms/colour_histograms.h"

#include "engine/cloud/categories.h"
#include "engine/cloud/point_cloud.h"
#include "engine/picture/colouring.h"
#include "engine/picture/histograms/sampled_histogram.h"
#include "engine/recipe/colour_mode.h"
#include "engine/recipe/recipe.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"
#include "engine/results/voxel_attributes.h"
#include "kernels/core/parallel.h"
#include "kernels/core/stream_sync_guard.h"
#include "kernels/raster/operators.h"

#include <algorithm>

namespace scanloupe {

namespace {

/// Returns the categorical attribute that colours show; null if they show no classes.
const Attribute* shownClasses(const Snapshot& snapshot) {
    if (!snapshot.cloud || colourModeOf(snapshot.resolved->colourBy).data != ColourData::attribute)
        return nullptr;
    const Attribute* attribute = snapshot.cloud->attribute(colourAttribute(snapshot.resolved->colourBy));
    return attribute && isCategorical(*attribute) ? attribute : nullptr;
}

/// Returns the automatic limits of the colour map, on the host from a sample.
ValueLimits automaticLimits(const Buffer<float>& values, const Execution& on) {
    constexpr std::size_t most = 100'000; // sample size; sorting takes some milliseconds
    const std::size_t step = on.onDevice() ? 1 : samplingStep(values.size(), most);
    if (step == 1)
        return limitsOf(values, on);
    auto sample = Buffer<float>::host(chunkCount(values.size(), step));
    for (std::size_t i = 0; i < sample.size(); ++i)
        sample[i] = values[i * step];
    return limitsOf(sample, on);
}

} // namespace

std::shared_ptr<const Histogram> colourHistogram(const Snapshot& snapshot, const std::stop_token& stop) {
    const ColourData data = colourModeOf(snapshot.resolved->colourBy).data;
    if (data == ColourData::none || data == ColourData::rgb || shownClasses(snapshot))
        return nullptr;
    Recipe recipe = snapshot.resolved;
    recipe.colourLow = 0; // placeholder limits, because finding automatic limits would sort all values
    recipe.colourHigh = 1;
    const bool isVolume = snapshot.volume != nullptr; // volumes have no voxels, so the vertices of the
                                                      // surface are counted
    const bool onDevice =
        isVolume ? snapshot.mesh.onDevice() : snapshot.voxels.onDevice() && data != ColourData::distances;
    // outlives the values; a separate stream does not wait for the pipeline's work
    std::optional<Stream> stream;
    std::optional<StreamSyncGuard> wait; // kernels read the snapshot, which may be released after an error
    if (onDevice)
        wait.emplace(stream.emplace().view());
    ColourSource source =
        onDevice ? colourSource(snapshot, nullptr, isVolume ? nullptr : &snapshot.voxels.device())
                 : colourSource(snapshot);
    source.chosen = nullptr;
    if (onDevice)
        source.device = stream->view();
    const Execution on{source.device, stop};
    const ColourValues shown =
        isVolume ? colourMesh(recipe, source, onDevice ? snapshot.mesh.device() : snapshot.mesh.host(), stop)
                 : colourVoxels(recipe, source, stop);
    if (shown.values.empty())
        return nullptr;
    const ValueLimits limits = automaticLimits(shown.values, on);
    // room for slider handles beyond the limits, but not for extreme outliers
    const double low = data == ColourData::distances ? 0 : double(limits.low), high = double(limits.high);
    const double rim = std::max((high - low) / 4, 1e-6 * std::max(std::abs(low), std::abs(high)));
    const ValueRange span{data == ColourData::distances ? 0 : low - rim, high + std::max(rim, 1e-30)};
    return sampledHistogram({shown.values.data(), ScalarType::float32, shown.values.size()}, span,
                            ScanHistograms::kBins, on);
}

std::shared_ptr<const ClassCounts> classCounts(const Snapshot& snapshot, const std::stop_token& stop) {
    const Attribute* attribute = shownClasses(snapshot);
    if (!attribute)
        return nullptr;
    const std::shared_ptr<const PointAttribute> points =
        snapshot.attributes->points().onHost(*attribute, stop);
    const Category& category = *points->category;
    const std::size_t classes = category.values.size();
    if (classes == 0 || classes > HistogramParams::kMaxBins)
        return nullptr;
    const auto counted =
        sampledHistogram({points->codes.data(), ScalarType::uint32, points->codes.size()},
                         {-0.5, double(classes) - 0.5}, std::uint32_t(classes), {std::nullopt, stop});
    ClassCounts made;
    made.classes = classes;
    made.points = counted->values;
    made.sampled = counted->sampled;
    for (std::size_t k = 0; k < std::min(classes, ClassCounts::kMaxListed); ++k)
        made.rows.push_back(
            {classText(category, std::uint32_t(k)), category.colour(std::uint32_t(k)), counted->counts[k]});
    return std::make_shared<const ClassCounts>(std::move(made));
}

} // namespace scanloupe
