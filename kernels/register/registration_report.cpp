// Implements the checks and the results of registration_report.h.
#include "kernels/register/registration_report.h"
#include "kernels/core/number_text.h"

#include <cmath>

namespace scanloupe {

const char* describe(RegistrationEnd end) {
    switch (end) {
    case RegistrationEnd::converged:
        return "it converged";
    case RegistrationEnd::maxIterations:
        return "it was stopped after its last iteration, before it converged";
    case RegistrationEnd::noOverlap:
        return "too few surfaces of the scan lie near those of the map";
    case RegistrationEnd::noSurfaces:
        return "the scan has too few points that lie on a surface";
    case RegistrationEnd::noTarget:
        return "the map has too few points that lie on a surface";
    }
    return "unknown";
}

RigidTransform checkRegistration(const RegistrationParams& params, const RigidTransform& start) {
    if (!(params.scale > 0) || !std::isfinite(params.scale))
        throw KernelError("the scale of the robust kernel must be a positive number (got " +
                              shortNumber(params.scale) + ")",
                          "Set a scale such as 0.3.");
    if (!(params.epsilon > 0) || !std::isfinite(params.epsilon))
        throw KernelError("the step below which a registration has converged must be a length above 0 (got " +
                              shortNumber(params.epsilon) + ")",
                          "Set a length such as 0.001.");
    if (params.maxIterations < 1)
        throw KernelError("a registration needs at least 1 iteration (got " +
                              std::to_string(params.maxIterations) + ")",
                          "Set about 30 iterations.");
    return checkNdtStart(start);
}

RegistrationEnd endAtOnce(std::uint32_t source, std::uint32_t target) {
    return source < kFewestSurfaces   ? RegistrationEnd::noSurfaces
           : target < kFewestSurfaces ? RegistrationEnd::noTarget
                                      : RegistrationEnd::converged;
}

RegistrationResult registrationResult(const RegistrationPlan& plan, const RegistrationState& state) {
    const RegistrationFigures& figures = state.found.figures;
    const FactorSums& sums = figures.sums;
    RegistrationResult result;
    result.pose = state.found.world;
    result.end = state.found.end;
    result.iterations = state.iterations;
    result.surfaces = plan.levels[kFinestLevel].surfaces;
    result.matched = state.found.matched;
    if (!(sums.count() > 0))
        return result;
    result.distance = sums.weight() > 0 ? std::sqrt(2 * sums.error() / sums.weight()) : 0;
    const UnitTurns turns = state.turns.at(figures.pose);
    const RegistrationDirections directions = registrationDirections(unitModel(sums, turns));
    RegistrationGeometry& geometry = result.geometry;
    geometry.middle = plan.levels[figures.level].origin + figures.pose.translation;
    geometry.weak = directions.weak;
    for (std::size_t k = 0; k < 6; ++k) {
        double step[6];
        turns.toStep(directions.vectors[k], step);
        geometry.eigenvalues[k] = directions.curvatures[k];
        for (std::size_t i = 0; i < 6; ++i)
            geometry.directions[6 * k + i] = step[i];
    }
    return result;
}

} // namespace scanloupe
