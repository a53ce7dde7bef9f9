#pragma once
// Declares how two runs of one scan differ, as values and in words.
#include "engine/forecast/forecast.h"
#include "engine/results/same_results.h"

#include <QString>
#include <QStringList>
#include <cstdint>
#include <optional>

namespace scanloupe::gui {

/// What a run has given.
struct RunFigures {
    std::uint64_t voxels = 0, vertices = 0, triangles = 0;
    std::optional<double> ms; ///< wall time of the stages up to the mesh, see ResultTimes
    bool operator==(const RunFigures&) const = default;
};
RunFigures figuresOf(const Snapshot& snapshot, std::optional<double> ms);

/// Two runs, A and B, of one scan.
struct Comparison {
    std::optional<RunFigures> a, b;                  ///< none before the first results
    QStringList changes = {};                        ///< a phrase for each parameter, from A to B
    QString backendA = {}, backendB = {};            ///< of a comparison of backends; else empty
    std::optional<ResultDifference> difference = {}; ///< none until the results were compared
};

/// The parameters that were set differently, with the values that the runs have used. @param unit of the
/// scan's coordinates
QStringList changesBetween(const Snapshot& a, const Snapshot& b, LengthUnit unit);
/// The figures of both and their differences: a table in HTML.
QString figuresTable(const Comparison& comparison);
/// A sentence on what is the same, to the byte.
QString verdictText(const Comparison& comparison);
/// Why a second run cannot be held beside the first; empty if it can.
QString refusalOfSecondRun(const Forecast& forecast, std::uint64_t available);

} // namespace scanloupe::gui
