// Evidence and verdicts of alignments with known truth, for fitting and validating the model of
// engine/align/pose_verdict.cpp.
#include "tests/bench/bench_verdict.h"

#include "engine/cloud/error.h"
#include "tests/support/posed_pairs.h"
#include "tests/support/sweep_verdicts.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fmt/format.h>

namespace scanloupe::bench {

namespace {

/// Counts of poses for each verdict.
struct Tally {
    std::array<std::size_t, 3> right{}, wrong{}; ///< counts of right and of wrong poses, indexed by PoseWord
    /// milliseconds, of alignments without a search
    double alignMs = 0, ndtMs = 0, evidenceMs = 0, mapMs = 0;
};

void print(const Tally& tally) {
    fmt::print("{:10} {:>8} {:>8} {:>8}\n", "pose is", describe(PoseWord::right),
               describe(PoseWord::doubtful), describe(PoseWord::wrong));
    fmt::print("{:10} {:8} {:8} {:8}\n", "right", tally.right[0], tally.right[1], tally.right[2]);
    fmt::print("{:10} {:8} {:8} {:8}\n", "wrong", tally.wrong[0], tally.wrong[1], tally.wrong[2]);
    const double all = tally.alignMs + tally.mapMs, host = all - tally.ndtMs;
    fmt::print("alignment {:.0f} ms with its maps, evidence {:.0f} ms: {:.1f} %, and {:.1f} % where NDT "
               "takes no time\n",
               all, tally.evidenceMs, 100 * tally.evidenceMs / all, 100 * tally.evidenceMs / host);
}

} // namespace

void addVerdictOptions(CLI::App& app, VerdictOptions& options) {
    app.add_option("--scans", options.scans, "folder of real scans, as SCANLOUPE_SCANS of the tests");
    app.add_option("--csv", options.csv, "writes a row for each alignment to this file");
    app.add_option("--first-seed", options.firstSeed, "of the generated scenes");
    app.add_option("--seeds", options.seeds, "how many");
    app.add_option("--mismatches", options.mismatches, "pairs of different scenes");
    app.add_option("--sweeps", options.sweeps, "seeds of sweeps of spinning lidars to judge instead");
    app.add_flag_callback(
        "--cuda", [&] { options.backend = Backend::cuda; }, "takes the CUDA backend");
}

int verdict(const VerdictOptions& options) {
    if (options.sweeps > 0) {
        const test::SweepVerdicts found = test::judgeSweeps(options.firstSeed, options.sweeps);
        found.print();
        return found.hold() ? 0 : 1;
    }
    std::vector<test::ScanPair> pairs;
    for (unsigned seed = options.firstSeed; seed < options.firstSeed + options.seeds; ++seed) {
        const auto more = test::generatedPairs(seed);
        pairs.insert(pairs.end(), more.begin(), more.end());
    }
    if (!options.scans.empty()) {
        const auto more = test::realPairs(options.scans, options.firstSeed);
        pairs.insert(pairs.end(), more.begin(), more.end());
    }
    const auto mismatched = test::mismatchedPairs(pairs, options.mismatches, options.firstSeed);
    pairs.insert(pairs.end(), mismatched.begin(), mismatched.end());

    std::string csv = "group;scene;kind;matched;right;metres;degrees;resolution;converged;word;reason;chance";
    for (const PosePenalty& p : posePenalties({}, 1))
        csv += fmt::format(";{0};penalty_{0}", p.name);
    csv += ";weak_length;rival_lag;align_ms;evidence_ms\n";
    Tally tally;
    unsigned seed = options.firstSeed * 1000;
    for (const test::ScanPair& pair : pairs)
        for (const test::PairTrial& trial : test::trialsOf(pair, ++seed)) {
            const test::JudgedPair judged = test::judge(pair, trial, options.backend);
            const ScanAlignment& a = judged.alignment;
            const PoseEvidence& e = a.evidence;
            csv += fmt::format("{};{};{};{:d};{:d};{:.4f};{:.4f};{:g};{:d};{};{};{:.5f}", pair.group,
                               pair.scene, trial.kind, pair.matched, judged.right, judged.metres,
                               judged.degrees, judged.resolution, e.converged, describe(a.verdict.word),
                               int(a.verdict.reason), a.verdict.chance);
            const double figures[kPosePenalties] = {
                e.agreement,           e.settleDistance,        e.seenThrough,
                double(e.weak.size()), double(e.rivals.size()), e.overlap};
            const auto penalties = posePenalties(e, judged.resolution);
            for (std::size_t i = 0; i < kPosePenalties; ++i)
                csv += fmt::format(";{:.5f};{:.5f}", figures[i], penalties[i].value);
            csv += fmt::format(";{:.3f};{:.5f};{:.2f};{:.2f}\n", e.weak.empty() ? 0 : e.weak.front().length(),
                               e.rivals.empty() ? 1 : lagOf(e.rivals.front(), e), a.alignMs, a.evidenceMs);
            ++(judged.right ? tally.right : tally.wrong)[std::size_t(a.verdict.word)];
            if (trial.searchRadius == 0) {
                tally.alignMs += a.alignMs;
                tally.ndtMs += a.ndt.cost.wallMs;
                tally.evidenceMs += a.evidenceMs + judged.target.evidenceMs;
                tally.mapMs += judged.target.mapMs;
            }
            if (!judged.right && a.placed())
                fmt::print("WRONG, called right: {}, {}, {:.3f} m and {:.2f} degrees off\n", pair.scene,
                           trial.kind, judged.metres, judged.degrees);
        }
    print(tally);
    if (!options.csv.empty()) {
        std::FILE* file = std::fopen(options.csv.c_str(), "w");
        if (!file || std::fwrite(csv.data(), 1, csv.size(), file) != csv.size() || std::fclose(file) != 0)
            throw EngineError("'" + options.csv + "' can't be written.", "Choose another file.");
    }
    return tally.wrong[0] > 0 ? 1 : 0;
}

} // namespace scanloupe::bench
