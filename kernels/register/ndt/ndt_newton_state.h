#pragma once
// Implements the Newton iteration of an alignment, with backtracking by Armijo's condition (Nocedal, Wright:
// Numerical Optimization, 2006, section 3.1), as a state machine. It requests score, gradient and Hessian of
// one pose after another, so that both backends run the same iteration.
#include "kernels/register/ndt/ndt.h"
#include "kernels/register/ndt/ndt_step.h"

namespace scanloupe {

/// c1 of Armijo's condition: minimum fraction of the increase that the slope predicts.
inline constexpr double kArmijoC1 = 1e-4;

/// Parameters of the iteration.
struct NdtNewtonParams {
    double epsilon = 0, maxStep = 0;
    double arc = 1;           ///< 1 / NdtSpread::radius, 1 / metres
    double scoreRounding = 0; ///< rounding tolerance of the summed score, relative
    int maxIterations = 0;
    bool lineSearch = false;
};
inline NdtNewtonParams ndtNewtonParams(const NdtParams& params, double radius, double scoreRounding) {
    return {params.epsilon, params.maxStep,       1 / radius,
            scoreRounding,  params.maxIterations, params.lineSearch};
}

/// Same as NdtIteration, with the pose in the local frame, see NdtFrame.
struct NdtTraceEntry {
    RigidTransform pose;
    double score = 0, gradient = 0, step = 0, pairs = 0;
};

/// State of the iteration. Until `done`, the caller writes the totals at `candidate` to candidateTotals() and
/// calls update().
struct NdtNewtonState {
    RigidTransform pose;      ///< the best pose so far, which is the result once `done`
    RigidTransform candidate; ///< the pose whose totals are requested
    NdtTotals totals[2];      ///< totals at `pose` and at `candidate`, in alternating order
    int current = 0;          ///< index of the totals at `pose`
    double step[6] = {};      ///< step from `pose` to `candidate`
    double square = 0;        ///< squared length of the step
    int iterations = 0;
    NdtEnd end = NdtEnd::maxIterations;
    bool begun = false, done = false;
    bool halved = false; ///< whether the candidate failed Armijo's condition, so that half the step is tried
                         ///< next

    HD explicit NdtNewtonState(const RigidTransform& start) : pose(start), candidate(start) {}
    HD NdtNewtonState() {}

    HD const NdtTotals& poseTotals() const { return totals[current]; }
    HD NdtTotals& candidateTotals() { return totals[1 - current]; }

    /// Accepts or rejects the candidate by its totals and proposes the next one.
    /// @param entry filled if an iteration ended; may be null
    /// @returns whether an iteration ended
    bool update(const NdtNewtonParams& params, NdtTraceEntry* entry) {
        const bool ended = acceptOrBacktrack(params, entry);
        if (!done)
            proposeCandidate(params, halved ? NdtSolved{} : solveBySearch(poseTotals(), params.arc));
        return ended;
    }
    /// First half of `update`: accepts the candidate or halves the step, and tests for the end. Before this
    /// call, candidateTotals() must contain the totals from which the next step will be solved. After the
    /// call, poseTotals() contains these totals if the step is needed.
    HD bool acceptOrBacktrack(const NdtNewtonParams& params, NdtTraceEntry* entry) {
        bool good = true, ended = false;
        if (begun && params.lineSearch) {
            double slope = 0;
            for (int i = 0; i < 6; ++i)
                slope += poseTotals().gradient(i) * step[i];
            good = candidateTotals().score() >=
                   poseTotals().score() * (1 - params.scoreRounding) + kArmijoC1 * slope;
        }
        const double least = params.epsilon * params.epsilon;
        halved = !good && square > 0 && square >= least;
        if (halved) {
            for (double& part : step)
                part *= 0.5;
            square *= 0.25;
            return false;
        }
        if (begun) {
            ended = true;
            if (entry)
                *entry = traceEntry(good);
            ++iterations;
            if (!good || square < least || square == 0)
                end = NdtEnd::converged;
        }
        if (good) {
            pose = candidate;
            current = 1 - current;
        }
        begun = true;
        if (!(poseTotals().pairs() > 0))
            end = NdtEnd::noOverlap;
        done = end != NdtEnd::maxIterations || iterations >= params.maxIterations;
        return ended;
    }
    /// Second half of `update`; not called once `done`. @param solved the step from poseTotals(); unused if
    /// `halved`
    HD void proposeCandidate(const NdtNewtonParams& params, const NdtSolved& solved) {
        if (!halved)
            square = limitStep(solved, params.maxStep, step);
        candidate = moved(pose, step);
    }

private:
    HD NdtTraceEntry traceEntry(bool good) const {
        double gradient = 0;
        for (int i = 0; i < 6; ++i)
            gradient += poseTotals().gradient(i) * poseTotals().gradient(i);
        return {pose, poseTotals().score(), std::sqrt(gradient), good ? std::sqrt(square) : 0,
                poseTotals().pairs()};
    }
};

} // namespace scanloupe
