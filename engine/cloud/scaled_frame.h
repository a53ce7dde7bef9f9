#pragma once
// Converts stored integers to real numbers by scale and offset (LAS scale factors, E57 ScaledInteger).
#include "kernels/core/vec3.h"

#include <cmath>

namespace scanloupe {

/// Evaluates stored * scale + offset. If scale and offset are short decimal numbers, as in nearly all files,
/// the result is the double nearest to the exact decimal number: 84889970 at 0.01 is 848899.7, while the
/// product of doubles would be 848899.7000000001.
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
    /// Number of decimal places of the values; -1 if scale and offset are not short decimal numbers.
    int decimals() const { return m_decimals; }

private:
    double m_scale = 1, m_offset = 0;
    double m_whole = 0; ///< 1 / scale, a power of ten; 0: scale or offset is not a short decimal number
    double m_steps = 0; ///< offset / scale, an integer
    int m_decimals = -1;
};

/// A ScaledNumber for each axis of the coordinates.
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
