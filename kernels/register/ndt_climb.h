#pragma once
// An alignment as a machine that asks for the score of one pose after another: what each backend, and each
// way to run one on the device, drives.
#include "kernels/register/ndt.h"
#include "kernels/register/ndt_step.h"

namespace scanloupe {

inline constexpr double kEnoughClimb = 1e-4; ///< Armijo's share of what the slope promises

/// What the steps of an alignment are taken by.
struct NdtClimbRules {
    double epsilon = 0, maxStep = 0;
    double radius = 1;        ///< metres, NdtSpread::radius
    double scoreRounding = 0; ///< share of a score by which its sum may differ for no reason
    int maxIterations = 0;
    bool lineSearch = false;
};
inline NdtClimbRules climbRules(const NdtParams& params, double radius, double scoreRounding) {
    return {params.epsilon, params.maxStep, radius, scoreRounding, params.maxIterations, params.lineSearch};
}

/// One iteration as it is written down: NdtIteration with the local pose.
struct NdtTraceEntry {
    RigidTransform pose;
    double score = 0, gradient = 0, step = 0, pairs = 0;
};

/// Begins at a pose. As long as not `done`, `candidate` wants its totals in `there()`, and `take` goes on.
struct NdtClimb {
    RigidTransform pose;      ///< the best so far; where it ended
    RigidTransform candidate; ///< whose totals are wanted
    NdtTotals seen[2];        ///< of `pose` and of `candidate`, which change places
    int at = 0;               ///< which of them is of `pose`
    double step[6] = {};      ///< from `pose` to `candidate`
    double length = 0;        ///< of the step
    int iterations = 0;
    NdtEnd end = NdtEnd::maxIterations;
    bool begun = false, done = false;

    HD explicit NdtClimb(const RigidTransform& start) : pose(start), candidate(start) {}
    HD NdtClimb() {}

    HD const NdtTotals& here() const { return seen[at]; }
    HD NdtTotals& there() { return seen[1 - at]; }

    /// @param entry is filled where an iteration was ended; may be null
    /// @param solved what solveShifted gives for `there()` with the shift to take, if that is known
    /// @returns true where an iteration was ended
    HD bool take(const NdtClimbRules& rules, NdtTraceEntry* entry, const NdtSolved* solved = nullptr) {
        bool good = true, ended = false;
        if (begun && rules.lineSearch) {
            double slope = 0;
            for (int i = 0; i < 6; ++i)
                slope += here().gradient(i) * step[i];
            good = there().score() >= here().score() * (1 - rules.scoreRounding) + kEnoughClimb * slope;
        }
        if (!good && length >= rules.epsilon) {
            for (double& part : step)
                part *= 0.5;
            length *= 0.5;
        } else {
            if (begun) {
                ended = true;
                if (entry)
                    *entry = told(good);
                ++iterations;
                if (!good || length < rules.epsilon)
                    end = NdtEnd::converged;
            }
            if (good) {
                pose = candidate;
                at = 1 - at;
            }
            begun = true;
            if (!(here().pairs() > 0))
                end = NdtEnd::noOverlap;
            done = end != NdtEnd::maxIterations || iterations >= rules.maxIterations;
            if (done)
                return ended;
            length = cutStep(step, newtonStep(here(), rules.radius, step, solved), rules.maxStep);
        }
        candidate = moved(pose, step);
        return ended;
    }

private:
    HD NdtTraceEntry told(bool good) const {
        double square = 0;
        for (int i = 0; i < 6; ++i)
            square += here().gradient(i) * here().gradient(i);
        return {pose, here().score(), std::sqrt(square), good ? length : 0, here().pairs()};
    }
};

} // namespace scanloupe
