#pragma once
// Declares the benchmark of registration by surfaces, next to that of NDT.
#include "kernels/core/stream.h"
#include "tests/bench/align_report.h"

#include <functional>
#include <optional>
#include <string>

namespace scanloupe::bench {

/// Times one row: `once` returns milliseconds, and sets the note.
using AlignRowTimer = std::function<void(const std::string& what, const std::string& method, int repeats,
                                         std::string& note, const std::function<double()>& once)>;

/// Times sweeps of an HDL-64 in a street: shapes, maps and registrations by surfaces, and whole drives added
/// to the map, from clouds in memory.
/// @param stream for the device's rows; none: only the CPU's rows are timed
/// @returns why the device's poses are wrong; empty if they equal the CPU's
/// @throws KernelError
std::string timeSurfaceAlignment(int repeats, std::optional<StreamView> stream, const AlignRowTimer& time);

} // namespace scanloupe::bench
