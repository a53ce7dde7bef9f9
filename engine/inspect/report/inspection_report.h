#pragma once
// Declares the report of an inspection: statistics, pictures, and the files they are based on.
#include "engine/cloud/reference/length_unit.h"
#include "engine/inspect/inspection.h"
#include "engine/io/common/progress.h"
#include "kernels/raster/core/raster_scene.h"

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

struct Reference;
struct Snapshot;

struct ReportPicture {
    std::string caption;
    Image image; ///< on the host
};

struct ReportFile {
    std::string path;   ///< path of the file; for a generated scan, a description of its parameters
    std::string sha256; ///< SHA-256 of the file; empty: unknown
    std::uint64_t bytes = 0;
};

struct InspectionReport {
    ReportFile scan, reference;
    std::shared_ptr<const Reference> measuredFrom; ///< null: the scan's file contained the deviations
    double scale = 1;                              ///< factor from the reference's unit to the scan's
    LengthUnit unit = LengthUnit::unknown;         ///< unit of all lengths
    double tolerance = 0;                          ///< tolerance of the inspection; 0: none, so there is no
                                                   ///< verdict
    double requiredShare = 1;                      ///< minimum share of points within tolerance
    DeviationFigures figures;
    std::uint64_t without = 0;                  ///< number of points without a deviation
    std::shared_ptr<const Histogram> histogram; ///< null: none
    std::vector<std::string> warnings;          ///< warnings as sentences
    std::vector<ReportPicture> pictures;
    std::string recipe;        ///< the recipe as JSON
    std::string program, date; ///< for example "0.1.0 (commit 1a2b3c4d5e)", "2026-11-26 14:03 UTC"

    bool isJudged() const { return tolerance > 0; }
    bool isAccepted() const { return isWithin(figures, requiredShare); }
};

struct ReportOptions {
    LengthUnit unit = LengthUnit::unknown;
    double requiredShare = 1;
    int width = 960, height = 600;     ///< size of each picture, pixels
    std::optional<Camera> camera = {}; ///< camera of the user's view, file's frame; none: the camera of the
                                       ///< run
    std::size_t maxPlaces = 6;         ///< number of the worst regions with a picture
    ProgressFunction progress = {};
};

/// Returns the report of a run whose points have deviations: statistics, the current view, the top, front and
/// side views, and the worst regions. Points are coloured by the bands of the tolerance, or by the colour map
/// if there is no tolerance.
/// @throws EngineError if the points have no deviations; KernelError; Cancelled.
InspectionReport inspectionReport(const Snapshot& snapshot, const ReportOptions& options,
                                  const std::stop_token& stop);

/// How an HTML page refers to its pictures.
enum class PictureLinks {
    embedded, ///< embedded in the page, which is then a single file
    named,    ///< linked as "histogram.svg", "picture0.png", ..., files that the caller must provide
};
std::string toHtml(const InspectionReport& report, PictureLinks links = PictureLinks::embedded);
/// Returns the histogram of the deviations in the colours of the bands, as SVG; empty if there is no
/// histogram.
std::string histogramSvg(const InspectionReport& report);

} // namespace scanloupe
