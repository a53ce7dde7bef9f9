// Writes clouds as text and as KITTI sweeps, and selects the writer by the file's ending.
#include "engine/io/cloud_rows.h"
#include "engine/io/cloud_writers.h"
#include "engine/io/column_names.h"
#include "engine/io/read_las.h"
#include "engine/io/write_ending.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace scanloupe {

namespace detail {

void writeTextCloud(std::ostream& stream, const CloudJob& job, char delimiter) {
    std::string header = delimiter == ',' ? "" : "# ";
    header += fmt::format("x{0}y{0}z", delimiter);
    std::vector<std::string> names;
    for (const Attribute& attribute : job.cloud.attributes())
        names.push_back(attribute.name);
    for (const std::string& name : attributeColumnNames(names))
        header += delimiter + name;
    stream << header << '\n';
    ProgressMeter meter(job.options.progress, job.cloud.size());
    writePieces(stream, job.cloud.size(), kCloudPiece, meter, job.stop,
                [&](std::string& out, std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i)
                        appendTextRow(out, job.cloud, i, delimiter);
                });
}

namespace {

/// Whether single precision would spoil the coordinates: it rounds them by more than a millimetre, or by more
/// than a thousandth of the cloud's size. An origin alone is no sign of it: small clouds have one for less.
bool needsDouble(const PointCloud& cloud) {
    if (coordinateType(cloud) == ScalarType::float32)
        return false;
    constexpr double halfStep = 1.0 / (1 << 24); // of single precision, relative
    const Vec3d origin = cloud.origin(), size = cloud.bounds().max - cloud.bounds().min;
    const double loss = halfStep * std::max({std::abs(origin.x), std::abs(origin.y), std::abs(origin.z)});
    return loss > std::min(1e-3, 1e-3 * std::max({size.x, size.y, size.z}));
}

} // namespace

void writeKittiBinCloud(std::ostream& stream, const CloudJob& job) {
    if (needsDouble(job.cloud))
        throw EngineError(
            "a .bin sweep has single precision only, which would spoil coordinates as large as these",
            "Write the cloud as .ply, .pcd or .csv.");
    const Attribute* intensity = job.cloud.attribute("intensity");
    ProgressMeter meter(job.options.progress, job.cloud.size());
    writePieces(stream, job.cloud.size(), kCloudPiece, meter, job.stop,
                [&](std::string& out, std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i) {
                        appendRaw(out, job.cloud.position(i).as<float>());
                        appendRaw(out, intensity ? static_cast<float>(intensity->value(i)) : 0.0f);
                    }
                });
}

} // namespace detail

void writeCloud(const std::filesystem::path& target, const PointCloud& cloud, const WriteOptions& options,
                const std::stop_token& stop) {
    const std::string ending = requireEnding(target, cloudEndings(), "a cloud");
    const detail::CloudJob job{cloud, options, stop};
    const auto write = [&](std::ostream& stream) {
        if (ending == ".ply")
            detail::writePlyCloud(stream, job);
        else if (ending == ".pcd")
            detail::writePcdCloud(stream, job);
        else if (ending == ".las")
            detail::writeLasCloud(stream, job);
        else if (ending == ".laz")
            detail::writeLazCloud(stream, job);
        else if (ending == ".bin")
            detail::writeKittiBinCloud(stream, job);
        else
            detail::writeTextCloud(stream, job, ending == ".csv" ? ',' : ' ');
    };
    writeAtomically(target, write, stop);
}

const std::vector<std::string>& cloudEndings() {
    static const std::vector<std::string> endings = [] {
        std::vector<std::string> all = {".ply", ".pcd", ".las", ".csv", ".xyz", ".txt", ".bin"};
        if (haveLaszip())
            all.insert(all.begin() + 3, ".laz");
        return all;
    }();
    return endings;
}

} // namespace scanloupe
