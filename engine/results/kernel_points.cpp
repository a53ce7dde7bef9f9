// Converts a point cloud to the layout of the kernels, and copies it to the device.
#include "engine/results/kernel_points.h"

#include "kernels/core/parallel.h"

#include <algorithm>
#include <array>

namespace scanloupe {

namespace {

constexpr std::size_t kGrain = 1 << 16;

/// Attributes in the order of their channels: complete vectors first, with adjacent components, then the
/// others in the order of the file.
std::vector<const Attribute*> channelOrder(const PointCloud& cloud) {
    constexpr std::array<std::array<const char*, 3>, 3> triples{{{"normal_x", "normal_y", "normal_z"},
                                                                 {"sensor_x", "sensor_y", "sensor_z"},
                                                                 {"red", "green", "blue"}}};
    std::vector<const Attribute*> order;
    for (const auto& triple : triples) {
        std::array<const Attribute*, 3> found{};
        std::transform(triple.begin(), triple.end(), found.begin(),
                       [&](const char* name) { return cloud.attribute(name); });
        if (found[0] && found[1] && found[2])
            order.insert(order.end(), found.begin(), found.end());
    }
    for (const Attribute& attribute : cloud.attributes()) {
        if (std::find(order.begin(), order.end(), &attribute) == order.end())
            order.push_back(&attribute);
    }
    return order;
}

template <class T>
Buffer<std::byte> converted(const Attribute& attribute, std::size_t count, std::size_t stride,
                            const std::stop_token& stop) {
    auto buffer = Buffer<std::byte>::host(count * sizeof(T));
    T* values = reinterpret_cast<T*>(buffer.data());
    parallelFor(count, kGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            values[i] = static_cast<T>(attribute.value(i * stride));
    });
    return buffer;
}

bool fitsFloat(ScalarType type) {
    return type == ScalarType::float32 || sizeOf(type) <= 2;
}

} // namespace

int KernelPoints::channelOf(std::string_view name) const {
    const auto found =
        std::find_if(channels.begin(), channels.end(), [&](const auto& c) { return c.name == name; });
    return found == channels.end() ? -1 : 3 + int(found - channels.begin());
}

int KernelPoints::categoryOf(std::string_view name) const {
    const auto found =
        std::find_if(categories.begin(), categories.end(), [&](const auto& c) { return c->name == name; });
    return found == categories.end() ? -1 : int(found - categories.begin());
}

std::vector<CategoryView> KernelPoints::categoryViews() const {
    std::vector<CategoryView> views;
    for (std::size_t c = 0; c < categories.size(); ++c)
        views.push_back({codes[c].data(), std::uint32_t(categories[c]->values.size())});
    return views;
}

std::uint64_t KernelPoints::bytes() const {
    std::uint64_t sum = positions.bytes();
    for (const auto& buffer : storage)
        sum += buffer.bytes();
    for (const auto& column : codes)
        sum += column.bytes();
    return sum;
}

KernelPoints uploadToHost(const PointCloud& cloud, std::size_t stride, const std::stop_token& stop) {
    KernelPoints points;
    points.positions = cloud.floatView(stop);
    const std::size_t count = chunkCount(cloud.size(), stride);
    if (stride > 1) {
        for (std::size_t i = 0; i < count; ++i)
            points.positions[i] = points.positions[i * stride];
        points.positions.shrink(count);
    }
    for (const Attribute* attribute : channelOrder(cloud)) {
        if (isCategorical(*attribute)) {
            CategoryColumn column = encodeCategory(*attribute, count, stride, stop);
            points.categories.push_back(std::move(column.category));
            points.codes.push_back(std::move(column.codes));
            continue;
        }
        FeatureView feature{attribute->data.data(), FeatureView::Type::float32, attribute->min,
                            attribute->max};
        const bool asIs = attribute->type == ScalarType::float32 || attribute->type == ScalarType::float64;
        if (!fitsFloat(attribute->type))
            feature.type = FeatureView::Type::float64;
        if (stride > 1 || !asIs) {
            points.storage.push_back(feature.type == FeatureView::Type::float32
                                         ? converted<float>(*attribute, count, stride, stop)
                                         : converted<double>(*attribute, count, stride, stop));
            feature.data = points.storage.back().data();
        }
        points.features.push_back(feature);
        points.channels.push_back({attribute->name, attribute->min});
    }
    return points;
}

KernelPoints uploadToDevice(const KernelPoints& host, StreamView stream) {
    KernelPoints device;
    device.positions = host.positions.copyTo(MemorySpace::device, stream);
    device.channels = host.channels;
    device.features = host.features;
    for (FeatureView& feature : device.features) {
        const std::size_t bytes =
            host.positions.size() *
            (feature.type == FeatureView::Type::float32 ? sizeof(float) : sizeof(double));
        device.storage.push_back(Buffer<std::byte>::in(MemorySpace::device, bytes, stream));
        detail::copyBytes(device.storage.back().data(), MemorySpace::device, feature.data, MemorySpace::host,
                          bytes, stream);
        feature.data = device.storage.back().data();
    }
    device.categories = host.categories;
    for (const auto& column : host.codes)
        device.codes.push_back(column.copyTo(MemorySpace::device, stream));
    return device;
}

} // namespace scanloupe
