#pragma once
// Declares the attributes of a cloud in the memory layout of the kernels. Each is encoded or uploaded on
// first use, because most scans have many attributes, of which only one or two are used.
#include "kernels/core/execution.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

namespace scanloupe {

class Attribute;
struct Category;
class PointCloud;

/// Returns the attributes in the order of files that the program writes: first complete vectors with adjacent
/// components (normal, sensor, red green blue), then the others in the order of the input file.
std::vector<const Attribute*> attributesInOrder(const PointCloud& cloud);

/// One attribute of the points in one memory space: numbers in the type of their file, or classes.
struct PointAttribute {
    FeatureView numbers;                      ///< [N]; without data if the values are classes
    Buffer<std::byte> storage;                ///< memory of `numbers`; empty if `numbers` refers to the
                                              ///< memory of the cloud
    std::shared_ptr<const Category> category; ///< null: the attribute has numbers
    Buffer<std::uint32_t> codes;              ///< [N] the class of each point

    std::uint64_t bytes() const { return storage.bytes() + codes.bytes(); }
};

/// The attributes of every `stride`-th point of a cloud. Thread-safe.
class PointAttributes {
public:
    /// @param device stream for copies to the device; null: no device is used
    PointAttributes(std::shared_ptr<const PointCloud> cloud, std::size_t stride,
                    std::shared_ptr<const Stream> device);
    /// Creates the attributes of an edited cloud. Shares the copies of unedited attributes with `read`.
    PointAttributes(std::shared_ptr<const PointCloud> edited, const PointAttributes& read);
    ~PointAttributes();
    PointAttributes(const PointAttributes&) = delete;
    PointAttributes& operator=(const PointAttributes&) = delete;

    const PointCloud& cloud() const { return *m_cloud; }
    std::size_t stride() const { return m_stride; }
    std::size_t size() const { return m_size; } ///< number of points, N
    const std::shared_ptr<const Stream>& device() const { return m_device; }

    /// Returns an attribute of cloud() in host memory. @throws KernelError; Cancelled.
    std::shared_ptr<const PointAttribute> onHost(const Attribute& attribute,
                                                 const std::stop_token& stop) const;
    /// Returns an attribute of cloud() in device memory; the copy is complete on return. @throws
    /// DeviceMemoryShort, KernelError; Cancelled.
    std::shared_ptr<const PointAttribute> onDevice(const Attribute& attribute,
                                                   const std::stop_token& stop) const;
    /// Returns an attribute in the memory space in which `on` computes.
    std::shared_ptr<const PointAttribute> on(const Execution& on, const Attribute& attribute) const {
        return on.onDevice() ? onDevice(attribute, on.stop) : onHost(attribute, on.stop);
    }
    /// Returns the memory of the cached copies on host and device, bytes.
    std::uint64_t bytes() const;
    /// Releases the device memory of attributes for which `isWanted` is false.
    void releaseFromDevice(const std::function<bool(const Attribute&)>& isWanted) const;

private:
    struct Entry {
        std::mutex mutex; ///< locked while a copy is made
        std::shared_ptr<const PointAttribute> onHost, onDevice;
    };

    std::shared_ptr<const PointCloud> m_cloud;
    std::size_t m_stride, m_size;
    std::shared_ptr<const Stream> m_device;        ///< outlives the buffers that are freed on it
    std::vector<std::shared_ptr<Entry>> m_entries; ///< one entry per attribute, in the order of
                                                   ///< PointCloud::attributes
};

} // namespace scanloupe
