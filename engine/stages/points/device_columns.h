#pragma once
// Brings attributes of points to the device, as the columns of formulas and functions.
#include "kernels/formula/formula_cuda.h"

#include <memory>
#include <vector>

namespace scanloupe {

class Attribute;
struct Execution;
struct PointAttribute;
class PointAttributes;

/// Columns of values, as long as they live. Classes are their numbers.
class DeviceColumns {
public:
    /// Both outlive them.
    DeviceColumns(const PointAttributes& attributes, const Execution& on)
        : m_attributes(attributes), m_on(on) {}

    /// @throws DeviceMemoryShort; KernelError; EngineError when it can't be read any more; Cancelled
    void add(const Attribute& attribute);
    /// x, y, z or height: 0 to 3.
    void addCoordinate(int coordinate) { m_columns.push_back({nullptr, ScalarType::float32, coordinate}); }

    const std::vector<FormulaColumn>& columns() const { return m_columns; }

private:
    const PointAttributes& m_attributes;
    const Execution& m_on;
    std::vector<FormulaColumn> m_columns;
    std::vector<std::shared_ptr<const PointAttribute>> m_held;
    std::vector<Buffer<double>> m_classes;
};

} // namespace scanloupe
