#pragma once
// Declares attributes of points: name, type, and values that are in memory or still in their file.
#include "engine/cloud/value_range.h"
#include "kernels/core/buffer.h"
#include "kernels/core/scalar_type.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

const char* nameOf(ScalarType type); ///< Returns "int8", ..., "float64".

/// The values of an attribute, in the type of the file.
struct AttributeValues {
    Buffer<std::byte> data;  ///< [N] of the attribute's type
    double min = 0, max = 0; ///< limits of the finite values; both 0 if there are none
    std::uint64_t notFinite = 0;
};

/// A named value of every point. Values that are not loaded are still in the file, see PointCloud::load().
class Attribute {
public:
    Attribute() = default;
    /// @param data [N] values of `type`; their limits are computed when the attribute is added to a cloud
    Attribute(std::string named, ScalarType typed, Buffer<std::byte> data);
    /// Returns an attribute whose values remain in the file until they are loaded.
    static Attribute inFile(std::string name, ScalarType type);

    std::string name; ///< a canonical name if known: intensity, time, ring, red, green, blue, normal_x,
                      ///< normal_y, normal_z, classification, sensor_x, sensor_y, sensor_z; otherwise as in
                      ///< the file
    ScalarType type = ScalarType::float32;
    std::string description;            ///< as in the file; may be empty
    std::optional<ValueRange> declared; ///< full scale declared by the file (E57's limits of colours and
                                        ///< intensities), not the limits of the values
    /// Names of the classes 0, 1, … of a categorical attribute, e.g. scan file names; null if there are none.
    std::shared_ptr<const std::vector<std::string>> classNames;

    bool isLoaded() const { return m_state->isLoaded.load(std::memory_order_acquire); }
    /// Whether both attributes share the same values, loaded or not.
    bool sharesValuesOf(const Attribute& other) const { return m_state == other.m_state; }
    /// Returns the values. This and all functions below throw Fault if the values are not loaded.
    const AttributeValues& values() const;
    const std::byte* data() const { return values().data.data(); }
    double min() const { return values().min; }
    double max() const { return values().max; }
    std::uint64_t notFinite() const { return values().notFinite; }
    double value(std::size_t i) const; ///< exact for all types, except 64-bit integers beyond 2^53

    /// Allocates uninitialized memory for `rows` values. Must be called before the attribute is added to a
    /// cloud.
    void allocate(std::size_t rows);
    std::byte* dataToFill() { return m_state->values.data.data(); }
    void moveRows(std::size_t to, std::size_t from, std::size_t count);
    void shrink(std::size_t rows);

private:
    friend class PointCloud;
    struct State {
        AttributeValues values;
        std::atomic<bool> isLoaded = false;
    };
    /// Sets the values and computes their limits. @param size number of points @throws Fault if the length
    /// differs; Cancelled
    void load(Buffer<std::byte> data, std::size_t size, const std::stop_token& stop) const;

    std::shared_ptr<State> m_state = std::make_shared<State>();
    bool m_isInFile = false;
};

/// A file from which attributes that are not loaded yet can be read.
class AttributeSource {
public:
    virtual ~AttributeSource() = default;
    /// Reads the values of some attributes in one pass, on all cores. Damaged values are set to 0. @param
    /// attributes indices in PointCloud::attributes @param targets [N] values in the attribute's type, for
    /// each attribute @returns messages about damaged values @throws EngineError if the file can't be read
    /// any more, has changed, or when out of memory; Cancelled
    virtual std::vector<std::string> read(std::span<const std::size_t> attributes,
                                          std::span<std::byte* const> targets,
                                          const std::stop_token& stop) const = 0;
};

} // namespace scanloupe
