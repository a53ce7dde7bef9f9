#pragma once
// From stored integers to coordinates.
#include "kernels/core/vec3.h"

#include <cmath>

namespace scanloupe {

/// integer * scale + offset, an axis. Where scale and offset are short decimal numbers, as in nearly all
/// files, the result is the decimal number itself: 84889970 at 0.01 is 848899.7, where the product of doubles
/// would be 848899.7000000001.
class ScaledFrame {
public:
    ScaledFrame() = default;
    ScaledFrame(Vec3d scale, Vec3d offset) : m_scale(scale), m_offset(offset) {
        for (int axis = 0; axis < 3; ++axis)
            setDecimals(axis);
    }

    Vec3d position(Vec3i stored) const {
        return {value(stored.x, 0), value(stored.y, 1), value(stored.z, 2)};
    }
    double value(std::int32_t stored, int axis) const {
        const double held = stored;
        return m_whole[axis] > 0 ? (held + m_steps[axis]) / m_whole[axis]
                                 : held * m_scale[axis] + m_offset[axis];
    }
    /// Digits after the point that the values of an axis have; -1 when they are no short decimal numbers.
    int decimals(int axis) const { return m_decimals[axis]; }

private:
    void setDecimals(int axis) {
        constexpr double exact = 4503599627370496.0; // 2^52: sums of smaller integers are exact
        double whole = 1;
        for (int digits = 0; digits <= 12; ++digits, whole *= 10) {
            if (m_scale[axis] != 1 / whole)
                continue;
            const double steps = std::round(m_offset[axis] * whole);
            if (std::abs(steps) >= exact || steps / whole != m_offset[axis])
                return;
            m_whole[axis] = whole;
            m_steps[axis] = steps;
            m_decimals[axis] = digits;
        }
    }
    Vec3d m_scale{1, 1, 1}, m_offset;
    Vec3d m_whole; ///< steps in a unit; 0: not decimal
    Vec3d m_steps; ///< of the offset
    int m_decimals[3] = {-1, -1, -1};
};

} // namespace scanloupe
