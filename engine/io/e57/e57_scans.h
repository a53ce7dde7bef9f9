#pragma once
// Declares the scans (Data3D) that the XML section of an E57 file describes.
#include "engine/cloud/sensor_pose.h"
#include "engine/cloud/value_range.h"
#include "engine/io/e57/e57_pages.h"

#include <optional>

namespace scanloupe {

/// A field in the prototype of a scan's points.
struct E57Field {
    enum class Kind : std::uint8_t { float32, float64, integer, scaled };
    std::string name; ///< as in the file, with the prefix of its extension
    Kind kind = Kind::float64;
    std::int64_t minimum = 0, maximum = 0; ///< limits of integers and scaled integers
    double scale = 1, offset = 0;          ///< scale and offset of scaled integers
    int bits = 64;                         ///< bits of an encoded value; 0: all values are the minimum
    std::optional<ValueRange> declared;    ///< full scale of a colour or an intensity
};

/// Pose of a scanner: file position = rotation * scan position + translation.
struct E57Pose {
    Vec3d axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; ///< columns of the rotation matrix
    Vec3d translation;
    Quaternion rotation; ///< same rotation as `axes`

    bool identity() const {
        return axes[0] == Vec3d{1, 0, 0} && axes[1] == Vec3d{0, 1, 0} && axes[2] == Vec3d{0, 0, 1} &&
               translation == Vec3d{};
    }
    Vec3d apply(Vec3d p) const { return axes[0] * p.x + axes[1] * p.y + axes[2] * p.z + translation; }
};

struct E57Scan {
    std::string name;
    std::uint64_t points = 0;        ///< number of points in the XML, not yet checked
    std::uint64_t sectionOffset = 0; ///< offset of the scan's CompressedVector section, without checksums
    std::vector<E57Field> fields;
    std::optional<E57Pose> pose;

    /// Returns the index of the field `name`; -1 if there is none.
    int find(std::string_view name) const;
    bool spherical() const { return find("cartesianX") < 0 && find("sphericalRange") >= 0; }
    /// Returns the index of the field that flags points with invalid coordinates; -1 if there is none.
    int invalidState() const;
};

struct E57File {
    std::vector<E57Scan> scans;
    std::string coordinateSystem;
    std::size_t images = 0; ///< number of images, which are not read
    std::vector<std::string> warnings;
};

/// Reads the XML section. @throws EngineError; E57ChecksumError
E57File readE57Xml(E57Pages& pages);

} // namespace scanloupe
