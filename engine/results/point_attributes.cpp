// Encodes and uploads attributes of points on demand.
#include "engine/results/point_attributes.h"

#include "engine/cloud/categories.h"
#include "engine/cloud/point_cloud.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <array>

namespace scanloupe {

namespace {

constexpr std::size_t kPointAttributesGrain = 1 << 16;

/// Returns every `stride`-th value of an attribute, in its own type.
Buffer<std::byte> everyNth(const Attribute& attribute, std::size_t count, std::size_t stride,
                           const std::stop_token& stop) {
    auto buffer = Buffer<std::byte>::host(count * sizeOf(attribute.type));
    visitScalar(attribute.type, [&]<class T>(std::type_identity<T>) {
        const T* from = reinterpret_cast<const T*>(attribute.data());
        T* to = reinterpret_cast<T*>(buffer.data());
        parallelFor(count, kPointAttributesGrain, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                to[i] = from[i * stride];
        });
    });
    return buffer;
}

std::shared_ptr<const PointAttribute> madeOnHost(const Attribute& attribute, std::size_t count,
                                                 std::size_t stride, const std::stop_token& stop) {
    auto made = std::make_shared<PointAttribute>();
    if (isCategorical(attribute)) {
        CategoryColumn column = encodeCategory(attribute, count, stride, stop);
        made->category = std::move(column.category);
        made->codes = std::move(column.codes);
        return made;
    }
    made->numbers = {attribute.data(), attribute.type, attribute.min(), attribute.max()};
    if (stride > 1) {
        made->storage = everyNth(attribute, count, stride, stop);
        made->numbers.data = made->storage.data();
    }
    return made;
}

std::shared_ptr<const PointAttribute> copiedToDevice(const PointAttribute& host, std::size_t count,
                                                     StreamView stream) {
    auto copy = std::make_shared<PointAttribute>();
    copy->category = host.category;
    copy->codes = host.codes.copyTo(MemorySpace::device, stream);
    copy->numbers = host.numbers;
    if (host.numbers.data) {
        const std::size_t bytes = count * sizeOf(host.numbers.type);
        copy->storage = Buffer<std::byte>::in(MemorySpace::device, bytes, stream);
        detail::copyBytes(copy->storage.data(), MemorySpace::device, host.numbers.data, MemorySpace::host,
                          bytes, stream);
        copy->numbers.data = copy->storage.data();
    }
    stream.synchronize(); // other streams may read the copy from now on
    return copy;
}

} // namespace

std::vector<const Attribute*> attributesInOrder(const PointCloud& cloud) {
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

PointAttributes::PointAttributes(std::shared_ptr<const PointCloud> cloud, std::size_t stride,
                                 std::shared_ptr<const Stream> device)
    : m_cloud(std::move(cloud)), m_stride(stride), m_size(chunkCount(m_cloud->size(), stride)),
      m_device(std::move(device)) {
    for (std::size_t i = 0; i < m_cloud->attributes().size(); ++i)
        m_entries.push_back(std::make_shared<Entry>());
}

PointAttributes::PointAttributes(std::shared_ptr<const PointCloud> edited, const PointAttributes& read)
    : PointAttributes(std::move(edited), read.m_stride, read.m_device) {
    const auto &mine = m_cloud->attributes(), &theirs = read.m_cloud->attributes();
    for (std::size_t i = 0; i < std::min(mine.size(), theirs.size()); ++i)
        if (mine[i].sharesValuesOf(theirs[i]))
            m_entries[i] = read.m_entries[i];
}

PointAttributes::~PointAttributes() = default;

std::shared_ptr<const PointAttribute> PointAttributes::onHost(const Attribute& attribute,
                                                              const std::stop_token& stop) const {
    Entry& known = *m_entries[m_cloud->indexOf(attribute)];
    const Attribute* const one[] = {&attribute};
    const std::lock_guard lock(known.mutex);
    m_cloud->load(one, stop);
    if (!known.onHost)
        known.onHost = madeOnHost(attribute, m_size, m_stride, stop);
    return known.onHost;
}

std::shared_ptr<const PointAttribute> PointAttributes::onDevice(const Attribute& attribute,
                                                                const std::stop_token& stop) const {
    if (!m_device)
        throw Fault("an attribute was requested on a device, but no device is used");
    const std::shared_ptr<const PointAttribute> host = onHost(attribute, stop);
    Entry& known = *m_entries[m_cloud->indexOf(attribute)];
    const std::lock_guard lock(known.mutex);
    if (!known.onDevice)
        known.onDevice = copiedToDevice(*host, m_size, *m_device);
    return known.onDevice;
}

void PointAttributes::releaseFromDevice(const std::function<bool(const Attribute&)>& isWanted) const {
    for (const Attribute& attribute : m_cloud->attributes()) {
        if (isWanted(attribute))
            continue;
        Entry& known = *m_entries[m_cloud->indexOf(attribute)];
        const std::lock_guard lock(known.mutex);
        known.onDevice.reset();
    }
}

std::uint64_t PointAttributes::bytes() const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < m_cloud->attributes().size(); ++i) {
        const std::lock_guard lock(m_entries[i]->mutex);
        for (const auto& copy : {m_entries[i]->onHost, m_entries[i]->onDevice})
            sum += copy ? copy->bytes() : 0;
    }
    return sum;
}

} // namespace scanloupe
