// Applies layers of edits, on the device if the points are there.
#include "engine/stages/edit.h"

#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/edit/edit_list.h"
#include "engine/edit/moved_positions.h"
#include "engine/edit/moved_vectors.h"
#include "engine/edit/pending_edits.h"
#include "engine/edit/trust_store.h"
#include "engine/graph/held_bytes.h"
#include "engine/graph/placement.h"
#include "engine/inspect/compare_options.h"
#include "engine/inspect/reference.h"
#include "engine/inspect/unit_normals.h"
#include "engine/recipe/recipe.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/stages/points/edited_attributes.h"
#include "engine/stages/points/point_formula.h"
#include "engine/stages/points/point_function.h"
#include "engine/stages/points/point_selector.h"
#include "kernels/core/parallel.h"
#include "kernels/select/select_points.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <limits>

namespace scanloupe {

namespace {

/// Converts a set of every `stride`-th point to the rows of a cloud with `size` points, on the host.
PointSet rowsOf(PointSet set, std::size_t stride, std::size_t size) {
    if (stride == 1)
        return set;
    PointSet rows = PointSet::none(size);
    for (std::size_t w = 0; w < set.words.size(); ++w)
        for (std::uint32_t word = set.words[w]; word != 0; word &= word - 1) {
            const std::size_t row = (w * 32 + std::size_t(std::countr_zero(word))) * stride;
            rows.words[row / 32] |= 1u << row % 32;
        }
    return rows;
}

PointSet allRows(std::size_t size) {
    PointSet rows = PointSet::none(size);
    for (std::size_t row = 0; row < size; row += 32)
        rows.words[row / 32] = size - row >= 32 ? ~0u : (1u << (size - row)) - 1;
    return rows;
}

/// Applies layers one after another, in the memory space of the points.
class LayerWork {
public:
    /// @param last result of layers that were already applied to the same points; null: none
    /// @param known edits whose loaded references are reused; null: none
    LayerWork(const StageRun& run, const UploadedPoints& base, const EditedPoints* last,
              const EditedPoints* known, const Execution& on)
        : m_run(run), m_base(base), m_on(on), m_stride(base.attributes->stride()) {
        const UploadedPoints& from = last ? last->points : base;
        m_cloud = last ? last->cloud : run.cloud;
        m_attributes = from.attributes;
        if (known)
            m_references = known->references;
        m_positions = on.onDevice() ? from.device->positions.copyTo(MemorySpace::device, *on.device)
                                    : copied(from.host->all(on.stop).positions);
        if (!last)
            return;
        m_reference = last->reference;
        m_missing = last->missingReferences;
        m_edits.removed = last->removedRows;
        m_edits.moved = last->moved;
        m_edits.wholeMotion = wholeMotion(last->layers);
        m_removedPoints = last->removed;
        m_movedTo = last->movedTo;
        for (const Attribute& attribute : last->cloud->attributes()) {
            const Attribute* read = run.cloud->attribute(attribute.name);
            if (!read || !read->sharesValuesOf(attribute))
                m_edits.attributes.push_back(attribute);
        }
    }

    void apply(const EditLayer& layer) {
        PointSet set = chosenPoints(layer.selection.steps, {*m_cloud, *m_attributes, span(), m_note}, m_on);
        m_takesAll = takesAllPoints(layer);
        std::visit([&](const auto& action) { apply(action, std::move(set)); }, layer.action);
    }

    std::shared_ptr<const EditedPoints> result(const EditLayers& layers) {
        noteRemoved();
        auto edited = std::make_shared<EditedPoints>();
        edited->cloud = m_cloud;
        edited->from = m_base.host;
        edited->layers = layers;
        edited->moved = m_edits.moved;
        edited->note = m_note;
        edited->reference = m_reference;
        edited->missingReferences = m_missing;
        m_references.keepOnly(layers);
        edited->references = std::move(m_references);
        edited->removedRows = m_edits.removed;
        edited->removed = m_removedPoints;
        edited->movedTo = m_movedTo;
        edited->points.attributes = m_attributes;
        if (m_on.onDevice()) {
            edited->points.host = std::make_shared<const HostPoints>(m_cloud, m_stride);
            m_on.device->synchronize(); // other threads read the results on other streams
            edited->points.device =
                std::make_shared<const KernelPoints>(KernelPoints{std::move(m_positions)});
        } else {
            edited->points.host =
                std::make_shared<const HostPoints>(m_cloud, m_stride, KernelPoints{std::move(m_positions)});
        }
        return edited;
    }

private:
    std::span<const Vec3f> span() const { return {m_positions.data(), m_positions.size()}; }
    PointSet rowsOf(const PointSet& set) const {
        return scanloupe::rowsOf(m_on.onDevice() ? set.copyTo(MemorySpace::host, *m_on.device)
                                                 : set.copyTo(MemorySpace::host, StreamView(nullptr)),
                                 m_stride, m_cloud->size());
    }

