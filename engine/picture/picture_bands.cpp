// Renders a picture band by band. Each band includes adjacent rows for eye-dome lighting.
#include "engine/picture/picture_bands.h"

#include "engine/compute/memory.h"
#include "kernels/raster/points/point_average.h"

#include <algorithm>
#include <fmt/format.h>

namespace scanloupe {

namespace {

constexpr int kRim = 1; ///< number of adjacent rows that eye-dome lighting reads

int rowsThatFit(int width, int height, bool averaged, const BandOptions& options) {
    const std::uint64_t memory = options.memory > 0 ? options.memory : availableHostMemory();
    const std::uint64_t row = pictureBytes(std::uint64_t(width), options.samples, averaged);
    const std::uint64_t rims = 2 * kRim * row;
    // half of the memory is left for other purposes
    const std::uint64_t fitting = memory / 2 > rims ? (memory / 2 - rims) / row : 0;
    requireMemory({fmt::format("A picture of {} x {} pixels", width, height), fitting > 0 ? 0 : row + rims,
                   "Close other programs."},
                  memory / 2);
    const std::uint64_t wanted = std::max<std::uint64_t>(options.maxPixels / std::uint64_t(width), 1);
    return int(std::min({wanted, fitting, std::uint64_t(height)}));
}

std::uint64_t countDrawn(const VisibilityBuffer& seen, int firstRow, int rows) {
    const auto width = std::ptrdiff_t(seen.width);
    const auto pixels = seen.pixels.span();
    return std::uint64_t(std::count_if(pixels.begin() + firstRow * width,
                                       pixels.begin() + (firstRow + rows) * width,
                                       [](std::uint64_t pixel) { return pixel != 0; }));
}

} // namespace

std::uint64_t pictureBytes(std::uint64_t pixels, int samples, bool averaged) {
    const std::uint64_t one = sizeof(std::uint64_t) + sizeof(std::uint32_t);
    // sums over samples, and their mean
    const std::uint64_t sums = sizeof(std::uint64_t) + sizeof(std::uint32_t);
    return pixels * ((samples > 1 ? one + sums : one) + (averaged ? sizeof(PointSums) : 0));
}

PictureBands::PictureBands(const PictureScene& scene, const Camera& camera, int width, int height,
                           BandOptions options, const std::stop_token& stop)
    : m_scene(scene), m_whole(scene.projection(camera, width, height)), m_options(std::move(options)),
      m_stop(stop), m_rows(rowsThatFit(width, height, scene.averagesPoints(), m_options)) {}

int PictureBands::count() const {
    return (m_whole.height + m_rows - 1) / m_rows;
}

std::uint64_t PictureBands::bytes() const {
    return pictureBytes(std::uint64_t(m_whole.width) * std::uint64_t(m_rows), m_options.samples,
                        m_scene.averagesPoints());
}

std::span<const std::uint32_t> PictureBands::rowsFrom(int first) {
    const int rows = std::min(m_rows, m_whole.height - first);
    const int above = std::min(kRim, first), below = std::min(kRim, m_whole.height - first - rows);
    m_band = {}; // freed before the next band is allocated
    const Projection part = m_whole.part(0, first - above, m_whole.width, above + rows + below);
    const WallTimer timer;
    DrawnPixels drawn = m_scene.draw(part, m_stop);
    m_rasterizeMs += timer.elapsedMs() - drawn.resolveMs;
    m_resolveMs += drawn.resolveMs;
    const DeviceOrHost<VisibilityBuffer> seen(std::move(drawn.visibility), drawn.stream);
    m_drawnPixels += countDrawn(seen.host(), above, rows);
    m_band = {std::move(drawn.image), drawn.stream};
    if (m_options.samples > 1) {
        const WallTimer refineTimer;
        SampleSums sums;
        m_scene.addSample(sums, m_band, m_stop);
        m_scene.addSamples(sums, part, m_options.samples, m_stop);
        m_band = m_scene.meanOf(sums, m_stop);
        m_refineMs += refineTimer.elapsedMs();
    }
    if (m_options.progress)
        m_options.progress(double(first + rows) / m_whole.height);
    const auto width = std::size_t(m_whole.width);
    return m_band.host().pixels.span().subspan(std::size_t(above) * width, std::size_t(rows) * width);
}

} // namespace scanloupe
