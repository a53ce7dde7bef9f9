// Keeps results up to the surface, in the order in which they were shown.
#include "engine/pipeline/kept_results.h"

#include "engine/stages/edit.h"
#include "engine/stages/field.h"
#include "engine/stages/sculpt.h"
#include "engine/stages/shown_voxels.h"
#include "engine/stages/surface.h"
#include "engine/stages/voxelize.h"
#include "kernels/field/distance/distance_memory.h"

#include <algorithm>

namespace scanloupe {

namespace {

/// The stages after it are made again: views release their results before the next ones are made.
constexpr Stage kLastStage = Stage::clean;

template <class T>
void add(KeptBytes& bytes, const DeviceOrHost<T>& result) {
    (result.onDevice() ? bytes.device : bytes.host) += result->bytes();
}

/// With what the next one may take over.
template <class T, class Trace>
void addTraced(KeptBytes& bytes, const DeviceOrHost<T>& result, const std::shared_ptr<const Trace>& trace) {
    add(bytes, result);
    if (trace)
        bytes.host += trace->bytes();
}

/// Of the results that are larger than a few numbers, but for the points that were read, which all share.
KeptBytes bytesOf(const StageCache& cache) {
    KeptBytes bytes;
    if (const auto* edited = std::any_cast<EditStage::Result>(cache.last(Stage::edit)))
        ((*edited)->points.device ? bytes.device : bytes.host) += (*edited)->bytes();
    if (const auto* voxels = std::any_cast<VoxelizedPoints>(cache.last(Stage::voxelize)))
        add(bytes, voxels->grid);
    if (const auto* field = std::any_cast<FieldStage::Result>(cache.last(Stage::field)))
        addTraced(bytes, field->field, field->trace);
    if (const auto* sculpted = std::any_cast<SculptedField>(cache.last(Stage::sculpt)))
        add(bytes, sculpted->field);
    if (const auto* shown = std::any_cast<ShownVoxels>(cache.last(Stage::shownVoxels)))
        add(bytes, shown->voxels.grid);
    const auto* surface = std::any_cast<ExtractStage::Result>(cache.last(Stage::extract));
    if (surface)
        addTraced(bytes, surface->mesh, surface->trace);
    const auto* clean = std::any_cast<CleanStage::Result>(cache.last(Stage::clean));
    if (clean && !(surface && (*clean)->mesh == surface->mesh))
        add(bytes, (*clean)->mesh);
    return bytes;
}

} // namespace

void KeptResults::keep(const StageCache& cache, const KeptBytes& limit) {
    StageCache results = cache.upTo(kLastStage);
    std::erase_if(m_kept, [&](const Kept& known) { return known.results.hasSameResults(results); });
    const KeptBytes bytes = bytesOf(results);
    m_kept.push_back({std::move(results), bytes});
    KeptBytes sum;
    const auto fits = [&](const Kept& kept) {
        sum.host += kept.bytes.host;
        sum.device += kept.bytes.device;
        return sum.host <= limit.host && sum.device <= limit.device;
    };
    const auto tooMuch = std::find_if_not(m_kept.rbegin(), m_kept.rend(), fits);
    m_kept.erase(m_kept.begin(), tooMuch.base());
}

void KeptResults::recall(StageCache& cache, const Recipe& resolved, bool isVolume) const {
    const StageCache* best = &cache;
    std::size_t most = cache.freshUpTo(kLastStage, resolved, isVolume);
    for (const Kept& kept : m_kept) {
        const std::size_t fresh = kept.results.freshUpTo(kLastStage, resolved, isVolume);
        if (fresh > most) {
            best = &kept.results;
            most = fresh;
        }
    }
    if (best != &cache)
        cache = *best;
}

} // namespace scanloupe