    void apply(const RemoveAction&, PointSet set) {
        removePoints(m_positions, set, m_on);
        if (m_removed.words.empty())
            m_removed = std::move(set);
        else
            combine(m_removed, set, SetOperation::add, m_on);
    }
    void apply(const KeepAction&, PointSet set) {
        PointSet others = selectPoints(span(), PresentPredicate{}, m_on);
        combine(others, set, SetOperation::subtract, m_on);
        apply(RemoveAction{}, std::move(others));
    }
    void apply(const SetClassAction& action, PointSet set) {
        setAttribute(classesSet(*m_cloud, rowsOf(set), action.value, m_on.stop));
    }
    void apply(const SetColourAction& action, PointSet set) {
        const PointSet rows = rowsOf(set);
        std::vector<Attribute> channels; // all channels are computed before any of them is replaced
        for (std::size_t channel = 0; channel < action.rgb.size(); ++channel)
            channels.push_back(channelSet(
                *m_cloud, rows, channel, [&](std::size_t) { return action.rgb[channel] / 255.0; },
                m_on.stop));
        for (Attribute& channel : channels)
            setAttribute(std::move(channel));
    }
    void apply(const ComputeAction& action, PointSet set) {
        setAttribute(valuesComputed(*m_cloud, rowsOf(set), action, m_stride, m_on.stop));
    }
    void apply(const CudaFileAction& action, PointSet set) {
        if (!m_on.onDevice())
            throw EngineError(fmt::format("The CUDA file {} needs a GPU, but the points are not on a GPU.",
                                          action.file.name()),
                              "Use an NVIDIA GPU with enough memory (--backend=cuda), or hide the layer "
                              "with this file.");
        const TrustedCudaFile file = requireTrusted(m_run.trusted.get(), action.file);
        const PointSet rows = rowsOf(set);
        const Buffer<float> values = functionOfPoints(file, action.up, *m_attributes, span(), m_on);
        if (action.file.function == CudaFunction::value) {
            return setAttribute(valuesSet(*m_cloud, rows, action.attribute, action.file.name(), values.span(),
                                          m_stride, true, m_on.stop));
        }
        std::vector<Attribute> channels;
        for (std::size_t channel = 0; channel < 3; ++channel)
            channels.push_back(channelSet(
                *m_cloud, rows, channel,
                [&](std::size_t row) { // NaN is kept
                    const double part = double(values.data()[row / m_stride * 3 + channel]);
                    return part < 0 ? 0.0 : part > 1 ? 1.0 : part;
                },
                m_on.stop));
        for (Attribute& channel : channels)
            setAttribute(std::move(channel));
    }
    void apply(const CompareAction& action, PointSet set) {
        std::error_code unknown;
        if (!std::filesystem::exists(action.reference, unknown)) { // the reference file is missing, for
                                                                   // example because the project was moved
            m_missing.push_back(action.reference);
            const std::vector<float> none(set.size, std::numeric_limits<float>::quiet_NaN());
            return setAttribute(
                valuesSet(*m_cloud, rowsOf(set), kDeviationAttribute, {}, none, m_stride, false, m_on.stop));
        }
        m_reference = m_references.of(action.reference, action.scale, m_cloud->origin(), m_on.stop);
        const DeviationOptions options = optionsOf(action);
        const Buffer<Vec3f> normals =
            action.largestAngle > 0 ? unitNormals(*m_cloud, m_stride, m_on.stop) : Buffer<Vec3f>();
        const SignedDistances distances = distancesFrom(m_positions, normals, *m_reference, options, m_on);
        setAttribute(valuesSet(*m_cloud, rowsOf(set), kDeviationAttribute, m_reference->name,
                               distances.values.span(), m_stride, false, m_on.stop));
    }
    void apply(const SculptAction&, PointSet) { throw Fault("a brush of the field was applied to points"); }
    void apply(const MoveAction& action, PointSet set) {
        PointSet rows = rowsOf(set);
        if (m_takesAll) // also moves removed rows, and the rows that a preview skips
            rows = allRows(m_cloud->size());
        m_edits.moved = std::make_shared<const Positions>(
            movedPositions(m_cloud->positions(), rows, action.motion, m_on.stop));
        for (Attribute& part : movedVectors(*m_cloud, rows, action.motion, m_on.stop))
            setAttribute(std::move(part));
        if (m_takesAll)
            m_edits.wholeMotion = action.motion * m_edits.wholeMotion;
        noteRemoved();
        makeCloud();
        if (m_takesAll && m_movedTo)
            m_movedTo = boxAfter(action.motion, *m_movedTo);
        for (std::size_t w = 0; !m_takesAll && w < rows.words.size(); ++w)
            for (std::uint32_t word = rows.words[w]; word != 0; word &= word - 1)
                includeMoved(m_cloud->position(w * 32 + std::size_t(std::countr_zero(word))));
        const HostPoints moved(m_cloud, m_stride);
        m_positions = m_on.onDevice() ? moved.upload(*m_on.device, m_on.stop).positions
                                      : copied(moved.all(m_on.stop).positions);
    }
    Buffer<Vec3f> copied(const Buffer<Vec3f>& points) const {
        auto copy = Buffer<Vec3f>::host(points.size());
        parallelFor(points.size(), 1 << 16, m_on.stop, [&](std::size_t begin, std::size_t end) {
            std::copy_n(points.data() + begin, end - begin, copy.data() + begin);
        });
        return copy;
    }

