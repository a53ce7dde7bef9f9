#pragma once
// Declares how two runs of one scan differ, as values and in words.
#include "engine/results/same_results.h"
#include "engine/run/forecast/forecast.h"

#include <QString>
#include <QStringList>
#include <cstdint>
#include <optional>

namespace scanloupe {
enum class LengthUnit : std::uint8_t;
struct Snapshot;
} // namespace scanloupe

namespace scanloupe::gui {

/// The figures of a run.
struct RunFigures {
    std::uint64_t voxels = 0, vertices = 0, triangles = 0;
    std::optional<double> ms; ///< wall time of the stages up to the mesh, see ResultTimes
    bool operator==(const RunFigures&) const = default;
};
RunFigures figuresOf(const Snapshot& snapshot, std::optional<double> ms);

/// Two runs, A and B, of one scan.
struct Comparison {
    std::optional<RunFigures> a, b;       ///< none before the first results
    QStringList changes = {};             ///< a phrase for each parameter, from A to B
    QString backendA = {}, backendB = {}; ///< names of the backends, if these are compared; otherwise empty
    std::optional<ResultDifference> difference = {}; ///< none until the results were compared
};

/// The parameters with different settings, with the values that the runs have used. @param unit of the scan's
/// coordinates
QStringList changesBetween(const Snapshot& a, const Snapshot& b, LengthUnit unit);
/// The figures of both and their differences: a table in HTML.
QString figuresTable(const Comparison& comparison);
/// A sentence that says which results are identical, byte for byte.
QString verdictText(const Comparison& comparison);
/// The reason why memory does not suffice for a second run; empty if it does.
QString refusalOfSecondRun(const Forecast& forecast, std::uint64_t available);

} // namespace scanloupe::gui
