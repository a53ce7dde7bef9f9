// Declares the options of the registration benchmark.
#include "tests/bench/bench_align.h"

namespace scanloupe::bench {

void addAlignOptions(CLI::App& app, AlignOptions& options) {
    app.add_option("--points", options.points, "of the street's scans, e.g. 1000,30000")
        ->delimiter(',')
        ->check(CLI::Range(10, 1'000'000));
    app.add_option("--only", options.only,
                   "rows whose names begin so: cpu, cuda, \"cuda block\", plain, plan, upload")
        ->delimiter(',');
    app.add_option("--starts", options.starts, "poses that the search starts from")
        ->check(CLI::PositiveNumber);
    app.add_option("--repeats", options.repeats, "timed runs of each row; 20 at most above 10 ms")
        ->check(CLI::PositiveNumber);
    app.add_option("--limit-seconds", options.seconds, "starts no more rows after this time");
    app.add_option("--json", options.json, "writes the figures to this file");
    app.add_option("--compare", options.compare, "compares with figures that --json wrote");
}

} // namespace scanloupe::bench