    void includeMoved(Vec3d p) {
        if (!m_movedTo)
            m_movedTo = {p, p};
        for (int axis = 0; axis < 3; ++axis) {
            m_movedTo->min[axis] = std::min(m_movedTo->min[axis], p[axis]);
            m_movedTo->max[axis] = std::max(m_movedTo->max[axis], p[axis]);
        }
    }
    void setAttribute(Attribute edited) {
        const auto known = std::ranges::find(m_edits.attributes, edited.name, &Attribute::name);
        if (known == m_edits.attributes.end())
            m_edits.attributes.push_back(std::move(edited));
        else
            *known = std::move(edited);
        noteRemoved();
        makeCloud();
    }
    /// Marks the points in the cloud that have been removed since the last call.
    void noteRemoved() {
        if (m_removed.words.empty())
            return;
        m_removedPoints += countOf(m_removed, m_on);
        PointSet rows = rowsOf(m_removed);
        if (m_edits.removed)
            combine(rows, *m_edits.removed, SetOperation::add, m_on.onHost());
        m_edits.removed = std::make_shared<const PointSet>(std::move(rows));
        m_removed = {};
        makeCloud();
    }
    void makeCloud() {
        m_cloud = std::make_shared<const PointCloud>(*m_run.cloud, m_edits, m_on.stop);
        m_attributes = std::make_shared<const PointAttributes>(m_cloud, *m_base.attributes);
    }

