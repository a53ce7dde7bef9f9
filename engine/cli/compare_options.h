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
    double requiredShare = 100; ///< per cent
    DeviationOptions distances; ///< without the tolerance
    bool fit = false;
    FitOptions fitting;
    double overlap = 100; ///< per cent
    std::string pairs;    ///< a file of picked pairs; empty: none
    ReadOptions read;
    Backend backend = Backend::automatic;
};

void addCompareOptions(Command command, CompareOptions& options);
/// @throws EngineError for values out of their range
void check(const CompareOptions& options);

} // namespace scanloupe::cli
