#pragma once
// Declares the report of an inspection: figures, pictures, and their sources.
#include "engine/inspect/inspection.h"
#include "engine/io/common/progress.h"
#include "engine/reference/length_unit.h"
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
    std::string path;   ///< for a generated scan, a description of its parameters
    std::string sha256; ///< empty: unknown
    std::uint64_t bytes = 0;
};

struct InspectionReport {
    ReportFile scan, reference;
    std::shared_ptr<const Reference> measuredFrom; ///< null: the scan's file contained the deviations
    double scale = 1;                              ///< the scan's unit of a unit of the reference
    LengthUnit unit = LengthUnit::unknown;         ///< of all lengths
    double tolerance = 0;                          ///< 0: no judgement
    double requiredShare = 1;                      ///< minimum share of points within tolerance
    DeviationFigures figures;
    std::uint64_t without = 0;                  ///< points without a deviation
    std::shared_ptr<const Histogram> histogram; ///< null: none
    std::vector<std::string> warnings;          ///< sentences
    std::vector<ReportPicture> pictures;
    std::string recipe;        ///< JSON
    std::string program, date; ///< "0.1.0 (commit 1a2b3c4d5e)", "2026-11-26 14:03 UTC"

    bool isJudged() const { return tolerance > 0; }
    bool isAccepted() const { return isWithin(figures, requiredShare); }
};

struct ReportOptions {
    LengthUnit unit = LengthUnit::unknown;
    double requiredShare = 1;
    int width = 960, height = 600;     ///< of each picture
    std::optional<Camera> camera = {}; ///< camera of the user's view, file's frame; none: that of the run
    std::size_t maxPlaces = 6;         ///< number of the worst regions with a picture
    ProgressFunction progress = {};
};

/// The report of a run whose points have deviations: the current view, the top, front and side views, and the
/// worst regions. Its points are drawn in the colours of the tolerance, else of the colour map.
/// @throws EngineError when the points have none; KernelError; Cancelled.
InspectionReport inspectionReport(const Snapshot& snapshot, const ReportOptions& options,
                                  const std::stop_token& stop);

/// How a page refers to its pictures.
enum class PictureLinks {
    embedded, ///< embedded in the document: a single file
    named,    ///< "histogram.svg", "picture0.png" and on, which others provide
};
std::string toHtml(const InspectionReport& report, PictureLinks links = PictureLinks::embedded);
/// The histogram of the deviations in the colours of the tolerance, as SVG; empty without one.
std::string histogramSvg(const InspectionReport& report);

} // namespace scanloupe