    const StageRun& m_run; ///< run whose cloud is the one before the edits
    const UploadedPoints& m_base;
    const Execution m_on;
    const std::size_t m_stride;
    CloudEdits m_edits;
    std::shared_ptr<const PointCloud> m_cloud;
    std::shared_ptr<const PointAttributes> m_attributes;
    Buffer<Vec3f> m_positions;
    PointSet m_removed; ///< removed points, in the memory space of the points; not yet marked in m_edits
    std::uint64_t m_removedPoints = 0;
    std::optional<Bounds> m_movedTo;
    bool m_takesAll = false; ///< whether the layer being applied selects all points
    std::string m_note;
    LoadedReferences m_references;
    std::vector<std::string> m_missing;           ///< reference files that do not exist
    std::shared_ptr<const Reference> m_reference; ///< reference of the topmost comparing layer so far
};

} // namespace

std::uint64_t EditedPoints::bytes() const {
    std::uint64_t sum = points.host->bytes() + (points.device ? points.device->positions.bytes() : 0);
    if (cloud->removed())
        sum += cloud->removed()->words.bytes();
    sum += references.bytes();
    if (moved)
        sum += std::visit([](const auto& held) { return held.xyz.bytes(); }, *moved);
    return sum;
}

StageDeclaration EditStage::declaration() {
    return {
        .stage = stage, .name = "edit", .takes = {{Stage::upload}}, .readsLayers = true, .label = "Edits"};
}

bool EditStage::isWanted(const Recipe& resolved, bool isVolume) {
    return !isVolume && !haveSameEffect(pointLayers(resolved.edits.layers), {});
}

EditStage::Result EditStage::compute(const StageRun& run) {
    const UploadedPoints& base = run.taken<UploadStage>();
    const EditLayers layers = pointLayers(run.recipe->edits.layers);
    const Result* last = run.last<EditStage>();
    const bool isOfThese =
        last && (*last)->from == base.host && bool((*last)->points.device) == bool(base.device);
    std::optional<EditLayers> pending;
    if (isOfThese)
        pending = pendingLayers((*last)->layers, layers);
    if (!base.device)
        requireHostPointsMemory(run, base.host->size());
    return orWithoutKept(run, executionOf(run, base.device != nullptr), [&](const Execution& on) {
        LayerWork work(run, base, pending ? last->get() : nullptr, last ? last->get() : nullptr, on);
        for (const auto& layer : pending ? *pending : layers)
            if (!layer->isHidden)
                work.apply(*layer);
        return work.result(layers);
    });
}

void EditStage::describe(StageTiming& timing, const StageRun&, const Result& edited) {
    timing.backend = edited->points.device ? "cuda" : "cpu";
    timing.bytes = edited->bytes();
    timing.why = edited->note;
    timing.counts = {{"layers", edited->layers.size()}, {"points_removed", edited->removed}};
}

void EditStage::hold(HeldBytes& held, const Result& edited) {
    held.add(edited->points.device != nullptr, edited->bytes());
}

std::shared_ptr<const PointCloud> withEdits(const std::shared_ptr<const PointCloud>& cloud,
                                            const EditLayers& layers, const std::stop_token& stop) {
    Recipe recipe;
    recipe.edits.layers = layers;
    RunTimings timings;
    RunContext context;
    context.recipe = &recipe;
    context.cloud = cloud;
    context.stop = stop;
    context.timings = &timings;
    StageCache cache;
    const StageRun run(std::move(context), cache);
    if (!run.wants(Stage::edit))
        return cloud;
    run.get<UploadStage>();
    return run.get<EditStage>()->cloud;
}

PointPlaces placesOf(const StageRun& run) {
    if (!run.wants(Stage::edit))
        return {run.taken<UploadStage>().host, nullptr, nullptr};
    const EditedPoints& edited = *run.taken<EditStage>();
    return {edited.from, edited.moved, edited.removedRows};
}

std::optional<std::vector<std::uint32_t>> changedRows(const PointPlaces& before, const PointPlaces& now) {
    if (!now.read || before.read != now.read || before.moved != now.moved)
        return std::nullopt;
    std::vector<std::uint32_t> rows;
    if (before.removedRows == now.removedRows)
        return rows;
    const auto wordOf = [](const PointPlaces& places, std::size_t w) {
        return places.removedRows ? places.removedRows->words[w] : 0;
    };
    const std::size_t words = (before.removedRows ? before : now).removedRows->words.size();
    for (std::size_t w = 0; w < words; ++w)
        for (std::uint32_t word = wordOf(before, w) ^ wordOf(now, w); word != 0; word &= word - 1)
            rows.push_back(std::uint32_t(w * 32 + std::size_t(std::countr_zero(word))));
    return rows;
}

const UploadedPoints& pointsOf(const StageRun& run) {
    return run.wants(Stage::edit) ? run.taken<EditStage>()->points : run.taken<UploadStage>();
}

} // namespace scanloupe
