#pragma once
// Counts the work of several threads, and reports progress.
#include "engine/io/progress.h"

#include <cstdint>
#include <mutex>

namespace scanloupe {

/// Counts work that threads have done, and reports each further hundredth to a ProgressFunction: one call at
/// a time, with ascending fractions.
class ProgressMeter {
public:
    ProgressMeter(const ProgressFunction& tell, std::uint64_t total) : m_tell(tell), m_total(total) {}

    void add(std::uint64_t units) {
        if (!m_tell || m_total == 0)
            return;
        const std::lock_guard lock(m_mutex);
        if (m_done == m_total)
            return;
        m_done = units < m_total - m_done ? m_done + units : m_total;
        const double part = static_cast<double>(m_done) / static_cast<double>(m_total);
        if (part < m_told + 0.01 && m_done < m_total)
            return;
        m_told = part;
        m_tell(part);
    }

    /// Reports completion: for work that turned out to be less than `total`.
    void finish() { add(m_total); }

private:
    const ProgressFunction& m_tell;
    std::uint64_t m_total;
    std::mutex m_mutex;
    std::uint64_t m_done = 0;
    double m_told = -1;
};

} // namespace scanloupe
