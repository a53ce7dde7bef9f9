#pragma once
// Declares the point cloud: coordinates and attributes in the types of their file, and the single-precision
// coordinates for kernels.
#include "engine/cloud/attribute.h"
#include "engine/cloud/bounds.h"
#include "engine/cloud/positions.h"
#include "engine/cloud/scaled_frame.h"
#include "engine/cloud/sensor_pose.h"
#include "kernels/core/buffer.h"
#include "kernels/core/vec3.h"
#include "kernels/select/point_set.h"
#include "kernels/synth/scan_generator.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

class SourceMetadata;

/// The user's changes to a cloud. Indices of points stay the same.
struct CloudEdits {
    std::shared_ptr<const PointSet> removed = nullptr; ///< [N] on the host; null: no point was removed
    /// All positions in the type of the file; null: no point was moved.
    std::shared_ptr<const Positions> moved = nullptr;
    std::vector<Attribute> attributes = {}; ///< replace attributes with the same name; others are added
    RigidTransform wholeMotion = {};        ///< combined motion of all points; also applies to the sensor
};

/// PointCloud::format of a cloud that was generated rather than read.
inline constexpr const char* kGeneratedFormat = "generated";

/// N points and their attributes. Immutable after reading, except that attributes may be loaded later. Shared
/// between stages.
class PointCloud {
public:
    /// Computes bounds, attribute limits and the origin. The origin is zero, unless single precision would
    /// lose more than 1e-5 of the cloud's extent or 1 mm at the cloud's coordinates.
    /// @param attributeSource file of attributes that are not loaded; null if all are in memory
    /// @throws Fault if an attribute's length is not N; Cancelled.
    PointCloud(Positions positions, std::vector<Attribute> attributes, const std::stop_token& stop,
               std::shared_ptr<const AttributeSource> attributeSource = nullptr);
    /// Creates an edited cloud with the origin of the original one. Unedited data is shared.
    /// @throws Fault as the other constructor; Cancelled
    PointCloud(const PointCloud& read, const CloudEdits& edits, const std::stop_token& stop);

    std::size_t size() const { return m_size; }
    /// Positions as stored, including removed points.
    const Positions& positions() const { return *m_positions; }
    /// Position in the file's frame, exactly as stored; NaN for a removed point.
    Vec3d position(std::size_t i) const;
    /// Points removed by edits, on the host; null: none.
    const PointSet* removed() const { return m_removed.get(); }
    const std::vector<Attribute>& attributes() const { return m_attributes; }
    const Attribute* attribute(std::string_view name) const; ///< null if there is no such attribute
    /// Returns the index of an attribute in attributes(). @throws Fault if it belongs to another cloud
    std::size_t indexOf(const Attribute& attribute) const;
    /// Loads the values of those given attributes that are not loaded yet, in one pass over the file. Can be
    /// called from any thread except the GUI thread. @throws EngineError if the file can't be read any more,
    /// has changed, or when out of memory; Cancelled.
    void load(std::span<const Attribute* const> attributes, const std::stop_token& stop) const;
    void loadAll(const std::stop_token& stop) const;
    /// Messages about damaged values found by load().
    std::vector<std::string> loadWarnings() const;
    const Bounds& bounds() const { return m_bounds; }
    std::uint64_t notFinite() const {
        return m_notFinite;
    } ///< number of points with a NaN or infinite
      ///< coordinate
    /// Returns the stored values of black and of full brightness; nullopt if red, green or blue is missing.
    /// @throws Fault if the colours are not loaded
    std::optional<ValueRange> colourRange() const;
    Vec3d origin() const { return m_origin; } ///< origin of floatView(), in the file's frame
    std::uint64_t bytes() const;

    /// Returns the coordinates for kernels: [N, 3] float, relative to origin(); kCutAway for removed points.
    /// @throws Cancelled
    Buffer<Vec3f> floatView(const std::stop_token& stop) const;
    /// Like floatView(), for the points first, first + stride, ...: as many as fit into `view`.
    void fillFloatView(std::size_t first, std::size_t stride, std::span<Vec3f> view) const;

    std::string path;                             ///< path of the file; empty for a generated cloud
    std::string format;                           ///< e.g. "PLY binary_little_endian 1.0"
    std::vector<std::string> warnings;            ///< messages about unusual content of the file and dropped
                                                  ///< data
    std::string coordinateSystem;                 ///< as in the file: WKT or GeoTIFF keys; may be empty
    std::shared_ptr<const SourceMetadata> source; ///< metadata for writing a file of the same format; may be
                                                  ///< null
    std::optional<SensorPose> sensor;             ///< if the file or its format defines it
    int width = 0, height = 0;                    ///< grid size of an organized cloud; 0 otherwise
    std::uint64_t subsampledFrom = 0; ///< number of points of the file if these are a subsample of them;
                                      ///< otherwise 0
    std::optional<synth::ScanParams> generated; ///< parameters of a generated scan; nullopt for other clouds
    bool isChosenForView = false;               ///< whether the points are a subset that was chosen for a
                                                ///< view
    double viewSpacing = 0; ///< typical distance between points in that view, metres; 0: unknown

private:
    std::shared_ptr<const Positions> m_positions;
    std::shared_ptr<const PointSet> m_removed;
    ScaledFrame m_frame; ///< frame of scaled positions
    std::vector<Attribute> m_attributes;
    std::size_t m_size = 0;
    Bounds m_bounds;
    Vec3d m_origin;
    std::uint64_t m_notFinite = 0;
    std::shared_ptr<const AttributeSource> m_source;
    struct Loading {
        std::mutex mutex;         ///< locked while values are loaded
        std::mutex warningsMutex; ///< guards the warnings
        std::vector<std::string> warnings;
    };
    std::shared_ptr<Loading> m_loading = std::make_shared<Loading>(); ///< shared by all edited versions of a
                                                                      ///< cloud
};

/// Whether a scan has red, green and blue that are not all 0. Loads these attributes. @throws as
/// PointCloud::load()
bool hasRgb(const PointCloud& cloud, const std::stop_token& stop);
/// Like hasRgb(), without loading: true if colours that are not loaded may differ from 0.
bool mayHaveRgb(const PointCloud& cloud);

} // namespace scanloupe
