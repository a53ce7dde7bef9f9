#pragma once
// Declares the columns of attribute values on the device that formulas and CUDA functions use.
#include "kernels/formula/formula_cuda.h"

#include <memory>
#include <vector>

namespace scanloupe {

class Attribute;
struct Execution;
struct PointAttribute;
class PointAttributes;

/// Columns of values on the device. They are valid while this object exists. Classes are represented by their
/// numbers.
class DeviceColumns {
public:
    /// Creates an empty set of columns. Both arguments must outlive this object.
    DeviceColumns(const PointAttributes& attributes, const Execution& on)
        : m_attributes(attributes), m_on(on) {}

    /// Adds an attribute. @throws DeviceMemoryShort; KernelError; EngineError if the attribute can't be read
    /// any more; Cancelled
    void add(const Attribute& attribute);
    /// Adds x, y, z or height. @param coordinate 0 to 3 in this order
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
