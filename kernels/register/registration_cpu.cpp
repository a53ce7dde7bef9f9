// Registers surfaces on the CPU: factors are evaluated in parallel.
#include "kernels/core/parallel.h"
#include "kernels/register/counterpart_cache.h"
#include "kernels/register/registration_report.h"
#include "kernels/register/surface_factors.h"

#include <array>
#include <new>
#include <string>
#include <vector>

namespace scanloupe::cpu {

namespace {

constexpr std::size_t kWarpGrain = 8; // number of warps per task, each with at least 32 patches: takes about
                                      // 0.1 ms

/// Sums what `add(i, sums)` adds for each of `count` patches, in the order that surface_factors.h defines.
template <class Add>
FactorSums sumInOrder(std::uint32_t count, const std::stop_token& stop, Add&& add) {
    const unsigned warps = surfaceWarps(count);
    std::vector<FactorSums> ofWarps(warps);
    parallelFor(warps, kWarpGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t warp = begin; warp < end; ++warp) {
            std::array<FactorSums, kSurfaceLanes> lanes;
            for (std::size_t first = warp * kSurfaceLanes; first < count;
                 first += std::size_t{warps} * kSurfaceLanes)
                for (std::size_t lane = 0; lane < kSurfaceLanes && first + lane < count; ++lane)
                    add(static_cast<std::uint32_t>(first + lane), lanes[lane]);
            for (std::size_t half = kSurfaceLanes / 2; half > 0; half /= 2)
                for (std::size_t lane = 0; lane < half; ++lane)
                    lanes[lane].add(lanes[lane + half]);
            ofWarps[warp] = lanes[0];
        }
    });
    for (std::size_t half = warps / 2; half > 0; half /= 2)
        for (std::size_t warp = 0; warp < half; ++warp) {
            FactorSums sum = ofWarps[2 * warp];
            sum.add(ofWarps[2 * warp + 1]);
            ofWarps[warp] = sum;
        }
    return ofWarps.front();
}

RegistrationResult runSearch(const SurfacePyramid& target, const SurfacePyramid& source,
                             const RegistrationPlan& plan, const std::stop_token& stop) {
    const SurfaceMap& finest = source.levels()[kFinestLevel];
    const SurfacePatch* patches = finest.patches().data();
    const std::uint32_t count = finest.patchCount();
    const Vec3d mean =
        meanOf(sumInOrder(count, stop, [&](std::uint32_t i, FactorSums& sums) { addMean(patches[i], sums); }),
               count);
    const SurfaceSpread spread =
        spreadOf(mean,
                 sumInOrder(count, stop,
                            [&](std::uint32_t i, FactorSums& sums) { addMoments(patches[i], mean, sums); }),
                 count);
    RegistrationState state;
    state.begin(plan, finest.origin() + spread.middle, spread.moments);
    std::vector<CounterpartCache> caches(target.levels().size());
    while (!state.done) {
        const auto level = std::size_t(state.level);
        const SurfaceFactors factors =
            surfaceFactors(target.levels()[level], source.levels()[level], plan.params);
        const Vec3d shift = factors.origin - state.middle;
        CounterpartCache& cache = caches[level];
        if (cache.size() == 0 && plan.params.method != RegistrationMethod::vgicp)
            cache = CounterpartCache(factors.count);
        state.update(plan, sumInOrder(factors.count, stop, [&](std::uint32_t i, FactorSums& sums) {
                         const auto find = [&](Vec3d x, Vec3d normal) {
                             return cache.size() > 0 ? cache.counterpart(factors, i, x, normal)
                                                     : factors.counterpart(x, normal);
                         };
                         factors.add(state.pose, shift, state.scale, i, sums, find);
                     }));
    }
    return registrationResult(plan, state);
}

} // namespace

RegistrationResult registerSurfaces(const SurfacePyramid& target, const SurfacePyramid& source,
                                    const RigidTransform& start, const RegistrationParams& params,
                                    const std::stop_token& stop) {
    const WallTimer timer;
    RegistrationResult result;
    result.pose = checkRegistration(params, start);
    checkSameEdges(target, source);
    const std::uint32_t surfaces = source.levels()[kFinestLevel].patchCount();
    result.end = endAtOnce(surfaces, target.levels()[kFinestLevel].patchCount());
    try {
        if (result.end == RegistrationEnd::converged)
            result = runSearch(target, source, registrationPlan(target, source, result.pose, params), stop);
    } catch (const std::bad_alloc&) {
        throw KernelError("not enough memory to register " + std::to_string(surfaces) + " surfaces",
                          "Use larger cells, or close other programs.");
    }
    result.cost.wallMs = timer.elapsedMs();
    return result;
}

} // namespace scanloupe::cpu
