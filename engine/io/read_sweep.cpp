#include "engine/io/read_sweep.h"

#include "engine/io/records.h"
#include "engine/io/sweep_columns.h"

#include <bit>

namespace scanloupe {

namespace {
constexpr int kMostColumns = 64;
}

std::shared_ptr<PointCloud> readSweep(const InputFile& file, const ReadOptions& options,
                                      const std::stop_token& stop) {
    if (options.columns != 0 && (options.columns < 3 || options.columns > kMostColumns))
        throw EngineError("a point can't have " + std::to_string(options.columns) + " columns",
                          "Give 3 to 64 columns: 4 for KITTI, 5 for nuScenes.");
    SweepColumns guess{options.columns, true};
    if (options.columns == 0)
        guess = guessSweepColumns(file);
    if (guess.columns == 0)
        throw EngineError(
            "'" + file.name() + "' does not look like a sweep of 32-bit floats",
            "If it is one, say how many floats a point has: --columns 4 for KITTI, 5 for nuScenes.");
    RecordLayout layout;
    layout.swapped = std::endian::native != std::endian::little;
    for (auto& name : sweepColumnNames(file, guess.columns)) {
        Field field;
        field.name = std::move(name);
        layout.fields.push_back(std::move(field));
    }
    const std::uint64_t points = layout.wholeRecords(file, UINT64_MAX);
    if (points == 0)
        throwNothingWhole(file, 1);
    CloudBuilder builder(file, layout.fields, static_cast<std::size_t>(points));
    readRecords(file, layout, builder, options.progress, stop);
    auto cloud = builder.finish(-1, stop);
    cloud->format = "sweep of " + std::to_string(guess.columns) + " float32 columns";
    cloud->sensor = SensorPose{}; // such sweeps are in the sensor's own frame
    if (const auto rest = file.size() - points * layout.recordSize(); rest != 0)
        cloud->warnings.push_back("The file ends within a point: " + std::to_string(points) +
                                  " points are whole and were loaded, " + std::to_string(rest) +
                                  " bytes are left over.");
    if (!guess.sure)
        cloud->warnings.push_back("It is not clear how many floats a point has; " +
                                  std::to_string(guess.columns) +
                                  " were taken. If the picture is wrong, say it: --columns 3, 4, 5 or 6.");
    return cloud;
}

} // namespace scanloupe
