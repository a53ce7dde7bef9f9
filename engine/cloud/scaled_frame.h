#pragma once
// From stored integers to coordinates and other values.
#include "kernels/core/vec3.h"

#include <cmath>

namespace scanloupe {

/// stored * scale + offset. Where scale and offset are short decimal numbers, as in nearly all files, the
/// result is the decimal number itself: 84889970 at 0.01 is 848899.7, where the product of doubles would be
/// 848899.7000000001.
class ScaledNumber {
public:
    ScaledNumber() = default;
    ScaledNumber(double scale, double offset) : m_scale(scale), m_offset(offset) {
        constexpr double exact = 4503599627370496.0; // 2^52: sums of smaller integers are exact
        double whole = 1;
        for (int digits = 0; digits <= 12; ++digits, whole *= 10) {
            if (scale != 1 / whole)
                continue;
            const double steps = std::round(offset * whole);
            if (std::abs(steps) >= exact || steps / whole != offset)
                return;
            m_whole = whole;
            m_steps = steps;
            m_decimals = digits;
        }
    }
    double value(double stored) const {
        return m_whole > 0 ? (stored + m_steps) / m_whole : stored * m_scale + m_offset;
    }
    /// Digits after the point that the values have; -1 when they are no short decimal numbers.
    int decimals() const { return m_decimals; }

private:
    double m_scale = 1, m_offset = 0;
    double m_whole = 0; ///< steps in a unit; 0: not decimal
    double m_steps = 0; ///< of the offset
    int m_decimals = -1;
};

/// The same for coordinates, an axis.
class ScaledFrame {
public:
    ScaledFrame() = default;
    ScaledFrame(Vec3d scale, Vec3d offset)
        : m_axes{{scale.x, offset.x}, {scale.y, offset.y}, {scale.z, offset.z}} {}

    Vec3d position(Vec3i stored) const {
        return {value(stored.x, 0), value(stored.y, 1), value(stored.z, 2)};
    }
    double value(std::int32_t stored, int axis) const { return m_axes[axis].value(stored); }

private:
    ScaledNumber m_axes[3];
};

} // namespace scanloupe
