// Computes attributes of voxels on demand.
#include "engine/results/voxel_attributes.h"

#include "engine/cloud/categories.h"
#include "engine/cloud/point_cloud.h"
#include "engine/results/point_attributes.h"
#include "kernels/mesh/operators.h"
#include "kernels/voxelize/operators.h"
#include "kernels/voxelize/splice/update_voxels.h"

#include <algorithm>
#include <cstring>

namespace scanloupe {

namespace {

/// Computes an attribute of voxels in the memory space of `points`, `pointVoxel` and `counts`.
VoxelAttribute computed(const PointAttribute& points, const Buffer<std::uint32_t>& pointVoxel,
                        const std::uint32_t* counts, std::size_t voxels, const Execution& on) {
    const VoxelMembers members{pointVoxel.data(), pointVoxel.size(), voxels};
    VoxelAttribute made;
    made.category = points.category;
    if (points.category) {
        const CategoryView view{points.codes.data(), std::uint32_t(points.category->values.size())};
        made.modes = voxelModes(members, {&view, 1}, on);
    } else {
        made.means = featureMeans({&points.numbers, 1}, members, counts, on);
    }
    return made;
}

/// Returns the values of the points in `rows`.
Buffer<std::byte> valuesOf(const FeatureView& values, std::span<const std::uint32_t> rows) {
    const std::size_t size = sizeOf(values.type);
    auto some = Buffer<std::byte>::host(rows.size() * size);
    const auto* from = static_cast<const std::byte*>(values.data);
    for (std::size_t i = 0; i < rows.size(); ++i)
        std::memcpy(&some[i * size], from + rows[i] * size, size);
    return some;
}

/// Updates an attribute on the host after a change of some points.
VoxelAttribute updated(const VoxelAttribute& before, const cpu::VoxelUpdate& update,
                       const PointAttribute& points, const std::stop_token& stop) {
    const VoxelGrid& averaged = update.averaged;
    PointAttribute some;
    some.category = points.category;
    some.numbers = points.numbers;
    if (points.category) {
        some.codes = Buffer<std::uint32_t>::host(update.rows.size());
        for (std::size_t i = 0; i < update.rows.size(); ++i)
            some.codes[i] = points.codes[update.rows[i]];
    } else {
        some.storage = valuesOf(points.numbers, update.rows);
        some.numbers.data = some.storage.data();
    }
    const VoxelAttribute again =
        computed(some, averaged.pointVoxel, averaged.counts.data(), averaged.size(), {std::nullopt, stop});
    VoxelAttribute made;
    made.category = before.category;
    if (made.category)
        made.modes = cpu::updateValues(before.modes, update, again.modes, stop);
    else
        made.means = cpu::updateValues(before.means, update, again.means, stop);
    return made;
}

std::shared_ptr<const VoxelAttribute> copied(const VoxelAttribute& from, MemorySpace to, StreamView stream) {
    auto copy = std::make_shared<VoxelAttribute>();
    copy->category = from.category;
    copy->means = from.means.copyTo(to, stream);
    copy->modes = from.modes.copyTo(to, stream);
    stream.synchronize(); // other streams may read the result from now on
    return copy;
}

} // namespace

VoxelAttributes::Entry& VoxelAttributes::entry(const Attribute& attribute) const {
    return m_entries[m_points->cloud().indexOf(attribute)];
}

VoxelAttributes::VoxelAttributes(std::shared_ptr<const PointAttributes> points,
                                 DeviceOrHost<VoxelGrid> voxels)
    : m_points(std::move(points)), m_voxels(std::move(voxels)),
      m_entries(std::make_unique<Entry[]>(m_points->cloud().attributes().size())) {}

VoxelAttributes::VoxelAttributes(std::shared_ptr<const VoxelAttributes> nearest,
                                 DeviceOrHost<VoxelGrid> voxels)
    : m_points(nearest->m_points), m_nearest(std::move(nearest)),
      m_nearestVoxels(std::make_unique<NearestVoxels>()), m_voxels(std::move(voxels)),
      m_entries(std::make_unique<Entry[]>(m_points->cloud().attributes().size())) {}

VoxelAttributes::VoxelAttributes(std::shared_ptr<const PointAttributes> points,
                                 DeviceOrHost<VoxelGrid> voxels, const VoxelAttributes& before,
                                 const cpu::VoxelUpdate& update, std::span<const Attribute* const> wanted,
                                 const std::stop_token& stop)
    : VoxelAttributes(std::move(points), std::move(voxels)) {
    for (const Attribute* attribute : wanted) {
        const Attribute* then = before.m_points->cloud().attribute(attribute->name);
        if (!then || !then->isLoaded() || !then->sharesValuesOf(*attribute))
            continue;
        Entry& known = before.entry(*then);
        const std::lock_guard lock(known.mutex);
        if (known.onHost)
            entry(*attribute).onHost = std::make_shared<const VoxelAttribute>(
                updated(*known.onHost, update, *m_points->onHost(*attribute, stop), stop));
    }
}

VoxelAttribute VoxelAttributes::gathered(const VoxelAttribute& nearest, const Execution& on) const {
    const std::lock_guard lock(m_nearestVoxels->mutex);
    Buffer<std::uint32_t>& from = on.onDevice() ? m_nearestVoxels->onDevice : m_nearestVoxels->onHost;
    if (from.empty()) {
        const DeviceOrHost<VoxelGrid>& others = m_nearest->m_voxels;
        const VoxelGrid& grid = on.onDevice() ? m_voxels.device() : m_voxels.host();
        from = nearestVoxels(on.onDevice() ? others.device() : others.host(), voxelMiddles(grid, on), on);
    }
    VoxelAttribute made;
    made.category = nearest.category;
    if (made.category)
        made.modes = gatherVoxelValues(nearest.modes, from, on);
    else
        made.means = gatherVoxelValues(nearest.means, from, on);
    return made;
}

std::shared_ptr<const VoxelAttribute> VoxelAttributes::computedOnHost(const Attribute& attribute,
                                                                      const std::stop_token& stop) const {
    if (m_nearest)
        return std::make_shared<const VoxelAttribute>(
            gathered(*m_nearest->onHost(attribute, stop), {std::nullopt, stop}));
    const VoxelGrid& grid = m_voxels.host();
    return std::make_shared<const VoxelAttribute>(computed(*m_points->onHost(attribute, stop),
                                                           grid.pointVoxel, grid.counts.data(), grid.size(),
                                                           {std::nullopt, stop}));
}

std::shared_ptr<const VoxelAttribute> VoxelAttributes::computedOnDevice(const Attribute& attribute,
                                                                        const std::stop_token& stop) const {
    const VoxelGrid& grid = m_voxels.device();
    const StreamView stream = *m_points->device();
    // if the points were uploaded in pieces, the indices of their voxels are on the host
    const bool pointsAreThere = m_nearest || grid.pointVoxel.space() == MemorySpace::device;
    return orOnHost({pointsAreThere ? std::optional(stream) : std::nullopt, stop},
                    [&](const Execution& on) -> std::shared_ptr<const VoxelAttribute> {
                        if (!on.onDevice())
                            return copied(*computedOnHost(attribute, stop), MemorySpace::device, stream);
                        auto made = std::make_shared<VoxelAttribute>(
                            m_nearest ? gathered(*m_nearest->onDevice(attribute, stop), on)
                                      : computed(*m_points->onDevice(attribute, stop), grid.pointVoxel,
                                                 grid.counts.data(), grid.size(), on));
                        stream.synchronize(); // other streams may read the result from now on
                        return made;
                    });
}

std::shared_ptr<const VoxelAttribute> VoxelAttributes::onHost(const Attribute& attribute,
                                                              const std::stop_token& stop) const {
    Entry& known = entry(attribute);
    if (!m_voxels.onDevice()) {
        const std::lock_guard lock(known.mutex);
        if (!known.onHost)
            known.onHost = computedOnHost(attribute, stop);
        return known.onHost;
    }
    const std::shared_ptr<const VoxelAttribute> there = onDevice(attribute, stop);
    const std::lock_guard lock(known.mutex);
    if (!known.onHost)
        known.onHost = copied(*there, MemorySpace::host, *m_points->device());
    return known.onHost;
}

std::shared_ptr<const VoxelAttribute> VoxelAttributes::onDevice(const Attribute& attribute,
                                                                const std::stop_token& stop) const {
    Entry& known = entry(attribute);
    const std::lock_guard lock(known.mutex);
    if (!known.onDevice)
        known.onDevice = computedOnDevice(attribute, stop);
    return known.onDevice;
}

void VoxelAttributes::prepare(std::span<const Attribute* const> attributes, const Execution& on) const {
    if (m_nearest)
        return m_nearest->prepare(attributes, on);
    if (m_voxels.onDevice() != on.onDevice())
        return; // the grid is in the other memory space: onHost() and onDevice() copy attributes one by one
    const VoxelGrid& grid = on.onDevice() ? m_voxels.device() : m_voxels.host();
    if ((grid.pointVoxel.space() == MemorySpace::device) != on.onDevice())
        return; // if the points were uploaded in pieces, the indices of their voxels are on the host
    std::vector<const Attribute*> numbers;
    std::vector<std::shared_ptr<const PointAttribute>> points;
    std::vector<FeatureView> features;
    for (const Attribute* attribute : attributes) {
        if (isCategorical(*attribute) || std::ranges::find(numbers, attribute) != numbers.end())
            continue;
        numbers.push_back(attribute);
        points.push_back(m_points->on(on, *attribute));
        features.push_back(points.back()->numbers);
    }
    std::vector<Entry*> entries;
    for (const Attribute* attribute : numbers)
        entries.push_back(&entry(*attribute));
    std::vector<Entry*> ordered = entries; // all threads lock in the same order
    std::ranges::sort(ordered);
    std::vector<std::unique_lock<std::mutex>> locks;
    for (Entry* one : ordered)
        locks.emplace_back(one->mutex);
    const auto known = on.onDevice() ? &Entry::onDevice : &Entry::onHost;
    if (std::ranges::all_of(entries, [&](const Entry* one) { return one->*known != nullptr; }))
        return;
    const VoxelMembers members{grid.pointVoxel.data(), grid.pointVoxel.size(), grid.size()};
    const Buffer<float> means = featureMeans(features, members, grid.counts.data(), on);
    const StreamView stream = on.device.value_or(StreamView(nullptr));
    std::vector<std::shared_ptr<VoxelAttribute>> all;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        auto made = std::make_shared<VoxelAttribute>();
        made->means = Buffer<float>::in(means.space(), grid.size(), stream);
        detail::copyBytes(made->means.data(), means.space(), means.data() + i * grid.size(), means.space(),
                          made->means.bytes(), stream);
        all.push_back(std::move(made));
    }
    if (on.onDevice())
        stream.synchronize(); // other streams may read the results from now on
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (!(entries[i]->*known)) // other attributes may be in use
            entries[i]->*known = std::move(all[i]);
}

