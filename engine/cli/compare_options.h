#pragma once
// Declares the options of `compare`.
#include "engine/compute/backend.h"
#include "engine/inspect/deviations.h"
#include "engine/inspect/fit/fit.h"
#include "engine/io/common/read_options.h"

#include <optional>
#include <string>

namespace scanloupe::cli {

class Command;

struct CompareOptions {
    std::string scan, reference, unit, report, output;
    std::optional<double> tolerance;
    double requiredShare = 100; ///< required share of points within the tolerance, per cent
    DeviationOptions distances; ///< options of the distances; the tolerance is separate
    bool fit = false;
    FitOptions fitting;
    double overlap = 100; ///< share of the scan's points with a counterpart, per cent
    std::string pairs;    ///< file of picked point pairs; empty: none
    ReadOptions read;
    Backend backend = Backend::automatic;
};

void addCompareOptions(Command command, CompareOptions& options);
/// Checks the options. @throws EngineError for a value out of its range
void check(const CompareOptions& options);

} // namespace scanloupe::cli
