#pragma once
// Declares the counter for work of several threads that reports progress.
#include "engine/io/common/progress.h"

#include <cstdint>
#include <mutex>

namespace scanloupe {

/// Counts finished work of several threads, and reports each further hundredth to a ProgressFunction: one
/// call at a time, with increasing fractions.
class ProgressMeter {
public:
    ProgressMeter(const ProgressFunction& callback, std::uint64_t total)
        : m_callback(callback), m_total(total) {}

    void add(std::uint64_t units) {
        if (!m_callback || m_total == 0)
            return;
        const std::lock_guard lock(m_mutex);
        if (m_done == m_total)
            return;
        m_done = units < m_total - m_done ? m_done + units : m_total;
        const double fraction = static_cast<double>(m_done) / static_cast<double>(m_total);
        if (fraction < m_reported + 0.01 && m_done < m_total)
            return;
        m_reported = fraction;
        m_callback(fraction);
    }

    /// Reports completion, for work that turned out to be less than `total`.
    void finish() { add(m_total); }

private:
    const ProgressFunction& m_callback;
    std::uint64_t m_total;
    std::mutex m_mutex;
    std::uint64_t m_done = 0;
    double m_reported = -1;
};

} // namespace scanloupe
