#include "engine/io/cloud_files.h"
#include "engine/io/cloud_rows.h"
#include "engine/io/read_las.h"
#include "engine/io/write_ending.h"

#include <fmt/format.h>

namespace scanloupe {

namespace detail {

void writeTextCloud(std::ostream& stream, const CloudJob& job, char delimiter) {
    std::string head = delimiter == ',' ? "" : "# ";
    head += fmt::format("x{0}y{0}z", delimiter);
    for (const Attribute& attribute : job.cloud.attributes())
        head += delimiter + oneWord(attribute.name);
    stream << head << '\n';
    ProgressMeter meter(job.options.progress, job.cloud.size());
    writePieces(stream, job.cloud.size(), kCloudPiece, meter, job.stop,
                [&](std::string& out, std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i)
                        appendTextRow(out, job.cloud, i, delimiter);
                });
}

void writeSweepCloud(std::ostream& stream, const CloudJob& job) {
    if (coordinateType(job.cloud) != ScalarType::float32 && !(job.cloud.origin() == Vec3d{}))
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
    writeAtomically(target, [&](std::ostream& stream) {
        if (ending == ".ply")
            detail::writePlyCloud(stream, job);
        else if (ending == ".pcd")
            detail::writePcdCloud(stream, job);
        else if (ending == ".las")
            detail::writeLasCloud(stream, job);
        else if (ending == ".laz")
            detail::writeLazCloud(stream, job);
        else if (ending == ".bin")
            detail::writeSweepCloud(stream, job);
        else
            detail::writeTextCloud(stream, job, ending == ".csv" ? ',' : ' ');
    });
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
