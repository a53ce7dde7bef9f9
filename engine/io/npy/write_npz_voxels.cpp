// Writes voxels as an archive of NumPy arrays, a format for object detectors.
#include "engine/cloud/error.h"
#include "engine/io/common/write/voxel_points.h"
#include "engine/io/common/write/write_pieces.h"
#include "engine/io/npy/half_means.h"
#include "engine/io/npy/npz_archive.h"
#include "engine/io/npy/write_npy.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <optional>

namespace scanloupe::detail {

namespace {

/// Rows or points per piece: a few milliseconds of work.
constexpr std::size_t kWriteNpzVoxelsGrain = std::size_t{1} << 13;

/// Adds an array that is written in pieces. @param count number of units, such as rows, that `make` appends
/// by range
void addPieces(NpzArchive& archive, const VoxelJob& job, const std::string& name, const NpyType& type,
               const std::vector<std::size_t>& shape, std::size_t count, const MakePiece& make) {
    archive.add(name, type, shape, [&](std::ostream& stream) {
        ProgressMeter meter(job.options.progress, count);
        writePieces(stream, count, kWriteNpzVoxelsGrain, meter, job.stop, make);
    });
}

/// Appends one row of an array.
using AppendRow = std::function<void(std::string& out, std::size_t row)>;

void addRows(NpzArchive& archive, const VoxelJob& job, const std::string& name, const NpyType& type,
             std::vector<std::size_t> columns, const AppendRow& append) {
    std::vector<std::size_t> shape{job.rows.size()};
    shape.insert(shape.end(), columns.begin(), columns.end());
    addPieces(archive, job, name, type, shape, job.rows.size(),
              [&](std::string& out, std::size_t begin, std::size_t end) {
                  for (std::size_t row = begin; row < end; ++row)
                      append(out, row);
              });
}

void appendNumberAs(std::string& out, ScalarType type, double value) {
    if (type == ScalarType::float64)
        appendRaw(out, value);
    else
        appendRaw(out, static_cast<float>(value));
}

void addCoordinates(NpzArchive& archive, const VoxelJob& job) {
    const std::optional<std::int32_t> batch = job.options.arrays.batch;
    addRows(archive, job, "coordinates", ScalarType::int32, {batch ? 4u : 3u},
            [&](std::string& out, std::size_t row) {
                if (batch)
                    appendRaw(out, *batch);
                const Vec3i cell = job.rows.cell(row);
                for (const std::int32_t index : {cell.z, cell.y, cell.x})
                    appendRaw(out, index);
            });
}

void addCounts(NpzArchive& archive, const VoxelJob& job) {
    constexpr auto most = std::uint32_t(std::numeric_limits<std::int32_t>::max());
    addRows(archive, job, "counts", ScalarType::int32, {}, [&](std::string& out, std::size_t row) {
        if (job.rows.count(row) > most)
            throw EngineError(fmt::format("a voxel has {} points, but NPZ stores counts up to 2147483647",
                                          job.rows.count(row)),
                              "Write .npy or .csv, or choose a smaller voxel size.");
        appendRaw(out, static_cast<std::int32_t>(job.rows.count(row)));
    });
}

void addMeans(NpzArchive& archive, const VoxelJob& job, const std::vector<std::string>& names) {
    const VoxelRows& rows = job.rows;
    const std::size_t channels = rows.means();
    bool isDouble = false;
    for (std::size_t c = 0; c < channels; ++c)
        isDouble = isDouble || rows.isDouble(c);
    const ScalarType type = isDouble ? ScalarType::float64 : ScalarType::float32;
    const bool isHalf = job.options.arrays.halfMeans;
    addRows(archive, job, "means", isHalf ? NpyType::half() : NpyType(type), {channels},
            [&](std::string& out, std::size_t row) {
                if (isHalf)
                    return appendHalfMeans(out, job, row);
                for (std::size_t c = 0; c < channels; ++c)
                    appendNumberAs(out, type, rows.value(c, row));
            });
    archive.add("mean_columns",
                std::vector<std::string>(names.begin(), names.begin() + std::ptrdiff_t(channels)));
}

void addClasses(NpzArchive& archive, const VoxelJob& job, const std::vector<std::string>& names) {
    const VoxelRows& rows = job.rows;
    const std::size_t means = rows.means(), classes = rows.channels() - means;
    if (classes == 0)
        return;
    addRows(archive, job, "classes", ScalarType::float64, {classes}, [&](std::string& out, std::size_t row) {
        for (std::size_t c = 0; c < classes; ++c)
            appendRaw(out, rows.classValue(c, row));
    });
    archive.add("class_columns",
                std::vector<std::string>(names.begin() + std::ptrdiff_t(means), names.end()));
}

void addPoints(NpzArchive& archive, const VoxelJob& job, const VoxelPoints& points) {
    const std::size_t columns = points.columns();
    const ScalarType type = points.needDouble() ? ScalarType::float64 : ScalarType::float32;
    // the units are single points, since a row of points may be larger than the memory
    addPieces(archive, job, "points", type, {job.rows.size(), points.most, columns},
              job.rows.size() * points.most, [&](std::string& out, std::size_t begin, std::size_t end) {
                  while (begin < end) {
                      const std::size_t first = begin % points.most,
                                        last = std::min<std::size_t>(points.most, first + (end - begin));
                      const auto own = points.of(job.rows.voxel(begin / points.most));
                      const std::size_t there = std::clamp(own.size(), first, last);
                      for (std::size_t k = first; k < there; ++k)
                          for (std::size_t c = 0; c < columns; ++c)
                              appendNumberAs(out, type, points.value(own[k], c));
                      out.append((last - there) * columns * sizeOf(type), '\0');
                      begin += last - first;
                  }
              });
    archive.add("point_columns", points.names());
}

} // namespace

void writeNpzVoxels(std::ostream& stream, const VoxelJob& job) {
    NpzArchive archive(stream);
    const std::vector<std::string> names =
        job.rows.names([](const std::string& name) { return name.empty() ? "unnamed" : name; });
    addCoordinates(archive, job);
    addCounts(archive, job);
    addMeans(archive, job, names);
    addClasses(archive, job, names);
    if (job.options.voxelPoints)
        addPoints(archive, job, *job.options.voxelPoints);
    const GridShape& shape = job.shape;
    const Vec3d origin = toFileFrame(shape.origin, job.options.origin);
    archive.add("origin", ScalarType::float64, std::vector<double>{origin.x, origin.y, origin.z});
    archive.add("voxel_size", ScalarType::float32,
                std::vector<float>{shape.voxelSize.x, shape.voxelSize.y, shape.voxelSize.z});
    archive.add("grid_shape", ScalarType::int32,
                std::vector<std::int32_t>{shape.dims.z, shape.dims.y, shape.dims.x});
    archive.add("order", std::string(job.options.voxelOrder.empty() ? "key" : "first-point"));
    archive.finish();
}

} // namespace scanloupe::detail
