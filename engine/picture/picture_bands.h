#pragma once
// Renders pictures of any size in bands of whole rows, with bounded memory.
#include "engine/io/common/progress.h"
#include "engine/picture/picture_scene.h"

#include <span>

namespace scanloupe {

/// Peak memory of rendering `pixels` pixels with `samples` samples each, bytes; `averaged`: with averaged
/// colours of points.
std::uint64_t pictureBytes(std::uint64_t pixels, int samples, bool averaged);

/// Largest picture that is rendered in one piece, pixels.
inline constexpr std::uint64_t kBandPixels = std::uint64_t{1} << 23;

/// Size and memory limits of bands, and the samples of their pixels.
struct BandOptions {
    int samples = 1;                       ///< a pixel
    std::uint64_t maxPixels = kBandPixels; ///< of a band
    std::uint64_t memory = 0;              ///< bytes; 0: all available memory
    ProgressFunction progress = {};
};

/// Renders a picture from its first row to its last. The pixels equal those of a picture in one piece.
class PictureBands {
public:
    /// @param camera in the file's frame
    /// @throws EngineError when not even one row fits into the memory; KernelError as Projection
    PictureBands(const PictureScene& scene, const Camera& camera, int width, int height, BandOptions options,
                 const std::stop_token& stop);

    int width() const { return m_whole.width; }
    int height() const { return m_whole.height; }
    int count() const; ///< of the bands
    /// Renders the band from row `first` on: [rows, width] RGBA, valid until the next call.
    /// @throws KernelError; Cancelled.
    std::span<const std::uint32_t> rowsFrom(int first);

    double rasterizeMs() const { return m_rasterizeMs; } ///< time of the first sample of each pixel
    double resolveMs() const { return m_resolveMs; }
    double refineMs() const { return m_refineMs; } ///< time of the other samples
    std::uint64_t drawnPixels() const { return m_drawnPixels; }
    std::uint64_t bytes() const;

private:
    const PictureScene& m_scene;
    Projection m_whole;
    BandOptions m_options;
    std::stop_token m_stop;
    int m_rows; ///< of a band
    DeviceOrHost<Image> m_band;
    double m_rasterizeMs = 0, m_resolveMs = 0, m_refineMs = 0;
    std::uint64_t m_drawnPixels = 0;
};

} // namespace scanloupe
