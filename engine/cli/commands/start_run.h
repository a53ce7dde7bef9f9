#pragma once
// Declares the start of a run: the backend starts while the input is read.
#include "engine/io/scan_input.h"
#include "engine/pipeline/pipeline.h"

#include <functional>
#include <memory>

namespace scanloupe {
struct BackendRequest;
struct ReadOptions;
} // namespace scanloupe

namespace scanloupe::cli {

/// A started pipeline and its input.
struct StartedRun {
    std::unique_ptr<Pipeline> pipeline;
    ScanInput input;
};

/// Reads the input of a run as one scan.
using InputReader = std::function<ScanInput(const ReadOptions&)>;

/// Starts the backend while one scan is read, or several as one: on an H200 machine with 16 cores, CUDA took
/// 0.2 s to start, and a LAS file of a hundred million points 0.2 s to read (2026-11-24).
/// @throws as chooseBackend, which ends the reading where it reports progress; as readInput
StartedRun startRun(const BackendRequest& wanted, const ReadOptions& read, const InputReader& reader);

} // namespace scanloupe::cli
