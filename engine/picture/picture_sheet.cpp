// Composes a sheet of pictures, a few rows at a time.
#include "engine/picture/picture_sheet.h"

#include "engine/cloud/reference/length_unit.h"
#include "engine/compute/memory.h"
#include "engine/io/common/read_options.h"

#include <algorithm>

namespace scanloupe {

namespace {

constexpr int kRows = 64;                     // number of rows of the sheet that are composed at once
constexpr std::uint32_t kGap = 0xff'80'80'80; // colour between panels, RGBA

} // namespace

PictureSheet::PictureSheet(const std::vector<SheetPanel>& panels, const Camera& camera, int width, int height,
                           const BandOptions& options, const std::stop_token& stop)
    : m_width(width), m_height(height), m_progress(options.progress) {
    BandOptions part = options; // the bands of all panels share the memory
    part.progress = nullptr;
    const auto count = std::max<std::uint64_t>(1, panels.size());
    part.maxPixels = std::max<std::uint64_t>(1, options.maxPixels / count);
    part.memory = (options.memory > 0 ? options.memory : availableHostMemory()) / count;
    m_panels.reserve(panels.size());
    for (const SheetPanel& panel : panels)
        m_panels.push_back(
            {panel.x, panel.y, PictureBands(panel.scene, camera, panel.width, panel.height, part, stop)});
}

std::span<const std::uint32_t> PictureSheet::rowOf(Panel& panel, int row) {
    const auto width = std::size_t(panel.bands.width());
    const int end = panel.first + int(panel.rows.size() / width);
    if (row < panel.first || row >= end) {
        panel.rows = panel.bands.rowsFrom(row);
        panel.first = row;
    }
    return panel.rows.subspan(std::size_t(row - panel.first) * width, width);
}

std::span<const std::uint32_t> PictureSheet::rowsFrom(int first) {
    const int count = std::min(kRows, m_height - first);
    const auto width = std::size_t(m_width);
    m_rows.assign(width * std::size_t(count), kGap);
    for (Panel& panel : m_panels) {
        const int begin = std::max(first, panel.y);
        const int end = std::min(first + count, panel.y + panel.bands.height());
        for (int row = begin; row < end; ++row) {
            const auto pixels = rowOf(panel, row - panel.y);
            std::copy(pixels.begin(), pixels.end(),
                      m_rows.begin() + std::ptrdiff_t(width) * (row - first) + panel.x);
        }
    }
    if (m_progress)
        m_progress(double(first + count) / m_height);
    return m_rows;
}

} // namespace scanloupe
