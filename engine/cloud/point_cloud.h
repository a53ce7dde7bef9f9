#pragma once
// Declares the point cloud: coordinates and attributes in the types of their file, and the single-precision
// view that kernels read.
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

/// The user's changes to a cloud. Points keep their rows.
struct CloudEdits {
    std::shared_ptr<const PointSet> removed = nullptr; ///< [N] on the host; null: none
    /// All positions, in the type of the file; null: none was moved.
    std::shared_ptr<const Positions> moved = nullptr;
    std::vector<Attribute> attributes = {}; ///< replace those of the same name; others are added
    RigidTransform wholeMotion = {};        ///< combined motion of all points; applies to the sensor, too
};

/// N points and their attributes. Immutable once read, except that attributes may be loaded later; shared
/// between stages.
class PointCloud {
public:
    /// Computes bounds, attribute limits and the origin (zero, unless the coordinates are so large that
    /// single precision would lose more than 1e-5 of the cloud's extent or 1 mm).
    /// @param attributeSource of attributes that are still in their file; null if all are in memory
    /// @throws Fault when an attribute's length is not N; Cancelled.
    PointCloud(Positions positions, std::vector<Attribute> attributes, const std::stop_token& stop,
               std::shared_ptr<const AttributeSource> attributeSource = nullptr);
    /// An edited cloud with the origin of the original one, sharing the unedited data.
    /// @throws Fault as above; Cancelled
    PointCloud(const PointCloud& read, const CloudEdits& edits, const std::stop_token& stop);

    std::size_t size() const { return m_size; }
    /// As stored, also of points that were removed.
    const Positions& positions() const { return *m_positions; }
    /// In the file's frame, exactly as stored; NaN for a point that was removed.
    Vec3d position(std::size_t i) const;
    /// The points that edits have removed, on the host; null: none.
    const PointSet* removed() const { return m_removed.get(); }
    const std::vector<Attribute>& attributes() const { return m_attributes; }
    const Attribute* attribute(std::string_view name) const; ///< null when there is none
    /// The index of one of attributes(). @throws Fault for one of another cloud
    std::size_t indexOf(const Attribute& attribute) const;
    /// Loads the values of those attributes that are still in their file, in one pass. Callable from any
    /// thread but the GUI's. @throws EngineError when the file can't be read any more, has changed, or when
    /// memory is too small; Cancelled.
    void load(std::span<const Attribute* const> attributes, const std::stop_token& stop) const;
    void loadAll(const std::stop_token& stop) const;
    /// Sentences about values that load() found to be damaged.
    std::vector<std::string> loadWarnings() const;
    const Bounds& bounds() const { return m_bounds; }
    std::uint64_t notFinite() const { return m_notFinite; } ///< points with a NaN or infinite coordinate
    /// The stored values of black and of full brightness of red, green and blue; nullopt if one of the three
    /// is missing. @throws Fault when they are not loaded
    std::optional<ValueRange> colourRange() const;
    Vec3d origin() const { return m_origin; } ///< origin of the float view, in the file's frame
    std::uint64_t bytes() const;

    /// The coordinates that kernels read: [N, 3] float, relative to origin(); kCutAway of points that were
    /// removed. @throws Cancelled
    Buffer<Vec3f> floatView(const std::stop_token& stop) const;
    /// As above, for the points first, first + stride, ...: as many as `view` has.
    void fillFloatView(std::size_t first, std::size_t stride, std::span<Vec3f> view) const;

    std::string path;                             ///< path of the file; empty for a generated cloud
    std::string format;                           ///< e.g. "PLY binary_little_endian 1.0"
    std::vector<std::string> warnings;            ///< sentences about oddities of the file and dropped data
    std::string coordinateSystem;                 ///< as in the file, WKT or GeoTIFF keys; may be empty
    std::shared_ptr<const SourceMetadata> source; ///< null if none is kept
    std::optional<SensorPose> sensor;             ///< if the file or its format defines it
    int width = 0, height = 0;                    ///< grid size of an organized cloud; 0 otherwise
    std::uint64_t subsampledFrom = 0; ///< points of the file, if these are a subsample of them; else 0
    std::optional<synth::ScanParams> generated; ///< how all of it was generated; none: it was not
    bool isChosenForView = false;               ///< a subset that was chosen for a view
    double viewSpacing = 0; ///< metres between the points in most of that view; 0: unknown

private:
    std::shared_ptr<const Positions> m_positions;
    std::shared_ptr<const PointSet> m_removed;
    ScaledFrame m_frame; ///< of scaled positions
    std::vector<Attribute> m_attributes;
    std::size_t m_size = 0;
    Bounds m_bounds;
    Vec3d m_origin;
    std::uint64_t m_notFinite = 0;
    std::shared_ptr<const AttributeSource> m_source;
    struct Loading {
        std::mutex mutex;         ///< held while values are loaded
        std::mutex warningsMutex; ///< guards the warnings below
        std::vector<std::string> warnings;
    };
    std::shared_ptr<Loading> m_loading = std::make_shared<Loading>(); ///< shared by all edits of a cloud
};

/// Whether a scan has red, green and blue, not all 0. They are loaded. @throws as PointCloud::load
bool hasRgb(const PointCloud& cloud, const std::stop_token& stop);
/// The same without loading: true if colours that are not loaded may differ from 0.
bool mayHaveRgb(const PointCloud& cloud);

} // namespace scanloupe
