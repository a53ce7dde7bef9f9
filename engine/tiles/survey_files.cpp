// Reads the files of a survey.
#include "engine/tiles/survey_files.h"

#include "engine/io/common/input_file.h"
#include "engine/io/las/las_header.h"
#include "engine/io/las/read_las.h"
#include "engine/io/scan_reader.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace scanloupe {

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20; // points that are handed on at once: 24 MB

ReadOptions coordinatesAlone() {
    ReadOptions options;
    options.attributes = AttributeReading::onDemand;
    return options;
}

bool isBox(const Bounds& box) {
    return isFinite(box.min) && isFinite(box.max) && min(box.min, box.max) == box.min;
}

/// What the header of a LAS file tells, with the slack that writers round their box by.
std::optional<SurveyPart> partByHeader(const InputFile& file) {
    if (!beginsLas(file.head(4)))
        return std::nullopt;
    const LasHeader header = readLasHeader(file);
    SurveyPart part;
    part.points = header.points;
    for (int axis = 0; axis < 3; ++axis) {
        const double slack = 2 * std::abs(header.scale[axis]);
        part.bounds.min[axis] = header.min[axis] - slack;
        part.bounds.max[axis] = header.max[axis] + slack;
    }
    return isBox(part.bounds) ? std::optional(part) : std::nullopt;
}

} // namespace

SurveyFiles::SurveyFiles(const std::vector<std::filesystem::path>& files, const ProgressFunction& progress,
                         const std::stop_token& stop) {
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (progress)
            progress(double(i) / double(files.size()));
        const std::filesystem::path& path = files[i];
        const std::string name = path.filename().string();
        try {
            SurveyPart part;
            const InputFile file(path);
            if (const auto told = partByHeader(file)) {
                part = *told;
            } else {
                const auto cloud = readScan(path, coordinatesAlone(), stop);
                part.points = cloud->size();
                part.bounds = cloud->bounds();
                m_bytesReadBefore += file.size();
            }
            part.name = name;
            part.bytes = file.size();
            if (part.points == 0)
                continue;
            m_parts.push_back(part);
            m_paths.push_back(path);
        } catch (const Error& error) {
            m_refused.push_back({name, error.what()});
        }
    }
    if (m_parts.empty())
        throw EngineError(m_refused.empty()
                              ? "The survey has no points."
                              : fmt::format("No file of the survey can be read: {}", m_refused.front().why),
                          "Name the folder or the files with its scans.");
}

std::vector<std::string> SurveyFiles::read(std::size_t part, const Use& use,
                                           const std::stop_token& stop) const {
    const auto cloud = readScan(m_paths[part], coordinatesAlone(), stop);
    std::vector<Vec3d> piece(std::min(cloud->size(), kPiece));
    for (std::size_t first = 0; first < cloud->size(); first += kPiece) {
        const std::size_t count = std::min(kPiece, cloud->size() - first);
        parallelFor(count, 1 << 14, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                piece[i] = cloud->position(first + i);
        });
        use(std::span<const Vec3d>(piece).first(count));
    }
    return cloud->warnings;
}

} // namespace scanloupe
