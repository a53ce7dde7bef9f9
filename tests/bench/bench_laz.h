#pragma once
// Decoding the positions of LAZ on the device: the trial of tests/bench/variants beside LASzip.
#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace scanloupe::bench {

struct LazOptions {
    std::string file;                  ///< of point format 6 to 10; empty: the generated street
    std::uint64_t points = 10'000'000; ///< of the street
    std::string folder = "io-bench";   ///< where its file is made, and left
    int repeats = 5;
    std::string only; ///< a schedule by its name; empty: all
    std::string json; ///< where figures go; empty: nowhere
};

void addLazOptions(CLI::App& app, LazOptions& options);

/// Times the decoding of x, y and z alone, on the cores by LASzip and by the trial decoder, on the device by
/// each schedule of the latter. Returns the exit code: 1 when positions differ from LASzip's.
int laz(const LazOptions& options);

} // namespace scanloupe::bench
