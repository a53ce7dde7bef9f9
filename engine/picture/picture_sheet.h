#pragma once
// Declares rendering of several pictures with the same camera as one sheet of any size, in bands of rows.
#include "engine/picture/picture_bands.h"

#include <vector>

namespace scanloupe {

/// A picture on a sheet, with sizes in pixels.
struct SheetPanel {
    const PictureScene& scene;
    int x = 0, y = 0; ///< position of its upper left pixel
    int width = 1, height = 1;
};

/// A sheet of pictures with the same camera, each rendered at its own size. Areas without a panel are grey.
class PictureSheet {
public:
    /// @param camera in the file's frame
    /// @param panels inside `width` x `height`
    /// @throws EngineError if a single row does not fit in the memory; KernelError as Projection
    PictureSheet(const std::vector<SheetPanel>& panels, const Camera& camera, int width, int height,
                 const BandOptions& options, const std::stop_token& stop);

    int width() const { return m_width; }
    int height() const { return m_height; }
    /// Renders rows, beginning with `first`: [rows, width] RGBA, valid until the next call. Rows must be
    /// requested from top to bottom. @throws KernelError; Cancelled.
    std::span<const std::uint32_t> rowsFrom(int first);

private:
    /// A panel, and its rendered rows.
    struct Panel {
        int x, y;
        PictureBands bands;
        int first = 0; ///< first rendered row of the panel
        std::span<const std::uint32_t> rows = {};
    };
    /// Returns a row of a panel, counted from the panel's top.
    static std::span<const std::uint32_t> rowOf(Panel& panel, int row);

    int m_width, m_height;
    ProgressFunction m_progress;
    std::vector<Panel> m_panels;
    std::vector<std::uint32_t> m_rows;
};

} // namespace scanloupe
