#pragma once
// Pictures of any size, in bands of whole rows: what is held of one at a time does not grow with it.
#include "engine/pipeline/picture_scene.h"

#include <span>

namespace scanloupe {

/// Bytes that drawing so many pixels takes at once, with one sample each or with several; `averaged`: of
/// points whose colours are averaged.
std::uint64_t pictureBytes(std::uint64_t pixels, int samples, bool averaged);

/// Pixels up to which a picture is drawn in one piece.
inline constexpr std::uint64_t kBandPixels = std::uint64_t{1} << 23;

/// How a picture is divided, and what may be taken for it.
struct BandOptions {
    int samples = 1;                        ///< a pixel
    std::uint64_t mostPixels = kBandPixels; ///< of a band
    std::uint64_t memory = 0;               ///< bytes; 0: what is available
    ProgressFunction progress = {};
};

/// Draws a picture from its first row to its last. The pixels are those of the picture in one piece.
class PictureBands {
public:
    /// @param camera in the file's frame
    /// @throws EngineError when not even one row fits into the memory; KernelError as Projection
    PictureBands(const PictureScene& scene, const Camera& camera, int width, int height, BandOptions options,
                 const std::stop_token& stop);

    int width() const { return m_whole.width; }
    int height() const { return m_whole.height; }
    int count() const; ///< of the bands
    /// Rows from `first` on, as many as a band has: [rows, width] RGBA, good until the next call.
    /// @throws KernelError; Cancelled.
    std::span<const std::uint32_t> rowsFrom(int first);

    double rasterizeMs() const { return m_rasterizeMs; } ///< of the first samples
    double resolveMs() const { return m_resolveMs; }
    double refineMs() const { return m_refineMs; } ///< of the others
    std::uint64_t drawnPixels() const { return m_drawnPixels; }
    std::uint64_t bytes() const;

private:
    const PictureScene& m_scene;
    Projection m_whole;
    BandOptions m_options;
    std::stop_token m_stop;
    int m_rows; ///< of a band
    Resident<Image> m_band;
    double m_rasterizeMs = 0, m_resolveMs = 0, m_refineMs = 0;
    std::uint64_t m_drawnPixels = 0;
};

} // namespace scanloupe
