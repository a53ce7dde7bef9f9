// Reads headerless lidar sweeps, such as those of KITTI and nuScenes.
#include "engine/io/kitti_bin/read_kitti_bin.h"

#include "engine/cloud/damage.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/half_float.h"
#include "engine/io/common/records.h"
#include "engine/io/kitti_bin/sweep_columns.h"
#include "kernels/core/parallel.h"
#include "kernels/voxelize/core/voxel_strategy.h"

#include <algorithm>
#include <bit>

namespace scanloupe {

namespace {

constexpr int kMaxFloats = 64;

const char* nameOf(SweepNumberType type) {
    return type == SweepNumberType::float16 ? "float16" : "float32";
}

/// Reads records like readRecords(), and converts them from half to single precision.
void readHalves(const InputFile& file, std::size_t columns, CloudBuilder& builder,
                const ProgressFunction& progress, const std::stop_token& stop) {
    constexpr std::size_t blockNumbers = std::size_t{1} << 16; // halves and floats fit into the cache of a
                                                               // core
    ProgressMeter meter(progress, builder.rows());
    parallelFor(
        builder.rows(), std::max<std::size_t>(1, blockNumbers / columns), stop,
        [&](std::size_t begin, std::size_t end) {
            std::vector<std::uint16_t> halves((end - begin) * columns);
            std::vector<float> values(halves.size());
            file.read(begin * columns * sizeof(std::uint16_t), std::as_writable_bytes(std::span(halves)));
            std::transform(halves.begin(), halves.end(), values.begin(), fromHalf);
            for (std::size_t c = 0; c < columns; ++c)
                copyColumn(reinterpret_cast<const std::byte*>(values.data() + c), columns * sizeof(float),
                           ScalarType::float32, false, builder.targets()[c], begin, end - begin);
            meter.add(end - begin);
        });
}

/// Throws EngineError if the content contradicts the requested columns.
void refuseWrongColumns(const InputFile& file, const SweepLayout& asked) {
    const ColumnsProblem problem = columnsProblem(file, asked);
    if (problem.what.empty())
        return;
    const std::string fitting = std::to_string(problem.fittingColumns);
    throw EngineError("'" + file.name() + "' probably does not have " + std::to_string(asked.columns) +
                          " columns: " + problem.what,
                      (problem.fittingColumns > 0
                           ? "Use --columns " + fitting + ", which fits the file, or omit --columns."
                           : std::string("Omit --columns, or check the file.")) +
                          " To read it with these columns nevertheless, add --force.");
}

} // namespace

std::shared_ptr<const PointCloud> readKittiBin(const InputFile& file, const ReadOptions& options,
                                               const std::stop_token& stop) {
    if (options.columns != 0 && (options.columns < 3 || options.columns > kMaxFloats))
        throw EngineError("the number of columns must be between 3 and " + std::to_string(kMaxFloats) +
                              " (got " + std::to_string(options.columns) + ")",
                          "Use --columns 4 for KITTI, 5 for nuScenes.");
    const SweepLayout sweep = sniffSweep(file, options);
    if (sweep.columns == 0)
        throw EngineError(
            "'" + file.name() + "' does not look like a sweep of 32-bit or 16-bit floats",
            "If it is a sweep, specify its layout: --columns 4 for KITTI, 5 for nuScenes, and --type float16 "
            "or float32, as in: scanloupe-cli convert SWEEP.bin SWEEP.ply --columns 5 --type float16");
    if (options.columns != 0 && !options.force)
        refuseWrongColumns(file, sweep);
    RecordLayout layout;
    layout.swapped = std::endian::native != std::endian::little;
    for (auto& name : sweepColumnNames(file, sweep)) {
        Field field;
        field.name = std::move(name);
        layout.fields.push_back(std::move(field));
    }
    const std::uint64_t points = file.size() / sweep.pointSize();
    if (points == 0)
        throwNothingWhole(file, 1);
    if (options.subsample > 0) {
        if (sweep.type == SweepNumberType::float16 || !RowSubsample::isWorthIt(points, options.subsample))
            return nullptr;
        layout.subsample.emplace(static_cast<std::size_t>(points), options.subsample);
    }
    const bool onDemand = !layout.subsample && sweep.type == SweepNumberType::float32 &&
                          readsOnDemand(options.attributes, attributeBytesOnDemand(layout.fields, points));
    CloudBuilder builder(file, layout.fields,
                         layout.subsample ? layout.subsample->size() : static_cast<std::size_t>(points), 0,
                         onDemand);
    if (sweep.type == SweepNumberType::float16)
        readHalves(file, layout.fields.size(), builder, options.progress, stop);
    else
        readRecords(file, layout, builder, options.progress, stop);
    auto cloud = builder.finish(-1, stop, onDemand ? attributesOfRecords(file, layout, builder) : nullptr);
    cloud->format = "sweep of " + std::to_string(sweep.columns) + " " + nameOf(sweep.type) + " columns";
    cloud->sensor = SensorPose{}; // coordinates of these sweeps are in the frame of the sensor
    if (layout.subsample)
        cloud->subsampledFrom = points;
    if (const auto rest = file.size() - points * sweep.pointSize(); rest != 0 && !layout.subsample) {
        const std::string sentence = "The file ends within a point: " + std::to_string(points) +
                                     " complete points were loaded, " + std::to_string(rest) +
                                     " bytes are left over.";
        if (options.force) // only a warning, since the user insists on these columns
            cloud->warnings.push_back(sentence);
        else
            addDamage(*cloud, sentence);
    }
    if (!sweep.sure)
        cloud->warnings.push_back("The number of floats per point is uncertain; " +
                                  std::to_string(sweep.columns) +
                                  " were assumed. If the scan looks wrong, specify --columns 3, 4, 5 or 6, "
                                  "and --type float16 or float32.");
    return cloud;
}

} // namespace scanloupe
