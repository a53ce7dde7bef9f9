#pragma once
// Declares the benchmark of decoding LAZ positions on the device: the variants of tests/bench/variants
// against LASzip.
#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace scanloupe::bench {

struct LazOptions {
    std::string file;                  ///< a file of point format 6 to 10; empty: the generated street
    std::uint64_t points = 10'000'000; ///< points of the street
    std::string folder = "io-bench";   ///< folder for the file of the street, which is kept
    int repeats = 5;
    std::string only; ///< name of the only schedule to time; empty: all
    std::string json; ///< file for the figures; empty: none
};

void addLazOptions(CLI::App& app, LazOptions& options);

/// Times the decoding of x, y and z alone: on the CPU cores with LASzip and with the trial decoder, and on
/// the device with each schedule of the trial decoder. Returns the exit code: 1 if positions differ from
/// LASzip's.
int laz(const LazOptions& options);

} // namespace scanloupe::bench
