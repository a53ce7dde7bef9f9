// Uploads the columns of values that formulas and CUDA functions use.
#include "engine/stages/points/device_columns.h"

#include "engine/cloud/categories.h"
#include "engine/cloud/point_cloud.h"
#include "engine/results/point_attributes.h"
#include "kernels/core/parallel.h"

#include <array>

namespace scanloupe {

void DeviceColumns::add(const Attribute& attribute) {
    FormulaColumn& column = m_columns.emplace_back();
    if (!isCategorical(attribute)) {
        m_held.push_back(m_attributes.onDevice(attribute, m_on.stop));
        column.data = m_held.back()->numbers.data;
        column.type = m_held.back()->numbers.type;
        return;
    }
    m_attributes.cloud().load(std::array{&attribute}, m_on.stop); // the device only has indices of classes,
                                                                  // so the values are loaded
    auto values = Buffer<double>::host(m_attributes.size());
    parallelFor(values.size(), 1 << 16, m_on.stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            values.data()[i] = attribute.value(i * m_attributes.stride());
    });
    m_classes.push_back(values.copyTo(MemorySpace::device, *m_on.device));
    m_on.device->synchronize(); // `values` must outlive the copy
    column.data = m_classes.back().data();
    column.type = ScalarType::float64;
}

} // namespace scanloupe
