// Reads samples of many files, and merges them.
#include "engine/survey/survey_scan.h"

#include "engine/align/merge_clouds.h"
#include "engine/cloud/damage.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/compute/memory.h"
#include "engine/io/common/progress_meter.h"
#include "engine/io/scan_reader.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <iterator>
#include <mutex>

namespace scanloupe {

namespace {

// Maximum number of points in the first sample of a file, and in the first samples of all files together. The
// first samples are always read.
constexpr std::uint64_t kCoarsest = 2000, kCoarsestOfAll = 500'000;
constexpr std::uint64_t kFiner = 4; // ratio of points between successive samples

/// Distance between evenly spread points as seen from above, metres.
double spacingOf(const Bounds& box, std::uint64_t points) {
    const Vec3d extent = box.max - box.min;
    return std::sqrt(std::max(extent.x * extent.y, 1e-12) / double(points));
}

/// Returns every `stride`-th point, for formats that can't be read in parts.
std::shared_ptr<const PointCloud> everyRow(const PointCloud& cloud, std::size_t stride,
                                           const std::stop_token& stop) {
    const std::size_t rows = (cloud.size() + stride - 1) / stride;
    DoublePositions positions{Buffer<Vec3d>::host(rows)};
    for (std::size_t i = 0; i < rows; ++i)
        positions.xyz[i] = cloud.position(i * stride);
    cloud.loadAll(stop);
    std::vector<Attribute> attributes;
    for (const Attribute& attribute : cloud.attributes()) {
        Attribute& some = attributes.emplace_back();
        some.name = attribute.name;
        some.description = attribute.description;
        some.type = attribute.type;
        some.allocate(rows);
        const std::size_t bytes = sizeOf(attribute.type);
        for (std::size_t i = 0; i < rows; ++i)
            std::memcpy(some.dataToFill() + i * bytes, attribute.values().data.data() + i * stride * bytes,
                        bytes);
    }
    auto thinned = std::make_shared<PointCloud>(std::move(positions), std::move(attributes), stop);
    thinned->warnings = cloud.warnings;
    std::ranges::copy(cloud.loadWarnings(), std::back_inserter(thinned->warnings));
    thinned->coordinateSystem = cloud.coordinateSystem;
    thinned->sensor = cloud.sensor;
    return thinned;
}

} // namespace

SurveyScan::SurveyScan(std::filesystem::path folder, const ProgressFunction& progress,
                       const std::stop_token& stop)
    : m_folder(std::move(folder)), m_list(findScans(std::span(&m_folder, 1), stop)),
      m_files(m_list.scans, {}, 0, progress, stop) {
    const std::vector<SurveyPart>& parts = m_files.parts();
    const std::uint64_t coarsest = std::clamp<std::uint64_t>(kCoarsestOfAll / parts.size(), 20, kCoarsest);
    for (std::size_t file = 0; file < parts.size(); ++file) {
        const SurveyPart& part = parts[file];
        m_points += part.points;
        std::uint32_t parent = DetailNode::kNoParent;
        for (std::uint64_t read = std::min(coarsest, part.points);;) {
            const bool isWhole = read == part.points;
            m_nodes.push_back({part.bounds, isWhole ? 0 : spacingOf(part.bounds, read), read, parent});
            m_shares.push_back({file, read});
            if (isWhole)
                break;
            parent = std::uint32_t(m_nodes.size() - 1);
            // A sample of most of a file costs as much as reading the whole file.
            read = 2 * kFiner * read > part.points ? part.points : kFiner * read;
        }
    }
}

std::shared_ptr<PointCloud> SurveyScan::read(std::span<const Share> shares, const ProgressFunction& progress,
                                             const std::stop_token& stop) const {
    std::vector<PosedCloud> clouds(m_files.parts().size());
    std::mutex mutex; // guards `missing`
    std::vector<std::string> missing;
    ProgressMeter meter(progress, shares.size());
    parallelFor(shares.size(), 1, stop, [&](std::size_t begin, std::size_t end) {
        for (const Share& share : shares.subspan(begin, end - begin)) {
            const std::filesystem::path& path = m_files.paths()[share.file];
            try {
                std::shared_ptr<const PointCloud> cloud;
                const bool isSample = share.points < m_files.parts()[share.file].points;
                if (isSample)
                    cloud = readScanSubsample(path, std::size_t(share.points), {}, stop);
                if (!cloud) // the whole file is wanted, or its format can't be read in parts
                    cloud = readScan(path, {}, stop);
                const std::size_t most = std::size_t(share.points);
                if (const std::size_t stride = (cloud->size() + most - 1) / most; isSample && stride > 1)
                    cloud = everyRow(*cloud, stride, stop);
                clouds[share.file].cloud = std::move(cloud);
            } catch (const HostMemoryShort&) {
                throw;
            } catch (const EngineError& error) {
                const std::lock_guard lock(mutex);
                missing.push_back(
                    fmt::format("'{}' was left out: {}", path.filename().string(), error.what()));
            }
            meter.add(1);
        }
    });
    auto merged = std::make_shared<PointCloud>(mergeClouds(clouds, {}, stop, UnknownSensors::stayUnknown));
    merged->path = m_folder.string();
    merged->format = fmt::format("survey of {} files", m_files.parts().size());
    for (const Share& share : shares)
        if (const auto& cloud = clouds[share.file].cloud)
            for (const std::string& warning : cloud->warnings)
                merged->warnings.push_back(
                    warningOfFile(m_files.paths()[share.file].filename().string(), warning));
    std::ranges::sort(missing);
    for (const std::string& sentence : missing)
        addDamage(*merged, sentence);
    for (const RefusedFile& file : m_files.refused())
        addDamage(*merged, fmt::format("'{}' was left out: {}", file.name, file.why));
    for (const LeftOut& file : m_list.leftOut) {
        if (!file.isNoScan)
            addDamage(*merged, file.why);
        else if (endsLikeAScan(file.path))
            merged->warnings.push_back(file.why);
    }
    return merged;
}

std::shared_ptr<const PointCloud> SurveyScan::sample(std::uint64_t points, const ProgressFunction& progress,
                                                     const std::stop_token& stop) const {
    std::vector<Share> shares;
    for (std::size_t file = 0; file < m_files.parts().size(); ++file) {
        const std::uint64_t all = m_files.parts()[file].points;
        const double share = double(points) * double(all) / double(m_points);
        shares.push_back({file, std::clamp<std::uint64_t>(std::uint64_t(share), 1, all)});
    }
    auto cloud = read(shares, progress, stop);
    if (points < m_points) // if all points were requested, only those of damaged files are missing
        cloud->subsampledFrom = std::max<std::uint64_t>(m_points, cloud->size());
    return cloud;
}

std::shared_ptr<const PointCloud> SurveyScan::ofView(const ViewDetail& view, const ProgressFunction& progress,
                                                     const std::stop_token& stop) const {
    const ViewNodes chosen = nodesForView(m_nodes, view);
    std::vector<Share> shares;
    for (const std::size_t node : chosen.nodes)
        shares.push_back(m_shares[node]);
    if (shares.empty())
        throw EngineError(fmt::format("No scan of the survey '{}' intersects the range.", m_folder.string()),
                          "Choose a range that overlaps the survey.");
    auto cloud = read(shares, progress, stop);
    if (!chosen.isWhole) {
        cloud->subsampledFrom = std::max<std::uint64_t>(m_points, cloud->size());
        cloud->isChosenForView = true;
        cloud->viewSpacing = chosen.spacing;
    }
    return cloud;
}

} // namespace scanloupe