int VoxelTable::channelOf(std::string_view name) const {
    const auto found = std::ranges::find(channels, name, &VoxelChannel::name);
    return found == channels.end() ? -1 : 3 + int(found - channels.begin());
}

int VoxelTable::categoryOf(std::string_view name) const {
    const auto found = std::ranges::find_if(categories, [&](const auto& c) { return c->name == name; });
    return found == categories.end() ? -1 : int(found - categories.begin());
}

namespace {

/// Returns the range of values that maps to the full scale, see VoxelChannel.
std::optional<ValueRange> fullScaleOf(const Attribute& attribute, const PointCloud& cloud) {
    if (attribute.name == "red" || attribute.name == "green" || attribute.name == "blue")
        return cloud.colourRange();
    if (attribute.type == ScalarType::uint8)
        return ValueRange{0, 255};
    if (attribute.type == ScalarType::uint16)
        return ValueRange{0, 65'535};
    return attribute.declared;
}

} // namespace

VoxelTable voxelTable(const VoxelAttributes& attributes, const std::stop_token& stop) {
    attributes.points().cloud().loadAll(stop); // loads all attributes in one pass over the file
    const VoxelGrid& grid = attributes.voxels().host();
    VoxelTable table;
    std::vector<std::shared_ptr<const VoxelAttribute>> means, modes;
    const PointCloud& cloud = attributes.points().cloud();
    for (const Attribute* attribute : attributesInOrder(cloud)) {
        auto values = attributes.onHost(*attribute, stop);
        if (values->category) {
            table.categories.push_back(values->category);
            modes.push_back(std::move(values));
        } else {
            table.channels.push_back({attribute->name, attribute->min(), fullScaleOf(*attribute, cloud)});
            means.push_back(std::move(values));
        }
    }
    table.grid.shape = grid.shape;
    table.grid.featureCount = means.size();
    table.grid.keys = hostCopy(std::span(grid.keys.span()));
    table.grid.counts = hostCopy(std::span(grid.counts.span()));
    table.grid.strategy = grid.strategy;
    table.grid.stats = grid.stats;
    table.grid.means = Buffer<float>::host((3 + means.size()) * grid.size());
    table.grid.modes = Buffer<std::uint32_t>::host(modes.size() * grid.size());
    float* mean = std::copy_n(grid.means.data(), 3 * grid.size(), table.grid.means.data());
    for (const auto& one : means)
        mean = std::copy(one->means.span().begin(), one->means.span().end(), mean);
    std::uint32_t* mode = table.grid.modes.data();
    for (const auto& one : modes)
        mode = std::copy(one->modes.span().begin(), one->modes.span().end(), mode);
    return table;
}

} // namespace scanloupe
