#pragma once
// Declares the options of `synth`, and code shared by its kinds of scans.
#include "engine/cli/options.h"
#include "engine/cli/output/session.h"
#include "kernels/synth/lidar_sweep.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace scanloupe::cli {

/// A sensor that loses rays, in a place with a flat floor.
struct SensorOptions {
    std::string sensor;             ///< one of synth::kLidarModels; empty: the usual scans
    std::vector<std::string> poses; ///< "x,y,z,yaw" each
    double speed = 0;               ///< forward, metres a second
    double yawRate = 0;             ///< degrees a second
    bool isSkewed = false;
    std::optional<double> columns, range; ///< override the sensor's
    double dropOuts = synth::DropOuts{}.random;
};

struct SynthOptions {
    std::string target;
    std::string scene = "street";
    synth::ScanParams params;    ///< without the scene
    std::optional<double> noise; ///< for a part: along the normal
    std::string model;
    bool normals = false;
    std::uint64_t frames = 0; ///< 0: one scan
    std::string poses;
    SensorOptions sensor;
};

/// Adds the options of scans by a real sensor. @param points option for the number of points, which a
/// sensor determines itself
void addSensorOptions(Command command, SensorOptions& options, const Option& points);

/// Writes the sweeps of a sensor, and the true poses.
void runSensor(const SynthOptions& options, const OutputTarget& to, Session& session);

/// Names the files of `count` frames, and registers them as outputs. @throws EngineError for a pipe
std::vector<std::string> frameFiles(const OutputTarget& to, std::uint64_t count, const SynthOptions& options,
                                    Session& session);

/// Prints the document of --json. @param points points of each file; one value if all have the same number
void printSynthJson(const std::vector<std::string>& files, std::span<const std::uint64_t> points,
                    const std::optional<OutputTarget>& poses, const SynthOptions& options, Session& session);

} // namespace scanloupe::cli
