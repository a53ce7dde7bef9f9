#pragma once
// Declares the report of an inspection: figures, pictures, and what they were made from.
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

struct ReportPicture {
    std::string caption;
    Image image; ///< on the host
};

struct ReportFile {
    std::string path;   ///< of a generated scan how it was generated
    std::string sha256; ///< empty: unknown
    std::uint64_t bytes = 0;
};

struct InspectionReport {
    ReportFile scan, reference;
    std::shared_ptr<const Reference> measuredFrom; ///< null: deviations came with the scan
    double scale = 1;                              ///< the scan's unit of a unit of the reference
    LengthUnit unit = LengthUnit::unknown;         ///< of all lengths
    double tolerance = 0;                          ///< 0: nothing is judged
    double requiredShare = 1;                      ///< of points within tolerance
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
    std::optional<Camera> camera = {}; ///< of the picture as it is seen; file's frame; else that of the run
    std::size_t mostPlaces = 6;        ///< worst places that have a picture
    ProgressFunction progress = {};
};

/// The report of a run whose points have deviations: the scan as it is seen, from the top, the front and the
/// side, and the worst places. Its points are drawn in the colours of the tolerance, else of the colour map.
/// @throws EngineError when the points have none; KernelError; Cancelled.
InspectionReport inspectionReport(const Snapshot& snapshot, const ReportOptions& options,
                                  const std::stop_token& stop);

/// How a page refers to its pictures.
enum class PictureLinks {
    embedded, ///< they are part of it: one file that needs no other
    named,    ///< "histogram.svg", "picture0.png" and on, which others provide
};
std::string toHtml(const InspectionReport& report, PictureLinks links = PictureLinks::embedded);
/// The histogram of the deviations in the colours of the tolerance, as SVG; empty without one.
std::string histogramSvg(const InspectionReport& report);

} // namespace scanloupe
