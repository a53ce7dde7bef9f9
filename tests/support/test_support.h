#pragma once
// Shared by several tests: location of the real scans, seeded random numbers, scratch folders.
#include "tests/support/test_program.h"

#include <QByteArray>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <random>
#include <string>

namespace scanloupe::test {

/// The folder of real scans: $SCANLOUPE_SCANS, or ../shared/scans next to the project. Without real scans,
/// the path does not exist.
std::filesystem::path scansFolder();

/// A generator with a fixed seed, or $SCANLOUPE_SEED; prints the seed.
std::mt19937_64 seededRandom(const char* where);

/// Whether a CUDA device can be used. @param reason receives the reason if not
bool haveCudaDevice(std::string& reason);

} // namespace scanloupe::test

/// Skips the test function unless the real scan `relative` exists; defines its path as `variable`.
#define SCANLOUPE_REAL_SCAN(variable, relative)                                                              \
    const std::filesystem::path variable = scanloupe::test::scansFolder() / (relative);                      \
    if (!std::filesystem::exists(variable))                                                                  \
    QSKIP("the folder of real scans is not here: set SCANLOUPE_SCANS to run this test")

/// Skips a test function with many millions of points, unless long tests are enabled: scanloupe_long_test()
/// in CMake runs it.
#define SCANLOUPE_LONG_TEST()                                                                                \
    if (!qEnvironmentVariableIsSet("SCANLOUPE_LONG_TESTS"))                                                  \
    QSKIP("a long test, which packaging/check.sh long runs")

/// Skips the test function unless a CUDA device can be used.
#define SCANLOUPE_NEEDS_CUDA()                                                                               \
    if (std::string why; !scanloupe::test::haveCudaDevice(why))                                              \
    QSKIP(why.c_str())
