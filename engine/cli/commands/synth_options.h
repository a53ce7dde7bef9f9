#pragma once
// Declares the options of `synth`, and functions shared by its kinds of scans.
#include "engine/cli/options.h"
#include "engine/cli/output/session.h"
#include "kernels/synth/lidar_sweep.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace scanloupe::cli {

/// Options of a simulated real sensor, some of whose rays are lost, in a scene with a flat floor.
struct SensorOptions {
    std::string sensor;             ///< one of synth::kLidarModels; empty: an idealized scan without --sensor
    std::vector<std::string> poses; ///< start poses, "x,y,z,yaw" each
    double speed = 0;               ///< forward speed, m/s
    double yawRate = 0;             ///< turning rate to the left, degrees/s
    bool isSkewed = false;
    std::optional<double> columns, range; ///< override the sensor's number of columns and range limit; none:
                                          ///< those of the sensor
    double dropOuts = synth::DropOuts{}.random;
};

struct SynthOptions {
    std::string target;
    std::string scene = "street";
    synth::ScanParams params;    ///< parameters of the scan, except the scene
    std::optional<double> noise; ///< standard deviation of the noise, m; for a part along the normal
    std::string model;
    bool normals = false;
    std::uint64_t frames = 0; ///< number of frames of a drive; 0: a single scan
    std::string poses;
    SensorOptions sensor;
};

/// Adds the options of scans by a simulated real sensor.
/// @param points the option for the number of points; excluded, because the sensor determines the number
void addSensorOptions(Command command, SensorOptions& options, const Option& points);

/// Writes the sweeps of a simulated real sensor, and the true poses.
void runSensor(const SynthOptions& options, const OutputTarget& to, Session& session);

/// Returns the file names of `count` frames, and registers them as outputs. @throws EngineError for a pipe
std::vector<std::string> frameFiles(const OutputTarget& to, std::uint64_t count, const SynthOptions& options,
                                    Session& session);

/// Prints the document of --json. @param points number of points of each file; a single value if all files
/// have the same number
void printSynthJson(const std::vector<std::string>& files, std::span<const std::uint64_t> points,
                    const std::optional<OutputTarget>& poses, const SynthOptions& options, Session& session);

} // namespace scanloupe::cli
