// Runs the stages from upload to surface extraction, on the device if its memory allows, else on the host.
#include "engine/pipeline/chain.h"

#include "engine/pipeline/coordinate_text.h"
#include "engine/pipeline/forecast.h"
#include "engine/pipeline/memoized.h"
#include "kernels/core/parallel.h"
#include "kernels/field/voxel_values.h"
#include "kernels/voxelize/voxelize_pieces.h"

#include <algorithm>
#include <fmt/format.h>

namespace scanloupe {

namespace {

/// Points a piece of clouds that don't fit into device memory: uploads of 64 MB and more reach the bandwidth
/// of the bus, and two pieces take little memory.
constexpr std::size_t kPieceSize = std::size_t{1} << 22;

/// Whether the points and the workspace of voxelization fit on the device, for the largest possible number of
/// voxels. A limit of points a voxel needs the radix sort, which can't work in pieces and is always tried.
bool pointsFitDevice(const RunContext& run, const KernelPoints& points) {
    const std::uint64_t free =
        run.deviceMemoryLimit > 0 ? run.deviceMemoryLimit : cuda::probeDevice().freeBytes;
    std::uint64_t bytes = points.positions.bytes() + points.positions.size() * sizeof(std::uint32_t);
    for (const FeatureView& feature : points.features)
        bytes += points.positions.size() *
                 (feature.type == FeatureView::Type::float32 ? sizeof(float) : sizeof(double));
    bytes += points.codes.size() * points.positions.size() * sizeof(std::uint32_t);
    const Recipe& recipe = *run.recipe;
    const bool sorts = recipe.maxPointsPerVoxel > 0 || recipe.voxelStrategy == VoxelizeStrategy::radixSort;
    if (sorts)
        bytes += points.positions.size() * 40; // keys, order and their copies, ranks, starts
    const Vec3d extent = *recipe.rangeMax - *recipe.rangeMin, size = *recipe.voxelSize;
    const double cells = (extent.x / size.x + 1) * (extent.y / size.y + 1) * (extent.z / size.z + 1);
    const std::size_t perVoxel = 80 + (3 + points.features.size()) * 12 + // sums, keys, counts, means
                                 points.codes.size() * sizeof(std::uint32_t);
    bytes += static_cast<std::uint64_t>(std::min(double(points.positions.size()), cells) * double(perVoxel));
    bytes += static_cast<std::uint64_t>(std::min(cells, 3e8) * 0.4); // bits and ranks
    return bytes <= free || recipe.maxPointsPerVoxel > 0;
}

/// Computes by `device` if that is possible and its memory suffices, else by `host`.
template <class Device, class Host>
auto preferDevice(const RunContext& run, bool canDevice, Device&& device, Host&& host)
    -> DeviceOrHost<decltype(host())> {
    if (canDevice) {
        try {
            return {device(), run.stream};
        } catch (const DeviceMemoryShort&) {
            // the host usually has more; if not, its own check reports what to do
        }
    }
    return DeviceOrHost(host());
}

/// Fills in the backend of a result, its device time, and why the device was not used.
template <class T>
void describePlace(StageTiming& timing, const RunContext& run, const DeviceOrHost<T>& result) {
    timing.backend = result.onDevice() ? "cuda" : "cpu";
    if (result.onDevice() && !timing.reused)
        timing.deviceMs = result->cost.deviceMs;
    if (run.stream && !result.onDevice())
        timing.why = "the device has too little memory";
}

/// Computes the most frequent class of each voxel (mode) for a grid on the device: there if the points'
/// classes are on the device and its memory suffices to sort them, as part of the grid's device time; else on
/// the host, followed by a copy. Synchronizes at the end, so that the time is not counted to the next stage.
void addModesOnDevice(const RunContext& run, const KernelPoints& host, const KernelPoints* device,
                      VoxelGrid& grid) {
    const std::size_t count = grid.pointVoxel.size(), voxels = grid.size();
    if (device) {
        try {
            EventTimer timer(*run.stream);
            grid.modes = cuda::mostFrequent({grid.pointVoxel.data(), count, voxels}, device->categoryViews(),
                                            run.stop, *run.stream);
            timer.stop();
            grid.cost.deviceMs += timer.elapsedMs(); // waits for the kernels
            return;
        } catch (const DeviceMemoryShort&) {
            // the host usually has more
        }
    }
    const auto pointVoxel = grid.pointVoxel.copyTo(MemorySpace::host, *run.stream);
    const auto modes = cpu::mostFrequent({pointVoxel.data(), count, voxels}, host.categoryViews(), run.stop);
    grid.modes = modes.copyTo(MemorySpace::device, *run.stream);
    run.stream->view().synchronize(); // the copy reads pageable memory that is freed here
}

Vec3d origin(const RunContext& run) {
    return run.cloud->origin();
}

void noPointsInRange(const RunContext& run) {
    const Bounds& bounds = run.cloud->bounds();
    const Bounds range{*run.recipe->rangeMin, *run.recipe->rangeMax};
    throw EngineError(fmt::format("No point of the scan lies in the range {}.", coordinateText(range)),
                      fmt::format("The scan reaches from {}: take a range that meets it, or have it chosen "
                                  "from the scan (--range=auto).",
                                  coordinateText(bounds)));
}

void oneVoxelOnly(const RunContext& run, std::uint64_t points) {
    const Bounds& bounds = run.cloud->bounds();
    const Vec3d extent = bounds.max - bounds.min;
    const double longest = std::max({extent.x, extent.y, extent.z});
    const std::string what = fmt::format("All {} points in range fall into one voxel.", points);
    if (!(longest > 0))
        throw EngineError(what, "They all lie at the same place, so there is no surface: take another scan.");
    throw EngineError(
        what, fmt::format("Take a smaller voxel size (--voxel-size), such as {:.2g} m.", longest / 100));
}

} // namespace

std::shared_ptr<const KernelPoints> Chain::upload(const RunContext& run) {
    const auto compute = [&] {
        auto host = std::make_shared<const KernelPoints>(uploadToHost(*run.cloud, m_stride, run.stop));
        m_device.reset();
        if (run.stream)
            run.stream->view().synchronize(); // the freed memory is available afterwards
        if (run.stream && pointsFitDevice(run, *host)) {
            try {
                m_device = std::make_shared<const KernelPoints>(uploadToDevice(*host, *run.stream));
            } catch (const DeviceMemoryShort&) {
                // voxelize() copies them in pieces
            }
            run.stream->view().synchronize();
        }
        return host;
    };
    return memoized(run, "upload", m_upload, run.cloud, compute,
                    [&](StageTiming& timing, const std::shared_ptr<const KernelPoints>& points) {
                        const KernelPoints& p = *points;
                        timing.backend = m_device ? "cuda" : "cpu";
                        timing.bytes = p.bytes() + (m_device ? m_device->bytes() : 0);
                        timing.counts = {{"points", p.positions.size()},
                                         {"attributes", p.features.size() + p.categories.size()}};
                    });
}

VoxelizeParams Chain::voxelizeParams(const RunContext& run) const {
    const Recipe& recipe = *run.recipe;
    VoxelizeParams params;
    params.rangeMin = (*recipe.rangeMin - origin(run)).as<float>();
    params.rangeMax = (*recipe.rangeMax - origin(run)).as<float>();
    params.voxelSize = (*recipe.voxelSize * m_coarsening).as<float>();
    params.maxVoxels = recipe.maxVoxels;
    params.maxPointsPerVoxel = recipe.maxPointsPerVoxel;
    params.strategy = recipe.voxelStrategy;
    return params;
}

DeviceOrHost<VoxelGrid> Chain::computeVoxels(const RunContext& run, const VoxelizeParams& params) {
    const KernelPoints& points = *m_upload.value;
    forgetScene(); // its colours are those of the old voxels
    requireVoxelizeMemory(run, points, params);
    const bool hasClasses = !points.categories.empty();
    const auto onDevice = [&] {
        VoxelGrid grid = m_device ? cuda::voxelize(m_device->view(), params, run.stop, *run.stream)
                                  : cuda::voxelizeInPieces(points.view(), params, kPieceSize, run.stop,
                                                           *run.stream, nullptr);
        if (hasClasses)
            addModesOnDevice(run, points, m_device.get(), grid);
        return grid;
    };
    const auto onCpu = [&] {
        VoxelGrid grid = cpu::voxelize(points.view(), params, run.stop);
        if (hasClasses)
            grid.modes = cpu::mostFrequent({grid.pointVoxel.data(), grid.pointVoxel.size(), grid.size()},
                                           points.categoryViews(), run.stop);
        return grid;
    };
    DeviceOrHost<VoxelGrid> voxels = preferDevice(run, run.stream != nullptr, onDevice, onCpu);
    if (voxels->stats.pointsInRange == 0)
        noPointsInRange(run);
    if (voxels->size() == 1 && voxels->stats.pointsInRange > 1 && voxels->stats.voxelsDropped == 0)
        oneVoxelOnly(run, voxels->stats.pointsInRange);
    return voxels;
}

DeviceOrHost<VoxelGrid> Chain::voxelize(const RunContext& run) {
    const VoxelizeParams params = voxelizeParams(run);
    if (m_voxels.value && m_voxels.value->pointVoxel.size() != m_upload.value->positions.size())
        m_voxels = {};
    return memoized(
        run, "voxelize", m_voxels, params, [&] { return computeVoxels(run, params); },
        [&](StageTiming& timing, const DeviceOrHost<VoxelGrid>& voxels) {
            const VoxelStats& stats = voxels->stats;
            timing.why = voxels->strategy.why;
            describePlace(timing, run, voxels);
            timing.method = name(voxels->strategy.strategy);
            timing.bytes = voxels->bytes();
            timing.counts = {{"voxels", voxels->size()},
                             {"points_in_range", stats.pointsInRange},
                             {"points_outside", stats.pointsOutside},
                             {"points_not_finite", stats.pointsNotFinite},
                             {"voxels_dropped", stats.voxelsDropped},
                             {"points_dropped", stats.pointsDroppedWithVoxels + stats.pointsDroppedInVoxels}};
        });
}

Chain::FieldKey Chain::fieldKey(const RunContext& run) const {
    if (run.volume)
        return {run.volume, FieldKind::volume, 0, {}};
    const FieldKind kind = *run.recipe->field;
    return {m_voxels.value.identity(), kind, float(*run.recipe->radius * m_coarsening),
            kind == FieldKind::signedDistance ? run.recipe->sensor : std::nullopt};
}

FieldParams Chain::fieldParams(const RunContext& run) const {
    const KernelPoints& points = *m_upload.value;
    const FieldKey key = fieldKey(run);
    FieldParams params{key.kind, key.radius, {}};
    const auto offsets = [&](int channel) {
        const auto at = [&](int c) { return float(points.channels[std::size_t(channel - 3 + c)].offset); };
        return Vec3f{at(0), at(1), at(2)};
    };
    // channels of a vector are consecutive only if all three attributes exist
    const auto tripleChannel = [&](const char* x, const char* y, const char* z) {
        const int first = points.channelOf(x);
        return first >= 0 && points.channelOf(y) == first + 1 && points.channelOf(z) == first + 2 ? first
                                                                                                  : -1;
    };
    NormalSource& normals = params.normals;
    normals.normalChannel = tripleChannel("normal_x", "normal_y", "normal_z");
    if (normals.normalChannel >= 0)
        normals.normalOffset = offsets(normals.normalChannel);
    normals.sensorChannel = tripleChannel("sensor_x", "sensor_y", "sensor_z");
    if (normals.sensorChannel >= 0)
        normals.sensorOffset = offsets(normals.sensorChannel) - origin(run).as<float>();
    if (key.sensor)
        normals.sensor = (*key.sensor - origin(run)).as<float>();
    return params;
}

DeviceOrHost<ScalarField> Chain::computeField(const RunContext& run) {
    if (run.volume) {
        const std::span<const float> values = run.volume->values.span();
        const LatticeShape& lattice = run.volume->lattice;
        constexpr bool clampBorder = true, insideBelow = false; // the border makes as many cells as samples
        return preferDevice(
            run, run.stream != nullptr,
            [&] {
                return cuda::volumeField(values, lattice, clampBorder, insideBelow, run.stop, *run.stream);
            },
            [&] { return cpu::volumeField(values, lattice, clampBorder, insideBelow, run.stop); });
    }
    const FieldParams params = fieldParams(run);
    return preferDevice(
        run, m_voxels.value.onDevice(),
        [&] { return cuda::computeField(m_voxels.value.device(), params, run.stop, *run.stream); },
        [&] {
            const VoxelGrid& voxels = onHost(run, m_voxels.value);
            requireFieldMemory(run, voxels, cpu::countBricks(voxels, params, run.stop));
            return cpu::computeField(voxels, params, run.stop);
        });
}

DeviceOrHost<ScalarField> Chain::field(const RunContext& run) {
    if (run.stream && m_field.value && m_field.key != fieldKey(run)) {
        // releases device memory of all results of the previous field before the next one is computed
        dropSceneOf(m_surface.identity());
        m_mesh = {};
        m_clean = {};
        m_surface = {};
        m_vertexDistances = {};
        m_topology = {};
        m_triangleTree = {};
        m_quality = {};
    }
    return memoized(
        run, "field", m_field, fieldKey(run),
        [&] {
            m_densityIso.reset();
            return computeField(run);
        },
        [&](StageTiming& timing, const DeviceOrHost<ScalarField>& field) {
            describePlace(timing, run, field);
            timing.bytes = field->bytes();
            timing.counts = {{"bricks", field->brickCount()}, {"normals_guessed", field->normalsGuessed}};
        });
}

bool Chain::isFresh(const RunContext& run) const {
    if (run.volume)
        return m_field.value && m_field.key == fieldKey(run);
    return m_upload.value && m_upload.key == run.cloud && m_voxels.value &&
           m_voxels.key == voxelizeParams(run) && m_field.value && m_field.key == fieldKey(run);
}

double Chain::computeDensityIso(const RunContext& run) {
    constexpr std::size_t sample = 1 << 14; // voxels; their mean has an error of a few per cent
    const DeviceOrHost<VoxelGrid>& voxels = m_voxels.value;
    const std::size_t stride = chunkCount(voxels->size(), std::min(voxels->size(), sample));
    const Buffer<float> values =
        m_field.value.onDevice()
            ? cuda::valuesAtVoxels(m_field.value.device(), voxels.device(), stride, *run.stream)
                  .copyTo(MemorySpace::host, *run.stream)
            : cpu::valuesAtVoxels(onHost(run, m_field.value), onHost(run, voxels), stride, run.stop);
    double sum = 0;
    for (const float value : values.span())
        sum += double(value);
    // a third of the mean density of occupied voxels: most voxels are inside, stray points are not
    return sum / double(values.size()) / 3;
}

double Chain::isoFor(const RunContext& run) {
    if (run.recipe->iso)
        return *run.recipe->iso;
    const DeviceOrHost<ScalarField>& field = m_field.value;
    switch (field->kind) {
    case FieldKind::occupancy:
        return 0.5;
    case FieldKind::signedDistance:
        return 0;
    case FieldKind::volume:
        return 0.5 * (double(field->minValue) + double(field->maxValue));
    case FieldKind::density:
        break;
    }
    if (!m_densityIso)
        m_densityIso = computeDensityIso(run);
    return *m_densityIso;
}

DeviceOrHost<TriangleMesh> Chain::computeSurface(const RunContext& run, float iso) {
    dropSceneOf(m_surface.identity());
    return preferDevice(
        run, m_field.value.onDevice(),
        [&] { return cuda::extractSurface(m_field.value.device(), iso, run.stop, *run.stream); },
        [&] {
            const ScalarField& field = onHost(run, m_field.value);
            requireExtractMemory(run, field);
            return cpu::extractSurface(field, iso, run.stop);
        });
}

DeviceOrHost<TriangleMesh> Chain::extract(const RunContext& run, double iso) {
    const ExtractKey key{m_field.value, float(iso)};
    m_surface = memoized(
        run, "extract", m_mesh, key, [&] { return computeSurface(run, key.iso); },
        [&](StageTiming& timing, const DeviceOrHost<TriangleMesh>& mesh) {
            describePlace(timing, run, mesh);
            timing.bytes = mesh->bytes();
            timing.counts = {{"active_cells", mesh->activeCells},
                             {"vertices", mesh->vertexCount()},
                             {"triangles", mesh->triangleCount()},
                             {"zero_area_triangles", mesh->zeroAreaTriangles}};
            if (!timing.reused)
                timing.steps = {{"classify", mesh->classifyMs},
                                {"scan", mesh->scanMs},
                                {"compact", mesh->compactMs},
                                {"generate", mesh->generateMs}};
        });
    return m_surface;
}

} // namespace scanloupe
