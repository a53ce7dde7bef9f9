#pragma once
// Declares rendering of pictures of any size in bands of rows, with limited memory.
#include "engine/io/common/progress.h"
#include "engine/picture/picture_scene.h"

#include <span>

namespace scanloupe {

/// Returns the peak memory of rendering `pixels` pixels with `samples` samples each, bytes.
/// @param averaged whether colours of points are averaged
std::uint64_t pictureBytes(std::uint64_t pixels, int samples, bool averaged);

/// Maximum size of a picture that is rendered in one piece, pixels.
inline constexpr std::uint64_t kBandPixels = std::uint64_t{1} << 23;

/// Limits of the bands, and the number of samples.
struct BandOptions {
    int samples = 1;                       ///< number of samples per pixel
    std::uint64_t maxPixels = kBandPixels; ///< maximum number of pixels of a band
    std::uint64_t memory = 0;              ///< maximum memory, bytes; 0: all available memory
    ProgressFunction progress = {};
};

/// Renders a picture from its first row to its last. The pixels equal those of a picture rendered in one
/// piece.
class PictureBands {
public:
    /// @param camera in the file's frame
    /// @throws EngineError if a single row does not fit in the memory; KernelError as Projection
    PictureBands(const PictureScene& scene, const Camera& camera, int width, int height, BandOptions options,
                 const std::stop_token& stop);

    int width() const { return m_whole.width; }
    int height() const { return m_whole.height; }
    int count() const; ///< returns the number of bands
    /// Renders the band that begins at row `first`: [rows, width] RGBA, valid until the next call.
    std::span<const std::uint32_t> rowsFrom(int first);

    double rasterizeMs() const { return m_rasterizeMs; } ///< wall time of the first sample of each pixel, ms
    double resolveMs() const { return m_resolveMs; }
    double refineMs() const { return m_refineMs; } ///< wall time of the other samples, ms
    std::uint64_t drawnPixels() const { return m_drawnPixels; }
    std::uint64_t bytes() const;

private:
    const PictureScene& m_scene;
    Projection m_whole;
    BandOptions m_options;
    std::stop_token m_stop;
    int m_rows; ///< number of rows of a band
    DeviceOrHost<Image> m_band;
    double m_rasterizeMs = 0, m_resolveMs = 0, m_refineMs = 0;
    std::uint64_t m_drawnPixels = 0;
};

} // namespace scanloupe
