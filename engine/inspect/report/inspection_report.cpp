// Collects the contents of a report of an inspection, and draws its pictures.
#include "engine/inspect/report/inspection_report.h"

#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/compute/build_info.h"
#include "engine/edit/edit_list.h"
#include "engine/inspect/reference.h"
#include "engine/inspect/report/place_view.h"
#include "engine/io/common/file_checksum.h"
#include "engine/io/common/view_detail.h"
#include "engine/io/synth/synthetic_cloud.h"
#include "engine/picture/opening_view.h"
#include "engine/picture/picture_bands.h"
#include "engine/recipe/range_cut.h"
#include "engine/recipe/recipe.h"
#include "engine/recipe/recipe_file.h"
#include "engine/results/kernel_points.h"

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

/// Draws all pictures of a report at one size.
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
        look.pointExtent = std::max({size.x, size.y, size.z}); // the squares of neighbouring points touch
        return look;
    }

    const ReportOptions& m_options;
    const std::stop_token& m_stop;
    std::size_t m_pictures, m_drawn = 0;
    PictureScene m_scene;
};

/// Draws a ring around the visible part of a region.
void mark(Image& image, const PlaceView& view) {
    constexpr std::uint32_t light = 0xffffffffu, dark = 0xff202020u; // visible on any colour
    const double height = image.height, line = std::max(2.0, height / 200);
    const double x0 = 0.5 * image.width + view.x * height, y0 = 0.5 * height + view.y * height;
    const double radius = std::clamp(view.radius * height + 4 * line, 0.03 * height, 0.48 * height);
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const double away = std::abs(std::hypot(x + 0.5 - x0, y + 0.5 - y0) - radius) / line;
            if (away < 1)
                image.pixels[std::size_t(y) * std::size_t(image.width) + std::size_t(x)] =
                    away < 0.5 ? light : dark;
        }
}

} // namespace

InspectionReport inspectionReport(const Snapshot& snapshot, const ReportOptions& options,
                                  const std::stop_token& stop) {
    const std::optional<Inspection> found = inspect(snapshot, stop);
    if (!found || found->figures.points == 0)
        throw EngineError("The scan has no deviations to report.", "Compare the scan with a model first.");
    InspectionReport report;
    report.scan = fileAt(snapshot.cloud->path);
    if (snapshot.cloud->generated)
        report.scan.path = describe(*snapshot.cloud->generated);
    if (const auto layer = comparingLayer(snapshot.resolved->edits)) {
        const auto& action = std::get<CompareAction>(snapshot.resolved->edits.layers[*layer]->action);
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
    const std::size_t places = std::min(options.maxPlaces, found->figures.worst.size());
    Painter painter(snapshot, options, 4 + places, stop);
    report.pictures.push_back(painter.draw("Current view", seen));
    view.camera.reset();
    constexpr std::pair<ViewPreset, const char*> sides[] = {{ViewPreset::top, "From above"},
                                                            {ViewPreset::front, "From the front"},
                                                            {ViewPreset::right, "From the right"}};
    for (const auto& [side, caption] : sides) {
        view.view = side;
        report.pictures.push_back(painter.draw(caption, cameraFor(view, subject)));
    }
    const PlaceViews views(snapshot, seen, double(options.width) / options.height);
    for (std::size_t i = 0; i < places; ++i) {
        const PlaceView place = views.of(found->figures.worst[i], stop);
        ReportPicture picture = painter.draw(fmt::format("Place {}", i + 1), place.camera);
        if (place.isSeen)
            mark(picture.image, place);
        else
            picture.caption += ": not shown, because its points are outside the range";
        report.pictures.push_back(std::move(picture));
    }
    return report;
}

} // namespace scanloupe
