#pragma once
// Declares the header of PCD files (Point Cloud Library, "The PCD (Point Cloud Data) file format").
#include "engine/cloud/sensor_pose.h"
#include "engine/io/common/cloud_builder.h"
#include "kernels/synth/scan_generator.h"

#include <optional>

namespace scanloupe {

struct PcdHeader {
    enum class Data { ascii, binary, compressed };
    Data data = Data::ascii;
    std::string format; ///< e.g. "PCD binary 0.7"
    std::vector<Field>
        fields; ///< columns; a field of the file with a COUNT of n > 1 becomes n columns: name_0, name_1, ...
    std::vector<std::size_t> counts; ///< number of columns in `fields` for each field of the file
    std::uint64_t points = 0;        ///< number of points in the header, not yet checked
    std::uint64_t width = 0, height = 0;
    std::optional<SensorPose> viewpoint;
    std::uint64_t bodyOffset = 0;
    char newline = '\n';
    std::vector<std::string> warnings;
};

/// Reads the header. @throws EngineError if a line is missing or invalid
PcdHeader readPcdHeader(const InputFile& file);

} // namespace scanloupe
