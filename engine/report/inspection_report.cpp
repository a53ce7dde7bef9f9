// Gathers the contents of a report of an inspection, and draws its pictures.
#include "engine/report/inspection_report.h"

#include "engine/cloud/error.h"
#include "engine/compute/build_info.h"
#include "engine/edit/edit_list.h"
#include "engine/io/common/file_checksum.h"
#include "engine/picture/opening_view.h"
#include "engine/picture/picture_bands.h"
#include "engine/recipe/range_cut.h"
#include "engine/recipe/recipe_file.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <system_error>

namespace scanloupe {

namespace {

ReportFile fileAt(const std::string& path) {
    std::error_code unknown;
    const auto bytes = std::filesystem::file_size(path, unknown);
    return {path, sha256Of(path), unknown ? 0 : std::uint64_t(bytes)};
}

/// Draws pictures of one size.
class Painter {
public:
    Painter(const Snapshot& snapshot, const ReportOptions& options, std::size_t pictures,
            const std::stop_token& stop)
        : m_options(options), m_stop(stop), m_pictures(pictures),
          m_scene(snapshot, lookOf(snapshot), {}, stop) {}

    ReportPicture draw(std::string caption, const Camera& camera) {
        BandOptions how;
        how.samples = 4;
        PictureBands bands(m_scene, camera, m_options.width, m_options.height, how, m_stop);
        ReportPicture picture{std::move(caption), {}};
        picture.image.width = m_options.width;
        picture.image.height = m_options.height;
        Buffer<std::uint32_t>& pixels = picture.image.pixels;
        pixels = Buffer<std::uint32_t>::host(std::size_t(m_options.width) * std::size_t(m_options.height));
        for (std::size_t at = 0; at < pixels.size();) {
            const auto rows = bands.rowsFrom(int(at / std::size_t(m_options.width)));
            std::ranges::copy(rows, pixels.data() + at);
            at += rows.size();
        }
        if (m_options.progress)
            m_options.progress(double(++m_drawn) / double(m_pictures));
        return picture;
    }

private:
    static Recipe lookOf(const Snapshot& snapshot) {
        Recipe look = snapshot.resolved;
        look.show = PictureContent::points;
        look.colourBy = kDeviationAttribute;
        look.edits.selection = {};
        const Vec3d size = *look.voxelSize;
        look.pointExtent = std::max({size.x, size.y, size.z}); // near points touch
        return look;
    }

    const ReportOptions& m_options;
    const std::stop_token& m_stop;
    std::size_t m_pictures, m_drawn = 0;
    PictureScene m_scene;
};

/// From where the reference faces at a region, or the side that `from` looks from, so near that a region and
/// its surroundings fill the picture.
Camera closeUp(Camera from, const DeviationRegion& region, double diagonal) {
    const double size = std::max(3 * norm(region.box.max - region.box.min), diagonal / 50);
    const Vec3d seen = normalized(from.eye - from.target), facing = normalized(region.facing + seen * 0.5);
    const Vec3d way = squaredNorm(region.facing) > 0 && squaredNorm(facing) > 0 ? facing : seen;
    if (squaredNorm(cross(from.up, way)) < 1e-6) // it would look along the picture's up axis
        from.up = std::abs(way.x) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    from.target = region.at;
    from.eye = region.at + way * (size / (2 * std::tan(from.verticalFov / 2)));
    from.orthographicHeight = size;
    return from;
}

} // namespace

InspectionReport inspectionReport(const Snapshot& snapshot, const ReportOptions& options,
                                  const std::stop_token& stop) {
    const std::optional<Inspection> found = inspect(snapshot, stop);
    if (!found || found->figures.points == 0)
        throw EngineError("There are no deviations to report.", "Compare the scan with a model first.");
    InspectionReport report;
    report.scan = fileAt(snapshot.cloud->path);
    if (const auto layer = comparingLayer(snapshot.resolved.edits)) {
        const auto& action = std::get<CompareAction>(snapshot.resolved.edits.layers[*layer]->action);
        report.reference = fileAt(action.reference);
        report.scale = action.scale;
    }
    report.measuredFrom = found->reference;
    report.unit = options.unit;
    report.tolerance = found->tolerance;
    report.requiredShare = options.requiredShare;
    report.figures = found->figures;
    report.without = found->without;
    report.histogram = found->histogram;
    if (found->reference)
        report.warnings = found->reference->warnings;
    if (found->misfit)
        report.warnings.push_back(found->misfit->sentence);
    report.recipe = toJson(snapshot.recipe);
    report.program = versionAndCommit();
    report.date = fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr)));

    ViewSubject subject{gridBounds(snapshot.resolved), snapshot.points->framingSample(), snapshot.origin(),
                        snapshot.cloud.get(), pointCut(snapshot.resolved, snapshot.origin())};
    Recipe view = snapshot.resolved;
    view.imageWidth = std::uint32_t(options.width);
    view.imageHeight = std::uint32_t(options.height);
    const Camera seen = options.camera ? *options.camera
                        : view.camera  ? *view.camera
                                       : openingCamera(view, subject);
    const std::size_t places = std::min(options.mostPlaces, found->figures.worst.size());
    Painter painter(snapshot, options, 4 + places, stop);
    report.pictures.push_back(painter.draw("As it is seen", seen));
    view.camera.reset();
    constexpr std::pair<ViewPreset, const char*> sides[] = {{ViewPreset::top, "From above"},
                                                            {ViewPreset::front, "From the front"},
                                                            {ViewPreset::right, "From the right"}};
    for (const auto& [side, caption] : sides) {
        view.view = side;
        report.pictures.push_back(painter.draw(caption, cameraFor(view, subject)));
    }
    const double diagonal = norm(subject.box.max - subject.box.min);
    for (std::size_t i = 0; i < places; ++i)
        report.pictures.push_back(
            painter.draw(fmt::format("Place {}", i + 1), closeUp(seen, found->figures.worst[i], diagonal)));
    return report;
}

} // namespace scanloupe
