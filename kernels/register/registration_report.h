#pragma once
// Checks what a registration is asked for and derives its result, for both backends.
#include "kernels/register/registration.h"
#include "kernels/register/registration_state.h"
#include "kernels/register/surface_factors.h"

#include <cstddef>

namespace scanloupe {

/// @returns the start with its rotation orthonormalized @throws KernelError
RigidTransform checkRegistration(const RegistrationParams& params, const RigidTransform& start);
/// For a pyramid of either backend: levels() have edge() and isOriented(). @throws Fault
template <class Pyramid>
void checkSameEdges(const Pyramid& target, const Pyramid& source) {
    bool same = target.levels().size() == source.levels().size();
    for (std::size_t i = 0; same && i < target.levels().size(); ++i)
        same = target.levels()[i].edge() == source.levels()[i].edge() &&
               target.levels()[i].isOriented() == source.levels()[i].isOriented();
    if (!same)
        throw Fault("surfaces of different edges were to be registered");
}
/// The plan for pyramids of either backend: levels() have edge(), origin() and patchCount().
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
/// The factors of a level of pyramids of either backend.
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
/// Returns why a registration cannot start; `converged` if it can. @param source, target numbers of surfaces
RegistrationEnd endAtOnce(std::uint32_t source, std::uint32_t target);
RegistrationResult registrationResult(const RegistrationPlan& plan, const RegistrationState& state);

} // namespace scanloupe
