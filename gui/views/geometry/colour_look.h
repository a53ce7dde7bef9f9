#pragma once
// Derives the colour mode of a geometry, and averages the colours of merged primitives.
#include "engine/picture/colouring.h"
#include "gui/views/geometry/view_geometry.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace scanloupe::gui {

inline ColourLook colourLook(const ColourValues& colours) {
    ColourLook look;
    look.mode = colours.classes.count > 0                ? ColourLook::Mode::classes
                : !colours.rgba.empty()                  ? ColourLook::Mode::rgba
                : !colours.values.empty() && colours.map ? ColourLook::Mode::values
                                                         : ColourLook::Mode::uniform;
    look.low = colours.low;
    look.high = colours.high;
    look.classes = colours.classes;
    if (look.mode == ColourLook::Mode::values)
        std::copy_n(colours.map, look.map.size(), look.map.begin());
    return look;
}

/// Colour of several merged primitives: the mean, or for classes the mode.
class ColourMean {
public:
    explicit ColourMean(ColourLook::Mode mode) : m_mode(mode) {}
    void add(std::uint32_t bits) {
        if (m_mode == ColourLook::Mode::classes) {
            m_classes.push_back(bits);
            return;
        }
        if (m_mode == ColourLook::Mode::values) {
            const float value = std::bit_cast<float>(bits);
            if (value == value)
                m_sum[0] += value, m_count += 1;
            return;
        }
        for (int i = 0; i < 4; ++i)
            m_sum[i] += static_cast<float>(bits >> (8 * i) & 0xffu);
        m_count += 1;
    }
    std::uint32_t bits() {
        if (m_mode == ColourLook::Mode::classes)
            return modalClass();
        if (m_mode == ColourLook::Mode::values) // NaN (0 / 0) when none of them has a value
            return std::bit_cast<std::uint32_t>(m_sum[0] / m_count);
        std::uint32_t out = 0;
        for (int i = 0; i < 4; ++i)
            out |= static_cast<std::uint32_t>(m_sum[i] / std::max(m_count, 1.0f) + 0.5f) << (8 * i);
        return out;
    }

private:
    std::uint32_t modalClass() {
        std::sort(m_classes.begin(), m_classes.end());
        std::uint32_t best = 0;
        std::ptrdiff_t most = 0;
        for (auto run = m_classes.begin(); run != m_classes.end();) {
            const auto end = std::upper_bound(run, m_classes.end(), *run);
            if (end - run > most)
                best = *run, most = end - run;
            run = end;
        }
        return best;
    }

    ColourLook::Mode m_mode;
    float m_sum[4] = {}, m_count = 0;
    std::vector<std::uint32_t> m_classes;
};

} // namespace scanloupe::gui
