#pragma once
// Checks the parameters of a registration and derives its result, for both backends.
#include "kernels/register/registration.h"
#include "kernels/register/registration_state.h"
#include "kernels/register/surface_factors.h"

#include <cstddef>

namespace scanloupe {

/// Checks the parameters. @returns the start pose with its rotation orthonormalized @throws KernelError
RigidTransform checkRegistration(const RegistrationParams& params, const RigidTransform& start);
/// Checks that two pyramids of one backend have equal levels, which must have edge() and isOriented().
/// @throws Fault
template <class Pyramid>
void checkSameEdges(const Pyramid& target, const Pyramid& source) {
    bool same = target.levels().size() == source.levels().size();
    for (std::size_t i = 0; same && i < target.levels().size(); ++i)
        same = target.levels()[i].edge() == source.levels()[i].edge() &&
               target.levels()[i].isOriented() == source.levels()[i].isOriented();
    if (!same)
        throw Fault("surfaces of different edges were to be registered");
}
/// Returns the plan of a registration of two pyramids of one backend; levels() must have edge(), origin() and
/// patchCount().
template <class Pyramid>
RegistrationPlan registrationPlan(const Pyramid& target, const Pyramid& source, const RigidTransform& start,
                                  const RegistrationParams& params) {
    RegistrationPlan plan;
    plan.levelCount = int(target.levels().size());
    plan.params = params;
    plan.start = start;
    for (std::size_t i = 0; i < target.levels().size(); ++i)
        plan.levels[i] = {target.levels()[i].origin(), target.levels()[i].edge(),
                          source.levels()[i].patchCount()};
    return plan;
}
/// Returns the factors of a level of two pyramids of one backend.
template <class Map>
SurfaceFactors surfaceFactors(const Map& target, const Map& source, const RegistrationParams& params) {
    SurfaceFactors factors;
    factors.target = target.view();
    factors.source = source.view().patches;
    factors.count = source.patchCount();
    factors.origin = source.origin();
    factors.method = params.method;
    factors.kernel = params.kernel;
    return factors;
}
/// Returns why a registration cannot start; `converged` if it can. @param source, target number of surfaces
/// of each
RegistrationEnd endAtOnce(std::uint32_t source, std::uint32_t target);
RegistrationResult registrationResult(const RegistrationPlan& plan, const RegistrationState& state);

} // namespace scanloupe
